//! Latency against what was promised of it: for small I/Os, one at a time.

use super::{
    Evidence, LatencyFigure, LatencyLimit, MeasuredRun, MeasuredWay, Outcome, Unknown, Verdict, Way,
};
use crate::promise::promised::LatencyPromise;

/// "Small" where the provider names no block size, in bytes.
const SMALL_BYTES: f64 = 16_384.0;

/// The verdicts on what a provider says of mean latency.
pub(super) fn of_promise(latency: &LatencyPromise, run: &MeasuredRun) -> Vec<Verdict> {
    let at_bytes = latency.at_bytes.unwrap_or(SMALL_BYTES);
    let fits = run.depth == Some(1) && run.block_bytes as f64 <= at_bytes;
    let ways = [
        (Way::Read, &run.read, latency.read_mean_ns),
        (Way::Write, &run.write, latency.write_mean_ns),
    ];
    let verdict = |(way, measured, limit_ns): (Way, &Option<MeasuredWay>, Option<f64>)| {
        let (measured, limit_ns) = (measured.as_ref()?, limit_ns?);
        match fits {
            true => held(way, measured, LatencyLimit { of: LatencyFigure::Mean, limit_ns }),
            false => Some(Verdict::unknown(way, Unknown::OtherLoad { at_bytes })),
        }
    };
    ways.into_iter().filter_map(verdict).collect()
}

/// The verdicts on limits that the user states.
pub(super) fn by_hand(limits: &[LatencyLimit], run: &MeasuredRun) -> Vec<Verdict> {
    let ways = [(Way::Read, &run.read), (Way::Write, &run.write)];
    let measured = ways.into_iter().filter_map(|(way, measured)| Some((way, measured.as_ref()?)));
    let each = measured.flat_map(|(way, measured)| {
        limits.iter().map(move |limit| {
            let unknown = Verdict::unknown(way, Unknown::NotMeasured);
            held(way, measured, *limit).unwrap_or(unknown)
        })
    });
    each.collect()
}

/// `None` where that figure was not measured.
fn held(way: Way, measured: &MeasuredWay, limit: LatencyLimit) -> Option<Verdict> {
    let latency_ns = match limit.of {
        LatencyFigure::Mean => measured.mean_latency_ns?,
        LatencyFigure::Percentile(percent) => {
            let same = |(known, _): &&(f64, f64)| (known - percent).abs() < 1e-9;
            measured.percentiles_ns.iter().find(same)?.1
        }
    };
    let outcome = match latency_ns <= limit.limit_ns {
        true => Outcome::Kept,
        false => Outcome::Missed,
    };
    let evidence = Evidence::Latency { figure: limit.of, latency_ns, limit_ns: limit.limit_ns };
    Some(Verdict { way, outcome, evidence })
}
