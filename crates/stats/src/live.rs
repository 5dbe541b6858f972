//! The visible state of a running run.

use crate::Histogram;
use fathom_vocab::PerDirection;
use serde::{Deserialize, Serialize};

/// One look at a running run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveSnapshot {
    /// Jobs that are running now.
    pub jobs_running: u32,
    /// Jobs in all.
    pub jobs_total: u32,
    /// Files that are open.
    pub files_open: u32,
    /// One state letter for each job, in the order of their numbers: `P` not started, `C`
    /// created, `I` initialised, `p` pre-reading, `/` ramping, `R` `W` `D` `M` sequential reads,
    /// writes, trims, mixed and `r` `w` `d` `m` random, `V` verifying, `F` flushing, `f`
    /// finishing, `E` exited, `_` reaped, `X` reaped with an error, `K` ended by a signal.
    pub states: String,
    /// Bytes a second of each direction, lately.
    pub rate_bytes: PerDirection<u64>,
    /// I/Os a second of each direction, lately.
    pub rate_iops: PerDirection<u64>,
    /// Share that is done in percent; `None` where it is unknown.
    pub percent: Option<f64>,
    /// Seconds left; `None` while it is unknown.
    pub eta_s: Option<u64>,
    /// Least and greatest bytes a second asked for, all running jobs together.
    pub target_bytes: Option<(u64, u64)>,
    /// Least and greatest I/Os a second asked for, all running jobs together.
    pub target_iops: Option<(u64, u64)>,
    /// 1000 or 1024.
    pub kb_base: u32,
    /// 1 for bits a second, else bytes.
    pub unit_base: u8,
    /// Milliseconds since the run began.
    pub elapsed_ms: u64,
    /// Latencies of about the last second, all directions together; `None` where nobody asked for
    /// them, none is kept, or no I/O completed.
    pub latency: Option<LiveLatency>,
}

impl LiveSnapshot {
    /// The numbers of the jobs that run.
    pub fn running(&self) -> Vec<usize> {
        let states = self.states.chars().enumerate();
        states.filter(|(_, state)| !"PCI_XEK".contains(*state)).map(|(at, _)| at).collect()
    }
}

/// The jobs that ran at the last look at which any did.
#[derive(Clone, Debug, Default)]
pub struct RunningJobs(Vec<usize>);

impl RunningJobs {
    /// Takes the jobs that run now. Whether these are others than those that ran before: a rate of
    /// both tells of neither.
    pub fn turn_to(&mut self, now: Vec<usize>) -> bool {
        if now.is_empty() {
            return false;
        }
        let has_turned = !self.0.is_empty() && !now.iter().any(|job| self.0.contains(job));
        self.0 = now;
        has_turned
    }
}

/// Latencies of a short while: the total ones where jobs keep them, else those of completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveLatency {
    /// Median in nanoseconds.
    pub p50_ns: u64,
    /// 99th percentile in nanoseconds.
    pub p99_ns: u64,
    /// The greatest in nanoseconds, to within a histogram's bucket (1/128).
    pub max_ns: u64,
}

impl LiveLatency {
    /// The figures of a distribution; `None` for an empty one.
    pub fn of(histogram: &Histogram) -> Option<LiveLatency> {
        let (max_ns, _) = histogram.bins().last()?;
        let shares = histogram.percentiles(&[50.0, 99.0]);
        Some(LiveLatency { p50_ns: *shares.first()?, p99_ns: *shares.get(1)?, max_ns })
    }
}
