//! Why a text or a document gives no recording.

/// Why a text or a document gives no recording.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The text contains no object.
    #[error("there is no JSON object in it")]
    NoObject,
    /// The objects in the text are not whole.
    #[error(transparent)]
    Json(serde_json::Error),
    /// No run is in the document.
    #[error("it holds no run")]
    NoRun,
    /// A run of the document is not one.
    #[error("the run {name:?} in it cannot be read: {why}")]
    Run {
        /// The run's name.
        name: String,
        /// What is wrong with it.
        why: String,
    },
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
    /// It is neither ours nor fio's.
    #[error(
        "{name} is neither a document of Fathom's (as of --json) nor fio's JSON (as of \
         --output-format=json): {source}. To measure a file, name it to `fathom measure`"
    )]
    Foreign {
        /// Its name.
        name: String,
        /// The error.
        source: Box<RecordingError>,
    },
}
