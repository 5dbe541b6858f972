//! The figures of a case: in total, and in each direction.
//!
//! Runs of a case are merged before figures are calculated: counts and times are sums, histograms
//! merge, so that a percentile over rounds is one of all their I/Os and never a mean of
//! percentiles.

use crate::figures::Figures;
use fathom_stats::{DirectionStats, JobResult, RunResult};
use fathom_vocab::{Direction, PerDirection};
use serde::{Deserialize, Serialize};

/// The figures of a case over all its runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CaseFigures {
    /// All directions together.
    pub total: Figures,
    /// Each direction that had I/Os.
    #[serde(flatten)]
    pub shares: PerDirection<Option<Share>>,
}

/// What one direction had of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// I/Os that completed.
    pub ios: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Decimal megabytes a second.
    pub mb_per_s: f64,
    /// Mean latency in nanoseconds.
    pub mean_ns: f64,
    /// 99th percentile of latency in nanoseconds.
    pub p99_ns: u64,
}

impl CaseFigures {
    /// The figures of one run or of several in turn, at a requested total depth of `depth`, with
    /// I/Os of `block_bytes` if all are equal. `None` if no I/O completed.
    pub fn of(runs: &[&RunResult], depth: u32, block_bytes: Option<u64>) -> Option<CaseFigures> {
        let in_flight = in_flight(runs);
        let runs: Vec<JobResult> = runs.iter().map(|run| all_jobs(run)).collect();
        let total = in_turn(runs.iter().map(JobResult::mixed));
        let mean_block = total.io_bytes.checked_div(total.total_ios).unwrap_or(0);
        let mut figures = Figures::of(&total, depth, block_bytes.unwrap_or(mean_block))?;
        // Only where jobs ended apart is it another than the total's; without latencies nothing is
        // known of it.
        if in_flight > figures.identity.in_flight * (1.0 + 1e-9) {
            figures.identity = figures.identity.with_in_flight(in_flight);
        }
        let share = |way: Direction| {
            let stats = in_turn(runs.iter().map(|run| run.dirs[way].clone()));
            // Depth and block size are of no account here: only the sums are read.
            Figures::of(&stats, depth, mean_block).map(Share::from)
        };
        Some(CaseFigures { total: figures, shares: PerDirection::from_fn(share) })
    }
}

impl From<Figures> for Share {
    fn from(figures: Figures) -> Share {
        let Figures { ios, iops, mb_per_s, mean_ns, p99_ns, .. } = figures;
        Share { ios, iops, mb_per_s, mean_ns, p99_ns }
    }
}

/// The jobs of a run, which ran side by side, as one.
fn all_jobs(run: &RunResult) -> JobResult {
    run.jobs.iter().fold(JobResult::default(), |mut sum, job| {
        sum.merge(job);
        sum
    })
}

/// I/Os in flight on average, of each run for as long as it took: in each, those of each job while
/// that ran. Some clients end before others, and nobody's I/Os are missing then.
fn in_flight(runs: &[&RunResult]) -> f64 {
    let of_job = |stats: DirectionStats| stats.iops_mean() * stats.lat.moments.mean() / 1e9;
    let of_run = |run: &&RunResult| {
        let jobs: Vec<DirectionStats> = run.jobs.iter().map(JobResult::mixed).collect();
        let longest_ms = jobs.iter().map(|stats| stats.runtime_ms).max().unwrap_or(0) as f64;
        (jobs.into_iter().map(of_job).sum::<f64>() * longest_ms, longest_ms)
    };
    let (sum, time) = runs.iter().map(of_run).fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    if time > 0.0 { sum / time } else { 0.0 }
}

/// Runs that went one after another: as side by side, but that their times add up.
pub fn in_turn(runs: impl Iterator<Item = DirectionStats>) -> DirectionStats {
    runs.fold(DirectionStats::default(), |mut sum, run| {
        let runtime_ms = sum.runtime_ms + run.runtime_ms;
        sum.merge(&run);
        sum.runtime_ms = runtime_ms;
        sum
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of a second whose jobs each did this number of reads and writes of 4 KiB.
    fn run(jobs: &[(u64, u64)], latency_ns: u64) -> RunResult {
        let job = |(reads, writes): &(u64, u64)| {
            let mut job = JobResult::default();
            for (way, ios) in [(Direction::Read, *reads), (Direction::Write, *writes)] {
                let stats = &mut job.dirs[way];
                (stats.total_ios, stats.io_bytes) = (ios, ios * 4096);
                stats.runtime_ms = if ios > 0 { 1000 } else { 0 };
                (0..ios).for_each(|_| stats.lat.record(latency_ns));
            }
            job
        };
        RunResult { jobs: jobs.iter().map(job).collect(), ..RunResult::default() }
    }

    #[test]
    fn jobs_side_by_side_add_up_and_directions_make_the_total() {
        let figures = CaseFigures::of(&[&run(&[(300, 100), (200, 0)], 1_000_000)], 2, Some(4096));
        let figures = figures.unwrap();
        assert_eq!((figures.total.iops, figures.total.ios), (600.0, 600));
        let iops = figures.shares.iter().map(|(_, share)| share.map(|share| share.iops));
        assert_eq!(iops.collect::<Vec<_>>(), [Some(500.0), Some(100.0), None]);
        assert_eq!(figures.total.identity.depth, 2);
    }

    #[test]
    fn clients_that_end_early_leave_no_queue_empty() {
        let mut ended = run(&[(1000, 0), (250, 0)], 1_000_000);
        ended.jobs[1].dirs.read.runtime_ms = 250;
        let total = CaseFigures::of(&[&ended], 2, Some(4096)).unwrap().total;
        assert_eq!((total.iops, total.identity.in_flight), (1250.0, 2.0));
        assert!(total.identity.holds(), "{:?}", total.identity);
    }

    #[test]
    fn rounds_in_turn_keep_the_rate_and_share_one_histogram() {
        let (fast, slow) = (run(&[(990, 0)], 100_000), run(&[(10, 0)], 90_000_000));
        let figures = CaseFigures::of(&[&fast, &slow], 1, None).unwrap().total;
        assert_eq!((figures.ios, figures.runtime_ms, figures.iops), (1000, 2000, 500.0));
        // Of a thousand I/Os ten were slow: the 99th percentile is just not one of them, where
        // the mean of both rounds' percentiles would be 45 ms.
        assert!(figures.p99_ns < 200_000 && figures.p999_ns > 80_000_000, "{figures:?}");
        assert_eq!(figures.identity.block_bytes, 4096);
    }

    #[test]
    fn nothing_done_has_no_figures() {
        assert_eq!(CaseFigures::of(&[&run(&[(0, 0)], 1)], 1, None), None);
        assert_eq!(CaseFigures::of(&[], 1, None), None);
    }
}
