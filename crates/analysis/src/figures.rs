//! The figures of a phase, and the identity that connects them.
//!
//! Little's law: I/Os in flight = IOPS x mean latency, so depth / mean latency = IOPS; and IOPS x
//! block size = bytes a second. Each side is measured independently, so that inconsistent figures
//! are visible.

use fathom_stats::DirectionStats;
use serde::{Deserialize, Serialize};

/// The figures of one phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// I/Os that completed in the measured time.
    pub ios: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// Measured time in milliseconds.
    pub runtime_ms: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Decimal megabytes a second.
    pub mb_per_s: f64,
    /// Mean latency in nanoseconds, from taking the I/O up to its completion.
    pub mean_ns: f64,
    /// Median latency in nanoseconds.
    pub p50_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p999_ns: u64,
    /// Greatest latency in nanoseconds.
    pub max_ns: u64,
    /// What explains them.
    pub identity: Identity,
}

/// Both sides of depth / mean latency = IOPS and of IOPS x block size = MB/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// I/Os that were kept in flight, as asked.
    pub depth: u32,
    /// Bytes of each I/O, as asked.
    pub block_bytes: u64,
    /// I/Os in flight on average while their jobs ran: each job's IOPS x its mean latency, added
    /// up.
    pub in_flight: f64,
    /// depth / mean latency.
    pub iops_computed: f64,
    /// Measured IOPS x block size, in decimal megabytes a second.
    pub mb_per_s_computed: f64,
    /// How far `in_flight` lies from `depth`, in percent of it; where all jobs ended together that
    /// is how far measured IOPS lie from the computed.
    pub iops_off_percent: f64,
    /// How far measured MB/s lie from the computed, in percent of the computed.
    pub mb_per_s_off_percent: f64,
}

/// Beyond this many percent the two sides count as inconsistent.
const AGREEMENT_PERCENT: f64 = 5.0;

impl Identity {
    /// The same of jobs that kept `in_flight` I/Os in flight while they ran. Jobs that ended at
    /// different moments have a rate together which does not tell that.
    #[must_use]
    pub fn with_in_flight(self, in_flight: f64) -> Identity {
        Identity {
            in_flight,
            iops_off_percent: off_percent(in_flight, f64::from(self.depth)),
            ..self
        }
    }

    /// Whether both identities agree within 5 %.
    pub fn holds(&self) -> bool {
        self.iops_off_percent.abs() <= AGREEMENT_PERCENT
            && self.mb_per_s_off_percent.abs() <= AGREEMENT_PERCENT
    }
}

/// From so many medians on, a mean is that of few slow I/Os.
const FAR_ABOVE: f64 = 10.0;

/// Whether a mean is that of few slow I/Os.
pub fn is_far_above(mean_ns: f64, median_ns: f64) -> bool {
    mean_ns > FAR_ABOVE * median_ns
}

impl Figures {
    /// Whether most of the time is that of few slow I/Os: then the median does not tell how fast
    /// the volume is.
    pub fn is_mostly_waiting(&self) -> bool {
        is_far_above(self.mean_ns, self.p50_ns as f64)
    }

    /// The figures of a direction that was measured at `depth` with blocks of `block_bytes`; `None`
    /// if no I/O completed.
    pub fn of(stats: &DirectionStats, depth: u32, block_bytes: u64) -> Option<Figures> {
        if stats.total_ios == 0 || stats.runtime_ms == 0 {
            return None;
        }
        let seconds = stats.runtime_ms as f64 / 1e3;
        let iops = stats.total_ios as f64 / seconds;
        let mb_per_s = stats.io_bytes as f64 / seconds / 1e6;
        let mean_ns = stats.lat.moments.mean();
        let percentiles = stats.lat.percentiles(&[50.0, 99.0, 99.9]);
        let at = |index: usize| percentiles.get(index).copied().unwrap_or(0);
        Some(Figures {
            ios: stats.total_ios,
            bytes: stats.io_bytes,
            runtime_ms: stats.runtime_ms,
            iops,
            mb_per_s,
            mean_ns,
            p50_ns: at(0),
            p99_ns: at(1),
            p999_ns: at(2),
            max_ns: stats.lat.moments.max,
            identity: identity(iops, mb_per_s, mean_ns, depth, block_bytes),
        })
    }
}

