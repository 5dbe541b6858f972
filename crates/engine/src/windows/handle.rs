//! Calls on a handle: their errors in the numbers of Linux, and waiting for background operations
//! of a handle opened for overlapped I/O.

use std::io;
use std::ptr;
use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_IO_PENDING, GetLastError, HANDLE, WAIT_OBJECT_0,
};
use windows_sys::Win32::System::IO::{DeviceIoControl, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::{CreateEventW, INFINITE, WaitForSingleObject};
use windows_sys::core::BOOL;

/// The thread's last error code.
pub(crate) fn last_code() -> u32 {
    // SAFETY: no memory is passed.
    unsafe { GetLastError() }
}

/// An error of the system with this code.
pub(crate) fn error_of(code: u32) -> io::Error {
    io::Error::from_raw_os_error(code.cast_signed())
}

/// Whether a call succeeded, as a result.
///
/// # Errors
/// The thread's last error if it did not.
pub(crate) fn succeeded(answer: BOOL) -> io::Result<()> {
    match answer {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A request at an offset of a file.
pub(crate) fn overlapped_at(offset: u64) -> OVERLAPPED {
    let mut overlapped = OVERLAPPED::default();
    overlapped.Anonymous.Anonymous.Offset = offset as u32;
    overlapped.Anonymous.Anonymous.OffsetHigh = (offset >> 32) as u32;
    overlapped
}

/// A handle that is closed when this is dropped.
#[derive(Debug)]
pub(crate) struct OwnHandle(HANDLE);

impl OwnHandle {
    /// Takes the handle that a call returned; its error if there is none.
    ///
    /// # Errors
    /// The thread's last error.
    pub(crate) fn take(handle: HANDLE) -> io::Result<OwnHandle> {
        match handle.is_null() {
            true => Err(io::Error::last_os_error()),
            false => Ok(OwnHandle(handle)),
        }
    }

    pub(crate) fn raw(&self) -> HANDLE {
        self.0
    }
}

impl Drop for OwnHandle {
    fn drop(&mut self) {
        // SAFETY: the handle is this value's own and is not used again.
        unsafe { CloseHandle(self.0) };
    }
}

/// Makes a call that may go on in the background and waits for its end: bytes moved.
///
/// # Errors
/// The code of the error.
pub(crate) fn complete(
    handle: HANDLE,
    offset: u64,
    start: impl FnOnce(*mut OVERLAPPED) -> BOOL,
) -> Result<u32, u32> {
    // SAFETY: no memory is passed.
    let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
    let event = OwnHandle::take(event).map_err(|_| last_code())?;
    let mut request = overlapped_at(offset);
    // The lowest bit keeps a completion port, if there is one, out of it.
    request.hEvent = event.raw().map_addr(|address| address | 1);
    if start(&raw mut request) == 0 {
        let code = last_code();
        if code != ERROR_IO_PENDING {
            return Err(code);
        }
        // SAFETY: the event lives until the end of this function.
        if unsafe { WaitForSingleObject(event.raw(), INFINITE) } != WAIT_OBJECT_0 {
            let code = last_code();
            // The kernel may still write to the request: it must not go.
            Box::leak(Box::new(request));
            return Err(code);
        }
    }
    let mut moved = 0;
    // SAFETY: the request is over, and the kernel fills in one number.
    match unsafe { GetOverlappedResult(handle, &raw const request, &raw mut moved, 0) } {
        0 => Err(last_code()),
        _ => Ok(moved),
    }
}

/// Queries a driver or file system; returns the number of bytes in the answer.
///
/// # Safety
/// `input` and `output` must be plain data of the layout that `control` has.
///
/// # Errors
/// The code of the error.
pub(crate) unsafe fn control<I, O>(
    handle: HANDLE,
    control: u32,
    input: &I,
    output: &mut O,
) -> Result<u32, u32> {
    let input_len = size_of::<I>() as u32;
    let output_len = size_of::<O>() as u32;
    let input = if input_len == 0 { ptr::null() } else { ptr::from_ref(input).cast() };
    let output = if output_len == 0 { ptr::null_mut() } else { ptr::from_mut(output).cast() };
    let none = ptr::null_mut();
    complete(handle, 0, |request| {
        // SAFETY: both buffers are as long as is said and outlive the call, whose end is waited
        // for; the caller vouches for what is in them.
        unsafe {
            DeviceIoControl(handle, control, input, input_len, output, output_len, none, request)
        }
    })
}
