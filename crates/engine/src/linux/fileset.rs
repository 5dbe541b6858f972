//! The files of an engine, and the operations that all engines share: flushing and discarding by a
//! blocking call.
//!
//! Discarding gains nothing from a queue (neither libaio nor older rings support it, and the device
//! serialises it anyway), so every engine does it here, at once.

use crate::Request;
use crate::target::TargetHandle;
use fathom_vocab::Op;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, RawFd};

/// `BLKDISCARD`: discard a range of a block device. libc does not have it.
const BLKDISCARD: libc::Ioctl = 0x1277;

/// No file: every call on it fails. Not -1, which a borrowed descriptor may not be.
const CLOSED: RawFd = RawFd::MAX;

/// Open files, with the data for the hot path.
#[derive(Debug)]
pub(crate) struct FileSet {
    fds: Vec<RawFd>,
    files: Vec<Option<File>>,
}

impl FileSet {
    /// Takes the files, and leaves places for `later` ones.
    pub(crate) fn new(targets: Vec<TargetHandle>, later: usize) -> io::Result<FileSet> {
        let files = targets.into_iter().map(TargetHandle::into_file);
        let files = files.collect::<io::Result<Vec<File>>>()?;
        let fds = files.iter().map(AsRawFd::as_raw_fd).chain(std::iter::repeat_n(CLOSED, later));
        let fds = fds.collect();
        let none = std::iter::repeat_with(|| None).take(later);
        Ok(FileSet { fds, files: files.into_iter().map(Some).chain(none).collect() })
    }

    /// Takes a file that was opened later.
    pub(crate) fn open(&mut self, file: u32, target: TargetHandle) -> io::Result<&File> {
        let opened = target.into_file()?;
        self.fds[file as usize] = opened.as_raw_fd();
        Ok(self.files[file as usize].insert(opened))
    }

    /// Closes such a file.
    pub(crate) fn close(&mut self, file: u32) {
        self.fds[file as usize] = CLOSED;
        self.files[file as usize] = None;
    }

    /// Whether all files are open from the beginning to the end.
    pub(crate) fn is_complete(&self) -> bool {
        !self.fds.contains(&CLOSED)
    }

    /// The descriptor of a file.
    #[inline(always)]
    pub(crate) fn fd(&self, file: u32) -> RawFd {
        self.fds[file as usize]
    }

    /// All descriptors, in order.
    pub(crate) fn fds(&self) -> &[RawFd] {
        &self.fds
    }

    /// The files, in order; none for one that is opened later.
    pub(crate) fn files(&self) -> &[Option<File>] {
        &self.files
    }

    /// Does a flush or a trim, and waits for it.
    #[cold]
    pub(crate) fn wait_for(&self, request: &Request) -> i32 {
        let fd = self.fd(request.file);
        match request.op {
            // SAFETY: no memory is passed.
            Op::Fsync => retry(|| unsafe { libc::fsync(fd) as isize }),
            // SAFETY: no memory is passed.
            Op::Fdatasync => retry(|| unsafe { libc::fdatasync(fd) as isize }),
            Op::Trim => self.trim(request),
            Op::Read | Op::Write => -libc::EINVAL,
        }
    }

    /// Discards a range of a block device. The kernel refuses it for a regular file (ENOTTY), where
    /// the only substitute, a hole, would destroy what the user has there. fio fails alike.
    fn trim(&self, request: &Request) -> i32 {
        let fd = self.fd(request.file);
        let range = [request.offset, u64::from(request.len)];
        // SAFETY: BLKDISCARD reads two u64, start and length, from the pointer.
        let result = retry(|| unsafe { libc::ioctl(fd, BLKDISCARD, range.as_ptr()) as isize });
        if result < 0 { result } else { request.len as i32 }
    }
}

/// The thread's last error number.
#[inline]
pub(crate) fn errno() -> i32 {
    // SAFETY: the location belongs to this thread and is always readable.
    unsafe { *libc::__errno_location() }
}

/// Makes a call until no signal interrupts it: its value, or a negative error number.
#[inline(always)]
pub(crate) fn retry(mut call: impl FnMut() -> isize) -> i32 {
    loop {
        let value = call();
        if value >= 0 {
            return value as i32;
        }
        let error = errno();
        if error != libc::EINTR {
            return -error;
        }
    }
}
