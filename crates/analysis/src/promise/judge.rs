//! Judges a measurement against a promise: line by line, each with its evidence.
//!
//! Three figures are compared with a promise: the mean over the run, the share of its intervals
//! that reach the promise, and the mean latency of a run with one I/O at a time. A run that had too
//! little outstanding, was shorter than a burst, or is too short for the promised share of a year
//! is undecided, with the reason.
//!
//! A part of a limit is enough: the provider's own tolerance (AWS nine tenths), never more than 95
//! %, because measuring has an error, too; 85 % of a target, as Google's own tests allow. Of a
//! limit by hand the user may say how much is enough.

mod comparison;
mod latency;
mod rates;
mod sentences;
mod verdict;

pub use verdict::{
    IntervalShare, JudgedDirections, MeanRate, PromiseEvidence, PromiseOutcome, PromiseVerdict,
    Stretch, Unknown,
};

use super::limits::Consistency;
use super::promised::{Level, Promise, Reachable};
use super::volume::{Directions, PromiseKind};
use crate::autocorrelation::mean;
use serde::{Deserialize, Serialize};

/// A measurement at one block size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredRun<'a> {
    /// The block size.
    pub block_bytes: u64,
    /// The length of the intervals that the rates are of, in seconds.
    pub interval_s: f64,
    /// I/Os outstanding in all, where it is known.
    pub depth: Option<u32>,
    /// Reads.
    pub read: Option<MeasuredWay<'a>>,
    /// Writes.
    pub write: Option<MeasuredWay<'a>>,
}

/// The measurement of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeasuredWay<'a> {
    /// I/Os a second in each interval, in the order of time, without the ramp.
    pub iops: &'a [f64],
    /// I/Os a second over the whole run, the figure in every table of the run. Without it the mean
    /// of the intervals is used, which leaves out a partial one at the end.
    pub mean_iops: Option<f64>,
    /// Mean latency in nanoseconds.
    pub mean_latency_ns: Option<f64>,
    /// Percentiles of latency: percent (99 for p99), and nanoseconds.
    pub percentiles_ns: &'a [(f64, f64)],
    /// The time that nine in ten I/Os took at least, in nanoseconds; none if it is not known.
    pub fastest_tenth_ns: Option<f64>,
}

impl MeasuredWay<'_> {
    fn mean_iops(&self) -> f64 {
        self.mean_iops.unwrap_or_else(|| mean(self.iops))
    }
}

/// Limits that the user states himself, of reads and writes together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HandLimits {
    /// I/Os a second.
    pub iops: Option<f64>,
    /// Bytes a second.
    pub bytes_per_s: Option<f64>,
    /// How long an I/O may take.
    pub latency: Vec<LatencyLimit>,
    /// How much of it, how much of the time; without it, only means are judged.
    pub consistency: Option<Consistency>,
    /// How far below its limit a rate still passes, as a share of it, 0 to 1; without it, 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
}

impl HandLimits {
    /// The share of a rate's limit that is enough.
    pub fn enough(&self) -> f64 {
        match self.tolerance {
            Some(tolerance) => 1.0 - tolerance,
            None => enough(PromiseKind::Guarantee, self.consistency),
        }
    }
}

/// How long an I/O may take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyLimit {
    /// Which figure of the distribution.
    pub of: LatencyFigure,
    /// In nanoseconds.
    pub limit_ns: f64,
}

/// A figure of a distribution of latencies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyFigure {
    /// The mean.
    Mean,
    /// A percentile, in percent.
    Percentile(f64),
}

/// All that came of holding a run against a promise.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// Line by line.
    pub verdicts: Vec<PromiseVerdict>,
}

impl Judgement {
    /// The worst of its lines: missed, not reached, exceeded, kept; `NotJudged` if no line could be
    /// judged.
    pub fn outcome(&self) -> PromiseOutcome {
        let order = [
            PromiseOutcome::Missed,
            PromiseOutcome::NotReached,
            PromiseOutcome::Exceeded,
            PromiseOutcome::Kept,
        ];
        let has =
            |outcome: &PromiseOutcome| self.verdicts.iter().any(|line| line.outcome == *outcome);
        order.into_iter().find(has).unwrap_or(PromiseOutcome::NotJudged)
    }

