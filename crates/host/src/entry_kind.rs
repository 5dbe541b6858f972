//! The kind of entry at a path.

use crate::system;
use std::fs::Metadata;

/// The kind of entry at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A block device.
    BlockDevice,
    /// A device of another kind, as a terminal.
    CharacterDevice,
    /// A pipe with a name.
    Pipe,
    /// A socket.
    Socket,
    /// A link that was not followed, or anything else.
    Other,
}

impl EntryKind {
    /// From the metadata of a path or a handle.
    pub fn of(about: &Metadata) -> EntryKind {
        match about.file_type() {
            kind if kind.is_file() => EntryKind::File,
            kind if kind.is_dir() => EntryKind::Folder,
            kind => system::access::special_kind(kind),
        }
    }
}
