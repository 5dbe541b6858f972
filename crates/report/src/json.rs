//! The report itself as JSON, for drawing by other programs.

use crate::Report;
use fathom_vocab::printable;

/// The model as one JSON document, with escapes for characters that a terminal would act on.
///
/// # Errors
/// If a number in it is not finite, which readers never produce.
pub fn document(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(report).map(|text| printable::json(&text).into_owned() + "\n")
}
