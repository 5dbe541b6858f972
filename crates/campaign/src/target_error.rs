//! Why a target cannot be measured, and what to name instead.

use fathom_text::Text;
use std::path::PathBuf;

/// Why a path cannot be measured.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It does not exist, and no file can be created there.
    #[error("{} does not exist; give a folder, file or device that does", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// It does not exist, and only existing targets can be examined.
    #[error("{path} does not exist; to examine the volume of {folder}, name that folder")]
    Absent {
        /// The path as typed.
        path: String,
        /// The folder that a file of this name would be in.
        folder: String,
    },
    /// The device does not exist.
    #[error(
        "{} does not exist, and a file made in /dev would measure memory; `lsblk` lists the \
         devices",
        path.display()
    )]
    NoDevice {
        /// The path.
        path: PathBuf,
    },
    /// A pipe, a socket or a character device.
    #[error(
        "{} is neither a folder, nor a file, nor a block device; give one of these",
        path.display()
    )]
    NoVolume {
        /// The path.
        path: PathBuf,
    },
    /// It cannot be looked at.
    #[error("{}: {why}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The system's error.
        why: Text,
    },
    /// The name does not exist in the export.
    #[error("{url} does not exist; give an export, or a folder or file in it that is there")]
    NoExportEntry {
        /// The URL, without its arguments.
        url: String,
    },
    /// An export cannot be reached.
    #[error("{url}: {why}")]
    Export {
        /// The URL, without its arguments.
        url: String,
        /// Why it cannot be reached.
        why: Text,
    },
    /// It is a device that cannot be looked at; the words name it.
    #[error("{0}")]
    Device(Text),
}
