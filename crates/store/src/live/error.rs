//! Errors of the feed; a run never depends on it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a feed could not be written or read.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// A line is invalid.
    #[error("{path}, line {line}: {why}. Remove the file if its run is over")]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// The error.
        why: String,
    },
    /// The file was made by a newer Fathom.
    #[error("{path} has schema {found} and this Fathom knows up to {known}: use the newer one")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u32,
        /// The highest that is known here.
        known: u32,
    },
    /// The file is larger than any feed.
    #[error("{path} has {bytes} bytes, more than a live feed can have; remove it")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// Reading or writing failed.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// The failed action: `read`, `write`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl LiveError {
    pub(super) fn io(doing: &'static str, path: &Path, source: io::Error) -> LiveError {
        LiveError::Io { doing, path: path.to_owned(), source }
    }
}
