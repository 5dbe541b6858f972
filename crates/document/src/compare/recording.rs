//! Earlier results as named figures for comparison.
//!
//! A document of Fathom's is read by its structure and not by its kind: each object that contains a
//! whole `RunResult` is a run, named by the fields beside it. So documents of measure, sweep,
//! compare, check, limit and single runs are read alike, and future ones too. Runs with the same
//! name in one document are rounds of one command. Several recordings make a baseline, in which
//! each is a separate run. Real fio's JSON has its own reader (`fio.rs`).

mod error;
mod fio;
mod known;
mod load_options;
mod walk;

pub use error::RecordingError;
pub use known::{Known, Repeats, Unjudged};
pub use load_options::OTHER_OPTIONS;
pub use walk::RecordedRun;

use super::side_cap::{self, SideCap};
use fathom_message::{Message, list};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All results of one measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Its name: a path, or the name of a run in the history.
    pub name: String,
    /// Its source: `fathom-measure`, `fio-3.33`.
    pub kind: String,
    /// The volumes that it measured, by absolute paths; empty if they are not known.
    pub targets: Vec<String>,
    /// The file systems of these, as `HOST DEVICE MOUNT POINT`; empty if they are not known.
    pub file_systems: Vec<String>,
    /// Bytes that each volume was measured in; none where that is not known or differs.
    pub size_bytes: Option<u64>,
    /// Microseconds of each run; none where that is not known.
    pub run_us: Option<u64>,
    /// Its figures, in their order in the document.
    pub entries: Vec<RecordingEntry>,
    /// Omitted parts, with reasons.
    pub notes: Vec<Message>,
    /// The caps that held it.
    pub caps: Vec<SideCap>,
}

/// One direction of a phase, a case or a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordingEntry {
    /// Name of the phase, case or job; with several volumes, `VOLUME: NAME`.
    pub name: String,
    /// Read, write or trim.
    pub direction: Direction,
    /// What was asked of the volume; none where that is not known or differs between its jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<RecordedLoad>,
    /// I/Os a second.
    pub iops: Known,
    /// Bytes a second.
    pub bytes_per_s: Known,
    /// Mean latency in nanoseconds.
    pub latency_ns: Known,
}

impl RecordingEntry {
    /// Whether both have the same name and direction.
    pub(crate) fn is_called_like(&self, other: &RecordingEntry) -> bool {
        (&self.name, self.direction) == (&other.name, other.direction)
    }
}

/// A load as two recordings may share it, whatever they call it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedLoad {
    /// The pattern: `randread`.
    pub rw: String,
    /// The smallest and largest block, in bytes.
    pub block_bytes: (u64, u64),
    /// I/Os in flight of each job.
    pub depth: u32,
    /// Jobs side by side.
    pub jobs: usize,
    /// All other options that make the load of a user's own jobs, `NAME=VALUE` in order; none of
    /// Fathom's own tests, whose names say what they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

impl RecordedLoad {
    /// Whether both have the same pattern, blocks, depth and jobs, whatever else was asked for.
    pub(super) fn is_like(&self, other: &RecordedLoad) -> bool {
        let outline = |of: &RecordedLoad| (of.rw.clone(), of.block_bytes, of.depth, of.jobs);
        outline(self) == outline(other)
    }

    /// Whether figures of the two cannot be compared. Options that are not known do not differ.
    fn differs_from(&self, other: &RecordedLoad) -> bool {
        let has_other_options = match (&self.options, &other.options) {
            (Some(own), Some(others)) => own != others,
            _ => false,
        };
        !self.is_like(other) || has_other_options
    }
}

impl Recording {
    /// Whether a figure of both was made by different loads, so that neither says anything of the
    /// other.
    pub fn has_other_loads(&self, other: &Recording) -> bool {
        !self.names_of_other_loads(other).is_empty()
    }

