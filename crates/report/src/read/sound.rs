//! Whether a document's numbers can be added up: no negative counts, no sum beyond 64 bits, no
//! impossibly long list.
//!
//! What reads documents afterwards merges counts by addition, as it does with its own. Numbers that
//! somebody else wrote are therefore weighed once, before: if all whole numbers of a document come
//! to less than 2^62 together, then so does every sum of some of them.
//!
//! Types are read from text by [`JsonDocument`] and by nothing else; which field is wrong is worked
//! out afterwards, and only then.

use super::json_path::JsonPath;
use super::json_spot::{Spot, spot_of};
use super::scales::{Imbalance, weigh};
use fathom_document::{Head, JsonDocument, Setup, json_reason};
use fathom_stats::RunResult;
use serde_json::Value;

/// The path of the error, and its reason.
pub(super) type Unsound = (String, String);

/// Checks the numbers of a document, which is JSON.
pub(super) fn check(text: &str) -> Result<(), Unsound> {
    match weigh(text) {
        Ok(_) => Ok(()),
        Err(Imbalance::Number { field, why }) => Err((field, why)),
        // Which it cannot be, as it was read.
        Err(Imbalance::Broken) => Err((JsonPath::default().to_string(), "no JSON".to_owned())),
    }
}

/// The text of a document as what it should be.
pub(super) fn typed<T: JsonDocument>(text: &str) -> Result<T, Unsound> {
    T::from_json(text).map_err(|error| {
        let (path, why) = fault::<T>(text, &error);
        (path.to_string(), why)
    })
}

/// Which field is wrong, and why.
fn fault<T: JsonDocument>(text: &str, error: &serde_json::Error) -> (JsonPath, String) {
    let spot = spot::<T>(text, error);
    in_a_part(&spot).unwrap_or_else(|| (spot.path, reason(error)))
}

fn spot<'t, T: JsonDocument>(text: &'t str, error: &serde_json::Error) -> Spot<'t> {
    spot_of(text, error, |start| T::from_json(start).is_err_and(|error| !error.is_eof()))
}

/// What is wrong with a part that documents share: parts are flattened, and the way into them is
/// lost. Of an object that cannot be read as a whole, they are read alone.
fn in_a_part(spot: &Spot<'_>) -> Option<(JsonPath, String)> {
    let may_be_shared = spot.path.is_top() || spot.path.is_element_of("sessions");
    let found = may_be_shared.then(|| part::<Head>(spot.text).or_else(|| part::<Setup>(spot.text)));
    found.flatten().map(|(path, why)| (spot.path.clone().then(&path), why))
}

/// What is wrong within it. That something is not there is not: whoever has no such part has none
/// of its fields.
fn part<T: JsonDocument>(text: &str) -> Option<(JsonPath, String)> {
    let error = T::from_json(text).err()?;
    let path = spot::<T>(text, &error).path;
    (!path.is_top()).then(|| (path, reason(&error)))
}

/// Why a type refused a text that is JSON: in words that are about the value where it is read on,
/// not about the signs of the text.
fn reason(error: &serde_json::Error) -> String {
    let why = json_reason(error);
    match why.as_str() {
        "expected value" => "invalid type, expected string or map".to_owned(),
        "trailing characters" => "expected fewer elements in array".to_owned(),
        _ => why,
    }
}

/// The field at fault in a document of which a run cannot be read; none where each can.
pub(super) fn in_a_run(value: &Value) -> Option<Unsound> {
    let (path, why) = runs(value, JsonPath::default()).err()?;
    Some((path.to_string(), why))
}

/// Whether every run in it can be read.
fn runs(value: &Value, path: JsonPath) -> Result<(), (JsonPath, String)> {
    match value {
        Value::Array(items) => {
            let mut items = items.iter().enumerate();
            items.try_for_each(|(at, item)| runs(item, path.clone().element(at)))
        }
        Value::Object(_) if value["jobs"].is_array() && value["disks"].is_array() => {
            let text = value.to_string();
            RunResult::from_json(&text).map(drop).map_err(|error| {
                let (part, why) = fault::<RunResult>(&text, &error);
                (path.then(&part), why)
            })
        }
        Value::Object(map) => {
            map.iter().try_for_each(|(key, item)| runs(item, path.clone().member(key)))
        }
        _ => Ok(()),
    }
}
