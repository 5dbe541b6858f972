//! Merges results of several clones: addition, in the order of their numbers.
//!
//! Counts, histograms and moments add up exactly, so any order and grouping gives the same figures.
//! Values that cannot be added (name, pid, units) are the first one's, except the options, what is
//! shown of latencies and errors, depth and latency target, which are the last one's, as in fio
//! 3.33; an error is that of the first that failed. Folding is therefore
//! associative, with the empty result on the left as its start, but only the figures are
//! commutative.

use crate::{
    BatchCounts, CpuUsage, DepthCounts, DirectionStats, JobResult, JobSetup, LatencyStats, Moments,
    OpenLoop,
};
use fathom_vocab::{Direction, ErrorNumber};

impl DirectionStats {
    /// The latency that represents an I/O: the total one if it is recorded, otherwise completion,
    /// as in fio's JSON, and with a synchronous engine while it runs.
    pub fn lat_or_clat(&self) -> &LatencyStats {
        match self.lat.histogram.total() {
            0 => &self.clat,
            _ => &self.lat,
        }
    }

    /// Adds another clone's figures; the time is the longer of both, as they ran side by side.
    pub fn merge(&mut self, other: &DirectionStats) {
        self.io_bytes += other.io_bytes;
        self.total_ios += other.total_ios;
        self.short_ios += other.short_ios;
        self.drop_ios += other.drop_ios;
        self.runtime_ms = self.runtime_ms.max(other.runtime_ms);
        self.slat.merge(&other.slat);
        self.clat.merge(&other.clat);
        self.lat.merge(&other.lat);
        self.bw.merge(&other.bw);
        self.iops.merge(&other.iops);
    }

    /// The figures of `jobs`, which ran side by side, in one direction.
    pub fn of_jobs(jobs: &[JobResult], direction: Direction) -> DirectionStats {
        jobs.iter().fold(DirectionStats::default(), |mut sum, job| {
            sum.merge(&job.dirs[direction]);
            sum
        })
    }

    /// Bytes a second over the measured time, rounded down; 0 if there was none.
    pub fn bandwidth_bytes(&self) -> u64 {
        bandwidth(self.io_bytes, self.runtime_ms)
    }

    /// I/Os a second over the measured time; 0 if there was none.
    pub fn iops_mean(&self) -> f64 {
        if self.runtime_ms == 0 {
            return 0.0;
        }
        1000.0 * self.total_ios as f64 / self.runtime_ms as f64
    }
}

/// Bytes a second, rounded down; 0 if no time passed.
pub(crate) fn bandwidth(bytes: u64, runtime_ms: u64) -> u64 {
    let scaled = u128::from(bytes) * 1000;
    scaled.checked_div(u128::from(runtime_ms)).and_then(|b| u64::try_from(b).ok()).unwrap_or(0)
}

impl OpenLoop {
    /// Adds another clone's latencies and backlog.
    pub fn merge(&mut self, other: &OpenLoop) {
        for dir in Direction::ALL {
            self.wait[dir].merge(&other.wait[dir]);
            self.response[dir].merge(&other.response[dir]);
            self.overdue_ios[dir] += other.overdue_ios[dir];
        }
        self.in_flight_ios += other.in_flight_ios;
    }
}

impl CpuUsage {
    /// Adds another thread's use.
    pub fn merge(&mut self, other: &CpuUsage) {
        self.user_us += other.user_us;
        self.system_us += other.system_us;
        self.context_switches += other.context_switches;
        self.major_faults += other.major_faults;
        self.minor_faults += other.minor_faults;
    }
}

impl DepthCounts {
    /// Adds another's counts.
    pub fn merge(&mut self, other: &DepthCounts) {
        add(&mut self.0, &other.0);
    }
}

impl BatchCounts {
    /// Adds another's counts.
    pub fn merge(&mut self, other: &BatchCounts) {
        add(&mut self.0, &other.0);
    }

