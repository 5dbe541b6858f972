//! A folder that stays open while its entries are examined and removed, so that no other folder can
//! take its place in between.

use crate::{EntryKind, FileId, system};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// The entry with a name in a folder; a link is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its kind.
    pub kind: EntryKind,
    /// Its identity.
    pub id: FileId,
    /// Bytes that it takes on its volume.
    pub allocated_bytes: u64,
    /// When it was written last, in seconds since 1970.
    pub modified_s: i64,
}

/// An open folder. On Windows it is known by its path alone.
#[derive(Debug)]
pub struct HeldFolder(system::folder::OpenFolder);

impl HeldFolder {
    /// The folder of a path, and the name in it.
    ///
    /// # Errors
    /// If the path has neither, or the folder cannot be opened.
    pub fn of(path: &Path) -> io::Result<(HeldFolder, &OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((HeldFolder(system::folder::OpenFolder::open(folder)?), name))
    }

    /// The entry `name` in it.
    ///
    /// # Errors
    /// The system's error.
    pub fn look(&self, name: &OsStr) -> io::Result<FolderEntry> {
        self.0.look(name)
    }

    /// Removes the file `name` in it.
    ///
    /// # Errors
    /// The system's error.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove(name)
    }

    /// Syncs it to the disk: names as well as files. A folder that cannot be opened for reading
    /// cannot be synced; its files are safe anyway.
    ///
    /// # Errors
    /// The system's error.
    pub fn sync(path: &Path) -> io::Result<()> {
        system::folder::sync(path)
    }
}
