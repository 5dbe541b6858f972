//! Why a text or a document gives no recording.

use crate::document_error::DocumentError;

/// Why a text or a document gives no recording.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// Its runs did nothing.
    #[error("{name} ({kind}) holds no figures: no I/O completed{notes}")]
    Empty {
        /// Its name.
        name: String,
        /// Its kind.
        kind: String,
        /// The omitted parts.
        notes: String,
    },
    /// It is not what its kind promises.
    #[error("{name}: {source}")]
    Invalid {
        /// Its name.
        name: String,
        /// The error.
        source: DocumentError,
    },
    /// It is neither ours nor fio's.
    #[error(
        "{name} is neither a document of Fathom's (as of --json) nor fio's JSON (as of \
         --output-format=json): {source}. To measure a file, name it to `fathom measure`"
    )]
    Foreign {
        /// Its name.
        name: String,
        /// The error.
        source: DocumentError,
    },
}
