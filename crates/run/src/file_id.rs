//! The number by which the data guard distinguishes files and devices.

use fathom_engine::{FileFacts, FileNumber};
use fathom_host::FileId;

/// The number of a file with these facts.
pub(crate) fn id_of(about: &FileFacts) -> FileId {
    match about.number {
        FileNumber::File { device, inode } => FileId::File { device, inode },
        FileNumber::Device { major, minor } => FileId::Device { major, minor },
    }
}
