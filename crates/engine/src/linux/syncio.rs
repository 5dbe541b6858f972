//! Engines whose calls return when the I/O is done: psync, sync, pvsync and pvsync2.
//!
//! One engine over a [`Transfer`], which is the pair of differing calls. A short count is returned
//! unchanged: continuing with the remainder is the loop's decision, and another I/O.

use crate::Request;
use crate::arena::Arena;
use crate::linux::fileset::{FileSet, errno, retry};
use crate::synchronous::Synchronous;
use crate::target::TargetHandle;
use fathom_vocab::Op;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// One kind of transfer between a file and memory.
pub(crate) trait Transfer {
    /// Does the I/O of `at`; bytes moved, or a negative error number.
    ///
    /// # Safety
    /// `at.ptr` must be valid for `at.len` bytes, for writing where `write` is false.
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32;

    /// Another descriptor has this index from now on.
    fn opened(&mut self, _file: u32) {}
}

/// The operands of a transfer.
#[derive(Clone, Copy)]
pub(crate) struct At {
    fd: RawFd,
    file: u32,
    ptr: *mut u8,
    len: usize,
    offset: u64,
}

impl At {
    fn iovec(&self) -> libc::iovec {
        libc::iovec { iov_base: self.ptr.cast(), iov_len: self.len }
    }
}

/// An engine that completes each I/O as it is queued.
#[derive(Debug)]
pub(crate) struct SyncEngine<T> {
    arena: Arena,
    files: FileSet,
    transfer: T,
}

impl<T: Transfer> SyncEngine<T> {
    pub(crate) fn new(arena: Arena, files: FileSet, transfer: T) -> SyncEngine<T> {
        SyncEngine { arena, files, transfer }
    }

    #[inline(always)]
    fn transfer(&mut self, write: bool, request: &Request) -> i32 {
        let at = At {
            fd: self.files.fd(request.file),
            file: request.file,
            ptr: self.arena.ptr_of(request),
            len: request.len as usize,
            offset: request.offset,
        };
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

    fn open_file(&mut self, file: u32, target: TargetHandle) -> io::Result<()> {
        self.transfer.opened(file);
        self.files.open(file, target).map(drop)
    }

    fn close_file(&mut self, file: u32) {
        self.files.close(file);
    }
}

/// `pread(2)` and `pwrite(2)`.
#[derive(Debug)]
pub(crate) struct Positioned;

impl Transfer for Positioned {
    #[inline(always)]
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        // rustix makes the call itself. The C library's wrapper takes part in the cancelling of
        // threads, which costs two locked instructions as soon as there is a second thread.
        // SAFETY: the file set keeps its files open for as long as it lives.
        let fd = unsafe { BorrowedFd::borrow_raw(at.fd) };
        if write {
            // SAFETY: the caller vouches for the memory, which nobody writes meanwhile.
            let buffer = unsafe { std::slice::from_raw_parts(at.ptr, at.len) };
            moved(|| rustix::io::pwrite(fd, buffer, at.offset))
        } else {
            // SAFETY: the caller vouches for the memory, which nobody else uses meanwhile.
            let buffer = unsafe { std::slice::from_raw_parts_mut(at.ptr, at.len) };
            moved(|| rustix::io::pread(fd, &mut *buffer, at.offset))
        }
    }
}

/// Makes a call until no signal interrupts it: bytes moved, or a negative error number.
#[inline(always)]
fn moved(mut call: impl FnMut() -> rustix::io::Result<usize>) -> i32 {
    loop {
        match call() {
            Ok(bytes) => return bytes as i32,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return -error.raw_os_error(),
        }
    }
}

/// `lseek(2)`, then `read(2)` or `write(2)`; the seek is omitted if the file is already at the
/// position, so that sequential I/O costs one call.
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
    fn opened(&mut self, file: u32) {
        self.positions[file as usize] = None;
    }

    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        let position = &mut self.positions[at.file as usize];
        if *position != Some(at.offset) {
            // SAFETY: no memory is passed.
            if unsafe { libc::lseek(at.fd, at.offset as libc::off_t, libc::SEEK_SET) } < 0 {
                *position = None;
                return -errno();
            }
        }
        let result = if write {
            // SAFETY: the caller vouches for the memory.
            retry(|| unsafe { libc::write(at.fd, at.ptr.cast(), at.len) })
        } else {
            // SAFETY: the caller vouches for the memory.
            retry(|| unsafe { libc::read(at.fd, at.ptr.cast(), at.len) })
        };
        *position = u64::try_from(result).ok().map(|moved| at.offset + moved);
        result
    }
}

/// `preadv(2)` and `pwritev(2)`.
#[derive(Debug)]
pub(crate) struct Vectored;

impl Transfer for Vectored {
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        let (vec, offset) = (at.iovec(), at.offset as libc::off_t);
        if write {
            // SAFETY: one vector, whose memory the caller vouches for.
            retry(|| unsafe { libc::pwritev(at.fd, &vec, 1, offset) })
        } else {
            // SAFETY: one vector, whose memory the caller vouches for.
            retry(|| unsafe { libc::preadv(at.fd, &vec, 1, offset) })
        }
    }
}

/// `preadv2(2)` and `pwritev2(2)` with these `RWF_*` flags.
#[derive(Debug)]
pub(crate) struct VectoredFlags {
    flags: i32,
}

impl VectoredFlags {
    pub(crate) fn new(flags: i32) -> VectoredFlags {
        VectoredFlags { flags }
    }
}

impl Transfer for VectoredFlags {
    unsafe fn transfer(&mut self, write: bool, at: At) -> i32 {
        let (vec, offset) = (at.iovec(), at.offset as libc::off_t);
        if write {
            // SAFETY: one vector, whose memory the caller vouches for.
            retry(|| unsafe { libc::pwritev2(at.fd, &vec, 1, offset, self.flags) })
        } else {
            // SAFETY: one vector, whose memory the caller vouches for.
            retry(|| unsafe { libc::preadv2(at.fd, &vec, 1, offset, self.flags) })
        }
    }
}
