//! An open target of any kind: its operations outside of measured I/O.
//!
//! A file or device of the kernel is one kind, a file of an NFS export another; a handle of another
//! system would be a third variant with another implementation here. Engines extract the data that
//! they need once, when they are built, so that the loop never checks the kind.

use crate::alignment::{AlignmentSource, DirectAlignment};
use crate::nfs_file::NfsFile;
use crate::open_how::{OpenError, OpenHow};
use crate::storage_words::{Access, Allocate};
use crate::system::direct::direct_alignment;
use crate::system::open::open;
use crate::system::storage;
use std::fs::File;
use std::io;
use std::path::Path;

/// A server takes any offset, and buffers are never its own.
const ANY_ALIGNMENT: DirectAlignment =
    DirectAlignment { supported: true, mem: 1, offset: 1, source: AlignmentSource::Assumed };

/// An open target of a job.
#[derive(Debug)]
pub enum TargetHandle {
    /// A file or device of the kernel.
    File(File),
    /// A file of an NFS export.
    Nfs(NfsFile),
}

impl From<NfsFile> for TargetHandle {
    fn from(file: NfsFile) -> TargetHandle {
        TargetHandle::Nfs(file)
    }
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

    /// The kernel's file, for checks that are about one.
    pub fn file(&self) -> Option<&File> {
        match self {
            TargetHandle::File(file) => Some(file),
            TargetHandle::Nfs(_) => None,
        }
    }

    /// The same, taken out, for engines that work on nothing else.
    pub(crate) fn into_file(self) -> io::Result<File> {
        match self {
            TargetHandle::File(file) => Ok(file),
            TargetHandle::Nfs(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// The file of an export, taken out.
    pub(crate) fn into_nfs(self) -> Option<NfsFile> {
        match self {
            TargetHandle::File(_) => None,
            TargetHandle::Nfs(file) => Some(file),
        }
    }

    /// How many bytes it has.
    ///
    /// # Errors
    /// If it cannot be queried.
    pub fn size_bytes(&self) -> io::Result<u64> {
        match self {
            TargetHandle::File(file) => storage::size_bytes(file),
            TargetHandle::Nfs(file) => file.size_bytes(),
        }
    }

    /// The alignment of direct I/O for buffers and offsets.
    pub fn direct_alignment(&self) -> DirectAlignment {
        match self {
            TargetHandle::File(file) => direct_alignment(file),
            TargetHandle::Nfs(_) => ANY_ALIGNMENT,
        }
    }

    /// Drops the cache of a range (`len` 0: to its end).
    ///
    /// # Errors
    /// If that is refused.
    pub fn drop_cache(&self, offset: u64, len: u64) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => storage::drop_cache(file, offset, len),
            TargetHandle::Nfs(_) => Ok(()),
        }
    }

    /// Announces the access pattern.
    ///
    /// # Errors
    /// If it is not supported.
    pub fn advise_access(&self, access: Access) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => storage::advise_access(file, access),
            TargetHandle::Nfs(_) => Ok(()),
        }
    }

    /// Gives it `len` bytes, from its beginning.
    ///
    /// # Errors
    /// If space is missing, or this method is not supported.
    pub fn allocate(&self, how: Allocate, len: u64) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => storage::allocate(file, how, len),
            TargetHandle::Nfs(file) => file.allocate(how, len),
        }
    }

    /// Reads at `offset`; returns the number of bytes.
    ///
    /// # Errors
    /// If reading fails.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            TargetHandle::File(file) => storage::read_at(file, buffer, offset),
            TargetHandle::Nfs(file) => file.read_at(buffer, offset),
        }
    }

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => storage::write_all_at(file, bytes, offset),
            TargetHandle::Nfs(file) => file.write_all_at(bytes, offset),
        }
    }

    /// Sets its length; new bytes read as zeros.
    ///
    /// # Errors
    /// If that is refused.
    pub fn set_len(&self, len: u64) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => file.set_len(len),
            TargetHandle::Nfs(file) => file.set_len(len),
        }
    }

    /// Waits until all that was written is durable.
    ///
    /// # Errors
    /// If flushing fails.
    pub fn sync_all(&self) -> io::Result<()> {
        match self {
            TargetHandle::File(file) => file.sync_all(),
            TargetHandle::Nfs(file) => file.sync_all(),
        }
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
