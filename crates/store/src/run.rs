//! The facts about a run, without its document.

use crate::id::Id;
use serde::{Deserialize, Serialize};

/// Maximum bytes of a document, both stored and decompressed.
pub const LARGEST_DOCUMENT_BYTES: u64 = 256 << 20;

/// A run as it is listed, searched and repeated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryRun {
    /// The command that made it: `measure`, `sweep`, `compare`, `check`, `limit`, `run`, `fio`.
    pub kind: String,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Its duration in milliseconds; so far, if it is still running.
    pub duration_ms: u64,
    /// Name of the machine that measured.
    pub host: String,
    /// Folder in which the command was typed: its paths may be relative to it.
    pub folder: String,
    /// The command, one text for each argument, beginning with the program.
    pub command: Vec<String>,
    /// Its title.
    pub title: String,
    /// The targets: absolute paths, addresses.
    pub targets: Vec<String>,
    /// Labels given by users, sorted, each once.
    pub tags: Vec<String>,
    /// The figures, in the order of the command's table; of a check those that missed first.
    pub headline: Vec<HistoryFigure>,
    /// How it ended.
    pub outcome: HistoryOutcome,
    /// Version of Fathom that measured.
    pub fathom_version: String,
}

impl HistoryRun {
    /// The figures for a list: the first of each kind, such as latency, IOPS and throughput of
    /// reads, then the others.
    pub fn leading(&self) -> Vec<&HistoryFigure> {
        let is_first = |at: usize| {
            let key = self.headline[at].key;
            self.headline[..at].iter().all(|other| other.key != key)
        };
        let (first, others): (Vec<usize>, Vec<usize>) =
            (0..self.headline.len()).partition(|at| is_first(*at));
        first.into_iter().chain(others).map(|at| &self.headline[at]).collect()
    }

    /// In a form that is stored and read back unchanged: labels sorted and unique, numbers finite,
    /// times within signed 64 bits.
    pub(crate) fn settled(&self) -> HistoryRun {
        const LAST_MS: u64 = i64::MAX as u64;
        let mut run = self.clone();
        run.started_ms = run.started_ms.min(LAST_MS);
        run.duration_ms = run.duration_ms.min(LAST_MS);
        run.tags.sort();
        run.tags.dedup();
        run.headline = self.headline.iter().map(HistoryFigure::finite).collect();
        run
    }
}

/// A run that is in the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    /// Its name.
    pub id: Id,
    /// The least of the name's beginning that means this run and no other; four digits at least.
    pub short_id: String,
    /// The facts about it.
    #[serde(flatten)]
    pub run: HistoryRun,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryOutcome {
    /// It is running, or it was killed before it could end.
    #[default]
    Running,
    /// All was measured.
    Ran,
    /// It was stopped early; the results so far are stored.
    Interrupted,
    /// Everything was measured, and the promise was met.
    PromiseKept,
    /// Everything was measured, and the promise is undecided.
    Undecided,
    /// Everything was measured, and the promise was missed.
    PromiseMissed,
    /// Something could not be measured.
    Failed,
}

impl HistoryOutcome {
    /// All of them. A new one needs a new schema version: older readers would not know it.
    pub const ALL: [HistoryOutcome; 7] = [
        HistoryOutcome::Running,
        HistoryOutcome::Ran,
        HistoryOutcome::Interrupted,
        HistoryOutcome::PromiseKept,
        HistoryOutcome::Undecided,
        HistoryOutcome::PromiseMissed,
        HistoryOutcome::Failed,
    ];

    /// Its name: `running`, `ran`, `interrupted`, `promise kept`, `undecided`, `promise missed`,
    /// `failed`.
    pub fn name(self) -> &'static str {
        match self {
            HistoryOutcome::Running => "running",
            HistoryOutcome::Ran => "ran",
            HistoryOutcome::Interrupted => "interrupted",
            HistoryOutcome::PromiseKept => "promise kept",
            HistoryOutcome::Undecided => "undecided",
            HistoryOutcome::PromiseMissed => "promise missed",
            HistoryOutcome::Failed => "failed",
        }
    }

    /// Whether everything was measured, with any outcome.
    pub fn is_whole(self) -> bool {
        match self {
            HistoryOutcome::Running | HistoryOutcome::Interrupted | HistoryOutcome::Failed => false,
            HistoryOutcome::Ran
            | HistoryOutcome::PromiseKept
            | HistoryOutcome::Undecided
            | HistoryOutcome::PromiseMissed => true,
        }
    }

    /// The outcome of that name.
    pub fn from_name(name: &str) -> Option<HistoryOutcome> {
        HistoryOutcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// The quantity that a figure is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// I/Os a second.
    #[default]
    Iops,
    /// Bytes a second.
    BytesPerS,
    /// Latency.
    Latency,
}

/// The figures of one thing that was measured: a phase, a case, a step.
///
/// Label and target together name a series: the same in several runs can be drawn over time.
/// Numbers that are not finite are not stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HistoryFigure {
    /// The measurement: `4 KiB random read, QD 32`.
    pub label: String,
    /// The run's target; empty if the run has one or it is about all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
    /// The number it is about.
    pub key: Key,
    /// I/Os a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iops: Option<f64>,
    /// Bytes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// Mean latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// Median of the latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ns: Option<f64>,
    /// 99th percentile of the latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<f64>,
    /// 99.9th percentile of the latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999_ns: Option<f64>,
}

/// Which latency stands for a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatencyStatistic {
    /// The mean.
    Mean,
    /// The median.
    Median,
    /// The 99th percentile.
    P99,
}

impl LatencyStatistic {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            LatencyStatistic::Mean => "mean",
            LatencyStatistic::Median => "median",
            LatencyStatistic::P99 => "p99",
        }
    }
}

impl HistoryFigure {
    /// The latency that stands for it, with its statistic: the same one in every list, so that runs
    /// can be compared. It is the mean, which a limit is held to and which shows a few slow I/Os;
    /// of a figure without one the median, and of one that a p99 stands for that alone.
    pub fn latency_ns(&self) -> Option<(LatencyStatistic, f64)> {
        let mean = self.mean_ns.map(|mean| (LatencyStatistic::Mean, mean));
        let median = self.p50_ns.map(|median| (LatencyStatistic::Median, median));
        mean.or(median).or(self.p99_ns.map(|p99| (LatencyStatistic::P99, p99)))
    }

    /// The same without numbers that JSON cannot represent.
    fn finite(&self) -> HistoryFigure {
        let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
        HistoryFigure {
            iops: finite(self.iops),
            bytes_per_s: finite(self.bytes_per_s),
            mean_ns: finite(self.mean_ns),
            p50_ns: finite(self.p50_ns),
            p99_ns: finite(self.p99_ns),
            p999_ns: finite(self.p999_ns),
            ..self.clone()
        }
    }
}
