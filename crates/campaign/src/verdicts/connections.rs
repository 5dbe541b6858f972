//! The connections of a run's jobs to their server, compared with each other.

use super::context::Context;
use fathom_analysis::{ConnectionWork, ConnectionWorkFinding};
use fathom_analysis::{Standstill, find_connection_work, is_connection_lost};
use fathom_stats::{ConnectionFigures, RunResult};

/// Their findings; none for engines without connections.
pub(super) fn answers(result: &RunResult) -> Vec<ConnectionWorkFinding> {
    let jobs = result.jobs.iter().map(|job| job.connections.iter().map(work).collect());
    find_connection_work(&jobs.collect::<Vec<_>>())
}

/// Whether nothing could run for a time: the process was stopped, or the server was away.
pub(crate) fn is_interrupted(result: &RunResult, context: &Context) -> bool {
    let reconnects = context.mount.as_ref().map_or(0, |mount| mount.transports.reconnects);
    let is_lost = is_connection_lost(&result.jobs, reconnects);
    result.pause_ms > 0 || is_lost && Standstill::of_jobs(&result.jobs).is_some()
}

fn work(of: &ConnectionFigures) -> ConnectionWork {
    ConnectionWork {
        source_port: of.source_port,
        calls: of.ios,
        mean_ns: of.mean_ns as f64,
        reconnects: of.reconnects,
        resends: of.resends,
    }
}
