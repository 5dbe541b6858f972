//! Which file or device it is, from `stat`.

use crate::FileId;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

impl FileId {
    /// Of what `stat` or `fstat` said.
    pub fn of(about: &Metadata) -> FileId {
        match about.file_type().is_block_device() {
            true => FileId::numbered(about.rdev()),
            false => FileId::File { device: about.dev(), inode: about.ino() },
        }
    }
}

pub(crate) fn of_file(file: &File) -> io::Result<FileId> {
    Ok(FileId::of(&file.metadata()?))
}

pub(crate) fn of_path(path: &Path) -> io::Result<FileId> {
    Ok(FileId::of(&fs::metadata(path)?))
}
