//! A clone's latencies from its beginning, as it gives them where somebody watches.

use fathom_stats::{Histogram, JobResult};

/// The latencies of a clone since it began to measure.
#[derive(Clone, Debug)]
pub(crate) struct LatencySoFar {
    /// When it began, on the run's clock: with the end of a ramp, counting begins anew.
    pub since_ns: u64,
    /// All directions together.
    pub histogram: Histogram,
}

impl LatencySoFar {
    /// What `result` has counted since `since_ns`; total latencies where there are any.
    pub fn of(result: &JobResult, since_ns: u64) -> LatencySoFar {
        let mut histogram = Histogram::default();
        for (_, stats) in result.dirs.iter() {
            histogram.merge(&stats.told_latency().histogram);
        }
        LatencySoFar { since_ns, histogram }
    }

    /// What was counted after `before`; all of it where counting began anew.
    pub fn after(&self, before: Option<&LatencySoFar>) -> Histogram {
        match before.filter(|before| before.since_ns == self.since_ns) {
            Some(before) => self.histogram.since(&before.histogram),
            None => self.histogram.clone(),
        }
    }
}
