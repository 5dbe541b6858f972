//! How a job opens its targets, and the error if that fails.
//!
//! The fields have the names of Linux; each system uses its closest equivalent.

use fathom_vocab::SyncMode;
use std::io;
use std::path::PathBuf;

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenHow {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// Created if it does not exist.
    pub create: bool,
    /// `O_DIRECT`.
    pub direct: bool,
    /// `O_SYNC` or `O_DSYNC`.
    pub sync: SyncMode,
    /// `O_EXCL`: on a block device, refused with EBUSY if a file system or volume manager uses it;
    /// with `create`, refused if the file exists.
    pub exclusive: bool,
    /// `O_NOFOLLOW`: refused with ELOOP if the last name of the path is a symbolic link.
    pub nofollow: bool,
    /// Opens without waiting for the other end of a FIFO. The flag is removed afterwards, because
    /// it would change I/O on the file.
    pub nonblock: bool,
    /// For an engine that completes I/Os later. Windows wants to know that of a file before it is
    /// opened (`FILE_FLAG_OVERLAPPED`); Linux does not.
    pub overlapped: bool,
}

/// A file could not be opened.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("cannot open {}: {source}{}", path.display(), advice_in_brackets(.advice))]
pub struct OpenError {
    /// The path.
    pub path: PathBuf,
    /// The kernel's answer.
    pub source: io::Error,
    /// Its meaning or advice; empty if the error is clear.
    pub advice: String,
}

fn advice_in_brackets(advice: &str) -> String {
    if advice.is_empty() { String::new() } else { format!(" ({advice})") }
}
