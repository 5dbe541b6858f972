//! A target that is open: what run does with it outside of measured I/O, whatever it is.
//!
//! A file or device of the kernel is the first kind; an export that a library of its own speaks to,
//! or a handle of another system, is another variant with another implementation here. Engines take
//! out of it what they need once, when they are built, so that the loop never asks what it is.

use crate::system::direct::{DirectAlignment, direct_alignment};
use crate::system::open::{OpenError, OpenHow, open};
use crate::system::storage::{self, Access, Allocate};
use std::fs::File;
use std::io;
use std::path::Path;

/// An open target of a job.
#[derive(Debug)]
pub enum TargetHandle {
    /// A file or device of the kernel.
    File(File),
}

impl From<File> for TargetHandle {
    fn from(file: File) -> TargetHandle {
        TargetHandle::File(file)
    }
}

impl TargetHandle {
    /// Opens a file or device of the kernel.
    ///
    /// # Errors
    /// As of [`open`].
    pub fn open_path(path: &Path, how: &OpenHow) -> Result<TargetHandle, OpenError> {
        open(path, how).map(TargetHandle::File)
    }

    /// The kernel's file, for engines and checks that are about one.
    pub fn file(&self) -> &File {
        let TargetHandle::File(file) = self;
        file
    }

    /// The same, taken out.
    pub(crate) fn into_file(self) -> File {
        let TargetHandle::File(file) = self;
        file
    }

    /// How many bytes it has.
    ///
    /// # Errors
    /// Where that cannot be asked.
    pub fn size_bytes(&self) -> io::Result<u64> {
        storage::size_bytes(self.file())
    }

    /// What I/O past the page cache asks of buffers and offsets.
    pub fn direct_alignment(&self) -> DirectAlignment {
        direct_alignment(self.file())
    }

    /// Drops what a cache in between holds of a range (`len` 0: to its end).
    ///
    /// # Errors
    /// Where that is refused.
    pub fn drop_cache(&self, offset: u64, len: u64) -> io::Result<()> {
        storage::drop_cache(self.file(), offset, len)
    }

    /// Says how it will be read.
    ///
    /// # Errors
    /// Where nobody wants to know.
    pub fn advise_access(&self, access: Access) -> io::Result<()> {
        storage::advise_access(self.file(), access)
    }

    /// Gives it `len` bytes, from its beginning.
    ///
    /// # Errors
    /// Where there is no room, or it cannot be done in this way.
    pub fn allocate(&self, how: Allocate, len: u64) -> io::Result<()> {
        storage::allocate(self.file(), how, len)
    }

    /// Reads what is there at `offset`: how many bytes.
    ///
    /// # Errors
    /// Where reading fails.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        storage::read_at(self.file(), buffer, offset)
    }

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// Where writing fails.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        storage::write_all_at(self.file(), bytes, offset)
    }

    /// Makes it so long; what is new reads as zeros.
    ///
    /// # Errors
    /// Where that is refused.
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        self.file().set_len(len)
    }

    /// Waits until all that was written is durable.
    ///
    /// # Errors
    /// Where flushing fails.
    pub fn sync_all(&self) -> io::Result<()> {
        self.file().sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_sized() {
        let target = TargetHandle::from(tempfile::tempfile().expect("a file"));
        target.set_len(8192).expect("its length");
        target.write_all_at(&[7; 512], 4096).expect("writes");
        target.sync_all().expect("flushes");
        let mut back = [0; 1024];
        assert_eq!(target.read_at(&mut back, 4096).expect("reads"), 1024);
        assert!(back[..512].iter().all(|byte| *byte == 7) && back[512..] == [0; 512]);
        assert_eq!(target.size_bytes().expect("its size"), 8192);
        assert_eq!(target.read_at(&mut back, 8192).expect("reads"), 0, "its end");
    }
}
