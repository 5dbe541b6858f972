//! Private memory pages.

use std::io;
use std::ptr::{self, NonNull};
use windows_sys::Win32::System::Memory::{
    MEM_COMMIT, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::SystemInformation::{GetSystemInfo, SYSTEM_INFO};

/// Bytes of a page.
pub(crate) fn page_size() -> usize {
    let mut about = SYSTEM_INFO::default();
    // SAFETY: the call fills one record.
    unsafe { GetSystemInfo(&raw mut about) };
    about.dwPageSize as usize
}

/// Maps `len` bytes, zeroed.
///
/// # Errors
/// If there is not enough memory.
pub(crate) fn map(len: usize) -> io::Result<NonNull<u8>> {
    // SAFETY: new pages at an address of the system's choice disturb nothing.
    let map = unsafe { VirtualAlloc(ptr::null(), len, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) };
    NonNull::new(map.cast()).ok_or_else(io::Error::last_os_error)
}

/// Makes the pages of a mapping present.
///
/// # Safety
/// They must be `len` bytes from [`map`], without references to them.
pub(crate) unsafe fn populate(map: NonNull<u8>, len: usize) {
    for at in (0..len).step_by(page_size()) {
        // SAFETY: the byte lies in the mapping; the caller vouches for the rest.
        unsafe { map.as_ptr().add(at).write_volatile(0) };
    }
}

/// Gives a mapping back.
///
/// # Safety
/// It must come from [`map`], and must not be used again.
pub(crate) unsafe fn unmap(map: NonNull<u8>, _len: usize) {
    // SAFETY: the caller vouches for it; a length of 0 gives back all of it.
    unsafe { VirtualFree(map.as_ptr().cast(), 0, MEM_RELEASE) };
}
