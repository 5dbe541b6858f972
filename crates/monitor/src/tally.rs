//! Intervals added up: minimum, mean and maximum of every rate over the watched time.
//!
//! The mean is the rate of the sums. An interval that was cut short, for example by ^C, adds to the
//! totals; its rates would be odd extremes, so minimum, mean and maximum use whole intervals, if
//! there is one.

use super::interval_counts::IntervalCounts;
use super::memory::MemoryCounts;
use super::nfs::NfsCounts;
use super::reading::{Delta, IntervalOutcome};
use fathom_host::DiskStats;
use serde::Serialize;
use std::time::Duration;

/// Counts over the watched time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SummaryOf<C: IntervalCounts> {
    /// Intervals that `min`, `mean` and `max` are made of.
    pub intervals: u64,
    /// Their length together, in seconds.
    pub elapsed_s: f64,
    /// How often the counters restarted.
    pub restarts: u64,
    /// All that was counted, with an interval that was cut short.
    pub totals: C,
    /// The least of each rate over the intervals.
    pub min: C::Rates,
    /// Each rate over all of their time.
    pub mean: C::Rates,
    /// The greatest of each rate over the intervals.
    pub max: C::Rates,
}

/// The summary of one subject.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Summary {
    /// Of a block device.
    Disk(SummaryOf<DiskStats>),
    /// Of an NFS mount.
    Nfs(SummaryOf<NfsCounts>),
    /// Of a file system in memory.
    Memory(SummaryOf<MemoryCounts>),
}

/// Whether an interval lasted as long as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalExtent {
    /// The interval was whole.
    Whole,
    /// It is the last one, and was cut short.
    Cut,
}

/// Adds up the intervals of one subject.
#[derive(Clone, Debug, Default)]
pub enum Tally {
    /// None was added yet.
    #[default]
    Empty,
    /// Those of a block device.
    Disk(Sums<DiskStats>),
    /// Those of an NFS mount.
    Nfs(Sums<NfsCounts>),
    /// Those of a file system in memory.
    Memory(Sums<MemoryCounts>),
}

impl Tally {
    /// Adds an interval; one in which the subject was missing adds nothing.
    pub fn add(&mut self, outcome: &IntervalOutcome, extent: IntervalExtent) {
        match (&mut *self, outcome) {
            (Tally::Disk(sums), IntervalOutcome::Disk(delta)) => sums.add(delta, extent),
            (Tally::Nfs(sums), IntervalOutcome::Nfs(delta)) => sums.add(delta, extent),
            (Tally::Memory(sums), IntervalOutcome::Memory(delta)) => sums.add(delta, extent),
            (Tally::Empty, IntervalOutcome::Disk(delta)) => {
                *self = Tally::Disk(Sums::of(delta, extent))
            }
            (Tally::Empty, IntervalOutcome::Nfs(delta)) => {
                *self = Tally::Nfs(Sums::of(delta, extent))
            }
            (Tally::Empty, IntervalOutcome::Memory(delta)) => {
                *self = Tally::Memory(Sums::of(delta, extent));
            }
            _ => {}
        }
    }

    /// The totals; none if no time passed.
    pub fn summary(&self) -> Option<Summary> {
        match self {
            Tally::Empty => None,
            Tally::Disk(sums) => sums.summary().map(Summary::Disk),
            Tally::Nfs(sums) => sums.summary().map(Summary::Nfs),
            Tally::Memory(sums) => sums.summary().map(Summary::Memory),
        }
    }
}

/// Counts and extremes so far.
#[derive(Clone, Debug)]
pub struct Sums<C: IntervalCounts> {
    totals: C,
    restarts: u64,
    whole: Option<Run<C>>,
    cut: Option<Run<C>>,
}

/// Intervals that belong together.
#[derive(Clone, Debug)]
struct Run<C: IntervalCounts> {
    intervals: u64,
    elapsed: Duration,
    counts: C,
    min: C::Rates,
    max: C::Rates,
}

impl<C: IntervalCounts> Sums<C> {
    fn of(delta: &Delta<C>, extent: IntervalExtent) -> Self {
        let restarts = u64::from(delta.restarted);
        let mut sums = Sums { totals: delta.counts.clone(), restarts, whole: None, cut: None };
        sums.run(delta, extent);
        sums
    }

    fn add(&mut self, delta: &Delta<C>, extent: IntervalExtent) {
        self.totals.add(&delta.counts);
        self.restarts += u64::from(delta.restarted);
        self.run(delta, extent);
    }

    fn run(&mut self, delta: &Delta<C>, extent: IntervalExtent) {
        // Counts of no time have no rate: they are in the totals only.
        let Some(rates) = delta.rates else { return };
        let run = match extent {
            IntervalExtent::Whole => &mut self.whole,
            IntervalExtent::Cut => &mut self.cut,
        };
        match run {
            Some(run) => run.add(delta, rates),
            None => {
                *run = Some(Run {
                    intervals: 1,
                    elapsed: delta.elapsed,
                    counts: delta.counts.clone(),
                    min: rates,
                    max: rates,
                });
            }
        }
    }

    fn summary(&self) -> Option<SummaryOf<C>> {
        let run = self.whole.as_ref().or(self.cut.as_ref())?;
        Some(SummaryOf {
            intervals: run.intervals,
            elapsed_s: run.elapsed.as_secs_f64(),
            restarts: self.restarts,
            totals: self.totals.clone(),
            min: run.min,
            mean: run.counts.rates(run.elapsed)?,
            max: run.max,
        })
    }
}

impl<C: IntervalCounts> Run<C> {
    fn add(&mut self, delta: &Delta<C>, rates: C::Rates) {
        self.intervals += 1;
        self.elapsed += delta.elapsed;
        self.counts.add(&delta.counts);
        self.min = C::merged(self.min, rates, f64::min);
        self.max = C::merged(self.max, rates, f64::max);
    }
}
