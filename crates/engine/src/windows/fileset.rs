//! The files of an engine, and the operations that all engines share: flushing and discarding by a
//! blocking call.

use crate::Request;
use crate::overlapped::result_of;
use crate::target::TargetHandle;
use crate::windows::direct::direct_alignment;
use crate::windows::handle::last_code;
use fathom_vocab::{ErrorNumber, Op};
use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Foundation::{ERROR_NOT_SUPPORTED, HANDLE};
use windows_sys::Win32::Storage::FileSystem::FlushFileBuffers;

/// Open files, with the data for the hot path.
#[derive(Debug)]
pub(crate) struct FileSet {
    handles: Vec<HANDLE>,
    files: Vec<File>,
}

impl FileSet {
    /// Takes the files over.
    pub(crate) fn new(targets: Vec<TargetHandle>) -> io::Result<FileSet> {
        let files = targets.into_iter().map(TargetHandle::into_file);
        let files = files.collect::<io::Result<Vec<File>>>()?;
        let handles = files.iter().map(AsRawHandle::as_raw_handle).collect();
        Ok(FileSet { handles, files })
    }

    /// The handle of a file.
    #[inline(always)]
    pub(crate) fn handle(&self, file: u32) -> HANDLE {
        self.handles[file as usize]
    }

    /// The files, in order.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// The alignment of I/O on each file; none for cached I/O.
    pub(crate) fn alignments(&self, direct: bool) -> Vec<u32> {
        let of = |file| if direct { direct_alignment(file).offset } else { 1 };
        self.files.iter().map(of).collect()
    }

    /// Does a flush or a trim, and waits for it.
    #[cold]
    pub(crate) fn wait_for(&self, request: &Request) -> i32 {
        match request.op {
            Op::Fsync | Op::Fdatasync => self.flush(request.file),
            // A disk takes an order to its driver that was never tried on a real one; a hole in a
            // file would destroy data that fio leaves alone.
            Op::Trim => result_of(ERROR_NOT_SUPPORTED),
            Op::Read | Op::Write => -ErrorNumber::EINVAL.get(),
        }
    }

    /// Flushes data and the metadata that the file system needs to find it.
    pub(crate) fn flush(&self, file: u32) -> i32 {
        // SAFETY: no memory is passed.
        match unsafe { FlushFileBuffers(self.handle(file)) } {
            0 => result_of(last_code()),
            _ => 0,
        }
    }
}
