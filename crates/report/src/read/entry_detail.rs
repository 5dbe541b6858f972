//! Data of an entry for charts, beyond names and means, from any source.

use fathom_document::verdicts::Verdict;
use fathom_stats::{ConnectionFigures, DiskUtil, Histogram, LatencySlice, LatencyStats, Series};
use std::sync::Arc;

/// Data of an entry beyond its means.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    pub ios: f64,
    /// Percent and nanoseconds, rising.
    pub percentiles: Vec<(f64, f64)>,
    pub histogram: Histogram,
    pub max_ns: Option<f64>,
    /// How often it ran.
    pub rounds: usize,
    /// Of its first run.
    pub series: Series,
    /// Of its first run.
    pub latencies: Series<LatencySlice>,
    /// When its first run began, ramp included, in milliseconds since 1970.
    pub began_ms: u64,
    pub cpu_ns_per_io: Option<f64>,
    /// The network's round trip in its first run.
    pub network_ns: Option<f64>,
    /// Of its first run, shared by all its entries.
    pub disks: Arc<[DiskUtil]>,
    pub verdicts: Vec<Verdict>,
    /// Whether its figures are not its volume's in one of its runs at least.
    pub is_left_out: bool,
    /// The latencies of fsync and fdatasync, over both directions of a mix.
    pub flushes: LatencyStats,
    /// The connections of each job of its first run.
    pub connections: Vec<Vec<ConnectionFigures>>,
}

/// Percentiles in charts, if a histogram can give any.
const NINES: [f64; 14] =
    [1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95, 99.99, 99.999];

/// Only those for which there are enough I/Os: of a thousand, none beyond the 99.9th.
pub(super) fn percentiles(latency: &LatencyStats) -> Vec<(f64, f64)> {
    let total = latency.histogram.total() as f64;
    let told: Vec<f64> =
        NINES.into_iter().filter(|nine| total * (100.0 - nine) / 100.0 >= 1.0).collect();
    let values = latency.percentiles(&told);
    told.into_iter().zip(values).map(|(nine, ns)| (nine, ns as f64)).collect()
}
