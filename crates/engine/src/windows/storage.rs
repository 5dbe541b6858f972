//! Operations on a file or device outside of measured I/O: its size, its cache, its space. Every
//! call works on handles opened for overlapped I/O too.

use crate::storage_words::{Access, Allocate, LoopBacking};
use crate::windows::handle::{OwnHandle, complete, control, error_of, succeeded};
use crate::windows::only_linux::only_linux;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Foundation::{
    ERROR_HANDLE_EOF, ERROR_MORE_DATA, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    BY_HANDLE_FILE_INFORMATION, FILE_ALLOCATION_INFO, FILE_FLAG_NO_BUFFERING, FILE_GENERIC_READ,
    FILE_SHARE_DELETE, FILE_SHARE_READ, FILE_SHARE_WRITE, FileAllocationInfo,
    GetFileInformationByHandle, ReOpenFile, ReadFile, SetFileInformationByHandle, WriteFile,
};
use windows_sys::Win32::System::Ioctl::{
    DISK_GEOMETRY_EX, FILE_ALLOCATED_RANGE_BUFFER, FILE_REGION_INFO, FILE_REGION_INPUT,
    FILE_REGION_USAGE_VALID_CACHED_DATA, FSCTL_QUERY_ALLOCATED_RANGES, FSCTL_QUERY_FILE_REGIONS,
    GET_LENGTH_INFORMATION, IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, IOCTL_DISK_GET_LENGTH_INFO,
    IOCTL_STORAGE_GET_DEVICE_NUMBER, STORAGE_DEVICE_NUMBER,
};

/// The number of the partition on a disk, 0 for the whole disk, and that of the disk, as major and
/// minor number; none if it is not a device.
pub(crate) fn device_number(handle: HANDLE) -> Option<(u32, u32)> {
    let mut number = STORAGE_DEVICE_NUMBER::default();
    let code = IOCTL_STORAGE_GET_DEVICE_NUMBER;
    // SAFETY: the answer is one record of this layout.
    unsafe { control(handle, code, &(), &mut number) }.ok()?;
    // A missing partition has a number of all ones.
    let partition = if number.PartitionNumber == u32::MAX { 0 } else { number.PartitionNumber };
    Some((partition, number.DeviceNumber))
}

/// Whether a handle is of a disk or volume as a whole.
pub fn is_block_device(file: &File) -> bool {
    let handle = file.as_raw_handle();
    let mut about = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the call fills one record.
    let has_facts = unsafe { GetFileInformationByHandle(handle, &raw mut about) } != 0;
    // A file has facts; a device has none, and a number.
    !has_facts && device_number(handle).is_some()
}

/// Bytes of a file, or of a disk or volume.
///
/// # Errors
/// If the system does not report it.
pub fn size_bytes(file: &File) -> io::Result<u64> {
    if !is_block_device(file) {
        return Ok(file.metadata()?.len());
    }
    let handle = file.as_raw_handle();
    let mut length = GET_LENGTH_INFORMATION::default();
    // SAFETY: the answer is one record of this layout.
    match unsafe { control(handle, IOCTL_DISK_GET_LENGTH_INFO, &(), &mut length) } {
        Ok(_) => Ok(length.Length.unsigned_abs()),
        // It needs the right to read; the geometry does not.
        Err(_) => Ok(geometry(handle).map_err(error_of)?.DiskSize.unsigned_abs()),
    }
}

/// Sizes of a disk.
pub(crate) fn geometry(handle: HANDLE) -> Result<DISK_GEOMETRY_EX, u32> {
    /// The record and space for the two that may follow it.
    #[repr(C)]
    struct Answer {
        geometry: DISK_GEOMETRY_EX,
        more: [u64; 32],
    }
    let mut answer = Answer { geometry: DISK_GEOMETRY_EX::default(), more: [0; 32] };
    // SAFETY: the answer begins with a record of this layout.
    unsafe { control(handle, IOCTL_DISK_GET_DRIVE_GEOMETRY_EX, &(), &mut answer) }?;
    Ok(answer.geometry)
}

/// Bytes of a file that were written: its length without holes and, if the file system reports it,
/// without the part beyond its valid data, which reads as zeros at the speed of memory.
///
/// # Errors
/// If the file system does not report it.
pub fn written_bytes(file: &File) -> io::Result<u64> {
    let len = file.metadata()?.len();
    let handle = file.as_raw_handle();
    if let Some(valid) = valid_bytes(handle, len) {
        return Ok(valid);
    }
    let (mut at, mut written) = (0u64, 0u64);
    while at < len {
        let (ranges, more) = allocated_from(handle, at, len)?;
        for range in &ranges {
            let (start, bytes) = (range.FileOffset.unsigned_abs(), range.Length.unsigned_abs());
            written += bytes.min(len.saturating_sub(start));
            at = at.max(start.saturating_add(bytes));
        }
        if ranges.is_empty() || !more {
            break;
        }
    }
    Ok(written)
}

