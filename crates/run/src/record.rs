//! The recording of each I/O. A recorder is a type parameter of the loop, so that unused features
//! cost nothing.

use crate::clone_outcome::CloneLogs;
use fathom_job::JobSpec;
use fathom_stats::{Histogram, JobResult};
use fathom_vocab::{Direction, PerDirection};

/// The three moments of an I/O, and its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FinishedIo {
    pub dir: Direction,
    pub bytes: u32,
    pub offset: u64,
    /// When it was taken up, submitted, completed: nanoseconds on the run's clock.
    pub start_ns: u64,
    pub issue_ns: u64,
    pub end_ns: u64,
}

impl FinishedIo {
    /// A placeholder for no I/O, unlike any real one.
    pub const NONE: FinishedIo = FinishedIo {
        dir: Direction::Read,
        bytes: 0,
        offset: 0,
        start_ns: u64::MAX,
        issue_ns: u64::MAX,
        end_ns: 0,
    };

    #[inline(always)]
    pub fn clat_ns(&self) -> u64 {
        self.end_ns.saturating_sub(self.issue_ns)
    }

    /// Whether another, found complete at the same moment, differs from this one in nothing but
    /// its offset.
    #[inline(always)]
    pub fn is_like(&self, other: &FinishedIo) -> bool {
        self.issue_ns == other.issue_ns
            && self.start_ns == other.start_ns
            && self.bytes == other.bytes
            && self.dir == other.dir
    }
}

/// Takes down each completed I/O.
pub(crate) trait Recorder {
    /// Whether it needs the moments of each I/O, so that the clock is read for them.
    const TIMED: bool;

    /// Whether the loop keeps each I/O's file for a trace.
    const TRACES: bool = false;

    /// Whether I/Os of one kind and one time may be recorded together.
    #[inline(always)]
    fn merges(&self) -> bool {
        true
    }

    /// Adds `ios` I/Os to the figures, equal in everything but their offset; one unless the
    /// recorder [merges](Recorder::merges) them.
    fn record(&mut self, io: &FinishedIo, ios: u64, into: &mut JobResult);

    /// Discards the ramp; measuring begins at `now_ns`.
    fn reset(&mut self, _now_ns: u64) {}

    /// Completes derived figures before they are read.
    fn settle(&self, _into: &mut JobResult) {}

    /// Called when the job starts.
    fn begin(&mut self, _now_ns: u64) {}

    /// Its logs, up to `now_ns`.
    fn into_logs(self, _now_ns: u64) -> CloneLogs
    where
        Self: Sized,
    {
        CloneLogs::default()
    }
}

/// The latencies to record, and whether with their distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latencies {
    slat: bool,
    clat: bool,
    lat: bool,
    slat_hist: bool,
    clat_hist: bool,
    lat_hist: bool,
}

impl Latencies {
    /// The settings of `job`; `sync_engine` has no separate submission latency.
    pub fn of(job: &JobSpec, sync_engine: bool) -> Latencies {
        let m = &job.measure;
        Latencies {
            slat: !m.disable_slat && !sync_engine,
            clat: !m.disable_clat,
            lat: !m.disable_lat,
            slat_hist: m.slat_percentiles && !m.disable_slat && !sync_engine,
            // A synchronous engine's total latency is made of its completion latency.
            clat_hist: !m.disable_clat
                && (m.clat_percentiles || sync_engine && m.lat_percentiles && !m.disable_lat),
            lat_hist: m.lat_percentiles && !m.disable_lat,
        }
    }

    /// Makes the memory of the distributions that will be filled.
    pub fn allocate(self, job: &JobSpec, into: &mut JobResult) {
        let rw = job.pattern.rw;
        let reads = rw.read || job.reads_back();
        let used = PerDirection { read: reads, write: rw.write, trim: rw.trim };
        for dir in Direction::ALL.into_iter().filter(|dir| used[*dir]) {
            let stats = &mut into.dirs[dir];
            let fresh = |wanted: bool| {
                if wanted { Histogram::allocated() } else { Histogram::default() }
            };
            stats.slat.histogram = fresh(self.slat_hist);
            stats.clat.histogram = fresh(self.clat_hist);
            stats.lat.histogram = fresh(self.lat_hist);
        }
    }
}

/// Latencies and counts: the default of every job.
///
/// With a synchronous engine (`SYNC`) an I/O is taken up and submitted in one moment, so that its
/// completion latency equals its total one: it is recorded once, and the other figure is derived
/// when it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full<const SYNC: bool> {
    keep: Latencies,
}

impl<const SYNC: bool> Full<SYNC> {
    pub fn new(keep: Latencies) -> Self {
        Full { keep }
    }
}

impl<const SYNC: bool> Recorder for Full<SYNC> {
    const TIMED: bool = true;

    #[inline(always)]
    fn record(&mut self, io: &FinishedIo, ios: u64, into: &mut JobResult) {
        let stats = &mut into.dirs[io.dir];
        stats.total_ios += ios;
        stats.io_bytes += u64::from(io.bytes) * ios;
        let clat_ns = io.clat_ns();
        if self.keep.clat {
            let bucket = Histogram::bucket_of(clat_ns);
            stats.clat.moments.record_times(clat_ns, ios);
            if self.keep.clat_hist {
                stats.clat.histogram.record_in(bucket, ios);
            }
            into.lat_buckets.record_in(bucket, clat_ns, ios);
            if SYNC {
                return;
            }
        }
        let slat_ns = io.issue_ns.saturating_sub(io.start_ns);
        if self.keep.slat {
            stats.slat.moments.record_times(slat_ns, ios);
            if self.keep.slat_hist {
                stats.slat.histogram.record_times(slat_ns, ios);
            }
        }
        if self.keep.lat {
            stats.lat.moments.record_times(slat_ns + clat_ns, ios);
            if self.keep.lat_hist {
                stats.lat.histogram.record_times(slat_ns + clat_ns, ios);
            }
        }
    }

    fn settle(&self, into: &mut JobResult) {
        if !(SYNC && self.keep.clat && self.keep.lat) {
            return;
        }
        for dir in Direction::ALL {
            let stats = &mut into.dirs[dir];
            stats.lat.moments = stats.clat.moments;
            if self.keep.lat_hist && self.keep.clat_hist {
                stats.lat.histogram = stats.clat.histogram.clone();
            }
        }
    }
}

/// Counts only (`gtod_reduce`, or all latencies disabled).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountOnly;

impl Recorder for CountOnly {
    const TIMED: bool = false;

    #[inline(always)]
    fn record(&mut self, io: &FinishedIo, ios: u64, into: &mut JobResult) {
        let stats = &mut into.dirs[io.dir];
        stats.total_ios += ios;
        stats.io_bytes += u64::from(io.bytes) * ios;
    }
}
