//! The recorder of jobs with logs (`write_bw_log` and similar options) or a trace (`--debug=io`),
//! and of all paced jobs.
//!
//! Each I/O is a line, or, with `log_avg_msec`, each window. Latencies are averaged over a window;
//! bandwidth and IOPS are the window's total divided by its length, so that an idle window shows as
//! such; their windows are those of the report's samples. Times count from the job's start, or from
//! the end of its ramp, as in fio 3.33; lines of the ramp are discarded.
//!
//! An I/O that completes in the millisecond in which a window and the run end counts in that
//! window: two lines with one time would be a window without length, on which readers of logs
//! divide by 0. The last histograms cover an incomplete window, so that a log adds up to all I/Os;
//! fio leaves them out. As in fio, latencies that the job does not measure (`disable_lat` and
//! similar options) are not logged, and if each I/O is a line of the log of bandwidth or IOPS, each
//! is a sample of the report's too. `disable_bw` leaves out such lines of bandwidth; without any
//! measurement of single I/Os those of IOPS are left out as well.

use crate::clone_outcome::CloneLogs;
use crate::record::{FinishedIo, Full, Recorder};
use crate::wall_clock::unix_ms;
use fathom_job::{JobSpec, LogWindow, Measure};
use fathom_stats::log::{HistogramSample, LogSample, LogWindows, WindowValue};
use fathom_stats::{Histogram, JobResult};
use fathom_vocab::{Direction, PerDirection};

/// A log of a rate: what was moved in each window, divided by its length.
struct RateWindows {
    every_ms: u64,
    began_ms: u64,
    /// How many units a line counts as one.
    unit: u64,
    moved: PerDirection<u64>,
}

impl RateWindows {
    fn new(every_ms: u64, unit: u64) -> RateWindows {
        RateWindows { every_ms: every_ms.max(1), began_ms: 0, unit, moved: PerDirection::default() }
    }

    fn begin(&mut self, now_ms: u64) {
        (self.began_ms, self.moved) = (now_ms, PerDirection::default());
    }

    fn add(&mut self, time_ms: u64, dir: Direction, moved: u64, log: &mut Vec<LogSample>) {
        if time_ms >= self.began_ms + self.every_ms {
            self.close(time_ms - time_ms % self.every_ms, log);
        }
        self.moved[dir] += moved;
    }

    /// Logs the totals of the open window, and begins another at `end_ms`.
    #[cold]
    fn close(&mut self, end_ms: u64, log: &mut Vec<LogSample>) {
        if end_ms == self.began_ms {
            return self.add_to_last(log);
        }
        let spent_ms = end_ms - self.began_ms;
        for dir in Direction::ALL.into_iter().filter(|dir| self.moved[*dir] > 0) {
            let value = self.moved[dir] * 1000 / spent_ms / self.unit;
            let (time_ms, value_max) = (end_ms, value);
            log.push(LogSample { time_ms, value, value_max, dir, bs: 0, offset: 0, prio: 0 });
        }
        self.begin(end_ms);
    }

    /// Adds the totals of the open window to the lines of the previous one, which ended as it
    /// began.
    #[cold]
    fn add_to_last(&mut self, log: &mut [LogSample]) {
        for dir in Direction::ALL {
            if let Some(line) = log.iter_mut().rev().take(3).find(|line| line.dir == dir) {
                line.value += self.moved[dir] * 1000 / self.every_ms / self.unit;
                line.value_max = line.value;
            }
        }
        self.moved = PerDirection::default();
    }
}

/// Records latencies and counts like [`Full`], and logs.
pub(crate) struct Logged<const SYNC: bool> {
    full: Full<SYNC>,
    /// Whether there is any log: paced jobs without one have this recorder, too.
    is_wanted: bool,
    keep: Keep,
    started_ns: u64,
    unix_offset_ms: u64,
    avg_ms: u64,
    hist_ms: u64,
    windows: [LogWindows; 3],
    bw: RateWindows,
    iops: RateWindows,
    histograms: PerDirection<Histogram>,
    hist_began_ms: u64,
    block_bytes: PerDirection<u64>,
    logs: CloneLogs,
}

