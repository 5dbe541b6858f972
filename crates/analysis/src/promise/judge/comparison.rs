//! Where nothing is promised: what was measured beside what others measured, and no verdict.

use super::{Evidence, MeasuredRun, MeasuredWay, Outcome, Unknown, Verdict, Way};
use crate::promise::promised::{MeasuredAt, Promise};

/// One line for each direction that was measured.
pub(super) fn verdicts(promise: &Promise, run: &MeasuredRun) -> Vec<Verdict> {
    let ways = [(Way::Read, &run.read), (Way::Write, &run.write)];
    let measured = ways.into_iter().filter_map(|(way, measured)| Some((way, measured.as_ref()?)));
    let line = |(way, measured): (Way, &MeasuredWay)| {
        let evidence = beside(promise, run, way, measured);
        let evidence = evidence.unwrap_or(Evidence::Unknown { why: Unknown::NoPromise });
        Verdict { way, outcome: Outcome::NotJudged, evidence }
    };
    measured.map(line).collect()
}

/// What others measured on the volume whose size is nearest.
fn beside(
    promise: &Promise,
    run: &MeasuredRun,
    way: Way,
    measured: &MeasuredWay,
) -> Option<Evidence> {
    let of_way = |point: &MeasuredAt| match way {
        Way::Write => point.write,
        _ => point.read,
    };
    // Their block size is part of what they measured.
    let block = run.block_bytes as f64;
    if measured.iops.is_empty() || promise.accounting.iops_at_bytes.is_some_and(|at| at != block) {
        return None;
    }
    let far = |size_bytes: f64| promise.size_bytes.map_or(0.0, |own| (own / size_bytes).ln().abs());
    let points = promise.measured.iter();
    let comparable = points.filter_map(|point| Some((point.size_bytes, of_way(point).iops?)));
    let nearest = comparable.min_by(|a, b| far(a.0).total_cmp(&far(b.0)));
    nearest.map(|(size_bytes, others_iops)| Evidence::Beside {
        iops: measured.iops.iter().sum::<f64>() / measured.iops.len() as f64,
        others_iops,
        size_bytes,
    })
}
