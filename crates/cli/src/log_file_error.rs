//! Why a job's log is not written.

use std::io;
use std::path::PathBuf;

/// Why a log is not written.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum LogFileError {
    /// It could not be written after the run.
    #[error("writing the log {}: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    /// It could not be written if there were a run.
    #[error(
        "the log {} cannot be written: {source}; its folder must be there and take files",
        .path.display()
    )]
    Unwritable { path: PathBuf, source: io::Error },
}
