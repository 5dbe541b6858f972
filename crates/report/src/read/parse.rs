//! From bytes to a valid document: complete, not too large, not too deep, with valid sums.
//!
//! Decided here:
//! - A document of a known type is read from its text in one pass: a sweep with series has tens of
//!   megabytes. Only if that fails it is read again, as general JSON with the paths of its fields,
//!   for an error that names the invalid one.
//! - Of several objects in a text, the document is the first that is valid JSON, as in a
//!   comparison. Reading in one pass finds the same one: nothing before it is JSON, and its own
//!   parse proves it complete.

use super::input::Input;
use super::published::{KIND, Published, PublishedError, read as read_published};
use super::scales::weigh;
use super::sound;
use fathom_document::JsonDocument;
use fathom_document::compare::{RecordingError, json_in, objects_in};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
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
    /// It contains published figures, which are incomplete.
    #[error("{name}: {why}")]
    Published {
        /// Name of the input.
        name: String,
        /// The error.
        why: PublishedError,
    },
    /// A field of it cannot be read.
    #[error("{name}: {field}: {why}")]
    Field {
        /// Name of the input.
        name: String,
        /// The path of the field: `phases[2].result.jobs[0].name`.
        field: String,
        /// The error.
        why: String,
    },
    /// It was made by a later Fathom.
    #[error("{name} has schema {schema}, and this Fathom reads up to {known}: use a newer one")]
    TooNew {
        /// Name of the input.
        name: String,
        /// Its version.
        schema: u64,
        /// The last that is known.
        known: u32,
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

/// A document with valid sums, and its name.
#[derive(Debug)]
pub(super) struct Parsed<'i> {
    /// Name of the input.
    pub name: String,
    /// Its JSON.
    pub value: Value,
    /// The text of that.
    text: &'i str,
}

/// Published figures, which are TOML or JSON that names its kind near its beginning; none for any
/// other input.
pub(super) fn published(input: &Input) -> Result<Option<Published>, ReadError> {
    const NEAR_BYTES: usize = 4096;
    let beginning = &input.bytes[..input.bytes.len().min(NEAR_BYTES)];
    if !String::from_utf8_lossy(beginning).contains(KIND) {
        return Ok(None);
    }
    let name = input.name.clone();
    let read = read_published(text(input)?);
    read.map(Some).map_err(|why| ReadError::Published { name, why })
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

/// An input whose stated kind is known.
#[derive(Debug)]
pub(super) struct Opened<'i> {
    /// From the first line on that begins an object.
    text: &'i str,
    head: Head,
}

/// Opens an input.
pub(super) fn open(input: &Input) -> Result<Opened<'_>, ReadError> {
    let text = text(input)?;
    let first = objects_in(text).find_map(|text| Some((text, Head::of(text)?)));
    let (text, head) = first.unwrap_or_default();
    Ok(Opened { text, head })
}

impl Opened<'_> {
    /// Its stated kind: `fathom-measure`; empty if missing.
    pub fn kind(&self) -> &str {
        &self.head.kind
    }

    /// It as what its kind promises, in one go; none where anything is wrong.
    pub fn at_once<T: JsonDocument>(&self, known: u32) -> Option<T> {
        if self.head.schema.is_some_and(|schema| schema > u64::from(known)) {
            return None;
        }
        T::from_json(weigh(self.text).ok()?).ok()
    }
}

/// The kind and version at the top of a document, if present.
#[derive(Debug, Default)]
struct Head {
    kind: String,
    schema: Option<u64>,
}

impl Head {
    /// None if it is not JSON, as far as it was read: to its end, unless it states its kind.
    fn of(text: &str) -> Option<Head> {
        let mut head = Head::default();
        // Stops as soon as both are known, which is an error for the deserialiser, because the
        // remainder is unread.
        let read = serde_json::Deserializer::from_str(text).deserialize_map(&mut head);
        (read.is_ok() || !head.kind.is_empty()).then_some(head)
    }
}

impl<'de> Visitor<'de> for &mut Head {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        // Values of another type do not count, but the object is valid.
        while self.kind.is_empty() || self.schema.is_none() {
            match members.next_key::<String>()?.as_deref() {
                Some("kind") => {
                    let kind = members.next_value::<Value>()?;
                    self.kind = kind.as_str().unwrap_or_default().to_owned();
                }
                Some("schema") => self.schema = members.next_value::<Value>()?.as_u64(),
                Some(_) => drop(members.next_value::<IgnoredAny>()?),
                None => break,
            }
        }
        Ok(())
    }
}

/// Parses an input.
pub(super) fn document(input: &Input) -> Result<Parsed<'_>, ReadError> {
    let name = input.name.clone();
    let text = text(input)?;
    // Nesting ends at 128 there, which no document of ours comes near.
    let found = json_in(text)
        .map_err(|why| ReadError::Foreign { name: name.clone(), why: why.to_string() })?;
    let parsed = Parsed { name, value: found.value, text: found.text };
    match sound::check(parsed.text) {
        Ok(()) => Ok(parsed),
        Err((field, why)) => Err(parsed.wrong(field, why)),
    }
}

impl Parsed<'_> {
    /// What it says it is: `fathom-measure`; empty where it says nothing.
    pub fn kind(&self) -> &str {
        self.value.get("kind").and_then(Value::as_str).unwrap_or_default()
    }

    /// It as what its kind promises.
    pub fn typed<T: JsonDocument>(&self, known: u32) -> Result<T, ReadError> {
        let schema = self.value.get("schema").and_then(Value::as_u64).unwrap_or(0);
        if schema > u64::from(known) {
            return Err(ReadError::TooNew { name: self.name.clone(), schema, known });
        }
        sound::typed(self.text).map_err(|wrong| {
            // What is wrong in a run is named to its end, whatever the run stands in.
            let (field, why) = sound::in_a_run(&self.value).unwrap_or(wrong);
            self.wrong(field, why)
        })
    }

    /// Why its runs give no figures.
    pub fn without_recording(&self, why: &RecordingError) -> ReadError {
        let foreign = || ReadError::Foreign { name: self.name.clone(), why: why.to_string() };
        match why {
            RecordingError::Empty { .. } => ReadError::Empty(why.to_string()),
            RecordingError::Run { .. } => match sound::in_a_run(&self.value) {
                Some((field, why)) => self.wrong(field, why),
                None => foreign(),
            },
            _ => foreign(),
        }
    }

    /// An error about one of its fields.
    pub fn wrong(&self, field: impl Into<String>, why: impl Into<String>) -> ReadError {
        ReadError::Field { name: self.name.clone(), field: field.into(), why: why.into() }
    }
}
