//! Engines whose calls return when the I/O is done: psync and sync.
//!
//! Both are `ReadFile` and `WriteFile`: psync passes the offset with each, sync moves the file's
//! own position there first. A short count is returned unchanged: continuing with the remainder is
//! the loop's decision, and another I/O.

use crate::Request;
use crate::arena::Arena;
use crate::overlapped::{is_aligned, result_of};
use crate::synchronous::Synchronous;
use crate::windows::fileset::FileSet;
use crate::windows::handle::{last_code, overlapped_at};
use fathom_vocab::{ErrorNumber, Op};
use std::ptr;
use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{FILE_BEGIN, ReadFile, SetFilePointerEx, WriteFile};
use windows_sys::Win32::System::IO::{GetOverlappedResult, OVERLAPPED};

/// One kind of transfer between a file and memory.
pub(crate) trait Transfer {
    /// Does the I/O of `at`; bytes moved, or a negative error number.
    ///
    /// # Safety
    /// `at.ptr` must be valid for `at.len` bytes, for writing where `write` is false.
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32;
}

/// The operands of a transfer.
#[derive(Clone, Copy)]
pub(crate) struct At {
    handle: HANDLE,
    file: u32,
    ptr: *mut u8,
    len: u32,
    offset: u64,
}

impl At {
    /// Makes the call; returns the bytes transferred, or the code of the error.
    ///
    /// # Safety
    /// As of [`Transfer::transfer`]; `request` must be nothing, or live until the end of the I/O.
    unsafe fn call(&self, write: bool, request: *mut OVERLAPPED) -> Result<u32, u32> {
        let mut moved = 0;
        // SAFETY: the caller vouches for the memory; the call writes one number.
        let done = unsafe {
            if write {
                WriteFile(self.handle, self.ptr, self.len, &raw mut moved, request)
            } else {
                ReadFile(self.handle, self.ptr, self.len, &raw mut moved, request)
            }
        };
        if done == 0 { Err(last_code()) } else { Ok(moved) }
    }
}

/// An engine that completes each I/O as it is queued.
#[derive(Debug)]
pub(crate) struct SyncEngine<T> {
    arena: Arena,
    files: FileSet,
    /// The alignment of offsets, lengths and buffers of each file.
    alignments: Vec<u32>,
    transfer: T,
}

impl<T: Transfer> SyncEngine<T> {
    pub(crate) fn new(
        arena: Arena,
        files: FileSet,
        alignments: Vec<u32>,
        transfer: T,
    ) -> SyncEngine<T> {
        SyncEngine { arena, files, alignments, transfer }
    }

    #[inline(always)]
    fn transfer(&mut self, write: bool, request: &Request) -> i32 {
        let at = At {
            handle: self.files.handle(request.file),
            file: request.file,
            ptr: self.arena.ptr_of(request),
            len: request.len,
            offset: request.offset,
        };
        let align = self.alignments[request.file as usize];
        if !is_aligned(request, at.ptr, align) {
            return -ErrorNumber::EINVAL.get();
        }
        // SAFETY: `Arena::ptr` checked that slot and length lie in the arena, and `&mut self`
        // keeps every other reference to the buffer away until the call returns.
        unsafe { self.transfer.transfer(write, at) }
    }
}

impl<T: Transfer> Synchronous for SyncEngine<T> {
    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn perform(&mut self, request: &Request) -> i32 {
        match request.op {
            Op::Read => self.transfer(false, request),
            Op::Write => self.transfer(true, request),
            Op::Trim | Op::Fsync | Op::Fdatasync => self.files.wait_for(request),
        }
    }
}

/// The offset is passed with the call.
#[derive(Debug)]
pub(crate) struct Positioned;

impl Transfer for Positioned {
    #[inline(always)]
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        let mut request = overlapped_at(at.offset);
        // SAFETY: the caller vouches for the memory, and the request outlives the I/O, whose end is
        // waited for below should the handle be one that goes on in the background.
        match unsafe { at.call(write, &raw mut request) } {
            Ok(moved) => moved as i32,
            Err(ERROR_IO_PENDING) => {
                let mut moved = 0;
                // SAFETY: as above; with no event the handle itself is waited for, which nobody
                // else uses meanwhile.
                match unsafe { GetOverlappedResult(at.handle, &raw mut request, &raw mut moved, 1) }
                {
                    0 => result_of(last_code()),
                    _ => moved as i32,
                }
            }
            Err(code) => result_of(code),
        }
    }
}

/// `SetFilePointerEx` first; omitted if the file is already at the position, so that sequential I/O
/// costs one call.
#[derive(Debug)]
pub(crate) struct Seeking {
    positions: Vec<Option<u64>>,
}

impl Seeking {
    pub(crate) fn new(files: usize) -> Seeking {
        Seeking { positions: vec![None; files] }
    }
}

impl Transfer for Seeking {
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        let position = &mut self.positions[at.file as usize];
        if *position != Some(at.offset) {
            let to = at.offset.cast_signed();
            // SAFETY: no memory is passed.
            if unsafe { SetFilePointerEx(at.handle, to, ptr::null_mut(), FILE_BEGIN) } == 0 {
                *position = None;
                return result_of(last_code());
            }
        }
        // SAFETY: the caller vouches for the memory.
        match unsafe { at.call(write, ptr::null_mut()) } {
            Ok(moved) => {
                *position = Some(at.offset + u64::from(moved));
                moved as i32
            }
            Err(code) => {
                *position = None;
                result_of(code)
            }
        }
    }
}
