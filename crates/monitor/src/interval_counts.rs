//! The common interface of counters for an interval: counts that add up, and rates.

use serde::Serialize;
use std::fmt::Debug;
use std::time::Duration;

/// Counts over an interval, which add up and give rates.
pub trait IntervalCounts: Clone + Serialize {
    /// The same by the second.
    type Rates: Copy + Debug + PartialEq + Serialize;

    /// Adds the counts of the stretch that follows.
    fn add(&mut self, later: &Self);

    /// The counts by the second; none if no time passed.
    fn rates(&self, elapsed: Duration) -> Option<Self::Rates>;

    /// Whether nothing was counted and no I/O is in flight.
    fn is_idle(&self) -> bool;

    /// Merges each pair of rates by `pick`; if only one has a rate, that one.
    fn merged(a: Self::Rates, b: Self::Rates, pick: fn(f64, f64) -> f64) -> Self::Rates;
}
