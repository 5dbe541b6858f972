//! The logs of a clone, as data.

use fathom_stats::log::{HistogramSample, LogSample};
use serde::{Deserialize, Serialize};

/// Logs of one clone; empty if none were requested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloneLogs {
    /// Bandwidth in KiB a second.
    pub bw: Vec<LogSample>,
    /// I/Os a second (1 for each I/O where windows are off).
    pub iops: Vec<LogSample>,
    /// Total latency in nanoseconds.
    pub lat: Vec<LogSample>,
    /// Submission latency in nanoseconds.
    pub slat: Vec<LogSample>,
    /// Completion latency in nanoseconds.
    pub clat: Vec<LogSample>,
    /// Histograms of completion latency.
    pub hist: Vec<HistogramSample>,
}
