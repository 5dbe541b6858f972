//! A folder that is held while something in it is looked at and removed, so that no other folder
//! comes in its place in between.

use crate::{EntryKind, FileId, system};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// What stands at a name in a folder; a link is not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// What it is.
    pub kind: EntryKind,
    /// Which one it is.
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
    /// Where the path has neither, or the folder cannot be opened.
    pub fn of(path: &Path) -> io::Result<(HeldFolder, &OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((HeldFolder(system::folder::OpenFolder::open(folder)?), name))
    }

    /// What stands at `name` in it.
    ///
    /// # Errors
    /// As the system says it.
    pub fn look(&self, name: &OsStr) -> io::Result<FolderEntry> {
        self.0.look(name)
    }

    /// Removes the file `name` in it.
    ///
    /// # Errors
    /// As the system says it.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        self.0.remove(name)
    }

    /// Has what was written in it on the disk: names as well as files. Where a folder cannot be
    /// opened to read it cannot be synced; its files are safe all the same.
    ///
    /// # Errors
    /// As the system says it.
    pub fn sync(path: &Path) -> io::Result<()> {
        system::folder::sync(path)
    }
}
