//! Earlier results as named figures for comparison.
//!
//! Each run of a document is a figure under its name ([`DocumentRuns`]). Runs with the same name in
//! one document are rounds of one command. Several recordings make a baseline, in which each is a
//! separate run. Real fio's JSON has its own reader (`fio.rs`).

mod error;
mod fio;
mod load_options;
mod recorded_run;

pub use error::RecordingError;
pub use load_options::OTHER_OPTIONS;
pub use recorded_run::RecordedRun;

use super::side_cap::{self, SideCap};
use crate::document_runs::DocumentRuns;
use crate::record::PlaceRecord;
use crate::volume::TargetKind;
use fathom_analysis::{Judged, Known};
use fathom_message::{Message, list};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All results of one measurement.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// Whether it is several runs together.
    pub is_baseline: bool,
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
    /// 99th percentile of latency in nanoseconds; none where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<Known>,
}

impl RecordingEntry {
    /// The same with the typical figures of its rounds, by which it is compared.
    #[must_use]
    pub fn typical(self) -> RecordingEntry {
        RecordingEntry {
            iops: self.iops.typical(),
            bytes_per_s: self.bytes_per_s.typical(),
            latency_ns: self.latency_ns.typical(),
            p99_ns: self.p99_ns.map(Known::typical),
            ..self
        }
    }

    /// Makes a figure that of a comparison; IOPS and bytes a second move together.
    pub fn set_figure(&mut self, judged: Judged, mean: f64) {
        match judged {
            Judged::Iops => {
                self.bytes_per_s.mean *= mean / self.iops.mean;
                self.iops.mean = mean;
            }
            Judged::BytesPerS => {
                self.iops.mean *= mean / self.bytes_per_s.mean;
                self.bytes_per_s.mean = mean;
            }
            Judged::MeanLatencyNs => self.latency_ns.mean = mean,
            Judged::P99LatencyNs => self.p99_ns.iter_mut().for_each(|of| of.mean = mean),
        }
    }

    /// I/Os in flight on average, by Little's law.
    fn in_flight(&self) -> f64 {
        self.iops.mean * self.latency_ns.mean / 1e9
    }

    /// Whether one I/O is in flight at a time, so that its latency is the figure.
    pub(super) fn is_one_at_a_time(&self) -> bool {
        match &self.load {
            Some(load) => load.in_flight() == 1,
            None => self.in_flight() < 1.5,
        }
    }

    /// Whether the load has a pace of its own, so that the volume does not decide the rate.
    pub(super) fn is_paced(&self) -> bool {
        let options = self.load.iter().filter_map(|load| load.options.as_ref()).flatten();
        let mut names = options.filter_map(|option| option.split('=').next());
        names.any(|name| PACES.contains(&name))
    }

    /// Whether both have the same name and direction.
    pub(crate) fn is_called_like(&self, other: &RecordingEntry) -> bool {
        (&self.name, self.direction) == (&other.name, other.direction)
    }
}

/// Options that give a load a pace of its own.
const PACES: [&str; 3] = ["rate", "rate_iops", "thinktime"];

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
    /// I/Os that may be in flight.
    fn in_flight(&self) -> u64 {
        u64::from(self.depth) * self.jobs as u64
    }

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

    /// The figures of a document of Fathom's, and its runs in their order.
    pub(crate) fn of_runs(
        name: String,
        document: &dyn DocumentRuns,
    ) -> (Recording, Vec<RecordedRun<'_>>) {
        let (runs, notes) = recorded_run::runs(document);
        let places = document.places();
        let kind = document.head().map_or("a result", |head| &head.kind).to_owned();
        let recording = Recording {
            name,
            kind,
            targets: places.iter().map(|place| place.target().to_owned()).collect(),
            file_systems: file_systems(document, &places),
            size_bytes: common_value(places.iter().map(|place| Some(place.size_bytes))),
            run_us: document.run_us(),
            entries: recorded_run::entries(&runs),
            notes,
            caps: side_cap::of_document(document),
            is_baseline: false,
        };
        (recording, runs)
    }

    /// The figures of fio's JSON.
    pub(crate) fn of_fio(name: String, json: &Value) -> Recording {
        fio::recording(name, json)
    }

    /// Why a recording without figures is none.
    pub(crate) fn without_figures(self) -> RecordingError {
        let notes = self.notes.iter().map(|note| format!("; {note}")).collect();
        RecordingError::Empty { name: self.name, kind: self.kind, notes }
    }
}

