//! Which remarks the access to a volume, the figures of a run and its end call for.

use fathom_document::{Figures, Method, Remark};
use fathom_stats::RunResult;

/// What the way to a volume asks the reader to know.
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

/// What a run's figures ask the reader to know: of a phase, or of a case.
pub(crate) fn on_run(figures: &Figures) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let identity = &figures.identity;
    // More in flight than asked for cannot be: that is the mean over a window's edges.
    if identity.iops_off_percent < -5.0 {
        let (depth, in_flight) = (identity.depth, identity.in_flight);
        remarks.push(Remark::QueueNotFull { depth, in_flight });
    }
    if identity.mb_per_s_off_percent.abs() > 5.0 {
        remarks.push(Remark::ShortTransfers { off_percent: identity.mb_per_s_off_percent });
    }
    remarks
}

/// What the end of a run asks the reader to know.
pub(crate) fn on_pause(result: &RunResult) -> Option<Remark> {
    let pause_ms = result.pause_ms;
    (pause_ms > 0).then_some(Remark::Pause { pause_ms })
}
