//! Files are locked by an open that lets others read and remove, but not write.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

pub(crate) const LETS_GO: bool = true;

/// FILE_SHARE_READ and FILE_SHARE_DELETE (CreateFileW).
const READ_OR_REMOVE: u32 = 1 | 4;

/// ERROR_SHARING_VIOLATION: another open forbids writing.
const SHARED_OTHERWISE: i32 = 32;

pub(crate) fn open_held(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    let opened = options.clone().share_mode(READ_OR_REMOVE).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(SHARED_OTHERWISE) => TryLockError::WouldBlock,
        _ => TryLockError::Error(error),
    })
}

pub(crate) fn hold_new(_file: &File) -> io::Result<()> {
    Ok(())
}
