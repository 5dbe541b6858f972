//! The report itself as JSON, for whoever draws it elsewhere.

use crate::Report;
use fathom_vocab::printable;

/// The model as one JSON document, with escapes for what a terminal would act on.
///
/// # Errors
/// Where a number in it is none, which readers never give.
pub fn document(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(report).map(|text| printable::json(&text).into_owned() + "\n")
}
