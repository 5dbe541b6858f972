//! Rates against their limits: means, shares of the time, and a burst separate from its baseline.

use super::{
    IntervalShare, JudgedDirections, MeanRate, MeasuredRun, MeasuredWay, PromiseEvidence,
    PromiseOutcome, PromiseVerdict, Stretch, Terms, Unknown,
};
use crate::autocorrelation::mean;
use crate::promise::promised::Reachable;
use crate::promise::volume::Directions;

/// From this share of the limit on, the volume gave more than promised.
const EXCEEDED: f64 = 1.03;
/// Minimum intervals at the baseline for a judgement.
const LEAST_INTERVALS: usize = 5;
/// How much longer than the bucket a run should be.
const BEYOND_BUCKET: f64 = 1.2;
/// A promised share of the time counts as missed if a provider that meets it would look this bad
/// with a lower probability than this.
const SURELY: f64 = 0.05;

/// The verdicts on the rates of a run; `terms` are those of reads and of writes.
pub(super) fn verdicts(
    directions: Directions,
    terms: [Terms; 2],
    run: &MeasuredRun,
) -> Vec<PromiseVerdict> {
    let mut verdicts = Vec::new();
    match (directions, &run.read, &run.write) {
        (_, None, None) => {
            verdicts.push(PromiseVerdict::unknown(JudgedDirections::Both, Unknown::NotMeasured))
        }
        (Directions::Sum, Some(read), Some(write)) => {
            let sum: Vec<f64> = read.iops.iter().zip(write.iops).map(|(r, w)| r + w).collect();
            let both = MeasuredWay {
                iops: &sum,
                mean_iops: read.mean_iops.zip(write.mean_iops).map(|(r, w)| r + w),
                mean_latency_ns: weighted_latency(read, write),
                percentiles_ns: &[],
                fastest_tenth_ns: None,
            };
            judged(JudgedDirections::Both, &terms[0], &both, run, &mut verdicts);
        }
        (_, read, write) => {
            for (way, measured, terms) in [
                (JudgedDirections::Read, read, &terms[0]),
                (JudgedDirections::Write, write, &terms[1]),
            ] {
                let Some(measured) = measured else { continue };
                judged(way, terms, measured, run, &mut verdicts);
            }
        }
    }
    verdicts
}

/// The mean latency of reads and writes together.
fn weighted_latency(read: &MeasuredWay, write: &MeasuredWay) -> Option<f64> {
    let (reads, writes) = (read.mean_iops(), write.mean_iops());
    let total = reads * read.mean_latency_ns? + writes * write.mean_latency_ns?;
    (reads + writes > 0.0).then(|| total / (reads + writes))
}

/// The common inputs of all lines about one series of rates.
struct Series<'a> {
    way: JudgedDirections,
    terms: &'a Terms,
    latency_ns: Option<f64>,
    run: &'a MeasuredRun<'a>,
}

fn judged(
    way: JudgedDirections,
    terms: &Terms,
    measured: &MeasuredWay,
    run: &MeasuredRun,
    verdicts: &mut Vec<PromiseVerdict>,
) {
    let iops = measured.iops;
    let series = Series { way, terms, latency_ns: measured.mean_latency_ns, run };
    let Some(limit) = terms.limit else {
        return verdicts.push(PromiseVerdict::unknown(way, Unknown::NoPromise));
    };
    if iops.is_empty() {
        return verdicts.push(PromiseVerdict::unknown(way, Unknown::NotMeasured));
    }
    let burst = terms.burst.filter(|burst| burst.iops > limit.iops);
    let Some(burst) = burst else {
        return series.baseline(limit, measured.mean_iops(), iops, verdicts);
    };
    let (bursting, after) = iops.split_at(end_of_burst(iops, (limit.iops + burst.iops) / 2.0));
    match bursting {
        [] => verdicts.push(PromiseVerdict::unknown(way, Unknown::NoBurst)),
        bursting => verdicts.push(series.mean(burst, mean(bursting), Stretch::Burst)),
    }
    match after.len() < LEAST_INTERVALS && !bursting.is_empty() {
        true => verdicts.push(PromiseVerdict::unknown(way, series.still_bursting(iops.len()))),
        false if bursting.is_empty() => {
            series.baseline(limit, measured.mean_iops(), after, verdicts)
        }
        false => series.baseline(limit, mean(after), after, verdicts),
    }
}