/// Number of regions or ranges for each query.
const RANGES: usize = 64;

/// Bytes of valid data; none if the file system does not report them, or all are valid.
fn valid_bytes(handle: HANDLE, len: u64) -> Option<u64> {
    #[repr(C)]
    struct Answer {
        flags: u32,
        total: u32,
        given: u32,
        reserved: u32,
        regions: [FILE_REGION_INFO; RANGES],
    }
    let ask = FILE_REGION_INPUT {
        FileOffset: 0,
        Length: len.cast_signed(),
        DesiredUsage: FILE_REGION_USAGE_VALID_CACHED_DATA,
    };
    let regions = [FILE_REGION_INFO::default(); RANGES];
    let mut answer = Answer { flags: 0, total: 0, given: 0, reserved: 0, regions };
    // SAFETY: question and answer are records of the layout that this code has.
    unsafe { control(handle, FSCTL_QUERY_FILE_REGIONS, &ask, &mut answer) }.ok()?;
    if answer.given != answer.total {
        return None;
    }
    let regions = &answer.regions[..RANGES.min(answer.given as usize)];
    Some(regions.iter().map(|region| region.Length.unsigned_abs()).sum())
}

/// Ranges with space from an offset on, and whether there are more.
fn allocated_from(
    handle: HANDLE,
    start: u64,
    len: u64,
) -> io::Result<(Vec<FILE_ALLOCATED_RANGE_BUFFER>, bool)> {
    let ask = FILE_ALLOCATED_RANGE_BUFFER {
        FileOffset: start.cast_signed(),
        Length: (len - start).cast_signed(),
    };
    let mut answer = [FILE_ALLOCATED_RANGE_BUFFER { FileOffset: -1, Length: 0 }; RANGES];
    // SAFETY: question and answer are records of the layout that this code has.
    let asked = unsafe { control(handle, FSCTL_QUERY_ALLOCATED_RANGES, &ask, &mut answer) };
    let more = match asked {
        Ok(_) => false,
        Err(ERROR_MORE_DATA) => true,
        Err(code) => return Err(error_of(code)),
    };
    Ok((answer.into_iter().take_while(|range| range.FileOffset >= 0).collect(), more))
}

/// Drops a file's cache: opening it again without a cache makes Windows flush and drop its pages,
/// unless it is mapped elsewhere. A range cannot be given.
///
/// # Errors
/// If the system refuses.
pub fn drop_cache(file: &File, _offset: u64, _len: u64) -> io::Result<()> {
    let share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    let handle = file.as_raw_handle();
    // SAFETY: the file is open for as long as it is borrowed.
    let again = unsafe { ReOpenFile(handle, FILE_GENERIC_READ, share, FILE_FLAG_NO_BUFFERING) };
    if again == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    OwnHandle::take(again).map(drop)
}

/// Announces the access pattern of a file: Windows takes it only when a file is opened, and detects
/// it later by itself.
///
/// # Errors
/// Never.
pub fn advise_access(_file: &File, _access: Access) -> io::Result<()> {
    Ok(())
}

/// Queries an open loop device for its backing file.
///
/// # Errors
/// Always: there is none.
pub fn loop_backing(_device: &File) -> io::Result<LoopBacking> {
    Err(only_linux("a loop device", "name a file or a disk"))
}

/// Reads at `offset`; returns the number of bytes.
///
/// # Errors
/// If reading fails.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let handle = file.as_raw_handle();
    let len = u32::try_from(buffer.len()).unwrap_or(1 << 30);
    let moved = complete(handle, offset, |request| {
        // SAFETY: the buffer has `len` bytes, and the end of the request is waited for.
        unsafe { ReadFile(handle, buffer.as_mut_ptr(), len, std::ptr::null_mut(), request) }
    });
    match moved {
        Ok(bytes) => Ok(bytes as usize),
        Err(ERROR_HANDLE_EOF) => Ok(0),
        Err(code) => Err(error_of(code)),
    }
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// If writing fails.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let handle = file.as_raw_handle();
    let (mut rest, mut at) = (bytes, offset);
    while !rest.is_empty() {
        let len = u32::try_from(rest.len()).unwrap_or(1 << 30);
        let moved = complete(handle, at, |request| {
            // SAFETY: there are `len` bytes to read, and the end of the request is waited for.
            unsafe { WriteFile(handle, rest.as_ptr(), len, std::ptr::null_mut(), request) }
        });
        match moved.map_err(error_of)? {
            0 => return Err(ErrorKind::WriteZero.into()),
            moved => (rest, at) = (&rest[moved as usize..], at + u64::from(moved)),
        }
    }
    Ok(())
}

