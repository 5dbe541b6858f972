//! Which file or device it is, whatever name leads to it.
//!
//! A name can be given to another file at any time; these numbers cannot, as long as somebody
//! holds the file open. A device is itself through every node that has its number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::os::unix::fs::{FileTypeExt, MetadataExt};

/// The identity of a file or of a block device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileId {
    /// A block device.
    Device {
        /// Its major number.
        major: u32,
        /// Its minor number.
        minor: u32,
    },
    /// Anything else.
    File {
        /// `st_dev`: the number of its file system.
        device: u64,
        /// `st_ino`: its number there.
        inode: u64,
    },
}

impl FileId {
    /// Of what `stat` or `fstat` told.
    pub fn of(about: &Metadata) -> FileId {
        match about.file_type().is_block_device() {
            true => FileId::numbered(about.rdev()),
            false => FileId::File { device: about.dev(), inode: about.ino() },
        }
    }

    /// Of a block device's `st_rdev`.
    pub fn numbered(device: u64) -> FileId {
        let (major, minor) = split_number(device);
        FileId::Device { major, minor }
    }

    /// Whether it is a block device.
    pub fn is_device(self) -> bool {
        matches!(self, FileId::Device { .. })
    }
}

/// Splits a `dev_t` as the C library does.
pub(crate) fn split_number(device: u64) -> (u32, u32) {
    (rustix::fs::major(device), rustix::fs::minor(device))
}
