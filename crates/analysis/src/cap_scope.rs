//! Caps in a few words, each with what it limits: reads, writes or both.

use crate::quantity::{megabytes_per_s, thousands};
use crate::verdicts::{Answer, Verdict};
use crate::{Cap, CapConfidence, CapFinding, CapKind, Evidence, RateUnit, round_text};
use fathom_message::{Message, list};
use fathom_vocab::Direction;

/// Values of one kind that differ by less than this share are one cap.
const SAME: f64 = 0.03;

/// A cap, and whether it limits reads, writes or both.
#[derive(Clone, Copy, Debug)]
pub struct CapScope<'d> {
    /// The cap.
    pub cap: &'d Cap,
    /// Whether it holds reads.
    pub reads: bool,
    /// Whether it holds writes.
    pub writes: bool,
}

/// The caps that verdicts found, each with the scope that it states itself.
pub fn found<'d>(
    verdicts: impl Iterator<Item = &'d Verdict>,
) -> impl Iterator<Item = CapScope<'d>> {
    verdicts.filter_map(|verdict| match &verdict.answer {
        Answer::Capped(CapFinding::Capped(cap)) => Some(CapScope::over_runs(cap)),
        _ => None,
    })
}

impl<'d> CapScope<'d> {
    /// A cap over several runs, which states its scope itself.
    pub fn over_runs(cap: &'d Cap) -> CapScope<'d> {
        let runs = cap.evidence.iter().find_map(|sign| match sign {
            Evidence::Runs(runs) => Some(runs),
            _ => None,
        });
        let (reads, writes) = runs.map_or((true, true), |runs| (runs.reads, runs.writes));
        CapScope { cap, reads, writes }.as_set()
    }

    /// The cap of a single run in `direction`.
    pub fn of_run(cap: &'d Cap, direction: Direction) -> CapScope<'d> {
        let reads = direction == Direction::Read;
        CapScope { cap, reads, writes: !reads }.as_set()
    }

    /// The same for both directions, where the machine says that it is set for both: that a busy
    /// host kept the runs of one away from it does not change what is set.
    fn as_set(mut self) -> CapScope<'d> {
        let both = |sign: &Evidence| matches!(sign, Evidence::Known(limit) if limit.both_ways);
        if self.cap.evidence.iter().any(both) {
            (self.reads, self.writes) = (true, true);
        }
        self
    }

    /// Whether it is certain enough to be the answer.
    pub fn is_told(&self) -> bool {
        self.cap.is_plain()
    }

    /// The control group of this host that is known to set it.
    pub fn group(&self) -> Option<&'d str> {
        self.cap.known_limit().map(|limit| limit.group.as_str())
    }

    /// Whether a reader would take both for one: they are close, or are written alike.
    pub fn is_same(&self, other: &CapScope<'_>) -> bool {
        let is_close = || (self.cap.value / other.cap.value - 1.0).abs() <= SAME;
        self.cap.kind == other.cap.kind && (is_close() || level(self.cap) == level(other.cap))
    }

    /// The IOPS that it allows for this block size.
    pub fn iops(&self, block_bytes: u64) -> f64 {
        match self.cap.kind {
            CapKind::Iops => self.cap.value,
            CapKind::Bandwidth => self.cap.value / (block_bytes.max(1) as f64),
        }
    }
}

/// The control group of this host that sets all of these caps, if one does.
pub fn common_group<'d>(caps: &[CapScope<'d>]) -> Option<&'d str> {
    let group = caps.first()?.group()?;
    caps.iter().all(|one| one.group() == Some(group)).then_some(group)
}

/// Each cap once: runs of reads and of writes may show the same.
pub fn merged<'d>(all: impl Iterator<Item = CapScope<'d>>) -> Vec<CapScope<'d>> {
    let mut caps: Vec<CapScope<'d>> = Vec::new();
    for one in all {
        match caps.iter_mut().find(|other| other.is_same(&one)) {
            Some(other) => {
                other.reads |= one.reads;
                other.writes |= one.writes;
            }
            None => caps.push(one),
        }
    }
    // I/Os before bytes, as they are sold.
    caps.sort_by_key(|one| one.cap.kind == CapKind::Bandwidth);
    caps
}

/// `capped at 3,000 IOPS and 125 MiB/s`; where they differ `reads capped at 3,000 IOPS, writes at
/// 1,000 IOPS`.
pub fn capped(caps: &[CapScope<'_>]) -> Message {
    let mut scopes: Vec<(bool, bool)> = Vec::new();
    for one in caps {
        if !scopes.contains(&(one.reads, one.writes)) {
            scopes.push((one.reads, one.writes));
        }
    }
    let group = |(at, scope): (usize, &(bool, bool))| {
        let own: Vec<&Cap> = caps
            .iter()
            .filter(|one| (one.reads, one.writes) == *scope)
            .map(|one| one.cap)
            .collect();
        let id = match (at, scope) {
            (0, (true, false)) => "summary-reads-capped",
            (0, (false, true)) => "summary-writes-capped",
            (0, _) => "summary-capped",
            (_, (true, false)) => "summary-reads-capped-too",
            (_, (false, true)) => "summary-writes-capped-too",
            _ => "summary-capped-too",
        };
        let levels = list::names(own.iter().map(|cap| level_told(cap)));
        let confidence = match own.iter().map(|cap| cap.confidence).min() {
            Some(CapConfidence::Low) => "low",
            Some(CapConfidence::Medium) => "medium",
            _ => "high",
        };
        Message::new(id).with("confidence", confidence).part("levels", levels)
    };
    list::commas(scopes.iter().enumerate().map(group))
}

/// The level; after a burst also what that gave: `2,000 IOPS after a burst of 5,000 IOPS`; and
/// what others took: `3,000 IOPS (other I/O took 1,000 IOPS of it)`.
fn level_told(cap: &Cap) -> Message {
    let level = Message::verbatim(level(cap));
    let rate = |per_second: f64| match cap.kind {
        CapKind::Iops => format!("{} IOPS", thousands(per_second)),
        CapKind::Bandwidth => format!("{} MB/s", megabytes_per_s(per_second / 1e6)),
    };
    let with = |id, per_second: f64| {
        Message::new(id).part("level", level.clone()).with("rate", rate(per_second))
    };
    let burst = cap.burst().filter(|burst| burst.unit == cap.kind.unit());
    let others = cap.known_limit().filter(|limit| limit.is_shared());
    match (burst, others) {
        (Some(burst), _) => with("summary-cap-after-burst", burst.burst_rate),
        (None, Some(limit)) => with("summary-cap-shared", limit.others),
        (None, None) => level,
    }
}

/// The set value, if it is known or close to a round number: `3,000 IOPS`, `125 MiB/s`.
pub fn level(cap: &Cap) -> String {
    let value = cap.known_limit().map(|limit| limit.per_second).or(cap.nominal());
    match cap.kind {
        CapKind::Iops => format!("{} IOPS", thousands(value.unwrap_or(cap.value))),
        CapKind::Bandwidth => value.map_or_else(
            || format!("{} MB/s", megabytes_per_s(cap.value / 1e6)),
            |value| round_text(value, RateUnit::Bytes),
        ),
    }
}
