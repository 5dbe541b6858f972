//! A block device's counters as rates.
//!
//! The kernel's Documentation/admin-guide/iostats.rst defines the counters. An I/O is counted when
//! it completes, with all its time: an I/O that began before an interval adds time from before, so
//! the queue's length is a mean in the long run only.

use super::interval_counts::IntervalCounts;
use fathom_host::DiskStats;
use serde::Serialize;
use std::time::Duration;

/// Bytes of a sector, for any block size of the device (iostats.rst).
const SECTOR_BYTES: f64 = 512.0;

/// A device's activity each second; the columns of `iostat -x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DiskRates {
    /// r/s: reads completed a second, after merging.
    pub reads_per_s: f64,
    /// w/s: writes completed a second, after merging.
    pub writes_per_s: f64,
    /// d/s: discards completed a second.
    pub discards_per_s: f64,
    /// f/s: flushes completed a second.
    pub flushes_per_s: f64,
    /// rMB/s: bytes read, in units of 10^6 a second.
    pub read_mb_per_s: f64,
    /// wMB/s: bytes written, in units of 10^6 a second.
    pub write_mb_per_s: f64,
    /// r_await: mean time in ms from queueing a read to its end; none if no read completed.
    pub read_await_ms: Option<f64>,
    /// w_await: mean time in ms from queueing a write to its end; none if no write completed.
    pub write_await_ms: Option<f64>,
    /// areq-sz: mean size in KiB of reads, writes and discards; none if none completed.
    pub request_kib: Option<f64>,
    /// aqu-sz: the time of all I/Os divided by the elapsed time, which is the mean number in flight
    /// (Little's law).
    pub queue_length: f64,
    /// %util: share of the time with any I/O in flight, in percent, at most 100. A device that
    /// serves many at once may be at 100 and still be able to do more.
    pub utilisation_percent: f64,
    /// rrqm/s: reads merged into a neighbour a second, before they counted.
    pub read_merges_per_s: f64,
    /// wrqm/s: writes merged into a neighbour a second.
    pub write_merges_per_s: f64,
}

impl DiskRates {
    /// Reads, writes and discards a second, as in promises of IOPS. Flushes transfer no data.
    pub fn ios_per_s(&self) -> f64 {
        self.reads_per_s + self.writes_per_s + self.discards_per_s
    }
}

impl IntervalCounts for DiskStats {
    type Rates = DiskRates;

    fn add(&mut self, later: &Self) {
        // The level is the last one's and no sum.
        let in_flight = later.in_flight;
        DiskStats::add(self, later);
        self.in_flight = in_flight;
    }

    fn rates(&self, elapsed: Duration) -> Option<DiskRates> {
        let seconds = elapsed.as_secs_f64();
        if seconds <= 0.0 {
            return None;
        }
        let per_s = |count: u64| count as f64 / seconds;
        let mb_per_s = |sectors: u64| sectors as f64 * SECTOR_BYTES / 1e6 / seconds;
        let share_of_time = |ms: u64| ms as f64 / 1e3 / seconds;
        let sectors = [self.read_sectors, self.write_sectors, self.discard_sectors];
        let bytes = sectors.iter().map(|sectors| *sectors as f64 * SECTOR_BYTES).sum();
        Some(DiskRates {
            reads_per_s: per_s(self.read_ios),
            writes_per_s: per_s(self.write_ios),
            discards_per_s: per_s(self.discard_ios),
            flushes_per_s: per_s(self.flush_ios),
            read_mb_per_s: mb_per_s(self.read_sectors),
            write_mb_per_s: mb_per_s(self.write_sectors),
            read_await_ms: each(self.read_ticks_ms as f64, self.read_ios),
            write_await_ms: each(self.write_ticks_ms as f64, self.write_ios),
            request_kib: each(bytes, data_ios(self)).map(|bytes| bytes / 1024.0),
            queue_length: share_of_time(self.queue_ms),
            utilisation_percent: (share_of_time(self.io_ticks_ms) * 100.0).min(100.0),
            read_merges_per_s: per_s(self.read_merges),
            write_merges_per_s: per_s(self.write_merges),
        })
    }

    /// An I/O that never completes counts as activity.
    fn is_idle(&self) -> bool {
        let done = [self.read_ios, self.write_ios, self.discard_ios, self.flush_ios];
        self.in_flight == 0 && done.iter().all(|count| *count == 0)
    }

    fn merged(a: DiskRates, b: DiskRates, pick: fn(f64, f64) -> f64) -> DiskRates {
        let both = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (one, other) => one.or(other),
        };
        DiskRates {
            reads_per_s: pick(a.reads_per_s, b.reads_per_s),
            writes_per_s: pick(a.writes_per_s, b.writes_per_s),
            discards_per_s: pick(a.discards_per_s, b.discards_per_s),
            flushes_per_s: pick(a.flushes_per_s, b.flushes_per_s),
            read_mb_per_s: pick(a.read_mb_per_s, b.read_mb_per_s),
            write_mb_per_s: pick(a.write_mb_per_s, b.write_mb_per_s),
            read_await_ms: both(a.read_await_ms, b.read_await_ms),
            write_await_ms: both(a.write_await_ms, b.write_await_ms),
            request_kib: both(a.request_kib, b.request_kib),
            queue_length: pick(a.queue_length, b.queue_length),
            utilisation_percent: pick(a.utilisation_percent, b.utilisation_percent),
            read_merges_per_s: pick(a.read_merges_per_s, b.read_merges_per_s),
            write_merges_per_s: pick(a.write_merges_per_s, b.write_merges_per_s),
        }
    }
}

/// I/Os that transfer or discard data, which flushes do not.
fn data_ios(counts: &DiskStats) -> u64 {
    counts.read_ios.saturating_add(counts.write_ios).saturating_add(counts.discard_ios)
}

/// `sum` shared among `count`; none if there was nothing to share it.
pub(super) fn each(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
}
