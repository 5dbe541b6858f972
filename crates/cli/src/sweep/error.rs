//! Errors of choosing a sweep's file.

use std::path::PathBuf;

/// Why a sweep has no file.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// One file to go on in, and another to begin.
    #[error("--resume {} goes on in that file; leave out --checkpoint", .0.display())]
    TwoFiles(PathBuf),
    /// The environment names no folder.
    #[error(
        "there is no folder to keep the sweep in: HOME is not set; set FATHOM_HOME, or give \
         --checkpoint FILE"
    )]
    NoHome,
    /// The folder cannot be made.
    #[error(
        "cannot make {}: {source}; set FATHOM_HOME, or give --checkpoint FILE",
        .folder.display()
    )]
    NoFolder {
        /// Where sweeps are kept.
        folder: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// Nothing to go on with.
    #[error(
        "no interrupted sweep of this plan is in {}; leave out --resume to begin, or name its file",
        .0.display()
    )]
    NothingToResume(PathBuf),
}
