//! Errors of finding the limits for a check.

use fathom_analysis::promise::PromiseError;
use fathom_campaign::decimal_bytes;

/// Why no limits could be found for a check.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum BasisError {
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