    /// The mean rates that were held against a limit.
    pub fn means(&self) -> impl Iterator<Item = &MeanRate> {
        self.verdicts.iter().filter_map(|line| match &line.evidence {
            PromiseEvidence::Mean(mean) => Some(mean),
            _ => None,
        })
    }
}

/// Share of a limit that is enough where the provider names none, and at most.
pub const ENOUGH_OF_LIMIT: f64 = 0.95;
/// Share of a target that is enough.
const ENOUGH_OF_TARGET: f64 = 0.85;
/// A mean latency below this, in nanoseconds, shows that more I/Os could have been outstanding.
const QUICK_NS: f64 = 1e6;

/// The limit for one figure.
#[derive(Clone, Copy, Debug)]
struct Terms {
    limit: Option<Reachable>,
    burst: Option<Reachable>,
    burst_lasts_s: Option<f64>,
    enough: f64,
    share_of_time: Option<f64>,
    quick_ns: Option<f64>,
    /// Whether the limit is the least that is needed: far more is then no surprise.
    is_least: bool,
}

/// Compares a run with a promise.
pub fn judge(promise: &Promise, run: &MeasuredRun) -> Judgement {
    if promise.kind == PromiseKind::None || promise.is_empty() {
        return Judgement { verdicts: comparison::verdicts(promise, run) };
    }
    let reach = promise.at_block_size(run.block_bytes);
    let burst = promise.burst_at_block_size(run.block_bytes);
    let latency = promise.latency.as_ref();
    let terms = |limit, burst, mean_ns: Option<f64>| Terms {
        limit,
        burst,
        burst_lasts_s: promise.burst.as_ref().and_then(|burst| burst.lasts_s),
        enough: enough(promise.kind, promise.consistency),
        share_of_time: promise.consistency.map(|consistency| consistency.share_of_time),
        quick_ns: Some(mean_ns.map_or(QUICK_NS, |mean_ns| mean_ns.min(QUICK_NS))),
        is_least: false,
    };
    let read_ns = latency.and_then(|latency| latency.read_mean_ns);
    let write_ns = latency.and_then(|latency| latency.write_mean_ns);
    let read = terms(reach.read, burst.and_then(|burst| burst.read), read_ns);
    let write = terms(reach.write, burst.and_then(|burst| burst.write), write_ns);
    let mut verdicts = rates::verdicts(promise.directions, [read, write], run);
    verdicts.extend(latency.into_iter().flat_map(|latency| latency::of_promise(latency, run)));
    Judgement { verdicts }
}

/// Compares a run with limits that the user states.
pub fn judge_by_hand(limits: &HandLimits, run: &MeasuredRun) -> Judgement {
    let level = Level { iops: limits.iops, bytes_per_s: limits.bytes_per_s };
    let mean = limits.latency.iter().find(|limit| limit.of == LatencyFigure::Mean);
    let terms = Terms {
        limit: level.reachable(run.block_bytes),
        burst: None,
        burst_lasts_s: None,
        enough: limits.enough(),
        share_of_time: limits.consistency.map(|consistency| consistency.share_of_time),
        quick_ns: mean.map(|mean| mean.limit_ns),
        is_least: true,
    };
    let mut verdicts = match terms.limit {
        Some(_) => rates::verdicts(Directions::Sum, [terms, terms], run),
        None => Vec::new(),
    };
    verdicts.extend(latency::by_hand(&limits.latency, run));
    Judgement { verdicts }
}

fn enough(kind: PromiseKind, consistency: Option<Consistency>) -> f64 {
    match (consistency, kind) {
        (Some(consistency), _) => consistency.share_of_limit.min(ENOUGH_OF_LIMIT),
        (None, PromiseKind::Target) => ENOUGH_OF_TARGET,
        (None, _) => ENOUGH_OF_LIMIT,
    }
}

#[cfg(test)]
mod tests;
