//! The remarks that follow from the access to a volume, the figures of a run and its end.

use fathom_document::{Figures, Method, Remark};
use fathom_stats::RunResult;

/// Remarks on the access to a volume.
pub(crate) fn on_method(method: &Method) -> Vec<Remark> {
    let engine = method.engine.name().to_owned();
    let mut remarks = Vec::new();
    if !method.direct {
        let why = method.why_not_direct.clone().unwrap_or_else(|| "it was not tried".to_owned());
        remarks.push(Remark::PageCache { why });
    }
    if method.engine.is_sync() {
        remarks.push(Remark::OneAtATime { engine: engine.clone() });
    }
    if let Some(why) = &method.why_not_first_engine {
        remarks.push(Remark::OtherEngine { engine, why: why.trim_end_matches('.').to_owned() });
    }
    remarks
}

/// Remarks on a run's figures: of a phase, or of a case.
pub(crate) fn on_run(figures: &Figures) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let identity = &figures.identity;
    // More in flight than requested is impossible: the mean includes the edges of a window.
    if identity.iops_off_percent < -5.0 {
        let (depth, in_flight) = (identity.depth, identity.in_flight);
        remarks.push(Remark::QueueNotFull { depth, in_flight });
    }
    if identity.mb_per_s_off_percent.abs() > 5.0 {
        remarks.push(Remark::ShortTransfers { off_percent: identity.mb_per_s_off_percent });
    }
    remarks
}

/// Remarks on the machines that a run is without.
pub(crate) fn on_missing_clients(result: &RunResult) -> Option<Remark> {
    let hosts = result.missing_clients.clone();
    (!hosts.is_empty()).then_some(Remark::MissingClients { hosts })
}

/// Remarks on the end of a run.
pub(crate) fn on_pause(result: &RunResult) -> Option<Remark> {
    let pause_ms = result.pause_ms;
    (pause_ms > 0).then_some(Remark::Pause { pause_ms })
}
