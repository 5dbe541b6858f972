//! Compares a run of a check with its promise, together with its other verdicts: a cap, a client at
//! its limit, a cache. Those are judged as for every run; this module adds the promise.

use crate::verdicts::{Answer, CapQuestion, Context, Verdict, cap, is_interrupted};
use fathom_analysis::promise::{Bound, ENOUGH_OF_LIMIT, Reachable};
use fathom_analysis::promise::{HandLimits, Judgement, LatencyFigure, MeasuredRun, MeasuredWay};
use fathom_analysis::{
    CacheFinding, CacheInputs, ClientFinding, Estimate, LimitSource, PromisedRate, RateUnit, Rates,
    Tone, fastest_tenth_ns, find_cached,
};
use fathom_document::Goal;
use fathom_document::check::{CheckBasis, CheckLoad, RunFinding, Standing};
use fathom_stats::{DirectionStats, RunResult};
use fathom_vocab::Direction;

/// Share of the rate that a second must reach if the provider states none.
const ENOUGH_OF_A_SECOND: f64 = 0.9;

/// The shortest intervals, in seconds, in which a cap is searched: a throttle's own slices of 100
/// ms do not show in them.
const SHORTEST_S: f64 = 0.4;

/// A run, and how it was made.
pub(super) struct Run<'a> {
    pub load: &'a CheckLoad,
    /// I/Os that could be in flight.
    pub depth: u32,
    pub cut_short: bool,
    /// How often a load is judged at most.
    pub looks: u64,
    /// Facts about the machine during the run.
    pub context: &'a Context,
    pub result: &'a RunResult,
    /// The verdicts of the run.
    pub verdicts: &'a [Verdict],
}

/// Compares a run with `basis`; none if there is no verdict on its client.
pub(super) fn find(basis: &CheckBasis, run: &Run) -> Option<RunFinding> {
    let (load, result) = (run.load, run.result);
    let stats = DirectionStats::of_jobs(&result.jobs, load.direction);
    let rates = Rates::of_jobs(&result.jobs, Some(load.direction), 1.0);
    let judgement = judged(basis, run, &stats, &rates);
    let consistency = basis.promise().and_then(|promise| promise.consistency);
    let enough = consistency.map_or(ENOUGH_OF_A_SECOND, |promised| promised.share_of_limit);
    let limit = load.promised.rate.map_or(f64::INFINITY, |reach| reach.iops * enough);
    let passing = passing(basis);
    let question = || question(load, basis);
    let cap = (load.goal != Goal::Latency).then(|| cap(result, run.context, &question()));
    let unstable = unstable(run, &stats, passing);
    let mut finding = RunFinding {
        standing: Standing::CouldNotTell,
        doubt: None,
        seconds: rates.len(),
        reached: rates.iops.iter().filter(|iops| **iops >= limit).count(),
        enough,
        judgement,
        unstable: None,
        cap,
        client: client(run)?,
        cached: cached(run),
        is_interrupted: is_interrupted(result, run.context),
        sentences: Vec::new(),
    };
    // A cap explains a miss only if it lies below what is enough.
    let needed = load.promised.rate.map_or(0.0, |promised| promised.iops * passing);
    let is_miss = stats.iops_mean() < needed;
    let is_settled = match is_miss {
        true => finding.is_capped_below(load),
        false => finding.held_by().is_some(),
    };
    finding.unstable = unstable.filter(|_| !is_settled);
    Some(finding.concluded(load, run.cut_short))
}

/// The share of a limit from which on a mean passes.
fn passing(basis: &CheckBasis) -> f64 {
    match basis {
        CheckBasis::Hand { limits } => limits.enough(),
        CheckBasis::Provider { promise, .. } => {
            promise.consistency.map_or(1.0, |of| of.share_of_limit).min(ENOUGH_OF_LIMIT)
        }
    }
}

/// The mean rate, if the limit lies within its error, so that it is neither kept nor missed. From
/// the share `passing` of the limit on, a mean passes. One below that by less than its error may
/// have been enough. One that is enough counts unless it is unstable: every mean has an error.
fn unstable(run: &Run, stats: &DirectionStats, passing: f64) -> Option<Estimate> {
    let load = run.load;
    let promised = load.promised.rate.filter(|_| load.goal != Goal::Latency)?;
    let estimate = run.verdicts.iter().find_map(estimate)?.clone().among_looks(run.looks);
    let mean = stats.iops_mean();
    let error = estimate.half_width_percent().unwrap_or(f64::INFINITY) / 100.0;
    let needed = promised.iops * passing;
    let is_within = match mean < needed {
        true => is_within_error(mean, error, needed),
        false => is_within_error(mean, error, promised.iops) && estimate.tone() >= Tone::Warning,
    };
    is_within.then_some(estimate)
}

