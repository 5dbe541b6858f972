//! I/O by copying from and to a mapping of each file.
//!
//! A file is mapped with its length at the time when the engine is built, and an I/O beyond that
//! ends short there, as `read` does at the end of a file. If the file shrinks later,
//! [`crate::linux::sigbus`] turns the loss into EIO. Flushing is `msync` of the whole mapping,
//! which also flushes the file's metadata.
//!
//! Others may write to the mapping at any time: another process, the kernel, another clone of the
//! same job. No reference into it is made. Bytes are only copied, and no decision depends on them,
//! so that a copy during a write is torn and nothing worse. By the letter of Rust's memory model
//! two clones that copy to one place at a time race; a copy with atomics would obey it and cost
//! several times the measured time. This is the engine's contract, as for every program that maps a
//! shared file.

use crate::Request;
use crate::arena::Arena;
use crate::error::EngineError;
use crate::linux::fileset::{FileSet, retry};
use crate::linux::sigbus;
use crate::synchronous::Synchronous;
use crate::target::TargetHandle;
use fathom_vocab::Op;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsRawFd, RawFd};
use std::ptr;

/// One file in memory.
#[derive(Debug)]
struct Mapping {
    ptr: *mut u8,
    /// Bytes; 0 if nothing is mapped.
    len: usize,
    fd: RawFd,
    prot: i32,
}

impl Mapping {
    /// Of a file that is not open.
    const NONE: Mapping = Mapping { ptr: ptr::null_mut(), len: 0, fd: -1, prot: 0 };

    fn new(file: &File, size: Option<u64>, writable: bool) -> io::Result<Mapping> {
        // Seeking returns the size of a block device too, for which metadata says 0.
        let end = (&mut &*file).seek(SeekFrom::End(0))?;
        let len = usize::try_from(size.map_or(end, |size| size.min(end)))
            .map_err(|_| io::Error::from(io::ErrorKind::FileTooLarge))?;
        let prot = libc::PROT_READ | if writable { libc::PROT_WRITE } else { 0 };
        let mut mapping = Mapping { ptr: ptr::null_mut(), len: 0, fd: file.as_raw_fd(), prot };
        if len > 0 {
            // SAFETY: a new mapping at an address of the kernel's choice disturbs nothing.
            let map =
                unsafe { libc::mmap(ptr::null_mut(), len, prot, libc::MAP_SHARED, mapping.fd, 0) };
            if map == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            (mapping.ptr, mapping.len) = (map.cast(), len);
        }
        Ok(mapping)
    }

    /// Copies between the mapping and a buffer: bytes, short at the end, or a negative error
    /// number.
    ///
    /// # Safety
    /// `buffer` must be valid for `len` bytes, for writing where `write` is false.
    unsafe fn copy(&self, write: bool, offset: u64, buffer: *mut u8, len: u32) -> i32 {
        if write && self.prot & libc::PROT_WRITE == 0 {
            return -libc::EBADF;
        }
        let left = (self.len as u64).saturating_sub(offset);
        let count = u64::from(len).min(left) as usize;
        if count == 0 {
            // As at the end of a device: no data to read, no space to write.
            return if write && len > 0 { -libc::ENOSPC } else { 0 };
        }
        let at = self.ptr.wrapping_add(offset as usize);
        // SAFETY: offset + count <= self.len, so that `at` has `count` bytes of the mapping; the
        // caller vouches for the buffer, which is another mapping. That somebody else writes to
        // the file's pages meanwhile is the contract that stands at the head of this file.
        let copied = sigbus::guarded(at as usize, count, || unsafe {
            if write {
                ptr::copy_nonoverlapping(buffer, at, count);
            } else {
                ptr::copy_nonoverlapping(at, buffer, count);
            }
        });
        match copied {
            Ok(()) => count as i32,
            Err(_) => {
                self.remap(at as usize, count);
                -libc::EIO
            }
        }
    }

    /// Puts the file's pages back where an I/O lost some, so that the next one meets the file
    /// again and not the empty pages.
    #[cold]
    fn remap(&self, at: usize, count: usize) {
        let page = rustix::param::page_size();
        let first = at & !(page - 1);
        let len = (at + count).next_multiple_of(page) - first;
        let offset = (first - self.ptr as usize) as libc::off_t;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        // SAFETY: the pages are part of this mapping, and no reference into it exists. If it
        // fails, empty pages stay: wrong data after a lost device, but memory all the same.
        unsafe { libc::mmap(first as *mut libc::c_void, len, self.prot, flags, self.fd, offset) };
    }

    fn flush(&self) -> i32 {
        if self.len == 0 {
            return 0;
        }
        // SAFETY: the range is this mapping.
        retry(|| unsafe { libc::msync(self.ptr.cast(), self.len, libc::MS_SYNC) as isize })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: the mapping is this value's own, and no reference into it exists.
            unsafe { libc::munmap(self.ptr.cast(), self.len) };
        }
    }
}

/// The mmap engine.
#[derive(Debug)]
pub(crate) struct Mmap {
    arena: Arena,
    files: FileSet,
    mappings: Vec<Mapping>,
    sizes: Vec<u64>,
    writable: bool,
}

impl Mmap {
    pub(crate) fn new(
        arena: Arena,
        files: FileSet,
        sizes: Vec<u64>,
        writable: bool,
    ) -> Result<Mmap, EngineError> {
        sigbus::install();
        let map = |(index, file): (usize, &Option<File>)| match file {
            Some(file) => Mapping::new(file, sizes.get(index).copied(), writable)
                .map_err(|error| refusal(index, error)),
            None => Ok(Mapping::NONE),
        };
        let mappings = files.files().iter().enumerate().map(map).collect::<Result<_, _>>()?;
        Ok(Mmap { arena, files, mappings, sizes, writable })
    }
}

fn refusal(index: usize, error: io::Error) -> EngineError {
    let advice = match error.raw_os_error() {
        Some(libc::ENODEV) => "this file cannot be mapped; use ioengine=psync",
        Some(libc::EACCES) => "a mapping needs the file open for reading too",
        Some(libc::ENOMEM) => "raise vm.max_map_count, or `ulimit -v unlimited`",
        _ => "",
    };
    EngineError::new("mmap", format!("mapping file {index}"), error).advise(advice.into())
}

impl Synchronous for Mmap {
    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn perform(&mut self, request: &Request) -> i32 {
        let mapping = &self.mappings[request.file as usize];
        match request.op {
            Op::Read | Op::Write => {
                let buffer = self.arena.ptr_of(request);
                let write = request.op == Op::Write;
                // SAFETY: `Arena::ptr` checked that slot and length lie in the arena.
                unsafe { mapping.copy(write, request.offset, buffer, request.len) }
            }
            Op::Fsync | Op::Fdatasync => mapping.flush(),
            Op::Trim => self.files.wait_for(request),
        }
    }

    fn open_file(&mut self, file: u32, target: TargetHandle) -> io::Result<()> {
        let index = file as usize;
        let opened = self.files.open(file, target)?;
        self.mappings[index] = Mapping::new(opened, self.sizes.get(index).copied(), self.writable)?;
        Ok(())
    }

    fn close_file(&mut self, file: u32) {
        self.mappings[file as usize] = Mapping::NONE;
        self.files.close(file);
    }
}
