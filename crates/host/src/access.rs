//! File permissions and allocated blocks, which differ between systems.
//!
//! On systems without file modes, the rules of a user's own folder make its files private; a mode
//! is then neither set nor known.

use crate::system::access;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// Creates `folder` and its missing parents, for this user only. An existing folder keeps its mode:
/// the user may share it on purpose.
///
/// # Errors
/// The system's error.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    access::make_private_folder(folder)
}

/// The same options for a file created with this mode, less the umask.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    access::with_mode(options, mode)
}

/// The same options for an open that does not wait for the other end of a pipe.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    access::without_waiting(options)
}

/// The mode as permissions for a file; none without file modes.
pub fn permissions(mode: u32) -> Option<Permissions> {
    access::permissions(mode)
}

/// The permission bits of a file; none without file modes.
pub fn mode_of(about: &Metadata) -> Option<u32> {
    access::mode_of(about)
}

/// Whether only this user can have written the file at `path`, which is not followed. Without file
/// modes the rules of the user's own folders apply: yes, if it exists.
pub fn is_ours_alone(path: &Path) -> bool {
    access::is_ours_alone(path)
}

/// Whether this user may write to the file or folder at `path`, which is not opened. Without file
/// modes that is not known before it is tried.
///
/// # Errors
/// The system's error: that it may not, or that the file system is read-only.
pub fn may_write(path: &Path) -> io::Result<()> {
    access::may_write(path)
}

/// Bytes allocated on its volume; the file's length if the system does not report them.
pub fn allocated_bytes(about: &Metadata) -> u64 {
    access::allocated_bytes(about)
}

/// The number of the file's names; 1 if the system does not report it.
pub fn link_count(about: &Metadata) -> u64 {
    access::link_count(about)
}

/// Gives `file` the owner and the mode of the `old` one.
///
/// # Errors
/// If this user may not.
pub fn take_after(file: &File, old: &Metadata) -> io::Result<()> {
    access::take_after(file, old)
}
