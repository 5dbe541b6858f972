//! Windows has no files without a name.

use std::fs::File;
use std::io;
use std::path::Path;

pub(crate) fn unnamed_file(_folder: &Path, _mode: u32) -> Option<File> {
    None
}

pub(crate) fn name_file(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
