//! How a job has its targets opened, and the error where that fails.
//!
//! The fields bear the names of Linux; each system makes of them what comes nearest.

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
    /// Made where it is not there.
    pub create: bool,
    /// `O_DIRECT`.
    pub direct: bool,
    /// `O_SYNC` or `O_DSYNC`.
    pub sync: SyncMode,
    /// `O_EXCL`: on a block device, refused with EBUSY where a file system or volume manager
    /// holds it; with `create`, refused where the file is there.
    pub exclusive: bool,
    /// `O_NOFOLLOW`: refused with ELOOP where the last name of the path is a symbolic link.
    pub nofollow: bool,
    /// Opened without waiting for the other end of a FIFO. The flag is taken off again: it would
    /// change what I/O on the file does.
    pub nonblock: bool,
    /// For an engine that completes I/Os later. Windows wants to know that of a file before it is
    /// opened (`FILE_FLAG_OVERLAPPED`); Linux does not.
    pub overlapped: bool,
}

/// A file could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open {}: {source}{}", path.display(), advice_in_brackets(.advice))]
pub struct OpenError {
    /// Which.
    pub path: PathBuf,
    /// The kernel's answer.
    pub source: io::Error,
    /// What it means or what to do; empty where the answer says it all.
    pub advice: String,
}

fn advice_in_brackets(advice: &str) -> String {
    if advice.is_empty() { String::new() } else { format!(" ({advice})") }
}
