//! Why there is nothing to hold a volume to.

use crate::promises_file_error::PromisesFileError;
use fathom_analysis::promise::{PromiseError, UnknownVolume};
use fathom_campaign::decimal_bytes;

/// Why there is nothing to hold a volume to.
#[derive(Debug, thiserror::Error)]
pub enum BasisError {
    /// The promises cannot be read.
    #[error(transparent)]
    PromisesFile(#[from] PromisesFileError),
    /// No row has that name.
    #[error("{0}\n`fathom promises` lists all volumes that are known.")]
    UnknownVolume(#[from] UnknownVolume),
    /// The row promises nothing of such a volume.
    #[error(transparent)]
    Promise(#[from] PromiseError),
    /// The promise depends on a size that was not given.
    #[error("{0} (the size of the device beneath could not be found)")]
    UnknownSize(PromiseError),
    /// The row promises nothing of a volume of the size of the device beneath.
    #[error(
        "{source} (no --volume-size was given, so that of {node} was taken, {})",
        decimal_bytes(*bytes)
    )]
    DeviceSize {
        /// Why there is no promise.
        source: Box<PromiseError>,
        /// The device.
        node: String,
        /// Its size.
        bytes: u64,
    },
}