/// Gives a file `len` bytes, from its beginning. New bytes read as zeros: the right to expose old
/// disk content (`SetFileValidData`) is never used.
///
/// # Errors
/// ENOSPC if space is missing, EOPNOTSUPP if the file system cannot reserve.
pub fn allocate(file: &File, how: Allocate, len: u64) -> io::Result<()> {
    match how {
        Allocate::Truncate => file.set_len(len),
        _ if len == 0 => Ok(()),
        Allocate::KeepSize => reserve(file, len),
        Allocate::Native => reserve(file, len).and_then(|()| grow(file, len).map(drop)),
        Allocate::Posix => match reserve(file, len) {
            Err(error) if error.kind() == ErrorKind::StorageFull => Err(error),
            Ok(()) => grow(file, len).map(drop),
            Err(_) => write_zeros(file, len),
        },
    }
}

/// Reserves space without a change of the length.
fn reserve(file: &File, len: u64) -> io::Result<()> {
    let space = FILE_ALLOCATION_INFO { AllocationSize: len.cast_signed() };
    let bytes = size_of::<FILE_ALLOCATION_INFO>() as u32;
    // Less than it has would cut it.
    if file.metadata()?.len() >= len {
        return Ok(());
    }
    // SAFETY: the call reads one record of this layout.
    succeeded(unsafe {
        SetFileInformationByHandle(
            file.as_raw_handle(),
            FileAllocationInfo,
            (&raw const space).cast(),
            bytes,
        )
    })
}

/// Makes a file at least so long: how long it was.
fn grow(file: &File, len: u64) -> io::Result<u64> {
    let before = file.metadata()?.len();
    if before < len {
        file.set_len(len)?;
    }
    Ok(before)
}

/// Allocates space by writing it, as `posix_fallocate` does without better support.
fn write_zeros(file: &File, len: u64) -> io::Result<()> {
    let zeros = vec![0u8; 1 << 20];
    let mut at = grow(file, len)?;
    while at < len {
        let bytes = (len - at).min(zeros.len() as u64);
        write_all_at(file, &zeros[..bytes as usize], at)?;
        at += bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocation_gives_size_as_asked() {
        let cases = [
            (Allocate::Native, true),
            (Allocate::Posix, true),
            (Allocate::KeepSize, false),
            (Allocate::Truncate, true),
        ];
        for (how, sized) in cases {
            let file = tempfile::tempfile().expect("a file");
            if let Err(error) = allocate(&file, how, 1 << 20) {
                assert!(matches!(how, Allocate::Native | Allocate::KeepSize), "{how:?}: {error}");
                fathom_skip::skip(&format!("{how:?}: this file system reserves nothing: {error}"));
                continue;
            }
            assert_eq!(size_bytes(&file).expect("size"), if sized { 1 << 20 } else { 0 });
            advise_access(&file, Access::Random).expect("advises");
        }
    }

    #[test]
    fn allocation_never_cuts_a_file() {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(1 << 20).expect("its size");
        for how in [Allocate::Native, Allocate::Posix, Allocate::KeepSize] {
            let _ = allocate(&file, how, 4096);
            assert_eq!(size_bytes(&file).expect("size"), 1 << 20, "{how:?}");
        }
    }

    #[test]
    fn reads_end_at_the_end() {
        let file = tempfile::tempfile().expect("a file");
        write_all_at(&file, &[7; 100], 50).expect("writes");
        let mut back = [1; 200];
        assert_eq!(read_at(&file, &mut back, 0).expect("reads"), 150);
        assert_eq!((back[49], back[50], back[149], back[150]), (0, 7, 7, 1));
        assert_eq!(read_at(&file, &mut back, 150).expect("reads"), 0);
    }

    #[test]
    fn a_file_is_no_block_device_and_nothing_is_a_loop_device() {
        let file = tempfile::tempfile().expect("a file");
        assert!(!is_block_device(&file));
        assert!(loop_backing(&file).expect_err("none").to_string().contains("on Linux only"));
    }
}
