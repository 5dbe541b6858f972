//! Files are locked by `flock`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

pub(crate) const LETS_GO: bool = false;

pub(crate) fn open_held(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    let file = options.open(path).map_err(TryLockError::Error)?;
    file.try_lock()?;
    Ok(file)
}

pub(crate) fn hold_new(file: &File) -> io::Result<()> {
    file.try_lock().map_err(io::Error::from)
}
