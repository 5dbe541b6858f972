//! The connections of a run's jobs to their server, compared with each other.

use fathom_analysis::{ConnectionWork, ConnectionWorkFinding, find_connection_work};
use fathom_stats::{ConnectionFigures, RunResult};

/// Their findings; none for engines without connections.
pub(super) fn answers(result: &RunResult) -> Vec<ConnectionWorkFinding> {
    let jobs = result.jobs.iter().map(|job| job.connections.iter().map(work).collect());
    find_connection_work(&jobs.collect::<Vec<_>>())
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
