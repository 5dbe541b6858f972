//! A clone's time: start, ramp, deadline, and the windows of its samples.
//!
//! Samples are differences of running totals at window edges, so that a window costs the hot path
//! nothing; only the maximum latency of an interval is updated continuously.

use crate::record::FinishedIo;
use crate::target::{DepthSeeker, DepthStep};
use fathom_engine::{ThreadUsage, thread_usage};
use fathom_job::JobSpec;
use fathom_stats::{
    CpuUsage, DirectionStats, Histogram, Interval, JobResult, Series, SeriesInterval, SliceStart,
};
use fathom_vocab::{Direction, ErrorNumber, PerDirection};

/// How often a loop leaves its I/O to check for its end and to take samples, in nanoseconds.
const TICK_NS: u64 = 100_000_000;

/// The length of a slice of latencies. With longer intervals of the series, very many clones run,
/// and their lists would fill memory.
const SLICE_NS: u64 = 500_000_000;

/// Totals at the beginning of a window.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    every_ns: u64,
    began_ns: u64,
    ios: PerDirection<u64>,
    bytes: PerDirection<u64>,
    clat_sum_ns: PerDirection<u64>,
}

impl Window {
    fn new(every_ns: u64) -> Window {
        Window { every_ns, ..Window::default() }
    }

    fn due_ns(&self) -> u64 {
        self.began_ns + self.every_ns
    }

    /// Begins the next window at `now_ns` with the totals of `result`.
    fn begin(&mut self, now_ns: u64, result: &JobResult) {
        self.began_ns = now_ns;
        self.ios = PerDirection::from_fn(|dir| result.dirs[dir].total_ios);
        self.bytes = PerDirection::from_fn(|dir| result.dirs[dir].io_bytes);
        self.clat_sum_ns = PerDirection::from_fn(|dir| result.dirs[dir].clat.moments.sum as u64);
    }
}

/// The next slice of latencies.
#[derive(Clone, Debug)]
struct Slice {
    began_ns: u64,
    start: SliceStart,
}

impl Slice {
    fn due_ns(&self) -> u64 {
        self.began_ns + SLICE_NS
    }
}

/// The time of one clone.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    ramp_ns: u64,
    runtime_ns: u64,
    started_ns: u64,
    measured_from_ns: u64,
    /// When measuring ended, if the loop has gone on.
    measured_until_ns: Option<u64>,
    /// When the runtime is over; never without one, or before the ramp is over.
    deadline_ns: u64,
    ramping: bool,
    bw: Option<Window>,
    iops: Option<Window>,
    series: Window,
    interval_max_ns: u64,
    /// None if latencies are not recorded by time. Boxed: it is large, and used twice a second.
    slice: Option<Box<Slice>>,
    next_tick_ns: u64,
    seeker: Option<DepthSeeker>,
    /// The thread's CPU use when measuring began.
    used_before: ThreadUsage,
}

impl Timeline {
    /// The timeline of `job`, whose series has intervals of `interval_ms`.
    pub fn new(job: &JobSpec, interval_ms: u64) -> Timeline {
        let (measure, logs) = (&job.measure, &job.measure.logs);
        // If a log has each I/O, the recorder of logs samples each. Nothing else turns windows off:
        // as in fio, `gtod_reduce` and `disable_bw` only spare work at each I/O.
        let sampled = |ms: u64, log: &Option<String>| {
            let by_time = log.is_none() || logs.avg_ms > 0;
            (ms > 0 && by_time).then(|| Window::new(ms.saturating_mul(1_000_000)))
        };
        Timeline {
            ramp_ns: job.extent.ramp_time_us.saturating_mul(1000),
            runtime_ns: job.extent.runtime_us.saturating_mul(1000),
            started_ns: 0,
            measured_from_ns: 0,
            measured_until_ns: None,
            deadline_ns: u64::MAX,
            ramping: job.extent.ramp_time_us > 0,
            bw: sampled(measure.bw_sample_ms(), &logs.bw),
            iops: sampled(measure.iops_sample_ms(), &logs.iops),
            series: Window::new(interval_ms * 1_000_000),
            interval_max_ns: 0,
            slice: None,
            next_tick_ns: 0,
            seeker: job
                .pace
                .latency_target
                .as_ref()
                .map(|target| DepthSeeker::new(target, job.engine.iodepth)),
            used_before: ThreadUsage::default(),
        }
    }

