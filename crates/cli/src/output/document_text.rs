//! Documents as they are printed and written.

use super::OutputError;
use fathom_vocab::printable;
use serde::Serialize;
use serde_json::Value;

/// A document as it is printed: with escapes for what a terminal would act on.
///
/// # Errors
/// Says why it cannot be written.
pub fn json(document: &impl Serialize) -> Result<String, OutputError> {
    let text = serde_json::to_string_pretty(document).map_err(OutputError::Json)?;
    Ok(printable::json(&text).into_owned() + "\n")
}

/// The same without its results (histograms, intervals, counters), on one line: programs read it.
///
/// # Errors
/// Says why it cannot be written.
pub fn json_summary(document: &impl Serialize) -> Result<String, OutputError> {
    let mut value = serde_json::to_value(document).map_err(OutputError::Json)?;
    strip(&mut value);
    let text = serde_json::to_string(&value).map_err(OutputError::Json)?;
    Ok(printable::json(&text).into_owned() + "\n")
}

/// Leaves out every `result`: what is said of it stands beside it.
fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| name != "result");
            fields.values_mut().for_each(strip);
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        _ => {}
    }
}
