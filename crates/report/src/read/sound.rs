//! Whether a document's numbers can be added up: no negative counts, no sum beyond 64 bits, no
//! impossibly long list.
//!
//! Readers of documents merge counts by addition, as for their own. Untrusted numbers are therefore
//! checked once, before: if all whole numbers of a document add up to less than 2^62, then so does
//! every partial sum.

use super::bounded::Scales;
use fathom_document::{Head, Setup};
use fathom_stats::RunResult;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// The path of the error, and its reason.
pub(super) type Unsound = (String, String);

/// Checks a document.
pub(super) fn check(value: &Value) -> Result<(), Unsound> {
    if IgnoredAny::deserialize(Scales::default().under(value)).is_err() {
        let scales = Scales::default();
        located(serde_path_to_error::deserialize::<_, IgnoredAny>(scales.under(value)))?;
    }
    runs(value, &mut String::new())
}

/// A value as its type. Paths are expensive to track, so that they are tracked only once the value
/// is known to be invalid.
pub(super) fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, Unsound> {
    T::deserialize(value).or_else(|_| {
        let read = located(serde_path_to_error::deserialize(value));
        read.map_err(|(field, why)| (in_a_part(value, &why).unwrap_or(field), why))
    })
}

/// The field of a part that documents share: parts are flattened, and their path is lost. Found by
/// the error, which is the same if the part is read alone.
fn in_a_part(value: &Value, why: &str) -> Option<String> {
    let head = located(serde_path_to_error::deserialize::<_, Head>(value)).err();
    let mut parts = head.into_iter().chain(in_setup(value, "")).chain(in_sessions(value));
    parts.find(|(field, same)| same == why && field != ".").map(|(field, _)| field)
}

fn in_setup(value: &Value, prefix: &str) -> Option<Unsound> {
    let (field, why) = located(serde_path_to_error::deserialize::<_, Setup>(value)).err()?;
    Some((format!("{prefix}{field}"), why))
}

/// The errors in each session of a sweep.
fn in_sessions(value: &Value) -> impl Iterator<Item = Unsound> {
    let sessions = value.get("sessions").and_then(Value::as_array);
    let sessions = sessions.into_iter().flatten().enumerate();
    sessions.filter_map(|(at, session)| in_setup(session, &format!("sessions[{at}].")))
}

fn located<T>(
    read: Result<T, serde_path_to_error::Error<serde_json::Error>>,
) -> Result<T, Unsound> {
    read.map_err(|error| (error.path().to_string(), error.inner().to_string()))
}

/// Whether every run in it can be read; recordings would only say which run cannot.
fn runs(value: &Value, path: &mut String) -> Result<(), Unsound> {
    let length = path.len();
    match value {
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
            *path += &format!("[{at}]");
            runs(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        Value::Object(_) if value["jobs"].is_array() && value["disks"].is_array() => {
            match typed::<RunResult>(value) {
                Ok(_) => Ok(()),
                Err((field, why)) => {
                    let dot = if length == 0 { "" } else { "." };
                    Err((format!("{path}{dot}{field}"), why))
                }
            }
        }
        Value::Object(map) => map.iter().try_for_each(|(key, item)| {
            *path += if length == 0 { "" } else { "." };
            *path += key;
            runs(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        _ => Ok(()),
    }
}
