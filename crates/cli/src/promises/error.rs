//! Why no promise is meant.

use fathom_analysis::promise::{PromiseError, UnknownVolume};

/// Why no promise is meant.
#[derive(Debug, thiserror::Error)]
pub enum PromiseQuestionError {
    /// No row fits.
    #[error("{0}\n`fathom promises` lists all that are known")]
    Unknown(#[from] UnknownVolume),
    /// Something is said of a volume, and not of which.
    #[error("name the volume whose promise is asked for, such as aws.gp3")]
    NoVolume,
    /// Several rows fit.
    #[error("'{words}' may be {}: name one of them", rows.join(", "))]
    Ambiguous {
        /// As it was given.
        words: String,
        /// The rows.
        rows: Vec<String>,
    },
    /// The row promises nothing of such a volume.
    #[error(transparent)]
    Promise(#[from] PromiseError),
}
