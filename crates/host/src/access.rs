//! Who may use a file, and what it takes on its volume: what systems answer differently.
//!
//! Where a system has no modes of files, what is made in a user's own folders is that user's alone
//! by the rules of the folder; a mode is then neither set nor known.

use crate::system::access;
use std::fs::{File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// Makes `folder`, and what is missing above it, for this user alone. A folder that is there keeps
/// its mode: who named it may share it on purpose.
///
/// # Errors
/// As the system says it.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    access::make_private_folder(folder)
}

/// The same options for a file that is made with this mode, less what the umask takes.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    access::with_mode(options, mode)
}

/// The same options for an open that does not wait for the other end of a pipe.
pub fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    access::without_waiting(options)
}

/// The mode as permissions that can be given to a file; none where there are no modes.
pub fn permissions(mode: u32) -> Option<Permissions> {
    access::permissions(mode)
}

/// The bits of a file's mode that say who may do what; none where there are no modes.
pub fn mode_of(about: &Metadata) -> Option<u32> {
    access::mode_of(about)
}

/// Whether nobody but this user can have written what is at `path`, which is not followed. Where
/// there are no modes this is what the rules of the user's own folders say: yes, if it is there.
pub fn is_ours_alone(path: &Path) -> bool {
    access::is_ours_alone(path)
}

/// Bytes that the file takes on its volume; its length where the system does not say it.
pub fn allocated_bytes(about: &Metadata) -> u64 {
    access::allocated_bytes(about)
}

/// How many names the file has; 1 where the system does not say it.
pub fn link_count(about: &Metadata) -> u64 {
    access::link_count(about)
}

/// Gives `file` the owner and the mode of the `old` one.
///
/// # Errors
/// Where this user may not.
pub fn take_after(file: &File, old: &Metadata) -> io::Result<()> {
    access::take_after(file, old)
}
