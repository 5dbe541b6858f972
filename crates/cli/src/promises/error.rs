//! Why no row of the catalogue was found.

/// Why no promise is meant.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum PromiseQuestionError {
    /// Options describe a volume, but none is named.
    #[error("name the volume whose promise is asked for, such as aws.gp3")]
    NoVolume,
    /// Several rows fit.
    #[error("'{words}' may be {}: name one of them", rows.join(", "))]
    Ambiguous { words: String, rows: Vec<String> },
}
