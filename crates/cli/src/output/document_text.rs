//! Documents as they are printed and written.

use super::OutputError;
use fathom_vocab::printable;
use serde::Serialize;

/// A document as it is printed: with escapes for what a terminal would act on.
///
/// # Errors
/// Says why it cannot be written.
pub fn json(document: &impl Serialize) -> Result<String, OutputError> {
    let text = serde_json::to_string_pretty(document).map_err(OutputError::Json)?;
    Ok(printable::json(&text).into_owned() + "\n")
}
