//! Folders by their paths: safe code cannot open a name in an open folder.

use crate::{EntryKind, FileId, FolderEntry};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

#[derive(Debug)]
pub(crate) struct OpenFolder(PathBuf);

impl OpenFolder {
    pub(crate) fn open(path: &Path) -> io::Result<OpenFolder> {
        match fs::metadata(path)?.is_dir() {
            true => Ok(OpenFolder(path.to_owned())),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(crate) fn look(&self, name: &OsStr) -> io::Result<FolderEntry> {
        let path = self.0.join(name);
        let about = fs::symlink_metadata(&path)?;
        let kind = match about.is_symlink() {
            true => EntryKind::Other,
            false => EntryKind::of(&about),
        };
        let since = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(FolderEntry {
            kind,
            id: FileId::of_path(&path)?,
            allocated_bytes: about.len(),
            modified_s: i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        })
    }

    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.0.join(name))
    }
}

/// Windows has no call for it; names are in the file system's journal.
pub(crate) fn sync(_path: &Path) -> io::Result<()> {
    Ok(())
}