/// The requested logs.
#[derive(Clone, Copy, Debug)]
struct Keep {
    bw: bool,
    iops: bool,
    lat: bool,
    slat: bool,
    clat: bool,
    hist: bool,
}

impl Keep {
    fn of(job: &JobSpec) -> Keep {
        let (m, logs) = (&job.measure, &job.measure.logs);
        let by_window = logs.avg_ms > 0;
        let measures_each = !(m.disable_bw && m.disable_clat && m.disable_slat);
        Keep {
            bw: logs.bw.is_some() && (by_window || !m.disable_bw),
            iops: logs.iops.is_some() && (by_window || measures_each),
            lat: logs.lat.is_some() && !m.disable_lat,
            slat: logs.lat.is_some() && !m.disable_slat && !job.completes_at_once(),
            clat: logs.lat.is_some() && !m.disable_clat,
            hist: logs.hist.is_some() && logs.hist_ms > 0 && !m.disable_clat,
        }
    }
}

/// Whether a job has any log.
pub(crate) fn wanted(measure: &Measure) -> bool {
    let logs = &measure.logs;
    logs.bw.is_some() || logs.iops.is_some() || logs.lat.is_some() || logs.hist.is_some()
}

impl<const SYNC: bool> Logged<SYNC> {
    /// A recorder with the logs of `job`.
    pub fn new(job: &JobSpec, full: Full<SYNC>) -> Self {
        let logs = &job.measure.logs;
        let value = match logs.window {
            LogWindow::Average => WindowValue::Mean,
            LogWindow::Max => WindowValue::Max,
            LogWindow::Both => WindowValue::Both,
        };
        let window = || LogWindows::new(logs.avg_ms, value);
        Logged {
            full,
            is_wanted: wanted(&job.measure),
            keep: Keep::of(job),
            started_ns: 0,
            unix_offset_ms: if logs.unix_epoch { unix_ms() } else { 0 },
            avg_ms: logs.avg_ms,
            hist_ms: logs.hist_ms.max(1),
            windows: [window(), window(), window()],
            bw: RateWindows::new(job.measure.bw_sample_ms(), 1024),
            iops: RateWindows::new(job.measure.iops_sample_ms(), 1),
            histograms: PerDirection::default(),
            hist_began_ms: 0,
            block_bytes: PerDirection::from_fn(|dir| job.pattern.bs[dir].max()),
            logs: CloneLogs::default(),
        }
    }

    fn time_ms(&self, now_ns: u64) -> u64 {
        self.unix_offset_ms + now_ns.saturating_sub(self.started_ns) / 1_000_000
    }

    /// Logs each I/O as a line, and as a sample of the report.
    fn log_each(&mut self, io: &FinishedIo, time_ms: u64, into: &mut JobResult) {
        let (clat_ns, slat_ns) = (io.clat_ns(), io.issue_ns.saturating_sub(io.start_ns));
        let line = |value: u64| LogSample {
            time_ms,
            value,
            value_max: value,
            dir: io.dir,
            bs: u64::from(io.bytes),
            offset: io.offset,
            prio: 0,
        };
        if self.keep.lat {
            self.logs.lat.push(line(slat_ns + clat_ns));
        }
        if self.keep.clat {
            self.logs.clat.push(line(clat_ns));
        }
        if self.keep.slat {
            self.logs.slat.push(line(slat_ns));
        }
        if self.keep.bw {
            let kib_per_second = u64::from(io.bytes) * 1_000_000_000 / clat_ns.max(1) / 1024;
            self.logs.bw.push(line(kib_per_second));
            into.dirs[io.dir].bw.record(kib_per_second);
        }
        if self.keep.iops {
            self.logs.iops.push(line(1));
            into.dirs[io.dir].iops.record(1);
        }
    }

    /// Logs an I/O: out of line, as most paced jobs have no log.
    #[inline(never)]
    fn log(&mut self, io: &FinishedIo, into: &mut JobResult) {
        let time_ms = self.time_ms(io.end_ns);
        if self.avg_ms == 0 {
            self.log_each(io, time_ms, into);
        } else {
            self.log_windows(io, time_ms);
        }
        if self.keep.hist {
            self.log_histogram(io, time_ms);
        }
    }

