//! Why a text or a document gives no recording.

/// Why a text or a document gives no recording.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// There is no object in the text.
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
        /// What the run is called.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// Its runs did nothing.
    #[error("{name} ({kind}) holds no figures: no I/O completed{notes}")]
    Empty {
        /// What it is called.
        name: String,
        /// What made it.
        kind: String,
        /// What was left out of it.
        notes: String,
    },
    /// It is neither ours nor fio's.
    #[error(
        "{name} is neither a document of Fathom's (as of --json) nor fio's JSON (as of \
         --output-format=json): {source}. To measure a file, name it to `fathom measure`"
    )]
    Foreign {
        /// What it is called.
        name: String,
        /// What is wrong with it.
        source: Box<RecordingError>,
    },
}
