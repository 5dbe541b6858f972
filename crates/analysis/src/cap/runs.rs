//! One cap over several runs on the same volume: other depths, other block sizes, reads and writes.
//!
//! Decided here:
//! - The capped quantity is the constant one. A run at the greatest IOPS of its direction is
//!   limited by an IOPS cap, one at the greatest throughput by a bandwidth cap. A run that is both
//!   belongs to the cap that more block sizes share.
//! - A cap of reads and one of writes with the same value are one cap.
//! - Runs show a cap if their signs together are better than "perhaps", or if the machine reports
//!   the limit. A level that a few runs have by chance is none.
//! - Other programs can slow a run down to the rate of another. So two runs show no cap if others
//!   disturbed one of them, they have no sign of their own, and the level is no round number.

use super::ceilings::{DepthPoint, SizePoint, depth_ceiling, size_ceilings};
use super::verdict::confidence_of;
use super::{Cap, CapConfidence, CapFinding, CapInputs, CapKind, Evidence, nearest_round};
use crate::quantile::median;
use crate::quantity::binary_bytes;
use fathom_message::{Message, Tell, list, shown_as_told};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Maximum difference of runs under one cap.
const SAME: f64 = 0.03;
/// Minimum runs at one level that show a cap although something disturbed them: two may agree by
/// chance.
const LEAST_DISTURBED: usize = 3;

/// A run, and its own findings.
#[derive(Clone, Copy, Debug)]
pub struct CapRun<'a> {
    /// Whether it read or wrote.
    pub direction: Direction,
    /// Bytes of each I/O.
    pub block_bytes: u64,
    /// I/Os in flight.
    pub depth: u32,
    /// How long it lasted, in seconds.
    pub run_s: f64,
    /// I/Os a second.
    pub iops: f64,
    /// Mean latency in nanoseconds.
    pub mean_latency_ns: f64,
    /// The cap by its own signs, if any.
    pub finding: Option<&'a CapFinding>,
    /// Whether other programs disturbed it.
    pub is_disturbed: bool,
}

/// A cap, and the runs that it limits, as indices of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct CapOverRuns {
    /// The cap.
    pub cap: Cap,
    /// The runs, in order.
    pub runs: Vec<usize>,
}

/// Runs that all come to the value of a cap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunsAtCap {
    /// How many of them there are.
    pub runs: usize,
    /// Of so many that were judged.
    pub of: usize,
    /// Whether reads are among them.
    pub reads: bool,
    /// Whether writes are among them.
    pub writes: bool,
    /// The smallest block, in bytes.
    pub from_bytes: u64,
    /// The largest block, in bytes.
    pub to_bytes: u64,
}

/// The caps of runs on one volume, each once.
pub fn caps_over_runs(runs: &[CapRun]) -> Vec<CapOverRuns> {
    let mut found: Vec<CapOverRuns> = Vec::new();
    for direction in [Direction::Read, Direction::Write] {
        let own: Vec<usize> = (0..runs.len())
            .filter(|at| runs[*at].direction == direction && value(&runs[*at], CapKind::Iops) > 0.0)
            .collect();
        for (kind, level) in levels(runs, &own) {
            let Some(cap) = told(runs, &level, kind) else { continue };
            match found.iter_mut().find(|other| is_same(&other.cap, &cap)) {
                Some(other) => join(other, cap, level),
                None => found.push(CapOverRuns { cap, runs: level }),
            }
        }
    }
    for one in &mut found {
        one.cap.evidence.insert(0, Evidence::Runs(at_cap(runs, &one.runs)));
    }
    found
}

fn value(run: &CapRun, kind: CapKind) -> f64 {
    let value = match kind {
        CapKind::Iops => run.iops,
        CapKind::Bandwidth => run.iops * run.block_bytes as f64,
    };
    if value.is_finite() { value } else { 0.0 }
}

/// The runs at the greatest value of each kind; each run in one of both.
fn levels(runs: &[CapRun], own: &[usize]) -> [(CapKind, Vec<usize>); 2] {
    let at_top = |kind| {
        let most = own.iter().map(|at| value(&runs[*at], kind)).fold(0.0, f64::max);
        let near = |at: &&usize| value(&runs[**at], kind) >= (1.0 - SAME) * most;
        own.iter().filter(near).copied().collect::<Vec<usize>>()
    };
    let sizes = |level: &[usize]| {
        level.iter().map(|at| runs[*at].block_bytes).collect::<BTreeSet<u64>>().len()
    };
    let (mut ios, mut bytes) = (at_top(CapKind::Iops), at_top(CapKind::Bandwidth));
    let is_iops = sizes(&ios).cmp(&sizes(&bytes));
    let both: Vec<usize> = ios.iter().copied().filter(|at| bytes.contains(at)).collect();
    for at in both {
        let of_bandwidth = match is_iops {
            std::cmp::Ordering::Equal => kind_alone(&runs[at]) == Some(CapKind::Bandwidth),
            order => order.is_lt(),
        };
        if of_bandwidth { &mut ios } else { &mut bytes }.retain(|other| *other != at);
    }
    [(CapKind::Iops, ios), (CapKind::Bandwidth, bytes)]
}

/// The unit of a run's cap by its own signs.
fn kind_alone(run: &CapRun) -> Option<CapKind> {
    cap_alone(run).map(|cap| cap.kind)
}

