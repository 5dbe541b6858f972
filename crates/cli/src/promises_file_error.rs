//! Why the catalogue of promises cannot be read.

use fathom_analysis::promise::CatalogueError;
use fathom_files::InputError;
use std::path::PathBuf;
use std::string::FromUtf8Error;

/// Why the catalogue of promises cannot be read.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum PromisesFileError {
    /// A row is wrong.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// The user's file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] InputError),
    /// The user's file is no text.
    #[error("{} is not UTF-8: {source}", .path.display())]
    NoText {
        path: PathBuf,
        /// The position of the invalid bytes.
        source: FromUtf8Error,
    },
}
