//! A scripted volume: it gives exactly its promised limits, second by second.

use super::scripted::OneJob;
use crate::machine::RunOrder;
use fathom_document::Ceiling;
use fathom_job::JobSpec;
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult, Series};
use fathom_vocab::{Direction, IoEngine};

/// A volume that gives so much and no more, in runs of `seconds`.
#[derive(Clone, Debug)]
pub struct Provider {
    /// How long each run is, in seconds.
    pub seconds: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// What an I/O takes where nothing holds it.
    pub latency_ns: u64,
    /// For so many seconds so many I/Os a second.
    pub burst: Option<(u64, f64)>,
    /// Swings around the rate by this share from one second to the next.
    pub swings: f64,
    /// Share of a core that the client used.
    pub busy: f64,
    /// Whether as many I/Os are in flight as were asked for.
    pub fills_queue: bool,
    /// What the disk counted of what was issued, in percent.
    pub seen_percent: u64,
    /// What others moved the other way meanwhile, in percent of what was issued.
    pub others_percent: u64,
    /// A stop comes in this run.
    pub stops_in: Option<usize>,
    /// Runs so far, trials left out.
    pub runs: usize,
    /// What one core can drive.
    pub ceiling: Option<Ceiling>,
}

/// Gives what gp3 promises.
pub const GP3: Provider = Provider {
    seconds: 30,
    iops: 3000.0,
    bytes_per_s: 125.0 * 1048576.0,
    latency_ns: 500_000,
    burst: None,
    swings: 0.0,
    busy: 0.1,
    fills_queue: true,
    seen_percent: 100,
    others_percent: 0,
    stops_in: None,
    runs: 0,
    ceiling: None,
};

impl OneJob for Provider {
    fn run_one(&mut self, job: &JobSpec, _: &RunOrder) -> Result<RunResult, String> {
        self.runs += usize::from(job.name != "trial" && job.name != "fill");
        Ok(self.run(job))
    }

    fn ceiling_by(&self, _: IoEngine) -> Option<&Ceiling> {
        self.ceiling.as_ref()
    }

    fn stops(&self) -> bool {
        self.stops_in.is_some_and(|at| self.runs >= at)
    }
}

impl Provider {
    /// Latencies with that mean: behind a throttle most pass at once, and a fifth waits.
    fn latencies(&self, mean_ns: f64) -> [(u64, f64); 2] {
        let quick_ns = self.latency_ns as f64;
        let waiting_ns = match self.fills_queue {
            true => (mean_ns - 0.8 * quick_ns) / 0.2,
            false => quick_ns,
        };
        [(self.latency_ns, 0.8), (waiting_ns.max(quick_ns) as u64, 0.2)]
    }

    fn run(&self, job: &JobSpec) -> RunResult {
        let way = if job.pattern.rw.read { Direction::Read } else { Direction::Write };
        let block = job.pattern.bs[way].max();
        let in_flight = f64::from(job.engine.iodepth * job.process.numjobs);
        let by_depth = in_flight * 1e9 / self.latency_ns as f64;
        let most = |iops: f64| iops.min(self.bytes_per_s / block as f64).min(by_depth);
        let mut result = JobResult {
            runtime_ms: self.seconds * 1000,
            elapsed_ms: self.seconds * 1000,
            series: Series { interval_ms: 100, ..Series::default() },
            ..JobResult::default()
        };
        result.cpu.user_us = (self.busy * self.seconds as f64 * 1e6) as u64;
        for tenth in 0..self.seconds * 10 {
            let burst = self.burst.filter(|(seconds, _)| tenth < seconds * 10);
            let swing = if tenth / 10 % 2 == 0 { self.swings } else { -self.swings };
            let iops = most(burst.map_or(self.iops, |(_, iops)| iops)) * (1.0 + swing);
            let ios = (iops / 10.0).round() as u64;
            let mut interval = Interval::default();
            interval.ios[way] = ios;
            interval.bytes[way] = ios * block;
            result.series.intervals.push(interval);
            for (latency_ns, share) in self.latencies(in_flight * 1e9 / iops) {
                let times = (ios as f64 * share).round() as u64;
                result.dirs[way].lat.moments.record_times(latency_ns, times);
                result.dirs[way].lat.histogram.record_times(latency_ns, times);
            }
            result.dirs[way].total_ios += ios;
            result.dirs[way].io_bytes += ios * block;
        }
        result.dirs[way].runtime_ms = self.seconds * 1000;
        let sectors = result.dirs[way].io_bytes / 512 * self.seen_percent / 100;
        let issued = &result.dirs[way];
        let own = (issued.total_ios, sectors);
        let others = (own.0 * self.others_percent / 100, own.1 * self.others_percent / 100);
        let (reads, writes) = if way == Direction::Read { (own, others) } else { (others, own) };
        let (ios, sectors) = ((reads.0, writes.0), (reads.1, writes.1));
        // All I/Os are in the device all the time.
        let in_queue_ms = in_flight as u64 * self.seconds * 1000;
        let disk = DiskUtil {
            name: "sda".to_owned(),
            ios,
            sectors,
            in_queue_ms,
            util_percent: 100.0,
            ..DiskUtil::default()
        };
        RunResult { jobs: vec![result], disks: vec![disk], ..RunResult::default() }
    }
}
