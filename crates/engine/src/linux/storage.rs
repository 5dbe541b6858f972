//! Operations on a file or device outside of measured I/O: its size, its page cache, its blocks.
//! Here because some need an ioctl.

use crate::storage_words::{Access, Allocate, LoopBacking};
use rustix::fs::{Advice, FallocateFlags};
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, FileTypeExt};

const BLKGETSIZE64: libc::Ioctl = 0x8008_1272_u32 as libc::Ioctl;
const BLKFLSBUF: libc::Ioctl = 0x1261;

/// `LOOP_GET_STATUS64` of `linux/loop.h`.
const LOOP_GET_STATUS64: libc::Ioctl = 0x4c05;

/// `struct loop_info64` of `linux/loop.h`.
#[repr(C)]
struct LoopInfo {
    device: u64,
    inode: u64,
    special_device: u64,
    offset_and_limit: [u64; 2],
    number_cipher_key_flags: [u32; 4],
    names: [u8; 128],
    key: [u8; 32],
    init: [u64; 2],
}

/// Queries an open loop device for its backing file.
///
/// # Errors
/// ENXIO if there is no backing file, ENOTTY if it is not a loop device.
pub fn loop_backing(device: &File) -> io::Result<LoopBacking> {
    let mut info = LoopInfo {
        device: 0,
        inode: 0,
        special_device: 0,
        offset_and_limit: [0; 2],
        number_cipher_key_flags: [0; 4],
        names: [0; 128],
        key: [0; 32],
        init: [0; 2],
    };
    // SAFETY: LOOP_GET_STATUS64 writes one struct loop_info64, which LoopInfo has the layout of.
    if unsafe { libc::ioctl(device.as_raw_fd(), LOOP_GET_STATUS64, &raw mut info) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // For a regular file kernels return no number here, or repeat that of its file system.
    let is_block_device = info.special_device != 0 && info.special_device != info.device;
    let number = info.special_device;
    let block_device =
        is_block_device.then(|| (rustix::fs::major(number), rustix::fs::minor(number)));
    Ok(LoopBacking { device: info.device, inode: info.inode, block_device })
}

/// Whether a file is a block device.
pub fn is_block_device(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.file_type().is_block_device())
}

/// Bytes of a file, or of a block device.
///
/// # Errors
/// If the kernel does not report it.
pub fn size_bytes(file: &File) -> io::Result<u64> {
    let data = file.metadata()?;
    if !data.file_type().is_block_device() {
        return Ok(data.len());
    }
    let mut size = 0u64;
    // SAFETY: BLKGETSIZE64 writes one u64.
    if unsafe { libc::ioctl(file.as_raw_fd(), BLKGETSIZE64, &raw mut size) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(size)
}

const FS_IOC_FIEMAP: libc::Ioctl = 0xc020_660b_u32 as libc::Ioctl;
/// Number of extents for each query.
const EXTENTS: usize = 128;
/// The last extent of a file.
const EXTENT_LAST: u32 = 0x1;
/// Allocated and never written: reads as zeros, without the device.
const EXTENT_UNWRITTEN: u32 = 0x800;

/// `struct fiemap_extent` of linux/fiemap.h.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved: [u64; 2],
    flags: u32,
    reserved_too: [u32; 3],
}

/// `struct fiemap` with space for its extents.
#[repr(C)]
struct ExtentMap {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
    extents: [Extent; EXTENTS],
}

/// Bytes of a file that were written: its length without holes, and without blocks that are
/// allocated and were never written, which read as zeros at the speed of memory.
///
/// # Errors
/// If the file system does not report its extents.
pub fn written_bytes(file: &File) -> io::Result<u64> {
    let len = file.metadata()?.len();
    let (mut at, mut written) = (0, 0);
    while at < len {
        let extents = extents_from(file, at)?;
        for extent in &extents {
            let end = extent.logical.saturating_add(extent.length).min(len);
            if extent.flags & EXTENT_UNWRITTEN == 0 {
                written += end.saturating_sub(extent.logical);
            }
            at = at.max(end);
        }
        if extents.last().is_none_or(|last| last.flags & EXTENT_LAST != 0 || last.length == 0) {
            break;
        }
    }
    Ok(written)
}