    /// How many batches were counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

fn add(mine: &mut [u64; 7], theirs: &[u64; 7]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}

impl JobResult {
    /// Adds a later clone's figures to this one's.
    ///
    /// `runtime_ms` adds up, because it is the base of the CPU shares; the time of a direction and
    /// the elapsed time are the longest. Identity stays this one's, except for the options.
    pub fn merge(&mut self, other: &JobResult) {
        if !other.options.is_empty() {
            self.options.clone_from(&other.options);
        }
        // The empty result has no setup to show.
        if !other.setup.rw.is_empty() {
            self.setup.show_as(&other.setup);
            self.latency_target = other.latency_target;
        }
        for dir in Direction::ALL {
            self.dirs[dir].merge(&other.dirs[dir]);
        }
        self.sync.merge(&other.sync);
        self.merge_times(other);
        self.merge_errors(other);
        self.cpu.merge(&other.cpu);
        self.depth.merge(&other.depth);
        self.submit.merge(&other.submit);
        self.complete.merge(&other.complete);
        self.lat_buckets.merge(&other.lat_buckets);
        if self.steady_state.is_none() {
            self.steady_state.clone_from(&other.steady_state);
        }
        self.series.merge(&other.series);
        self.latencies.merge(&other.latencies);
        match (&mut self.open_loop, &other.open_loop) {
            (Some(mine), Some(theirs)) => mine.merge(theirs),
            (mine @ None, Some(_)) => mine.clone_from(&other.open_loop),
            (_, None) => {}
        }
    }

    fn merge_times(&mut self, other: &JobResult) {
        self.runtime_ms += other.runtime_ms;
        self.elapsed_ms = self.elapsed_ms.max(other.elapsed_ms);
        self.eta_ms = self.eta_ms.max(other.eta_ms);
        self.job_start_ms = match (self.job_start_ms, other.job_start_ms) {
            (0, theirs) => theirs,
            (mine, 0) => mine,
            (mine, theirs) => mine.min(theirs),
        };
    }

    fn merge_errors(&mut self, other: &JobResult) {
        if !self.error.is_error() {
            self.error = other.error;
            self.error_text.clone_from(&other.error_text);
        }
        self.total_err += other.total_err;
        self.first_error = self.first_error.or(other.first_error);
    }

    /// The error that outputs show: the one that ended the job, or the first that did not.
    pub fn shown_error(&self) -> ErrorNumber {
        self.error.or(self.first_error)
    }

    /// I/Os of all directions.
    pub fn total_ios(&self) -> u64 {
        self.dirs.iter().map(|(_, stats)| stats.total_ios).sum()
    }

    /// All directions as one: fio's `mixed`.
    pub fn mixed(&self) -> DirectionStats {
        let mut mixed = DirectionStats::default();
        for (_, stats) in self.dirs.iter() {
            mixed.merge(stats);
        }
        mixed
    }
}

impl JobSetup {
    /// Takes over what a group shows of its last clone.
    fn show_as(&mut self, last: &JobSetup) {
        self.percentile_list.clone_from(&last.percentile_list);
        self.clat_percentiles = last.clat_percentiles;
        self.lat_percentiles = last.lat_percentiles;
        self.slat_percentiles = last.slat_percentiles;
        self.continue_on_error = last.continue_on_error;
        self.iodepth = last.iodepth;
    }
}

/// Rates over windows, of one clone or of several that ran side by side.
///
/// fio adds up the clones' rates: minimum, maximum and mean are sums, the samples count together,
/// and the deviation is that of each clone around its own mean, pooled over all samples. A group's
/// `bw` and `iops` lines show that, and it differs from merging the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateSummary {
    /// Sum of the clones' least rates.
    pub min: u64,
    /// Sum of their greatest.
    pub max: u64,
    /// Sum of their means.
    pub mean: f64,
    /// Number of windows of all clones together.
    pub samples: u64,
    /// Squared deviations of each clone's windows from its own mean, summed.
    pub squares: f64,
}

impl RateSummary {
    /// The summary of one clone.
    pub fn of(moments: &Moments) -> RateSummary {
        let freedom = moments.count.saturating_sub(1) as f64;
        RateSummary {
            min: moments.min_or_zero(),
            max: moments.max,
            mean: moments.mean(),
            samples: moments.count,
            squares: moments.stddev().powi(2) * freedom,
        }
    }

    /// Adds the rates of another clone at the same time.
    pub fn add(&mut self, other: &RateSummary) {
        self.min += other.min;
        self.max += other.max;
        self.mean += other.mean;
        self.samples += other.samples;
        self.squares += other.squares;
    }

    /// Standard deviation; 0 for fewer than two samples.
    pub fn stddev(&self) -> f64 {
        if self.samples < 2 {
            return 0.0;
        }
        (self.squares / (self.samples - 1) as f64).sqrt()
    }
}
