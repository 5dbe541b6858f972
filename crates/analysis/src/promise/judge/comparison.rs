//! Without a promise: the measurement beside those of others, and no verdict.

use super::{
    JudgedDirections, MeasuredRun, MeasuredWay, PromiseEvidence, PromiseOutcome, PromiseVerdict,
    Unknown,
};
use crate::promise::promised::{MeasuredAt, Promise};

/// One line for each direction that was measured.
pub(super) fn verdicts(promise: &Promise, run: &MeasuredRun) -> Vec<PromiseVerdict> {
    let ways = [(JudgedDirections::Read, &run.read), (JudgedDirections::Write, &run.write)];
    let measured = ways.into_iter().filter_map(|(way, measured)| Some((way, measured.as_ref()?)));
    let line = |(way, measured): (JudgedDirections, &MeasuredWay)| {
        let evidence = beside(promise, run, way, measured);
        let evidence = evidence.unwrap_or(PromiseEvidence::Unknown { why: Unknown::NoPromise });
        PromiseVerdict { way, outcome: PromiseOutcome::NotJudged, evidence }
    };
    measured.map(line).collect()
}

/// The measurement of others on the volume of the closest size.
fn beside(
    promise: &Promise,
    run: &MeasuredRun,
    way: JudgedDirections,
    measured: &MeasuredWay,
) -> Option<PromiseEvidence> {
    let of_way = |point: &MeasuredAt| match way {
        JudgedDirections::Write => point.write,
        _ => point.read,
    };
    // Their block size belongs to their measurement.
    let block = run.block_bytes as f64;
    if measured.iops.is_empty() || promise.accounting.iops_at_bytes.is_some_and(|at| at != block) {
        return None;
    }
    let far = |size_bytes: f64| promise.size_bytes.map_or(0.0, |own| (own / size_bytes).ln().abs());
    let points = promise.measured.iter();
    let comparable = points.filter_map(|point| Some((point.size_bytes, of_way(point).iops?)));
    let nearest = comparable.min_by(|a, b| far(a.0).total_cmp(&far(b.0)));
    nearest.map(|(size_bytes, others_iops)| PromiseEvidence::Beside {
        iops: measured.mean_iops(),
        others_iops,
        size_bytes,
    })
}
