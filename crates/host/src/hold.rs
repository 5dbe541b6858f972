//! Holding a file, so that no other process of ours takes it at the same time. The system lets it
//! go when the process ends, however it ends.
//!
//! Unix has locks that only those see who lock, too: readers are not disturbed. A lock of Windows
//! keeps readers out; there a file is held by an open that lets others read but not write. Such a
//! hold is on the name as well: whoever replaces the file has to let go first
//! ([`lets_go_to_replace`]).

use crate::system::hold;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens the file at `path` as `options` say and holds it.
///
/// # Errors
/// [`TryLockError::WouldBlock`] where another process holds it.
pub fn open_held(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    hold::open_held(options, path)
}

/// Holds a file that nobody can find yet; where the hold is on the name, nothing.
///
/// # Errors
/// Where the system has no locks there.
pub fn hold_new(file: &File) -> io::Result<()> {
    hold::hold_new(file)
}

/// Whether a file can be replaced only by letting go of it.
pub fn lets_go_to_replace() -> bool {
    hold::LETS_GO
}