/// The next extents of a file from an offset on.
fn extents_from(file: &File, start: u64) -> io::Result<Vec<Extent>> {
    let mut map = ExtentMap {
        start,
        length: u64::MAX - start,
        // Dirty pages in the page cache have no block yet, but count as written.
        flags: 1,
        mapped_extents: 0,
        extent_count: EXTENTS as u32,
        reserved: 0,
        extents: [Extent::default(); EXTENTS],
    };
    // SAFETY: FS_IOC_FIEMAP reads the head of the struct, and writes it and as many extents behind
    // it as `extent_count` says there is room for.
    if unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP, &raw mut map) } < 0 {
        return Err(io::Error::last_os_error());
    }
    let count = (map.mapped_extents as usize).min(EXTENTS);
    Ok(map.extents[..count].to_vec())
}

/// Drops the page cache of a range of a file (`len` 0: to its end), or of a whole block device.
/// Dirty pages stay: flush first.
///
/// # Errors
/// If the kernel refuses, for instance a device to who is not root.
pub fn drop_cache(file: &File, offset: u64, len: u64) -> io::Result<()> {
    if is_block_device(file) {
        // SAFETY: BLKFLSBUF takes no argument.
        if unsafe { libc::ioctl(file.as_raw_fd(), BLKFLSBUF, 0) } == 0 {
            return Ok(());
        }
        let refused = io::Error::last_os_error();
        rustix::fs::fadvise(file, offset, NonZeroU64::new(len), Advice::DontNeed)?;
        return Err(refused);
    }
    Ok(rustix::fs::fadvise(file, offset, NonZeroU64::new(len), Advice::DontNeed)?)
}

/// Tells the kernel the access pattern of a file.
///
/// # Errors
/// If the kernel does not want to know.
pub fn advise_access(file: &File, access: Access) -> io::Result<()> {
    let advice = match access {
        Access::Sequential => Advice::Sequential,
        Access::Random => Advice::Random,
    };
    Ok(rustix::fs::fadvise(file, 0, None, advice)?)
}

/// Reads at `offset`; returns the number of bytes.
///
/// # Errors
/// If reading fails.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Writes all of `bytes` at `offset`.
///
/// # Errors
/// If writing fails.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Gives a file `len` bytes, from its beginning.
///
/// # Errors
/// ENOSPC if space is missing, EOPNOTSUPP if the file system cannot allocate.
pub fn allocate(file: &File, how: Allocate, len: u64) -> io::Result<()> {
    match how {
        Allocate::Truncate => file.set_len(len),
        _ if len == 0 => Ok(()),
        Allocate::Native => Ok(rustix::fs::fallocate(file, FallocateFlags::empty(), 0, len)?),
        Allocate::KeepSize => Ok(rustix::fs::fallocate(file, FallocateFlags::KEEP_SIZE, 0, len)?),
        Allocate::Posix => {
            let len = libc::off_t::try_from(len).map_err(|_| io::ErrorKind::FileTooLarge)?;
            // SAFETY: no memory is passed.
            match unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, len) } {
                0 => Ok(()),
                code => Err(io::Error::from_raw_os_error(code)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn allocation_gives_size_or_blocks_as_asked() {
        let cases = [
            (Allocate::Native, true, true),
            (Allocate::Posix, true, true),
            (Allocate::KeepSize, false, true),
            (Allocate::Truncate, true, false),
        ];
        for (how, sized, blocks) in cases {
            let file = tempfile::tempfile().expect("a file");
            if let Err(error) = allocate(&file, how, 1 << 20) {
                assert_eq!(error.raw_os_error(), Some(libc::EOPNOTSUPP), "{how:?}");
                fathom_skip::skip("this file system has no fallocate");
                continue;
            }
            let data = file.metadata().expect("stat");
            assert_eq!(size_bytes(&file).expect("size"), if sized { 1 << 20 } else { 0 });
            assert_eq!(data.blocks() >= 2048, blocks, "{how:?}: {} blocks", data.blocks());
            drop_cache(&file, 0, 0).expect("drops");
            advise_access(&file, Access::Random).expect("advises");
            advise_access(&file, Access::Sequential).expect("advises");
        }
    }

    #[test]
    fn blocks_that_were_never_written_are_not_counted() {
        let file = tempfile::tempfile().expect("a file");
        let taken = allocate(&file, Allocate::Native, 1 << 20).and_then(|()| written_bytes(&file));
        let Ok(before) = taken else {
            return fathom_skip::skip(&format!("this file system has no extents: {taken:?}"));
        };
        assert_eq!(before, 0);
        file.write_all_at(&[7; 8192], 65_536).expect("writes");
        file.sync_all().expect("syncs");
        let written = written_bytes(&file).expect("extents");
        assert!((8192..65_536).contains(&written), "{written}");
    }

    #[test]
    fn a_file_is_no_block_device() {
        assert!(!is_block_device(&tempfile::tempfile().expect("a file")));
    }
}