/// How far a figure lies from the computed one, in percent of that.
fn off_percent(measured: f64, computed: f64) -> f64 {
    match computed {
        computed if computed > 0.0 => (measured / computed - 1.0) * 100.0,
        _ => 0.0,
    }
}

fn identity(iops: f64, mb_per_s: f64, mean_ns: f64, depth: u32, block_bytes: u64) -> Identity {
    let iops_computed = if mean_ns > 0.0 { f64::from(depth) * 1e9 / mean_ns } else { 0.0 };
    let mb_per_s_computed = iops * block_bytes as f64 / 1e6;
    Identity {
        depth,
        block_bytes,
        in_flight: iops * mean_ns / 1e9,
        iops_computed,
        mb_per_s_computed,
        iops_off_percent: off_percent(iops, iops_computed),
        mb_per_s_off_percent: off_percent(mb_per_s, mb_per_s_computed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `ios` I/Os of `bytes` bytes and `latency_ns` each in `runtime_ms`.
    fn stats(ios: u64, bytes: u64, latency_ns: u64, runtime_ms: u64) -> DirectionStats {
        let mut stats = DirectionStats {
            total_ios: ios,
            io_bytes: ios * bytes,
            runtime_ms,
            ..DirectionStats::default()
        };
        (0..ios).for_each(|_| stats.lat.record(latency_ns));
        stats
    }

    #[test]
    fn the_file_service_of_case_c() {
        // 1,999 I/Os of 4 KiB in a second at 0.5 ms.
        let figures = Figures::of(&stats(1999, 4096, 500_000, 1000), 1, 4096).unwrap();
        assert_eq!(figures.iops, 1999.0);
        assert_eq!(figures.identity.iops_computed, 2000.0);
        assert!((figures.mb_per_s - 8.188).abs() < 0.001);
        assert!((figures.identity.in_flight - 0.9995).abs() < 1e-6);
        assert!(figures.identity.holds());
        assert_eq!([figures.p50_ns, figures.p999_ns, figures.max_ns], [500_000; 3]);
    }

    #[test]
    fn a_queue_that_was_not_kept_full_is_seen() {
        // 32 requested, but the latencies imply 16 in flight.
        let figures = Figures::of(&stats(16_000, 4096, 1_000_000, 1000), 32, 4096).unwrap();
        assert!((figures.identity.iops_off_percent + 50.0).abs() < 0.01);
        assert!(!figures.identity.holds());
    }

    #[test]
    fn short_transfers_are_seen() {
        let mut short = stats(1000, 4096, 1_000_000, 1000);
        short.io_bytes /= 2;
        let identity = Figures::of(&short, 1, 4096).unwrap().identity;
        assert!((identity.mb_per_s_off_percent + 50.0).abs() < 0.01);
        assert!(!identity.holds());
    }

    #[test]
    fn nothing_measured_gives_no_figures() {
        assert_eq!(Figures::of(&DirectionStats::default(), 1, 4096), None);
    }

    proptest! {
        #[test]
        fn a_closed_loop_agrees_with_itself(
            depth in 1u32..256, latency_us in 10u64..100_000, block in 512u64..(4 << 20)
        ) {
            // The work of a device with fixed latency in ten seconds, whole I/Os only.
            let ios = u64::from(depth) * 10_000_000 / latency_us;
            prop_assume!(ios > 100);
            let mut direction = stats(1, block, latency_us * 1000, 10_000);
            direction.total_ios = ios;
            direction.io_bytes = ios * block;
            let identity = Figures::of(&direction, depth, block).unwrap().identity;
            prop_assert!(identity.holds(), "{identity:?}");
        }
    }
}
