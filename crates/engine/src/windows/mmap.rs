//! I/O by copying from and to a view of each file.
//!
//! A file is mapped with its length at the time when the engine is built, and an I/O beyond that
//! ends short there. Windows lets no mapped file shrink. A device that is lost under a view ends
//! the process: its exception cannot be turned into an error without a handler, which is not
//! implemented. The contract on torn copies is that of the engine with the same name on Linux.
//! Flushing is `FlushViewOfFile` of the whole, then `FlushFileBuffers`.

use crate::Request;
use crate::arena::Arena;
use crate::error::EngineError;
use crate::overlapped::result_of;
use crate::synchronous::Synchronous;
use crate::windows::fileset::FileSet;
use crate::windows::handle::{OwnHandle, last_code};
use fathom_vocab::{ErrorNumber, Op};
use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::ptr;
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_READ, FILE_MAP_WRITE, FlushViewOfFile, MEMORY_MAPPED_VIEW_ADDRESS,
    MapViewOfFile, PAGE_READONLY, PAGE_READWRITE, UnmapViewOfFile,
};

/// One file in memory.
#[derive(Debug)]
struct View {
    ptr: *mut u8,
    /// Bytes; 0 if nothing is mapped.
    len: usize,
    writable: bool,
}

impl View {
    fn new(file: &File, size: Option<u64>, writable: bool) -> io::Result<View> {
        let end = file.metadata()?.len();
        let len = usize::try_from(size.map_or(end, |size| size.min(end)))
            .map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        if len == 0 {
            return Ok(View { ptr: ptr::null_mut(), len, writable });
        }
        let (page, view) = match writable {
            true => (PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE),
            false => (PAGE_READONLY, FILE_MAP_READ),
        };
        let handle = file.as_raw_handle();
        // SAFETY: nothing but the handle is passed; lengths of 0 stand for the whole file.
        let mapping = unsafe { CreateFileMappingW(handle, ptr::null(), page, 0, 0, ptr::null()) };
        let mapping = OwnHandle::take(mapping)?;
        // SAFETY: a new view at an address of the system's choice disturbs nothing.
        let at = unsafe { MapViewOfFile(mapping.raw(), view, 0, 0, len) };
        match at.Value.is_null() {
            true => Err(io::Error::last_os_error()),
            false => Ok(View { ptr: at.Value.cast(), len, writable }),
        }
    }

    /// Copies between the view and a buffer: bytes, short at the end, or a negative error number.
    ///
    /// # Safety
    /// `buffer` must be valid for `len` bytes, for writing where `write` is false.
    unsafe fn copy(&self, write: bool, offset: u64, buffer: *mut u8, len: u32) -> i32 {
        if write && !self.writable {
            // As a write to a file that is open for reading is refused.
            return result_of(windows_sys::Win32::Foundation::ERROR_ACCESS_DENIED);
        }
        let left = (self.len as u64).saturating_sub(offset);
        let count = u64::from(len).min(left) as usize;
        if count == 0 {
            const ENOSPC: i32 = 28;
            return if write && len > 0 { -ENOSPC } else { 0 };
        }
        let at = self.ptr.wrapping_add(offset as usize);
        // SAFETY: offset + count <= self.len, so that `at` has `count` bytes of the view; the
        // caller vouches for the buffer, which is another mapping.
        unsafe {
            if write {
                ptr::copy_nonoverlapping(buffer, at, count);
            } else {
                ptr::copy_nonoverlapping(at, buffer, count);
            }
        }
        count as i32
    }

    fn flush(&self) -> i32 {
        if self.len == 0 {
            return 0;
        }
        // SAFETY: the range is this view.
        match unsafe { FlushViewOfFile(self.ptr.cast(), self.len) } {
            0 => result_of(last_code()),
            _ => 0,
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        if self.len > 0 {
            let at = MEMORY_MAPPED_VIEW_ADDRESS { Value: self.ptr.cast() };
            // SAFETY: the view is this value's own, and no reference into it exists.
            unsafe { UnmapViewOfFile(at) };
        }
    }
}

/// The mmap engine.
#[derive(Debug)]
pub(crate) struct Mmap {
    arena: Arena,
    /// Before the files: it is dropped first.
    views: Vec<View>,
    files: FileSet,
}

impl Mmap {
    pub(crate) fn new(
        arena: Arena,
        files: FileSet,
        sizes: &[u64],
        writable: bool,
    ) -> Result<Mmap, EngineError> {
        let map = |(index, file): (usize, &File)| {
            View::new(file, sizes.get(index).copied(), writable).map_err(|error| {
                let advice = match ErrorNumber::of(&error).name() {
                    Some("EACCES") => "a mapping needs the file open for reading too",
                    Some("ENOMEM" | "EAGAIN") => "map less: lower size= or numjobs",
                    _ => "this file cannot be mapped; use ioengine=psync",
                };
                EngineError::new("mmap", format!("mapping file {index}"), error)
                    .advise(advice.into())
            })
        };
        let views = files.files().iter().enumerate().map(map).collect::<Result<_, _>>()?;
        Ok(Mmap { arena, views, files })
    }
}

impl Synchronous for Mmap {
    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn perform(&mut self, request: &Request) -> i32 {
        let view = &self.views[request.file as usize];
        match request.op {
            Op::Read | Op::Write => {
                let buffer = self.arena.ptr_of(request);
                let write = request.op == Op::Write;
                // SAFETY: `Arena::ptr` checked that slot and length lie in the arena.
                unsafe { view.copy(write, request.offset, buffer, request.len) }
            }
            Op::Fsync | Op::Fdatasync => match view.flush() {
                0 => self.files.flush(request.file),
                failed => failed,
            },
            Op::Trim => self.files.wait_for(request),
        }
    }
}
