//! Why a text is no document.

/// Why a text is no document that can be read.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The text contains no object.
    #[error("there is no JSON object in it")]
    NoObject,
    /// The objects in the text are not whole.
    #[error(transparent)]
    Json(serde_json::Error),
    /// It is JSON, but not what its kind promises.
    #[error(transparent)]
    Field(serde_json::Error),
    /// A newer Fathom wrote it.
    #[error("it has schema {schema}, and this Fathom reads up to {known}: use a newer one")]
    TooNew {
        /// Its version.
        schema: u64,
        /// The newest known version.
        known: u32,
    },
    /// A part of it is about a volume that it does not contain.
    #[error("there is no volume {0} in it")]
    NoVolume(usize),
    /// It is of no kind that holds runs.
    #[error("it holds no run")]
    NoRun,
}

impl DocumentError {
    /// Whether the text is no document of Fathom's or fio's at all.
    pub fn is_foreign(&self) -> bool {
        matches!(self, DocumentError::NoObject | DocumentError::Json(_) | DocumentError::NoRun)
    }
}
