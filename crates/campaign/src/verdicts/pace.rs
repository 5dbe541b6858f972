//! The response time that users would have had at a planned rate, for jobs with one.

use super::context::{Context, RateLimit};
use fathom_analysis::{OpenLoopFinding, OpenLoopInputs, TimeFigures, find_open_loop};
use fathom_stats::{LatencyStats, OpenLoop, RunResult};
use fathom_vocab::{Direction, PerDirection};

/// None if no job was paced.
pub(super) fn answer(result: &RunResult, context: &Context) -> Option<OpenLoopFinding> {
    let mut both = OpenLoop::default();
    let paced: Vec<&OpenLoop> =
        result.jobs.iter().filter_map(|job| job.open_loop.as_deref()).collect();
    if paced.is_empty() {
        return None;
    }
    paced.into_iter().for_each(|one| both.merge(one));
    let total = |of: &dyn Fn(Direction) -> (u64, u64)| {
        Direction::ALL.into_iter().map(of).fold((0, 0), |(a, b), (c, d)| (a + c, b.max(d)))
    };
    let (ios, runtime_ms) = total(&|way| {
        let stats = result.jobs.iter().map(|job| &job.dirs[way]);
        stats.fold((0, 0), |(ios, ms), stats| (ios + stats.total_ios, ms.max(stats.runtime_ms)))
    });
    let target_iops = match (context.pace?, context.block_bytes) {
        (RateLimit::Iops(rate), _) => rate,
        (RateLimit::Bytes(rate), Some(block)) if block > 0 => rate / block as f64,
        (RateLimit::Bytes(_), _) => return None,
    };
    Some(find_open_loop(&OpenLoopInputs {
        target_iops,
        achieved_iops: ios as f64 * 1e3 / runtime_ms.max(1) as f64,
        wait: figures(&both.wait),
        service: service(result),
        response: figures(&both.response),
        backlog_ios: Direction::ALL.into_iter().map(|way| both.overdue_ios[way]).sum(),
    }))
}

fn service(result: &RunResult) -> TimeFigures {
    let mut sum = LatencyStats::default();
    for job in &result.jobs {
        Direction::ALL.into_iter().for_each(|way| sum.merge(&job.dirs[way].lat));
    }
    if sum.histogram.total() == 0 {
        let clats =
            result.jobs.iter().flat_map(|job| Direction::ALL.map(|way| &job.dirs[way].clat));
        let mean_ns = sum.moments.mean();
        sum = LatencyStats::default();
        clats.for_each(|clat| sum.merge(clat));
        let p99_ns = sum.percentile(99.0) as f64;
        return TimeFigures {
            mean_ns: if mean_ns > 0.0 { mean_ns } else { sum.moments.mean() },
            p99_ns,
        };
    }
    time(&sum)
}

fn figures(each: &PerDirection<LatencyStats>) -> TimeFigures {
    let mut sum = LatencyStats::default();
    Direction::ALL.into_iter().for_each(|way| sum.merge(&each[way]));
    time(&sum)
}

fn time(stats: &LatencyStats) -> TimeFigures {
    TimeFigures { mean_ns: stats.moments.mean(), p99_ns: stats.percentile(99.0) as f64 }
}