    fn log_windows(&mut self, io: &FinishedIo, time_ms: u64) {
        let (clat_ns, slat_ns) = (io.clat_ns(), io.issue_ns.saturating_sub(io.start_ns));
        let [lat, slat, clat] = &mut self.windows;
        if self.keep.lat {
            let logs = &mut self.logs;
            lat.record(time_ms, io.dir, slat_ns + clat_ns, |sample| logs.lat.push(sample));
        }
        if self.keep.clat {
            let logs = &mut self.logs;
            clat.record(time_ms, io.dir, clat_ns, |sample| logs.clat.push(sample));
        }
        if self.keep.slat {
            let logs = &mut self.logs;
            slat.record(time_ms, io.dir, slat_ns, |sample| logs.slat.push(sample));
        }
        if self.keep.bw {
            self.bw.add(time_ms, io.dir, u64::from(io.bytes), &mut self.logs.bw);
        }
        if self.keep.iops {
            self.iops.add(time_ms, io.dir, 1, &mut self.logs.iops);
        }
    }

    fn log_histogram(&mut self, io: &FinishedIo, time_ms: u64) {
        if time_ms >= self.hist_began_ms + self.hist_ms {
            self.close_histograms(time_ms - time_ms % self.hist_ms);
        }
        self.histograms[io.dir].record(io.clat_ns());
    }

    #[cold]
    fn close_histograms(&mut self, end_ms: u64) {
        for dir in Direction::ALL {
            let histogram = std::mem::take(&mut self.histograms[dir]);
            if histogram.total() == 0 {
                continue;
            }
            // A direction has one line a window, and there are three directions.
            let mut last = self.logs.hist.iter_mut().rev().take(3);
            match last.find(|line| line.dir == dir && line.time_ms == end_ms) {
                Some(line) => line.histogram.merge(&histogram),
                None => {
                    let bs = self.block_bytes[dir];
                    self.logs.hist.push(HistogramSample { time_ms: end_ms, dir, bs, histogram });
                }
            }
        }
        self.hist_began_ms = end_ms;
    }
}

impl<const SYNC: bool> Recorder for Logged<SYNC> {
    const TIMED: bool = true;
    const TRACES: bool = true;

    fn begin(&mut self, now_ns: u64) {
        self.started_ns = now_ns;
        self.hist_began_ms = self.time_ms(now_ns);
        self.bw.begin(self.hist_began_ms);
        self.iops.begin(self.hist_began_ms);
    }

    #[inline(always)]
    fn merges(&self) -> bool {
        !self.is_wanted
    }

    #[inline(always)]
    fn record(&mut self, io: &FinishedIo, ios: u64, into: &mut JobResult) {
        self.full.record(io, ios, into);
        if self.is_wanted {
            self.log(io, into);
        }
    }

    fn reset(&mut self, now_ns: u64) {
        if self.unix_offset_ms > 0 {
            self.unix_offset_ms = self.time_ms(now_ns);
        }
        self.windows.iter_mut().for_each(LogWindows::restart);
        self.histograms = PerDirection::default();
        self.logs = CloneLogs::default();
        self.begin(now_ns);
    }

    fn settle(&self, into: &mut JobResult) {
        self.full.settle(into);
    }

    fn into_logs(mut self, now_ns: u64) -> CloneLogs {
        if !self.is_wanted {
            return self.logs;
        }
        let now_ms = self.time_ms(now_ns);
        let logs = &mut self.logs;
        let [lat, slat, clat] = &mut self.windows;
        lat.finish(now_ms, |sample| logs.lat.push(sample));
        slat.finish(now_ms, |sample| logs.slat.push(sample));
        clat.finish(now_ms, |sample| logs.clat.push(sample));
        if self.avg_ms > 0 {
            self.bw.close(now_ms.max(self.bw.began_ms), &mut logs.bw);
            self.iops.close(now_ms.max(self.iops.began_ms), &mut logs.iops);
        }
        self.close_histograms(now_ms);
        self.logs
    }
}

#[cfg(test)]
mod tests;
