//! Errors of queries to the machine.
//!
//! There are few kinds, because most missing facts are simply `None`; each names its file or device
//! and gives advice.

use std::io;
use std::path::PathBuf;

/// Why the machine gave no answer.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A file that the answer depends on could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file, or the device.
        path: PathBuf,
        /// The kernel's error.
        #[source]
        source: io::Error,
    },
    /// No mount contains the path.
    #[error("no mount in /proc/self/mountinfo holds {}; is /proc mounted here?", path.display())]
    NoMount {
        /// The requested path.
        path: PathBuf,
    },
    /// There is no block device with that name or number.
    #[error("{what} is not a block device of this machine; `lsblk` lists those there are")]
    NoDevice {
        /// The requested name, path or `major:minor`.
        what: String,
    },
    /// The question needs the kernel itself, but the host is a fixture.
    #[error("{what} needs the real machine; this host is read from {}", root.display())]
    NotReal {
        /// The query.
        what: &'static str,
        /// The fixture's root folder.
        root: PathBuf,
    },
}
