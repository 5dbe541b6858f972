//! What every kind of counters gives for an interval: sums that add up, and rates.

use serde::Serialize;
use std::fmt::Debug;
use std::time::Duration;

/// Counts of a stretch of time, which add up and can be told by the second.
pub trait IntervalCounts: Clone + Serialize {
    /// The same by the second.
    type Rates: Copy + Debug + PartialEq + Serialize;

    /// Adds the counts of the stretch that follows.
    fn add(&mut self, later: &Self);

    /// The counts by the second; none if no time passed.
    fn rates(&self, elapsed: Duration) -> Option<Self::Rates>;

    /// Whether nothing was counted and nothing is under way.
    fn is_idle(&self) -> bool;

    /// Rate by rate what `pick` makes of both; where only one has a rate, that one.
    fn merged(a: Self::Rates, b: Self::Rates, pick: fn(f64, f64) -> f64) -> Self::Rates;
}