    /// The clone starts now, and has counted nothing in `result`.
    pub fn begin(&mut self, now_ns: u64, result: &mut JobResult) {
        self.started_ns = now_ns;
        self.measured_from_ns = now_ns;
        self.set_deadline(now_ns);
        self.used_before = thread_usage();
        for window in [&mut self.bw, &mut self.iops].into_iter().flatten() {
            window.began_ns = now_ns;
        }
        self.series.began_ns = now_ns;
        if self.series.every_ns < SLICE_NS && has_distribution(result) {
            result.latencies = Series::new(SLICE_NS / 1_000_000);
            let start = SliceStart::of(result);
            self.slice = Some(Box::new(Slice { began_ns: now_ns, start }));
        }
        self.next_tick_ns = now_ns;
    }

    /// When it started, on the run's clock.
    #[inline(always)]
    pub fn started_ns(&self) -> u64 {
        self.started_ns
    }

    /// Since when its figures count, on the run's clock.
    pub fn measured_from_ns(&self) -> u64 {
        self.measured_from_ns
    }

    /// When the loop must check again.
    #[inline(always)]
    pub fn next_tick_ns(&self) -> u64 {
        self.next_tick_ns
    }

    /// Called for each completed I/O.
    #[inline(always)]
    pub fn completed(&mut self, io: &FinishedIo) {
        // A branch that is hardly ever taken is cheaper than writing the same again.
        let clat_ns = io.clat_ns();
        if clat_ns > self.interval_max_ns {
            self.interval_max_ns = clat_ns;
        }
    }

    /// Whether the ramp has just ended.
    pub fn ramp_is_over(&self, now_ns: u64) -> bool {
        self.ramping && now_ns >= self.started_ns + self.ramp_ns
    }

    fn set_deadline(&mut self, from_ns: u64) {
        if self.runtime_ns > 0 && !self.ramping {
            self.deadline_ns = from_ns.saturating_add(self.runtime_ns);
        }
    }

    /// The ramp is over: the runtime and counting begin.
    pub fn end_ramp(&mut self, now_ns: u64, result: &mut JobResult) {
        self.ramping = false;
        self.set_deadline(now_ns);
        self.begin_anew(now_ns, result);
    }

    /// Discards all figures: counting begins here. The series keeps what was before, as a ramp.
    pub fn begin_anew(&mut self, now_ns: u64, result: &mut JobResult) {
        self.close_interval(now_ns, result);
        self.close_slice(now_ns, result);
        result.series.ramp_intervals = result.series.intervals.len() as u32;
        result.latencies.ramp_intervals = result.latencies.intervals.len() as u32;
        forget_figures(result);
        self.measured_from_ns = now_ns;
        self.used_before = thread_usage();
        for window in [&mut self.bw, &mut self.iops].into_iter().flatten() {
            window.begin(now_ns, result);
        }
        self.series.begin(now_ns, result);
        if let Some(slice) = &mut self.slice {
            // The remainder of the slice of this moment: slices stay at their multiples.
            let whole_ns = (now_ns - self.started_ns) / SLICE_NS * SLICE_NS;
            let began_ns = self.started_ns + whole_ns;
            **slice = Slice { began_ns, start: SliceStart::of(result) };
        }
    }

    /// Measuring is over; the loop goes on without samples and without a deadline.
    pub fn end_measuring(&mut self, now_ns: u64) {
        self.measured_until_ns = Some(now_ns);
        self.deadline_ns = u64::MAX;
        self.ramping = false;
        (self.bw, self.iops, self.slice) = (None, None, None);
        self.series.began_ns = u64::MAX - self.series.every_ns;
    }

    /// Whether the runtime is over.
    pub fn is_over(&self, now_ns: u64) -> bool {
        now_ns >= self.deadline_ns
    }

