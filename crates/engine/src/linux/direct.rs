//! The alignment of O_DIRECT for buffers and offsets, from the kernel and not assumed.
//!
//! Since Linux 6.1 `statx` reports it for the file itself. Older kernels and some file systems do
//! not: then it is a block device's logical sector size, and for a file 4096 bytes are assumed,
//! which every device accepts.

use crate::alignment::{AlignmentSource, DirectAlignment};
use crate::linux::storage::is_block_device;
use rustix::fs::{AtFlags, StatxFlags};
use std::fs::File;

/// Finds the alignment of O_DIRECT on `file`.
pub fn direct_alignment(file: &File) -> DirectAlignment {
    if let Some(alignment) = from_statx(file) {
        return alignment;
    }
    if is_block_device(file)
        && let Ok(sector) = rustix::fs::ioctl_blksszget(file)
    {
        let source = AlignmentSource::SectorSize;
        return DirectAlignment { supported: true, mem: sector, offset: sector, source };
    }
    DirectAlignment { supported: true, mem: 4096, offset: 4096, source: AlignmentSource::Assumed }
}

fn from_statx(file: &File) -> Option<DirectAlignment> {
    let stat = rustix::fs::statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN).ok()?;
    if stat.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        return None;
    }
    Some(DirectAlignment {
        supported: stat.stx_dio_offset_align != 0,
        mem: stat.stx_dio_mem_align.max(1),
        offset: stat.stx_dio_offset_align.max(1),
        source: AlignmentSource::Statx,
    })
}
