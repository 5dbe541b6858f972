//! From bytes to a document of a known type, not too large.

use super::input::Input;
use fathom_document::AnyDocument;
use fathom_document::compare::RecordingError;
use thiserror::Error;

/// Larger than any document of ours: a sweep of 500 cases with series has 40 MiB.
pub const LARGEST_BYTES: usize = 256 << 20;

/// Why an input cannot be read.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ReadError {
    /// No input was given.
    #[error("nothing to report on: name a run of `fathom history` or a file of results")]
    NoInput,
    /// There are too many.
    #[error("{inputs} runs are too many for one report; name {most} at most")]
    TooMany {
        /// The number of inputs.
        inputs: usize,
        /// There may be.
        most: usize,
    },
    /// It is too large to be a document.
    #[error("{name} has {bytes} bytes; a document has {LARGEST_BYTES} at most")]
    TooLarge {
        /// Name of the input.
        name: String,
        /// Its size.
        bytes: usize,
    },
    /// It is no text.
    #[error("{name} is not UTF-8 from byte {at} on, so it is no document of Fathom's nor fio's")]
    NotText {
        /// Name of the input.
        name: String,
        /// The position of the error.
        at: usize,
    },
    /// It is not JSON of Fathom's or fio's.
    #[error(
        "{name} is neither a document of Fathom's (as of --json) \
         nor fio's JSON (as of --output-format=json): {why}"
    )]
    Foreign {
        /// Name of the input.
        name: String,
        /// The error.
        why: String,
    },
    /// It is not what its kind promises, or a newer Fathom wrote it.
    #[error("{name}: {why}")]
    Invalid {
        /// Name of the input.
        name: String,
        /// The error, with its line and column.
        why: String,
    },
    /// It contains nothing to show.
    #[error("{0}")]
    Empty(String),
    /// Inputs have no figure in common.
    #[error(
        "no test of {first} is a test of {other}: the first has '{first_has}', the other \
         '{other_has}'. Name results with the same tests, cases or jobs"
    )]
    NothingCommon {
        /// Name of the first input.
        first: String,
        /// Name of the other.
        other: String,
        /// The figure of the first.
        first_has: String,
        /// The figure of the other.
        other_has: String,
    },
}

/// A document, and the name of its input.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// Name of the input.
    pub name: String,
    /// The document.
    pub document: AnyDocument,
}

/// The text of an input, if it is of a size that can be read.
fn text(input: &Input) -> Result<&str, ReadError> {
    let name = || input.name.clone();
    if input.bytes.len() > LARGEST_BYTES {
        return Err(ReadError::TooLarge { name: name(), bytes: input.bytes.len() });
    }
    std::str::from_utf8(&input.bytes)
        .map_err(|why| ReadError::NotText { name: name(), at: why.valid_up_to() })
}

/// Parses an input.
///
/// # Errors
/// Names the input, and the line and column of what cannot be read.
pub(crate) fn document(input: &Input) -> Result<Parsed, ReadError> {
    let name = input.name.clone();
    match AnyDocument::read(text(input)?) {
        Ok(document) => Ok(Parsed { name, document }),
        Err(error) => {
            let why = error.to_string();
            Err(match error.is_foreign() {
                true => ReadError::Foreign { name, why },
                false => ReadError::Invalid { name, why },
            })
        }
    }
}

impl From<RecordingError> for ReadError {
    /// Of a document that was read: it holds no figures.
    fn from(error: RecordingError) -> ReadError {
        ReadError::Empty(error.to_string())
    }
}
