//! Two readings of one subject's counters, and the difference between them.
//!
//! Each reading has its own moment, so that after a gap, for example while a device was missing,
//! rates use the time that really passed.

use super::interval_counts::IntervalCounts;
use super::memory::MemoryCounts;
use super::nfs::NfsCounts;
use fathom_host::{DiskStats, NfsStats, Space};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Counters {
    /// A block device's counters.
    Disk(DiskStats),
    /// An NFS mount's.
    Nfs(Box<NfsStats>),
    /// The space on a file system in memory.
    Memory(Space),
}

/// Counters as they are sent to another machine, which must not guess their kind.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Counters", rename_all = "snake_case")]
enum CountersByKind {
    Disk(DiskStats),
    Nfs(Box<NfsStats>),
    Memory(Space),
}

/// Counters at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CounterReading {
    /// Time since watching began, by a clock that never goes back.
    pub at: Duration,
    /// The counters.
    #[serde(with = "CountersByKind")]
    pub counters: Counters,
}

/// Counts over an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta<C: IntervalCounts> {
    /// Its length.
    pub elapsed: Duration,
    /// Whether the counters restarted within it; they then count from zero.
    pub restarted: bool,
    /// The counts.
    pub counts: C,
    /// The same by the second; none if no time passed.
    pub rates: Option<C::Rates>,
}

impl<C: IntervalCounts> Delta<C> {
    fn new(elapsed: Duration, counts: C, restarted: bool) -> Self {
        let rates = counts.rates(elapsed);
        Delta { elapsed, restarted, counts, rates }
    }
}

/// The outcome of one subject over an interval.
#[derive(Clone, Debug, PartialEq)]
pub enum IntervalOutcome {
    /// A block device's I/O.
    Disk(Delta<DiskStats>),
    /// An NFS mount's requests.
    Nfs(Delta<NfsCounts>),
    /// A file system in memory.
    Memory(Delta<MemoryCounts>),
    /// Its counters are not there any more.
    Gone,
}

impl IntervalOutcome {
    /// Whether nothing happened that would be worth a line.
    pub fn is_idle(&self) -> bool {
        match self {
            IntervalOutcome::Disk(delta) => delta.counts.is_idle(),
            IntervalOutcome::Nfs(delta) => delta.counts.is_idle(),
            IntervalOutcome::Memory(delta) => delta.counts.is_idle(),
            IntervalOutcome::Gone => false,
        }
    }
}

/// The difference from `earlier` to `later`, two readings of the same subject.
///
/// Readings of different kinds are not of the same subject, and give [`IntervalOutcome::Gone`].
pub fn between(earlier: &CounterReading, later: &CounterReading) -> IntervalOutcome {
    let elapsed = later.at.saturating_sub(earlier.at);
    match (&earlier.counters, &later.counters) {
        (Counters::Disk(before), Counters::Disk(after)) => match after.since(before) {
            Some(counts) => IntervalOutcome::Disk(Delta::new(elapsed, counts, false)),
            None => IntervalOutcome::Disk(Delta::new(elapsed, after.clone(), true)),
        },
        (Counters::Nfs(before), Counters::Nfs(after)) => {
            let (counts, restarted) = NfsCounts::between(before, after);
            IntervalOutcome::Nfs(Delta::new(elapsed, counts, restarted))
        }
        (Counters::Memory(before), Counters::Memory(after)) => IntervalOutcome::Memory(Delta::new(
            elapsed,
            MemoryCounts::between(before, after),
            false,
        )),
        _ => IntervalOutcome::Gone,
    }
}
