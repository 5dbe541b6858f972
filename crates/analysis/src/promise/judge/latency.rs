//! Latency against its promise: for small I/Os, one at a time.

use super::{
    JudgedDirections, LatencyFigure, LatencyLimit, MeasuredRun, MeasuredWay, PromiseEvidence,
    PromiseOutcome, PromiseVerdict, Unknown,
};
use crate::promise::promised::LatencyPromise;

/// "Small" where the provider names no block size, in bytes.
const SMALL_BYTES: f64 = 16_384.0;

/// The verdicts on a provider's statement of mean latency.
pub(super) fn of_promise(latency: &LatencyPromise, run: &MeasuredRun) -> Vec<PromiseVerdict> {
    let at_bytes = latency.at_bytes.unwrap_or(SMALL_BYTES);
    let fits = run.depth == Some(1) && run.block_bytes as f64 <= at_bytes;
    let ways = [
        (JudgedDirections::Read, &run.read, latency.read_mean_ns),
        (JudgedDirections::Write, &run.write, latency.write_mean_ns),
    ];
    let verdict =
        |(way, measured, limit_ns): (JudgedDirections, &Option<MeasuredWay>, Option<f64>)| {
            let (measured, limit_ns) = (measured.as_ref()?, limit_ns?);
            match fits {
                true => held(way, measured, LatencyLimit { of: LatencyFigure::Mean, limit_ns }),
                false => Some(PromiseVerdict::unknown(way, Unknown::OtherLoad { at_bytes })),
            }
        };
    ways.into_iter().filter_map(verdict).collect()
}

/// The verdicts on limits that the user states.
pub(super) fn by_hand(limits: &[LatencyLimit], run: &MeasuredRun) -> Vec<PromiseVerdict> {
    let ways = [(JudgedDirections::Read, &run.read), (JudgedDirections::Write, &run.write)];
    let measured = ways.into_iter().filter_map(|(way, measured)| Some((way, measured.as_ref()?)));
    let each = measured.flat_map(|(way, measured)| {
        limits.iter().map(move |limit| {
            let unknown = PromiseVerdict::unknown(way, Unknown::NotMeasured);
            held(way, measured, *limit).unwrap_or(unknown)
        })
    });
    each.collect()
}

/// `None` where that figure was not measured.
fn held(
    way: JudgedDirections,
    measured: &MeasuredWay,
    limit: LatencyLimit,
) -> Option<PromiseVerdict> {
    let latency_ns = match limit.of {
        LatencyFigure::Mean => measured.mean_latency_ns?,
        LatencyFigure::Percentile(percent) => {
            let same = |(known, _): &&(f64, f64)| (known - percent).abs() < 1e-9;
            measured.percentiles_ns.iter().find(same)?.1
        }
    };
    let outcome = match latency_ns <= limit.limit_ns {
        true => PromiseOutcome::Kept,
        false => PromiseOutcome::Missed,
    };
    let evidence = PromiseEvidence::Latency {
        figure: limit.of,
        latency_ns,
        limit_ns: limit.limit_ns,
        fastest_tenth_ns: measured.fastest_tenth_ns,
    };
    Some(PromiseVerdict { way, outcome, evidence })
}
