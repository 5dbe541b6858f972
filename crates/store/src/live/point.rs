//! The lines of a feed.

use super::process::RunProcess;
use crate::id::Id;
use serde::{Deserialize, Serialize};

/// Version of the format; raised when a reader would misread it.
pub const LIVE_SCHEMA: u32 = 1;

/// The first line: the run, and its process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveHeader {
    /// [`LIVE_SCHEMA`].
    pub schema: u32,
    /// The run's name in the history.
    pub id: Id,
    /// How often the file was rewritten with fewer points.
    #[serde(default)]
    pub thinned: u32,
    /// The process that measures.
    pub process: RunProcess,
    /// Name of the machine that measures.
    pub host: String,
    /// The command: `measure`, `sweep`, `compare`, `check`, `limit`, `run`.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// The targets: absolute paths.
    pub targets: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
}

/// How the run stood at a moment; rates are those of about the last second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LivePoint {
    /// Milliseconds since the run began; never less than in the line before.
    pub at_ms: u64,
    /// The current phase: `4 KiB random read, QD 32`, `filling 1 GiB`.
    pub phase: String,
    /// Phases that are over.
    pub done: u64,
    /// Total phases; none if unknown before the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<u64>,
    /// Completed share of the phase, in percent; none if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
    /// I/Os a second.
    pub iops: u64,
    /// Bytes read a second.
    pub read_bytes_per_s: u64,
    /// Bytes written a second.
    pub write_bytes_per_s: u64,
    /// Median latency in nanoseconds; none if no I/O completed or latencies are not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ns: Option<u64>,
    /// 99th percentile in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<u64>,
    /// Greatest latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<u64>,
    /// Share of the time in which the busiest device of the phase had I/O, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub util_percent: Option<f64>,
    /// Seconds left of the whole command; none if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_s: Option<u64>,
}

/// A phase's title is cut to this number of letters.
const MOST_LETTERS: usize = 200;

impl LivePoint {
    /// As it can be written and read back the same.
    pub(super) fn settled(&self) -> LivePoint {
        let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
        LivePoint {
            phase: self.phase.chars().take(MOST_LETTERS).collect(),
            percent: finite(self.percent),
            util_percent: finite(self.util_percent),
            ..self.clone()
        }
    }
}
