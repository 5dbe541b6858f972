//! What was measured before, as named figures that can be set against others.
//!
//! A document of Fathom's is read by its shape and not by its kind: wherever an object carries a
//! whole `RunResult`, that is a run, named by what stands beside it. So documents of measure,
//! sweep, compare, check, limit and single runs all read alike, and those to come will. Runs of
//! the same name in one document are rounds of one command. Several recordings make a baseline:
//! of these, each is a run of its own. Real fio's JSON has its own reader (`fio.rs`).

mod error;
mod fio;
mod known;
mod walk;

pub use error::RecordingError;
pub use known::{Known, Repeats, Unjudged};
pub use walk::RecordedRun;

use fathom_message::{Message, list};
use fathom_vocab::Direction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was measured once, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// What it is called here: a path, or the name of a run in the history.
    pub name: String,
    /// What made it: `fathom-measure`, `fio-3.33`.
    pub kind: String,
    /// Its figures, in the order in which they stand.
    pub entries: Vec<RecordingEntry>,
    /// What was left out, and why.
    pub notes: Vec<Message>,
}

/// One direction of a phase, a case or a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordingEntry {
    /// Name of the phase, case or job; with several volumes, `VOLUME: NAME`.
    pub name: String,
    /// Read, write or trim.
    pub direction: Direction,
    /// I/Os a second.
    pub iops: Known,
    /// Bytes a second.
    pub bytes_per_s: Known,
    /// Mean latency in nanoseconds.
    pub latency_ns: Known,
}

impl Recording {
    /// Reads `text`, which is called `name`.
    ///
    /// # Errors
    /// A [`RecordingError`] where it is no document of Fathom's nor JSON of fio's, or holds no
    /// figures.
    pub fn read(name: &str, text: &str) -> Result<Recording, RecordingError> {
        let read = json_in(text).and_then(|found| Recording::of(name, &found.value));
        read.map_err(|source| match source {
            RecordingError::Empty { .. } => source,
            _ => RecordingError::Foreign { name: name.to_owned(), source: Box::new(source) },
        })
    }

    /// The same of JSON that was parsed before.
    ///
    /// # Errors
    /// A [`RecordingError`] where it is no document, or holds no figures.
    pub fn of(name: &str, value: &Value) -> Result<Recording, RecordingError> {
        Recording::with_runs(name, value).map(|(recording, _)| recording)
    }

    /// The same with the runs that its figures are of, whole, in the order in which they stand;
    /// none where it is fio's.
    ///
    /// # Errors
    /// As of [`Recording::of`].
    pub fn with_runs(
        name: &str,
        value: &Value,
    ) -> Result<(Recording, Vec<RecordedRun>), RecordingError> {
        let version = value.get("fio version").and_then(Value::as_str);
        let (kind, entries, notes, runs) = match version {
            Some(version) => {
                let (entries, notes) = fio::entries(value);
                (version.to_owned(), entries, notes, Vec::new())
            }
            None => {
                let (runs, notes) = walk::runs(value)?;
                let kind = value.get("kind").and_then(Value::as_str).unwrap_or("a result");
                (kind.to_owned(), walk::entries(&runs), notes, runs)
            }
        };
        if entries.is_empty() {
            let notes: String = notes.iter().map(|note| format!("; {note}")).collect();
            return Err(RecordingError::Empty { name: name.to_owned(), kind, notes });
        }
        Ok((Recording { name: name.to_owned(), kind, entries, notes }, runs))
    }
}

impl Recording {
    /// Several recordings as one: of each figure, what it was in each of them.
    pub fn baseline(name: &str, of: &[Recording]) -> Recording {
        let mut entries: Vec<RecordingEntry> = Vec::new();
        for entry in of.iter().flat_map(|recording| &recording.entries) {
            let same = |other: &RecordingEntry| {
                (&other.name, other.direction) == (&entry.name, entry.direction)
            };
            if entries.iter().any(same) {
                continue;
            }
            let those =
                || of.iter().filter_map(|recording| recording.entries.iter().find(|e| same(e)));
            let known = |figure: fn(&RecordingEntry) -> &Known| {
                Known::of_runs(those().map(|entry| figure(entry).mean).collect())
            };
            entries.push(RecordingEntry {
                name: entry.name.clone(),
                direction: entry.direction,
                iops: known(|entry| &entry.iops),
                bytes_per_s: known(|entry| &entry.bytes_per_s),
                latency_ns: known(|entry| &entry.latency_ns),
            });
        }
        let kind = of.first().map(|recording| recording.kind.clone()).unwrap_or_default();
        let names: Vec<Message> = of.iter().map(|one| Message::verbatim(&one.name)).collect();
        let mut notes = vec![
            Message::new("recording-baseline")
                .count("count", of.len() as u64)
                .part("names", list::commas(names)),
        ];
        notes.extend(of.iter().flat_map(|recording| recording.notes.clone()));
        Recording { name: name.to_owned(), kind, entries, notes }
    }
}

/// Fewer lines than these begin an object that is none, as warnings before it may.
const MOST_OBJECTS: usize = 8;

/// The text from each line on that may begin an object: the document in it is the first of these
/// that parses. Whoever looks for it takes them from here, so that all see the same one.
pub fn objects_in(text: &str) -> impl Iterator<Item = &str> {
    // Windows' editors and shells put a byte order mark before what they save.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    lines.map(|at| &text[at..]).filter(|text| text.starts_with('{')).take(MOST_OBJECTS)
}

/// The document in a text: its JSON, and where that stands.
#[derive(Clone, Debug)]
pub struct FoundJson<'t> {
    /// The object, without what is around it.
    pub text: &'t str,
    /// The same as values.
    pub value: Value,
}

/// The first JSON object of the text: fio writes warnings before it, and with several formats
/// other texts around it.
///
/// # Errors
/// A [`RecordingError`] where there is none or it is not whole.
pub fn json_in(text: &str) -> Result<FoundJson<'_>, RecordingError> {
    let mut why = RecordingError::NoObject;
    for text in objects_in(text) {
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => return Ok(FoundJson { text: &text[..values.byte_offset()], value }),
            Some(Err(error)) => why = RecordingError::Json(error),
            None => {}
        }
    }
    Err(why)
}

#[cfg(test)]
mod tests;