    /// The names, each once, of figures of both that were made by different loads.
    pub(super) fn names_of_other_loads(&self, other: &Recording) -> Vec<String> {
        let differs = |own: &&RecordingEntry| {
            let mut same = other.entries.iter().filter(|of| of.is_called_like(own));
            same.any(|of| {
                own.load.as_ref().zip(of.load.as_ref()).is_some_and(|(a, b)| a.differs_from(b))
            })
        };
        let mut names: Vec<String> =
            self.entries.iter().filter(differs).map(|entry| entry.name.clone()).collect();
        names.dedup();
        names
    }

    /// Reads `text`, named `name`.
    ///
    /// # Errors
    /// A [`RecordingError`] if it is not a document of Fathom's or JSON of fio's, or contains no
    /// figures.
    pub fn read(name: &str, text: &str) -> Result<Recording, RecordingError> {
        let read = json_in(text).and_then(|found| Recording::of(name, &found.value));
        read.map_err(|source| match source {
            RecordingError::Empty { .. } => source,
            _ => RecordingError::Foreign { name: name.to_owned(), source: Box::new(source) },
        })
    }

    /// The same of JSON that was parsed before. Phases have the words of the tables of `measure`.
    ///
    /// # Errors
    /// A [`RecordingError`] if it is not a document, or contains no figures.
    pub fn of(name: &str, value: &Value) -> Result<Recording, RecordingError> {
        Ok(Recording::with_runs(name, value)?.0.entitled(value))
    }

    /// The same recording of `value`, whose phases have the words of the tables of `measure`.
    #[must_use]
    pub fn entitled(&self, value: &Value) -> Recording {
        let mut recording = self.clone();
        recording.entitle(&walk::titles(value));
        recording
    }

    /// Gives entries that are called by the first of a pair its second, also after their volume.
    fn entitle(&mut self, titles: &[(String, String)]) {
        for entry in &mut self.entries {
            let own = titles.iter().find_map(|(name, title)| {
                let volume = entry.name.strip_suffix(name)?;
                (volume.is_empty() || volume.ends_with(": ")).then(|| format!("{volume}{title}"))
            });
            if let Some(own) = own {
                entry.name = own;
            }
        }
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
        let recording = Recording {
            name: name.to_owned(),
            kind,
            targets: walk::targets(value),
            file_systems: walk::file_systems(value),
            size_bytes: walk::size_bytes(value),
            run_us: value["plan"]["time"]["run_us"].as_u64(),
            entries,
            notes,
            caps: side_cap::of_document(value),
        };
        Ok((recording, runs))
    }
}

impl Recording {
    /// Several recordings as one: for each figure, its value in each of them.
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
                load: entry.load.clone(),
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
        let (targets, file_systems) =
            (union(of, |one| &one.targets), union(of, |one| &one.file_systems));
        let caps = side_cap::common(of.iter().map(|one| one.caps.as_slice()));
        let size_bytes = alike(of.iter().map(|one| one.size_bytes));
        let run_us = alike(of.iter().map(|one| one.run_us));
        let name = name.to_owned();
        Recording { name, kind, targets, file_systems, size_bytes, run_us, entries, notes, caps }
    }
}

/// The value that all have; none where they differ or one is not known.
pub(super) fn alike(mut values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
}

/// Upper bound on lines that look like JSON before the real document (fio may print warnings
/// first).
const MOST_OBJECTS: usize = 8;

/// The text from each line on that may begin an object: the document is the first of these that
/// parses. All readers use this function, so that they find the same one.
pub fn objects_in(text: &str) -> impl Iterator<Item = &str> {
    // Windows' editors and shells put a byte order mark before text.
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

/// The union of a list of all recordings, sorted.
fn union(of: &[Recording], list: fn(&Recording) -> &Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = of.iter().flat_map(list).cloned().collect();
    all.sort();
    all.dedup();
    all
}

#[cfg(test)]
mod tests;
