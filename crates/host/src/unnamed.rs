//! Files without a name: nothing is left if the process ends before it gives one.

use crate::system;
use std::fs::File;
use std::io;
use std::path::Path;

/// A new file in `folder` without a name; none if the file system or the system has no such files,
/// or could not name it later.
pub fn unnamed_file(folder: &Path, mode: u32) -> Option<File> {
    system::unnamed::unnamed_file(folder, mode)
}

/// Gives it the unused name `path`.
///
/// # Errors
/// The system's error.
pub fn name_file(file: &File, path: &Path) -> io::Result<()> {
    system::unnamed::name_file(file, path)
}
