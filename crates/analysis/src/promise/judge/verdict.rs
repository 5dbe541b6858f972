//! Verdicts and their figures: data first, so that a table, a chart or another language can be made
//! from them.

use super::LatencyFigure;
use crate::RowOutcome;
use crate::promise::promised::Bound;
use serde::{Deserialize, Serialize};

/// Reads, writes, or both where they share a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedDirections {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes together.
    Both,
}

/// What came of holding one figure against the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromiseOutcome {
    /// As promised.
    Kept,
    /// Clearly more than promised, which asks for an explanation.
    Exceeded,
    /// Less than promised.
    Missed,
    /// Less than promised, but the load did not ask for more.
    NotReached,
    /// It cannot be told.
    NotJudged,
}

/// One line of a judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromiseVerdict {
    /// Whose figure it is.
    pub way: JudgedDirections,
    /// What came of it.
    pub outcome: PromiseOutcome,
    /// The figures that it rests on.
    pub evidence: PromiseEvidence,
}

/// The figures that a verdict rests on. Rates are I/Os a second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum PromiseEvidence {
    /// The mean against the limit.
    Mean(MeanRate),
    /// The intervals that reached the limit.
    Intervals(IntervalShare),
    /// A latency against its limit.
    Latency {
        /// Which figure.
        figure: LatencyFigure,
        /// Measured, in nanoseconds.
        latency_ns: f64,
        /// Promised, in nanoseconds.
        limit_ns: f64,
        /// The time that nine in ten I/Os took at least; none in documents from before it was held.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fastest_tenth_ns: Option<f64>,
    },
    /// What was measured, beside what others measured.
    Beside {
        /// Measured here.
        iops: f64,
        /// Measured by others.
        others_iops: f64,
        /// On a volume of this size, in bytes.
        size_bytes: f64,
    },
    /// Why it cannot be told.
    Unknown {
        /// Why.
        why: Unknown,
    },
}

/// A mean rate beside its limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanRate {
    /// Measured.
    pub iops: f64,
    /// Promised at this block size.
    pub limit_iops: f64,
    /// Share of the limit that is enough.
    pub enough: f64,
    /// Which limit it is.
    pub bound: Bound,
    /// The block size.
    pub block_bytes: u64,
    /// Whether this is the burst's level.
    pub stretch: Stretch,
    /// Mean latency, where it was measured.
    pub latency_ns: Option<f64>,
}

/// How many intervals reached a limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalShare {
    /// How many there were.
    pub intervals: usize,
    /// How long each is, in seconds.
    pub interval_s: f64,
    /// How many reached it.
    pub reached: usize,
    /// What counted as reaching it, in I/Os a second.
    pub threshold_iops: f64,
    /// The promised share of the time.
    pub share_of_time: f64,
}

/// Which part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stretch {
    /// What holds all the time.
    Baseline,
    /// What holds while the bucket lasts.
    Burst,
}

/// Why something cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Unknown {
    /// Nothing is promised.
    NoPromise,
    /// Nothing was measured of it.
    NotMeasured,
    /// The burst lasted to the end of the run.
    StillBursting {
        /// How long the run was, in seconds.
        seen_s: f64,
        /// How long it should be to see the baseline, where that is known.
        needed_s: Option<f64>,
    },
    /// No burst was seen.
    NoBurst,
    /// Latency is promised for small I/Os, one at a time.
    OtherLoad {
        /// The largest block size that it is promised for.
        at_bytes: f64,
    },
}

impl PromiseOutcome {
    /// PASS, UNDECIDED or FAIL. More than was promised is a pass.
    pub fn row(self) -> RowOutcome {
        match self {
            PromiseOutcome::Kept | PromiseOutcome::Exceeded => RowOutcome::Pass,
            PromiseOutcome::NotReached | PromiseOutcome::NotJudged => RowOutcome::Undecided,
            PromiseOutcome::Missed => RowOutcome::Fail,
        }
    }
}

impl PromiseVerdict {
    pub(super) fn unknown(way: JudgedDirections, why: Unknown) -> PromiseVerdict {
        PromiseVerdict {
            way,
            outcome: PromiseOutcome::NotJudged,
            evidence: PromiseEvidence::Unknown { why },
        }
    }
}
