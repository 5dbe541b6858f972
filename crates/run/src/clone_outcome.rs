//! The results of a clone, also if it never did I/O.

use crate::error::RunError;
use crate::pins::Leftover;
use crate::plan::ClonePlan;
use crate::setup::setup_of;
use fathom_stats::log::{HistogramSample, LogSample};
use fathom_stats::{JobResult, Series};
use serde::{Deserialize, Serialize};

/// The results of a clone.
pub(crate) struct CloneOutcome {
    pub result: Box<JobResult>,
    pub logs: CloneLogs,
    /// Files that could not be removed as requested.
    pub leftovers: Vec<Leftover>,
}

/// The result of a clone before it runs. Out of line, so that its inputs leave the stack of a
/// clone's thread before the loop needs it.
#[inline(never)]
pub(crate) fn blank_result(plan: &ClonePlan, interval_ms: u64) -> Box<JobResult> {
    let job = &plan.job;
    Box::new(JobResult {
        name: job.name.clone(),
        description: job.description.clone(),
        group_id: plan.group_id,
        group_reporting: job.process.group_reporting,
        number: plan.number,
        setup: setup_of(job, plan.seed),
        options: job.given.clone(),
        series: Series::new(interval_ms),
        ..JobResult::default()
    })
}

/// The result of a clone that never did I/O.
pub(crate) fn failed_result(mut blank: Box<JobResult>, error: &RunError) -> CloneOutcome {
    blank.error = error.number();
    blank.error_text = error.to_string();
    CloneOutcome { result: blank, logs: CloneLogs::default(), leftovers: Vec::new() }
}

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
