//! Private memory pages.

use std::io;
use std::ptr::NonNull;

/// Bytes of a page.
pub(crate) fn page_size() -> usize {
    rustix::param::page_size()
}

/// Maps `len` bytes, zeroed.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn map(len: usize) -> io::Result<NonNull<u8>> {
    let prot = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
    let map = unsafe { libc::mmap(std::ptr::null_mut(), len, prot, flags, -1, 0) };
    if map == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(map.cast()).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
}

/// Makes the pages of a mapping present.
///
/// # Safety
/// They must be `len` bytes from [`map`], without references to them.
pub(crate) unsafe fn populate(map: NonNull<u8>, len: usize) {
    // SAFETY: populating an anonymous mapping leaves it zero.
    if unsafe { libc::madvise(map.as_ptr().cast(), len, libc::MADV_POPULATE_WRITE) } != 0 {
        for at in (0..len).step_by(page_size()) {
            // SAFETY: the byte lies in the mapping. Before Linux 5.14 this is the way to have the
            // page.
            unsafe { map.as_ptr().add(at).write_volatile(0) };
        }
    }
}

/// Gives a mapping back.
///
/// # Safety
/// It must be `len` bytes from [`map`], and must not be used again.
pub(crate) unsafe fn unmap(map: NonNull<u8>, len: usize) {
    // SAFETY: the caller vouches for it.
    unsafe { libc::munmap(map.as_ptr().cast(), len) };
}