/// Where the burst ends: the cut with the fewest intervals below `between` before it and above
/// after it. The whole series where it never ends, nothing where it never began.
fn end_of_burst(iops: &[f64], between: f64) -> usize {
    let above = |iops: &f64| *iops > between;
    let mut wrong = iops.iter().filter(|iops| above(iops)).count();
    let mut best = (wrong, 0);
    for (at, iops) in iops.iter().enumerate() {
        match above(iops) {
            true => wrong -= 1,
            false => wrong += 1,
        }
        if wrong < best.0 {
            best = (wrong, at + 1);
        }
    }
    best.1
}

impl Series<'_> {
    fn baseline(
        &self,
        limit: Reachable,
        mean_iops: f64,
        iops: &[f64],
        verdicts: &mut Vec<PromiseVerdict>,
    ) {
        verdicts.push(self.mean(limit, mean_iops, Stretch::Baseline));
        verdicts.extend(self.intervals(limit, iops));
    }

    fn mean(&self, limit: Reachable, iops: f64, stretch: Stretch) -> PromiseVerdict {
        let share = iops / limit.iops;
        let outcome = match share {
            share if share > EXCEEDED && !self.terms.is_least => PromiseOutcome::Exceeded,
            share if share >= self.terms.enough => PromiseOutcome::Kept,
            _ if self.was_quick() => PromiseOutcome::NotReached,
            _ => PromiseOutcome::Missed,
        };
        let evidence = PromiseEvidence::Mean(MeanRate {
            iops,
            limit_iops: limit.iops,
            enough: self.terms.enough,
            bound: limit.bound,
            block_bytes: self.run.block_bytes,
            stretch,
            latency_ns: self.latency_ns,
        });
        PromiseVerdict { way: self.way, outcome, evidence }
    }

    /// Whether each I/O completed so soon that more outstanding ones would have raised the rate.
    fn was_quick(&self) -> bool {
        let both = self.latency_ns.zip(self.terms.quick_ns);
        both.is_some_and(|(latency, quick)| latency < quick)
    }

    /// The share of the intervals that reached the limit, where a share of the time is promised.
    fn intervals(&self, limit: Reachable, iops: &[f64]) -> Option<PromiseVerdict> {
        let share_of_time = self.terms.share_of_time?;
        let threshold_iops = limit.iops * self.terms.enough;
        let reached = iops.iter().filter(|iops| **iops >= threshold_iops).count();
        let below = iops.len() - reached;
        let outcome = match reached as f64 >= share_of_time * iops.len() as f64 {
            true => PromiseOutcome::Kept,
            false if self.was_quick() => PromiseOutcome::NotReached,
            false if at_least(below, iops.len(), 1.0 - share_of_time) < SURELY => {
                PromiseOutcome::Missed
            }
            false => PromiseOutcome::NotJudged,
        };
        let evidence = PromiseEvidence::Intervals(IntervalShare {
            intervals: iops.len(),
            interval_s: self.run.interval_s,
            reached,
            threshold_iops,
            share_of_time,
        });
        Some(PromiseVerdict { way: self.way, outcome, evidence })
    }

    fn still_bursting(&self, intervals: usize) -> Unknown {
        let needed_s = self.terms.burst_lasts_s.map(|lasts| lasts * BEYOND_BUCKET);
        Unknown::StillBursting { seen_s: intervals as f64 * self.run.interval_s, needed_s }
    }
}

/// The probability of at least `hits` of `tries`, each with `probability`: the upper tail of the
/// binomial distribution. Intervals of a run are correlated, so this errs towards "missed" for
/// consecutive bad ones; the share is shown with it.
pub(super) fn at_least(hits: usize, tries: usize, probability: f64) -> f64 {
    if probability <= 0.0 {
        return if hits == 0 { 1.0 } else { 0.0 };
    }
    let (n, odds) = (tries as f64, (probability / (1.0 - probability)).ln());
    let mut log_term = n * (1.0 - probability).ln();
    let mut fewer = 0.0;
    for at in 0..hits {
        fewer += log_term.exp();
        log_term += ((n - at as f64) / (at as f64 + 1.0)).ln() + odds;
    }
    (1.0 - fewer).max(0.0)
}
