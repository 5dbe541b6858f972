//! The identity of a file or device, from `stat`.

use crate::FileId;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

impl FileId {
    /// From the result of `stat` or `fstat`.
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