/// Whether a mean with this error, as a share of it, may be `limit`. Rates are above 0, so that the
/// error is a factor: a mean of 5,000 that is known to within ± 120 % may be 2,300, but not 1.
fn is_within_error(mean: f64, error: f64, limit: f64) -> bool {
    let factor = 1.0 + error;
    mean * factor >= limit && mean / factor <= limit
}

fn estimate(verdict: &Verdict) -> Option<&Estimate> {
    match &verdict.answer {
        Answer::Sure(estimate) => Some(estimate),
        _ => None,
    }
}

/// The question which cap limited such a load, held to `basis`.
fn question(load: &CheckLoad, basis: &CheckBasis) -> CapQuestion {
    let unit = match load.goal {
        Goal::Throughput => RateUnit::Bytes,
        _ => RateUnit::Ios,
    };
    let by = if basis.is_by_hand() { LimitSource::Hand } else { LimitSource::Provider };
    let promised = load.promised.rate.and_then(|reach| promised(reach, by));
    CapQuestion { unit, shortest_s: SHORTEST_S, promised }
}

/// The limit of a load; none if it is the virtual machine's, which may count in either unit.
fn promised(reach: Reachable, by: LimitSource) -> Option<PromisedRate> {
    let (unit, per_second) = match reach.bound {
        Bound::Iops => (RateUnit::Ios, reach.iops),
        Bound::Throughput | Bound::Client => (RateUnit::Bytes, reach.bytes_per_s),
        Bound::Vm => return None,
    };
    Some(PromisedRate { unit, per_second, by })
}

/// Whether the client was the limit.
fn client(run: &Run) -> Option<ClientFinding> {
    run.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Client(finding) => Some(finding.clone()),
        _ => None,
    })
}

/// Whether it was the storage that was measured.
fn cached(run: &Run) -> CacheFinding {
    let direction = run.load.direction;
    let own = run.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Cached(finding) if finding.direction == direction => Some(finding.clone()),
        _ => None,
    });
    own.unwrap_or_else(|| find_cached(&CacheInputs::new(direction, 0)))
}

fn judged(basis: &CheckBasis, run: &Run, stats: &DirectionStats, rates: &Rates) -> Judgement {
    let percents: Vec<f64> = match basis {
        CheckBasis::Hand { limits } => percents(limits),
        CheckBasis::Provider { .. } => Vec::new(),
    };
    let at = |percent: f64| (percent, stats.lat.percentile(percent) as f64);
    let percentiles: Vec<(f64, f64)> = percents.into_iter().map(at).collect();
    let way = MeasuredWay {
        iops: &rates.iops,
        mean_iops: (stats.total_ios > 0).then(|| stats.iops_mean()),
        mean_latency_ns: (stats.lat.moments.count > 0).then(|| stats.lat.moments.mean()),
        percentiles_ns: &percentiles,
        fastest_tenth_ns: fastest_tenth_ns(&stats.lat),
    };
    let reads = run.load.direction == Direction::Read;
    let measured = MeasuredRun {
        block_bytes: run.load.block_bytes,
        interval_s: rates.interval_s,
        depth: Some(run.depth),
        read: reads.then_some(way),
        write: (!reads).then_some(way),
    };
    basis.judge(run.load.goal, &measured)
}

fn percents(limits: &HandLimits) -> Vec<f64> {
    let of = limits.latency.iter().filter_map(|limit| match limit.of {
        LatencyFigure::Percentile(percent) => Some(percent),
        LatencyFigure::Mean => None,
    });
    of.collect()
}

#[cfg(test)]
mod tests {
    use super::is_within_error;

    #[test]
    fn an_error_beyond_the_mean_does_not_reach_a_limit_far_below() {
        assert!(is_within_error(5_000.0, 1.2, 2_500.0) && is_within_error(5_000.0, 1.2, 10_000.0));
        assert!(!is_within_error(5_000.0, 1.2, 1.0) && !is_within_error(5_000.0, 1.2, 12_000.0));
        assert!(is_within_error(3_000.0, 0.1, 2_800.0) && !is_within_error(3_000.0, 0.1, 2_600.0));
        // Of an error that is not known nothing can be told.
        assert!(is_within_error(5_000.0, f64::INFINITY, 1.0));
    }
}
