//! The identity of a file or device, independent of its name.
//!
//! A name can be given to another file at any time; these numbers cannot, as long as the file is
//! open. A device has the same identity through every node with its number.

use crate::system;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::path::Path;

/// The identity of a file or of a block device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
        /// `st_dev`: the number of its file system; a volume's serial number on Windows.
        device: u64,
        /// `st_ino`: its number there.
        inode: u64,
    },
}

impl FileId {
    /// Of an open file, folder or device.
    ///
    /// # Errors
    /// The system's error for the handle.
    pub fn of_file(file: &File) -> io::Result<FileId> {
        system::identity::of_file(file)
    }

    /// Of the file that a path leads to, through links.
    ///
    /// # Errors
    /// The system's error for the path.
    pub fn of_path(path: &Path) -> io::Result<FileId> {
        system::identity::of_path(path)
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

/// Splits a `dev_t` of Linux as its C library does.
pub(crate) fn split_number(device: u64) -> (u32, u32) {
    let major = (device >> 32 & 0xffff_f000) | (device >> 8 & 0xfff);
    let minor = (device >> 12 & 0xffff_ff00) | (device & 0xff);
    (major as u32, minor as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_splits_into_its_four_parts() {
        assert_eq!(split_number(0x0801), (8, 1));
        assert_eq!(split_number(0x1234_5abc_def0_1278), (0x1234_5012, 0xabcd_ef78));
    }

    #[test]
    fn a_file_is_the_same_by_path_and_by_handle_and_its_copy_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        std::fs::write(&one, "x").unwrap();
        std::fs::copy(&one, &two).unwrap();
        let by_path = FileId::of_path(&one).unwrap();
        assert_eq!(by_path, FileId::of_file(&File::open(&one).unwrap()).unwrap());
        assert_ne!(by_path, FileId::of_path(&two).unwrap());
        assert!(!by_path.is_device());
        assert_eq!(
            FileId::of_path(folder.path()).unwrap(),
            FileId::of_path(folder.path()).unwrap()
        );
    }
}
