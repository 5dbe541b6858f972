//! Errors of finding the limits for a check.

use crate::promises_file_error::PromisesFileError;
use fathom_analysis::promise::{PromiseError, UnknownVolume};
use fathom_campaign::decimal_bytes;

/// Why no limits could be found for a check.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum BasisError {
    /// The promises cannot be read.
    #[error(transparent)]
    PromisesFile(#[from] PromisesFileError),
    /// No row has that name.
    #[error("{0} (`fathom promises` lists all volumes)")]
    UnknownVolume(#[from] UnknownVolume),
    /// The row promises nothing of such a volume.
    #[error(transparent)]
    Promise(#[from] PromiseError),
    /// The promise depends on a size that is missing.
    #[error("{0} (the size of the device beneath could not be found)")]
    UnknownSize(PromiseError),
    /// The row promises nothing of a volume of the size of the device beneath.
    #[error(
        "{source}. No --volume-size was given, so that of {node} was taken: {}",
        decimal_bytes(*bytes)
    )]
    DeviceSize { source: Box<PromiseError>, node: String, bytes: u64 },
}
