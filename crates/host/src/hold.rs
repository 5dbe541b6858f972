//! Locking a file, so that no other process of ours uses it at the same time. The system releases
//! the lock when the process ends for any reason.
//!
//! Locks on Unix are advisory: readers are not disturbed. A lock on Windows blocks readers; there a
//! file is opened so that others may read but not write. Such a lock is on the name as well: a
//! process that replaces the file must release it first ([`lets_go_to_replace`]).

use crate::system::hold;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// Opens the file at `path` with `options` and locks it.
///
/// # Errors
/// [`TryLockError::WouldBlock`] if another process has locked it.
pub fn open_held(options: &OpenOptions, path: &Path) -> Result<File, TryLockError> {
    hold::open_held(options, path)
}

/// Locks a file that has no name yet; if locks are on names, does nothing.
///
/// # Errors
/// If the system has no locks there.
pub fn hold_new(file: &File) -> io::Result<()> {
    hold::hold_new(file)
}

/// Whether a file can be replaced only by letting go of it.
pub fn lets_go_to_replace() -> bool {
    hold::LETS_GO
}
