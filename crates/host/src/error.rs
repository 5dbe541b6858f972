//! What can go wrong while asking the machine.
//!
//! Few kinds, because most of what is missing is simply `None`; each names the file or the
//! device it is about and what the caller may do.

use std::io;
use std::path::PathBuf;

/// Why the machine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// A file that the answer depends on could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file, or the device.
        path: PathBuf,
        /// What the kernel said.
        #[source]
        source: io::Error,
    },
    /// No mount holds the path.
    #[error("no mount in /proc/self/mountinfo holds {}; is /proc mounted here?", path.display())]
    NoMount {
        /// The path asked about.
        path: PathBuf,
    },
    /// There is no block device of that name or number.
    #[error("{what} is not a block device of this machine; `lsblk` lists those there are")]
    NoDevice {
        /// The name, path or `major:minor` asked about.
        what: String,
    },
    /// The question needs the kernel itself, but the host is a fixture.
    #[error("{what} needs the real machine; this host is read from {}", root.display())]
    NotReal {
        /// The question.
        what: &'static str,
        /// The fixture's root folder.
        root: PathBuf,
    },
}
