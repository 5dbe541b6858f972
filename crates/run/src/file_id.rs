//! The number by which the guard of data tells a file or device from every other.

use fathom_engine::{FileFacts, FileNumber};
use fathom_host::FileId;

/// The number of a file of which this is known.
pub(crate) fn id_of(about: &FileFacts) -> FileId {
    match about.number {
        FileNumber::File { device, inode } => FileId::File { device, inode },
        FileNumber::Device { major, minor } => FileId::Device { major, minor },
    }
}