fn cap_alone<'a>(run: &CapRun<'a>) -> Option<&'a Cap> {
    match run.finding {
        Some(CapFinding::Capped(cap)) => Some(cap),
        _ => None,
    }
}

/// The cap that runs at one level show together, if they do.
fn told(runs: &[CapRun], level: &[usize], kind: CapKind) -> Option<Cap> {
    let alone = || level.iter().filter_map(|at| cap_alone(&runs[*at]));
    if let Some(set) = alone().find(|cap| cap.is_set() && cap.kind == kind) {
        return Some(set.clone());
    }
    let values: Vec<f64> = level.iter().map(|at| value(&runs[*at], kind)).collect();
    let mut evidence = across(runs, level, kind);
    let best = alone().filter(|cap| !cap.is_set()).max_by_key(|cap| cap.confidence);
    // After a burst the mean of the whole run is no level that the run held.
    let lasting = best.filter(|cap| cap.kind == kind && cap.burst().is_some());
    let value = lasting.map_or_else(|| median(&values), |cap| cap.value);
    evidence.extend(best.iter().flat_map(|cap| &cap.evidence).filter(|s| !is_round(s)).cloned());
    if evidence.is_empty() {
        return None;
    }
    let unit = kind.unit();
    let round = nearest_round(unit, value);
    if best.is_none() && round.is_none() && may_be_slowed(runs, level) {
        return None;
    }
    evidence.extend(round.map(|value| Evidence::RoundNumber { value, unit }));
    let run_s = level.iter().map(|at| runs[*at].run_s).reduce(f64::min);
    let inputs = CapInputs { unit, run_s, ..CapInputs::default() };
    let together = confidence_of(&inputs, &evidence);
    let confidence = together.max(best.map(|cap| cap.confidence))?;
    // One block size does not show the unit of the cap, however often it occurs.
    let sizes: BTreeSet<u64> = runs.iter().map(|run| run.block_bytes).collect();
    let or = best.and_then(|cap| cap.or).filter(|_| sizes.len() < 2);
    let cap = Cap { kind, value, or, evidence, confidence };
    (confidence > CapConfidence::Low).then_some(cap)
}

/// Whether few runs are at this level, and something disturbed one of them.
fn may_be_slowed(runs: &[CapRun], level: &[usize]) -> bool {
    level.len() < LEAST_DISTURBED && level.iter().any(|at| runs[*at].is_disturbed)
}

fn is_round(sign: &Evidence) -> bool {
    matches!(sign, Evidence::RoundNumber { .. })
}

/// Signs of several runs: depths that wait, block sizes that stay constant.
fn across(runs: &[CapRun], level: &[usize], kind: CapKind) -> Vec<Evidence> {
    let own = || level.iter().map(|at| &runs[*at]);
    let blocks: BTreeSet<u64> = own().map(|run| run.block_bytes).collect();
    let depths = blocks.iter().filter_map(|block| {
        let points = own().filter(|run| run.block_bytes == *block).map(|run| DepthPoint {
            depth: run.depth,
            iops: run.iops,
            mean_latency_ns: run.mean_latency_ns,
        });
        depth_ceiling(&points.collect::<Vec<_>>())
    });
    let growth = |of: &super::DepthCeiling| of.to_depth / of.knee_depth.max(1);
    let depths = depths.max_by_key(growth).map(Evidence::Depths);
    let point = |run: &CapRun| SizePoint { block_bytes: run.block_bytes, iops: run.iops };
    let sizes = size_ceilings(&own().map(point).collect::<Vec<_>>());
    let sizes = sizes.into_iter().find(|of| of.kind == kind).map(Evidence::Sizes);
    depths.into_iter().chain(sizes).collect()
}

/// Whether a cap of reads and one of writes are one.
fn is_same(one: &Cap, other: &Cap) -> bool {
    one.kind == other.kind && (one.value / other.value - 1.0).abs() <= SAME
}

/// Keeps the better evidence for a cap, and the runs of both.
fn join(into: &mut CapOverRuns, cap: Cap, mut runs: Vec<usize>) {
    if cap.confidence > into.cap.confidence {
        into.cap = cap;
    }
    into.runs.append(&mut runs);
}

fn at_cap(all: &[CapRun], level: &[usize]) -> RunsAtCap {
    let own = || level.iter().map(|at| &all[*at]);
    let has = |direction| own().any(|run| run.direction == direction);
    RunsAtCap {
        runs: level.len(),
        of: all.len(),
        reads: has(Direction::Read),
        writes: has(Direction::Write),
        from_bytes: own().map(|run| run.block_bytes).min().unwrap_or(0),
        to_bytes: own().map(|run| run.block_bytes).max().unwrap_or(0),
    }
}

impl Tell for RunsAtCap {
    fn tell(&self) -> Message {
        let reads = self.reads.then(|| Message::new("cap-runs-reads"));
        let writes = self.writes.then(|| Message::new("cap-runs-writes"));
        let id =
            if self.from_bytes == self.to_bytes { "cap-sign-runs" } else { "cap-sign-runs-sizes" };
        Message::new(id)
            .with("runs", self.runs as u64)
            .with("of", self.of)
            .part("what", list::names(reads.into_iter().chain(writes)))
            .with("from", binary_bytes(self.from_bytes))
            .with("to", binary_bytes(self.to_bytes))
    }
}

shown_as_told!(RunsAtCap);

#[cfg(test)]
mod tests;