    /// Closes the windows that have ended.
    pub fn sample(&mut self, now_ns: u64, result: &mut JobResult) {
        if !self.ramping {
            if let Some(window) = self.bw.as_mut().filter(|w| now_ns >= w.due_ns()) {
                sample_bandwidth(window, now_ns, result);
            }
            if let Some(window) = self.iops.as_mut().filter(|w| now_ns >= w.due_ns()) {
                sample_iops(window, now_ns, result);
            }
        }
        if now_ns >= self.series.due_ns() {
            self.close_interval(now_ns, result);
        }
        if self.slice.as_ref().is_some_and(|slice| now_ns >= slice.due_ns()) {
            self.close_slice(now_ns, result);
        }
    }

    /// Adds how the latencies of the slice were spread, at the place of its time.
    #[cold]
    #[inline(never)]
    fn close_slice(&mut self, now_ns: u64, result: &mut JobResult) {
        let Some(slice) = &mut self.slice else { return };
        let latencies = slice.start.next(result);
        let last_began_ns = last_began_ns(slice.began_ns, SLICE_NS, now_ns);
        let at_ms = (last_began_ns - self.started_ns) / 1_000_000;
        result.latencies.at(at_ms).merge(&latencies);
        slice.began_ns = last_began_ns + SLICE_NS;
    }

    /// Adds the interval's values, at the index of its time.
    fn close_interval(&mut self, now_ns: u64, result: &mut JobResult) {
        let before = self.series;
        let interval = Interval {
            ios: PerDirection::from_fn(|dir| result.dirs[dir].total_ios - before.ios[dir]),
            bytes: PerDirection::from_fn(|dir| result.dirs[dir].io_bytes - before.bytes[dir]),
            clat_sum_ns: PerDirection::from_fn(|dir| {
                result.dirs[dir].clat.moments.sum as u64 - before.clat_sum_ns[dir]
            }),
            clat_max_ns: self.interval_max_ns,
        };
        let last_began_ns = last_began_ns(before.began_ns, before.every_ns, now_ns);
        let at_ms = (last_began_ns - self.started_ns) / 1_000_000;
        result.series.at(at_ms).merge(&interval);
        self.interval_max_ns = 0;
        self.series.begin(last_began_ns + before.every_ns, result);
    }

    /// Sets the moment of the next tick: the earliest of all coming events.
    pub fn plan_next_tick(&mut self, now_ns: u64) {
        let mut next = now_ns + TICK_NS;
        next = next.min(self.series.due_ns());
        next = self.slice.as_ref().map_or(next, |slice| next.min(slice.due_ns()));
        if self.ramping {
            next = next.min(self.started_ns + self.ramp_ns);
        } else {
            for window in [&self.bw, &self.iops].into_iter().flatten() {
                next = next.min(window.due_ns());
            }
        }
        next = next.min(self.deadline_ns);
        self.next_tick_ns = next.max(now_ns + 1);
    }

    /// The measured time ends now: writes the run times into the result. As in fio, a job that is
    /// done within its ramp has the figures since its start, but no latencies. One that is stopped
    /// there has none: it was to be measured later.
    pub fn finish(&mut self, now_ns: u64, is_stopped: bool, result: &mut JobResult) {
        if self.ramping && is_stopped {
            forget_figures(result);
            self.measured_from_ns = now_ns;
        } else {
            self.close_last(now_ns, result);
        }
        if self.ramping && !is_stopped {
            forget_latencies(result);
            result.latencies = Series::default();
            result.setup.ramp_ms = 0;
        }
        let measured_ns = self.measured_until_ns.unwrap_or(now_ns) - self.measured_from_ns;
        // Whole milliseconds, as in every fio format; never zero if anything was moved.
        let runtime_ms = (measured_ns + 500_000) / 1_000_000;
        result.runtime_ms = runtime_ms;
        result.elapsed_ms = (now_ns - self.started_ns) / 1_000_000;
        for dir in Direction::ALL {
            let stats = &mut result.dirs[dir];
            stats.runtime_ms = if stats.io_bytes > 0 { runtime_ms.max(1) } else { 0 };
        }
        result.cpu = used_since(&self.used_before);
        if let Some(seeker) = &self.seeker {
            result.latency_target = Some(seeker.result());
        }
    }

