//! A series of intervals in bounded memory.
//!
//! The loop adds completions to the interval of their time. When a run exceeds the maximum, pairs
//! of intervals are merged and become twice as long, so that a run of any length has at most
//! [`SeriesInterval::CAP`] of them, and sums and extremes stay exact.

use crate::{DiskInterval, Interval, Series};
use fathom_vocab::Direction;

/// Counts over an interval, which add up over neighbours.
pub trait SeriesInterval: Clone + Default {
    /// Maximum number of intervals of a series.
    const CAP: usize;

    /// Adds the counts of another interval.
    fn merge(&mut self, other: &Self);
}

impl SeriesInterval for Interval {
    /// An hour of seconds, so that after the first hour of any run its memory has stopped growing.
    const CAP: usize = 3600;

    fn merge(&mut self, other: &Interval) {
        for dir in Direction::ALL {
            self.ios[dir] += other.ios[dir];
            self.bytes[dir] += other.bytes[dir];
            self.clat_sum_ns[dir] += other.clat_sum_ns[dir];
        }
        self.clat_max_ns = self.clat_max_ns.max(other.clat_max_ns);
    }
}

impl SeriesInterval for DiskInterval {
    const CAP: usize = 3600;

    fn merge(&mut self, other: &DiskInterval) {
        let add = |mine: &mut (u64, u64), theirs: (u64, u64)| {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        };
        self.elapsed_ms += other.elapsed_ms;
        self.busy_ms += other.busy_ms;
        self.in_queue_ms += other.in_queue_ms;
        add(&mut self.ios, other.ios);
        add(&mut self.sectors, other.sectors);
    }
}

impl DiskInterval {
    /// Share of the time with I/O in flight, in percent; none if no time passed.
    ///
    /// The kernel counts by its ticks: a little above the whole counts as the whole.
    pub fn util_percent(&self) -> Option<f64> {
        let share = self.busy_ms as f64 / self.elapsed_ms as f64 * 100.0;
        (self.elapsed_ms > 0).then_some(share.min(100.0))
    }
}

impl Interval {
    /// Counts one completed I/O.
    #[inline(always)]
    pub fn record(&mut self, dir: Direction, bytes: u64, clat_ns: u64) {
        self.ios[dir] += 1;
        self.bytes[dir] += bytes;
        self.clat_sum_ns[dir] += clat_ns;
        self.clat_max_ns = self.clat_max_ns.max(clat_ns);
    }

    /// Whether nothing completed in it.
    pub fn is_empty(&self) -> bool {
        *self == Interval::default()
    }
}

impl<T: SeriesInterval> Series<T> {
    /// An empty series of intervals of this length in milliseconds (at least 1).
    pub fn new(interval_ms: u64) -> Series<T> {
        Series { interval_ms: interval_ms.max(1), ..Series::default() }
    }

    /// The same with its memory already there, so that recording never allocates.
    pub fn allocated(interval_ms: u64) -> Series<T> {
        let mut series = Series::new(interval_ms);
        series.intervals.reserve_exact(T::CAP);
        series
    }

    /// The interval that contains `at_ms` (milliseconds from the start), extending the series up to
    /// it.
    ///
    /// Costs a division: the loop calls it when an interval ends, not for every I/O.
    pub fn at(&mut self, at_ms: u64) -> &mut T {
        self.interval_ms = self.interval_ms.max(1);
        while at_ms / self.interval_ms >= T::CAP as u64 {
            self.coalesce();
        }
        let index = (at_ms / self.interval_ms) as usize;
        if index >= self.intervals.len() {
            self.grow_to(index + 1);
        }
        &mut self.intervals[index]
    }

    /// Doubles its memory if necessary, but never beyond the maximum.
    fn grow_to(&mut self, count: usize) {
        if count > self.intervals.capacity() {
            let wanted = (2 * self.intervals.capacity()).min(T::CAP).max(count);
            self.intervals.reserve_exact(wanted - self.intervals.len());
        }
        self.intervals.resize(count, T::default());
    }

    /// Grows the series up to `at_ms`, so that time without completions shows as such.
    pub fn advance(&mut self, at_ms: u64) {
        self.at(at_ms);
    }

    /// Adds another series at the same times from the start.
    ///
    /// Lengths are brought to the longer of both by coalescing; where neither divides the other,
    /// to their least common multiple. The ramp is the longer of both.
    pub fn merge(&mut self, other: &Series<T>) {
        if other.interval_ms == 0 {
            return;
        }
        if self.interval_ms == 0 {
            self.clone_from(other);
            return;
        }
        if self.interval_ms == other.interval_ms {
            return self.add_aligned(other);
        }
        let common = lcm(self.interval_ms, other.interval_ms);
        self.stretch(common);
        let mut other = other.clone();
        other.stretch(common);
        self.add_aligned(&other);
    }

    fn add_aligned(&mut self, other: &Series<T>) {
        if self.intervals.len() < other.intervals.len() {
            self.intervals.resize(other.intervals.len(), T::default());
        }
        for (mine, theirs) in self.intervals.iter_mut().zip(&other.intervals) {
            mine.merge(theirs);
        }
        self.ramp_intervals = self.ramp_intervals.max(other.ramp_intervals);
    }

    /// Makes intervals `length_ms` long, which must be a multiple of the present length.
    fn stretch(&mut self, length_ms: u64) {
        self.join_every((length_ms / self.interval_ms.max(1)).max(1));
    }

    fn coalesce(&mut self) {
        self.join_every(2);
    }

    fn join_every(&mut self, factor: u64) {
        if factor == 1 {
            return;
        }
        let step = usize::try_from(factor).unwrap_or(usize::MAX);
        let count = self.intervals.len().div_ceil(step);
        for to in 0..count {
            let first = to * step;
            let end = first.saturating_add(step).min(self.intervals.len());
            let mut joined = self.intervals[first].clone();
            for from in &self.intervals[first + 1..end] {
                joined.merge(from);
            }
            self.intervals[to] = joined;
        }
        self.intervals.truncate(count);
        // An interval that was partly ramp counts as ramp.
        self.ramp_intervals = u64::from(self.ramp_intervals).div_ceil(factor) as u32;
        self.interval_ms = self.interval_ms.saturating_mul(factor);
    }

    /// Whether it has no intervals.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// All intervals after the ramp, with their start in milliseconds.
    pub fn measured(&self) -> impl Iterator<Item = (u64, &T)> {
        let length = self.interval_ms;
        let begins = move |i: usize| i as u64 * length;
        let skip = self.ramp_intervals as usize;
        self.intervals.iter().enumerate().skip(skip).map(move |(i, interval)| (begins(i), interval))
    }
}

impl Series {
    /// Counts one I/O that completed `at_ms` from the start.
    pub fn record(&mut self, at_ms: u64, dir: Direction, bytes: u64, clat_ns: u64) {
        self.at(at_ms).record(dir, bytes, clat_ns);
    }
}

fn lcm(a: u64, b: u64) -> u64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}
