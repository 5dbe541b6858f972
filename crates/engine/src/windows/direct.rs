//! The alignment of uncached I/O for buffers and offsets: multiples of the logical sector.

use crate::alignment::{AlignmentSource, DirectAlignment};
use crate::windows::folder::ask;
use crate::windows::storage::geometry;
use std::fs::File;
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Storage::FileSystem::{FILE_STORAGE_INFO, FileStorageInfo};

/// Finds the alignment of unbuffered I/O on `file`.
pub fn direct_alignment(file: &File) -> DirectAlignment {
    let of_file = || {
        let info = ask::<FILE_STORAGE_INFO>(file, FileStorageInfo);
        info.map(|info| info.LogicalBytesPerSector)
    };
    let of_disk = || Some(geometry(file.as_raw_handle()).ok()?.Geometry.BytesPerSector);
    let sector = of_file().or_else(of_disk).filter(|bytes| bytes.is_power_of_two());
    let source = match sector {
        Some(_) => AlignmentSource::SectorSize,
        None => AlignmentSource::Assumed,
    };
    let bytes = sector.unwrap_or(4096);
    DirectAlignment { supported: true, mem: bytes, offset: bytes, source }
}
