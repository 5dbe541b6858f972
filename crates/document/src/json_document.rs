//! Documents and runs from JSON: the one place where their reading is compiled.
//!
//! What was decided here:
//! - What reads a type of a hundred others is a hundred functions, and they are made anew for each
//!   crate and each kind of source (text, bytes, a tree of values) that asks for it. So it is asked
//!   for here alone, from text alone, and everybody else calls what came of it.
//! - An error's place in the text stands beside what is wrong, not in it: to a reader of a report
//!   the field has a name.

use crate::check::CheckDocument;
use crate::compare::{CompareDocument, RunsDocument};
use crate::durable::DurableDocument;
use crate::limit::LimitDocument;
use crate::measure::Document;
use crate::record::{Head, Setup};
use crate::run::RunDocument;
use crate::sweep::SweepDocument;
use fathom_stats::RunResult;

/// What is read from the text of a document, or of a part of one.
pub trait JsonDocument: Sized {
    /// Reads all of `text`.
    ///
    /// # Errors
    /// Where it is no JSON, or another document.
    fn from_json(text: &str) -> serde_json::Result<Self>;
}

macro_rules! compiled_here {
    ($($document:ty)*) => {$(
        impl JsonDocument for $document {
            fn from_json(text: &str) -> serde_json::Result<Self> {
                serde_json::from_str(text)
            }
        }
    )*};
}

compiled_here! {
    Document CompareDocument RunsDocument CheckDocument LimitDocument SweepDocument
    DurableDocument RunDocument Head Setup RunResult
}

/// What is wrong, without the place in the text.
pub fn json_reason(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).map(str::to_owned).unwrap_or(said)
}
