//! The report itself as JSON, for whoever draws it elsewhere.

use crate::Report;

/// The model as one JSON document.
///
/// # Errors
/// Where a number in it is none, which readers never give.
pub fn document(report: &Report) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(report).map(|text| text + "\n")
}
