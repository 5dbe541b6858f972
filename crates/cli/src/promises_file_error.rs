//! Why there is no catalogue of promises.

use fathom_analysis::promise::CatalogueError;
use fathom_files::InputError;
use std::path::PathBuf;
use std::string::FromUtf8Error;

/// Why there is no catalogue of promises.
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
        /// The file.
        path: PathBuf,
        /// Where it ends to be text.
        source: FromUtf8Error,
    },
}
