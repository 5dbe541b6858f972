//! A clone's latencies from its beginning, as published for viewers.

use fathom_stats::{Histogram, JobResult};

/// The latencies of a clone since it began to measure.
#[derive(Clone, Debug)]
pub(crate) struct LatencySoFar {
    /// Its beginning, on the run's clock: at the end of a ramp, counting starts again.
    pub since_ns: u64,
    /// All directions together.
    pub histogram: Histogram,
}

impl LatencySoFar {
    /// The counts of `result` since `since_ns`; total latencies if there are any.
    pub fn of(result: &JobResult, since_ns: u64) -> LatencySoFar {
        let mut histogram = Histogram::default();
        for (_, stats) in result.dirs.iter() {
            histogram.merge(&stats.lat_or_clat().histogram);
        }
        LatencySoFar { since_ns, histogram }
    }

    /// The counts after `before`; all of them if counting started again.
    pub fn after(&self, before: Option<&LatencySoFar>) -> Histogram {
        match before.filter(|before| before.since_ns == self.since_ns) {
            Some(before) => self.histogram.since(&before.histogram),
            None => self.histogram.clone(),
        }
    }
}