    /// The last interval may be incomplete; the elapsed time shows its length.
    fn close_last(&mut self, now_ns: u64, result: &mut JobResult) {
        if now_ns > self.series.began_ns {
            self.close_interval(now_ns, result);
        }
        if self.slice.as_ref().is_some_and(|slice| now_ns > slice.began_ns) {
            self.close_slice(now_ns, result);
        }
    }

    /// The depth at which a search for one begins.
    pub fn first_depth(&self) -> Option<u32> {
        self.seeker.as_ref().map(DepthSeeker::depth)
    }

    /// Feeds the search for a depth.
    pub fn seek_depth(&mut self, io: &FinishedIo, now_ns: u64) -> Option<DepthStep> {
        self.seeker.as_mut()?.completed(io.clat_ns(), now_ns)
    }
}

/// The beginning of the last complete interval before `now_ns`, of those of `every_ns` from
/// `began_ns` on; the first if none is complete.
///
/// After a stall of several intervals the last of them has the I/Os completed at its end, and the
/// empty ones before it are the stall.
fn last_began_ns(began_ns: u64, every_ns: u64, now_ns: u64) -> u64 {
    let whole = ((now_ns - began_ns) / every_ns).max(1);
    began_ns + (whole - 1) * every_ns
}

/// The calling thread's CPU use since then.
fn used_since(before: &ThreadUsage) -> CpuUsage {
    let used = thread_usage().since(before);
    CpuUsage {
        user_us: used.user_us,
        system_us: used.system_us,
        context_switches: used.voluntary_switches + used.involuntary_switches,
        major_faults: used.major_faults,
        minor_faults: used.minor_faults,
    }
}

fn sample_bandwidth(window: &mut Window, now_ns: u64, result: &mut JobResult) {
    let spent_ms = ((now_ns - window.began_ns) / 1_000_000).max(1);
    for dir in Direction::ALL {
        let bytes = result.dirs[dir].io_bytes - window.bytes[dir];
        if bytes > 0 {
            result.dirs[dir].bw.record(bytes * 1000 / spent_ms / 1024);
        }
    }
    window.begin(now_ns, result);
}

fn sample_iops(window: &mut Window, now_ns: u64, result: &mut JobResult) {
    let spent_ms = ((now_ns - window.began_ns) / 1_000_000).max(1);
    for dir in Direction::ALL {
        let ios = result.dirs[dir].total_ios - window.ios[dir];
        if ios > 0 {
            result.dirs[dir].iops.record(ios * 1000 / spent_ms);
        }
    }
    window.begin(now_ns, result);
}

/// Whether latencies are counted as a distribution.
fn has_distribution(result: &JobResult) -> bool {
    let has = |histogram: &Histogram| histogram.is_allocated();
    result.dirs.iter().any(|(_, of)| has(&of.clat.histogram) || has(&of.lat.histogram))
}

/// Resets every latency to zero, but keeps its memory.
fn forget_latencies(result: &mut JobResult) {
    for dir in Direction::ALL {
        let stats = &mut result.dirs[dir];
        for latency in [&mut stats.slat, &mut stats.clat, &mut stats.lat] {
            latency.moments = Default::default();
            if latency.histogram != Histogram::default() {
                latency.histogram = Histogram::allocated();
            }
        }
    }
    result.open_loop = None;
    result.sync = Default::default();
    result.lat_buckets = Default::default();
}

/// Resets every figure to zero, but not the job's description, its series and its memory.
fn forget_figures(result: &mut JobResult) {
    forget_latencies(result);
    for dir in Direction::ALL {
        let stats = &mut result.dirs[dir];
        let DirectionStats { slat, clat, lat, .. } = std::mem::take(stats);
        (stats.slat, stats.clat, stats.lat) = (slat, clat, lat);
    }
    result.depth = Default::default();
    result.submit = Default::default();
    result.complete = Default::default();
    result.total_err = 0;
    result.first_error = ErrorNumber::NONE;
}

/// The length of an interval of the series: fine where few clones run, so that a thousand of
/// them do not fill memory with it.
pub(crate) fn interval_ms(clones: usize) -> u64 {
    if clones <= 32 { 100 } else { 1000 }
}