/// The file system below each volume, by host, device and mount point; empty unless all are known.
fn file_systems(document: &dyn DocumentRuns, places: &[&PlaceRecord]) -> Vec<String> {
    let host = document.host().and_then(|host| host.hostname.as_deref());
    let of = |place: &&PlaceRecord| {
        let mount = &place.volume.mount;
        let is_known = !mount.source.is_empty() && mount.is_mounted();
        (place.volume.kind == TargetKind::Folder && is_known)
            .then_some([host?, &mount.source, mount.mount_point.to_str()?].join(" "))
    };
    places.iter().map(of).collect::<Option<Vec<String>>>().unwrap_or_default()
}

impl Recording {
    /// Several recordings as the side that others are compared with.
    pub fn baseline(name: &str, of: &[Recording]) -> Recording {
        Recording::together("recording-baseline", name, of)
    }

    /// Whether its figures have rounds or runs, so that they can be judged.
    pub fn is_repeated(&self) -> bool {
        self.entries.iter().any(|entry| entry.iops.repeats.count() > 1)
    }

    /// A run with those that repeated it.
    pub fn repeated(name: &str, of: &[Recording]) -> Recording {
        Recording::together("recording-repeated", name, of)
    }

    /// Several recordings as one: for each figure, its value in each of them.
    fn together(note: &'static str, name: &str, of: &[Recording]) -> Recording {
        let kind = of.first().map(|recording| recording.kind.clone()).unwrap_or_default();
        let names: Vec<Message> = of.iter().map(|one| Message::verbatim(&one.name)).collect();
        let mut notes = vec![
            Message::new(note).with("count", of.len() as u64).part("names", list::commas(names)),
        ];
        notes.extend(of.iter().flat_map(|recording| recording.notes.clone()));
        Recording {
            name: name.to_owned(),
            kind,
            targets: union(of, |one| &one.targets),
            file_systems: union(of, |one| &one.file_systems),
            size_bytes: common_value(of.iter().map(|one| one.size_bytes)),
            run_us: common_value(of.iter().map(|one| one.run_us)),
            entries: entries_of_runs(of),
            notes,
            caps: side_cap::common(of.iter().map(|one| one.caps.as_slice())),
            is_baseline: true,
        }
    }
}

/// Each figure of several runs, with its value in each of them.
fn entries_of_runs(of: &[Recording]) -> Vec<RecordingEntry> {
    let mut entries: Vec<RecordingEntry> = Vec::new();
    for entry in of.iter().flat_map(|recording| &recording.entries) {
        if entries.iter().any(|other| other.is_called_like(entry)) {
            continue;
        }
        let same = |recording: &'_ Recording| {
            recording.entries.iter().find(|other| other.is_called_like(entry)).cloned()
        };
        let those: Vec<RecordingEntry> = of.iter().filter_map(same).collect();
        let known = |figure: fn(&RecordingEntry) -> &Known| {
            Known::of_runs(those.iter().map(|entry| figure(entry).mean).collect())
        };
        entries.push(RecordingEntry {
            iops: known(|entry| &entry.iops),
            bytes_per_s: known(|entry| &entry.bytes_per_s),
            latency_ns: known(|entry| &entry.latency_ns),
            p99_ns: p99_of_runs(&those),
            ..entry.clone()
        });
    }
    entries
}

/// The 99th percentiles of runs; none where none is known.
fn p99_of_runs(entries: &[RecordingEntry]) -> Option<Known> {
    let means = entries.iter().filter_map(|entry| Some(entry.p99_ns.as_ref()?.mean));
    let means: Vec<f64> = means.collect();
    (!means.is_empty()).then(|| Known::of_runs(means))
}

/// The value that all have; none where they differ or one is not known.
fn common_value(mut values: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
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
