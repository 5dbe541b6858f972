//! The rate of a run: steady or not, its confidence, caps, bursts; and the shape of its latencies.

use super::context::{Context, RateLimit};
use super::{Answer, client, connections, data, device, limits};
use fathom_analysis::{
    Burst, BurstFinding, CacheFinding, CapFinding, CapInputs, ClientFinding, Estimate, Evidence,
    HumpsFinding, LatencySpread, PromisedRate, RateShaper, RateUnit, Rates, SawToothFinding,
    Steadiness, SteadyRule, SteadyState, find_burst, find_cap, find_humps, find_saw_tooth,
};
use fathom_stats::{DirectionStats, JobResult, LatencyStats, RunResult};
use fathom_vocab::Direction;

/// Shorter runs, in seconds, are not judged for steady state, burst or flatness: a few seconds may
/// also show a cache that fills or a queue that settles.
const LEAST_S: f64 = 8.0;
/// Rounds of PTS are a minute; those of short runs at least this many seconds.
const LEAST_ROUND_S: f64 = 1.5;
/// The intervals in which burst estimates and clocks are searched.
const FINE_S: f64 = 0.1;
/// The share of a device's work from which foreign I/O shapes the rate too: a step or a level may
/// come from it.
const OTHERS_SHAPE: f64 = 0.05;
/// Intervals that it takes to see a cap in a rate.
const CAP_INTERVALS: f64 = 10.0;

/// The question which cap limits a run.
pub(crate) struct CapQuestion {
    /// The unit of the cap if both are equally likely; bytes for a job with a bandwidth limit.
    pub unit: RateUnit,
    /// The shortest intervals, in seconds, in which it may be searched.
    pub shortest_s: f64,
    /// The provider's promise for such a load.
    pub promised: Option<PromisedRate>,
}

/// The cap on the rate of a run.
pub(crate) fn cap(result: &RunResult, context: &Context, question: &CapQuestion) -> CapFinding {
    let caches = data::answers(result, context);
    let shaper = shaper(result, &caches, &client::answer(result, context), context);
    let cap = Shape::of(result).cap(result, context, question);
    shaper.into_iter().fold(cap, CapFinding::beside)
}

/// What may have shaped the rate in the volume's place; what explains most comes first.
pub(super) fn shaper(
    result: &RunResult,
    caches: &[CacheFinding],
    client: &ClientFinding,
    context: &Context,
) -> Option<RateShaper> {
    let found = [
        (connections::is_interrupted(result, context), RateShaper::Interruption),
        (caches.iter().any(CacheFinding::is_off_device), RateShaper::OffDevice),
        (data::others_share(caches, context) >= OTHERS_SHAPE, RateShaper::OtherUse),
        (client.is_stopped_by_quota(), RateShaper::CpuQuota),
        (client.is_beside_others(), RateShaper::BusyMachine),
    ];
    found.into_iter().find_map(|(is_so, shaper)| is_so.then_some(shaper))
}

/// `shaper` is what may have shaped the rate in the volume's place.
pub(super) fn answers(
    result: &RunResult,
    context: &Context,
    shaper: Option<RateShaper>,
) -> Vec<Answer> {
    let shape = Shape::of(result);
    let unit = match context.pace {
        Some(RateLimit::Bytes(_)) => RateUnit::Bytes,
        _ => RateUnit::Ios,
    };
    let question = CapQuestion { unit, shortest_s: 1.0, promised: None };
    let cap = shape.cap(result, context, &question);
    let even = shape.lasts_evenly(result);
    let Shape { fine, burst, humps, tooth, .. } = shape;
    let cap = shaper.into_iter().fold(cap, CapFinding::beside);
    // A throttle makes the lasting rate even, whatever uses the processors.
    let of_step = shaper.filter(|shaper| *shaper != RateShaper::BusyMachine || !even);
    let burst = of_step.into_iter().fold(burst, BurstFinding::beside);
    // Nothing else can be said of a rate that counts time in which nothing ran.
    if shaper == Some(RateShaper::Interruption) {
        return vec![Answer::Capped(cap), Answer::Burst(burst)];
    }
    // Evidence of a cap is not reported a second time, and a quota's stops are not the volume's.
    let explained = match &cap {
        CapFinding::Capped(cap) => cap.evidence.iter().any(|s| matches!(s, Evidence::Humps(_))),
        _ => shaper == Some(RateShaper::CpuQuota),
    };
    let mut answers = vec![Answer::Steady(steadiness(&fine))];
    answers.extend(match Estimate::of_intervals(&fine.iops) {
        Ok(estimate) => Some(Answer::Sure(estimate.holding(shown_iops(&result.jobs)))),
        // The mean over a burst and the rate after it describes neither, with any confidence.
        Err(_) if matches!(burst, BurstFinding::Burst(_)) => None,
        Err(why) => Some(Answer::Unsure(why)),
    });
    answers.push(Answer::Capped(cap));
    answers.push(Answer::Burst(burst));
    answers.extend((!explained).then_some(Answer::Humps(humps)));
    answers.push(Answer::SawTooth(tooth));
    answers
}

/// The rate that is shown: the sum of the rates of all directions of all jobs.
fn shown_iops(jobs: &[JobResult]) -> f64 {
    let rate = |job: &JobResult| {
        let rates =
            job.dirs.iter().map(|(_, stats)| stats.total_ios as f64 / stats.runtime_ms as f64);
        rates.filter(|rate| rate.is_finite()).sum::<f64>() * 1e3
    };
    jobs.iter().map(rate).sum()
}

fn steadiness(fine: &Rates) -> Steadiness {
    let rule = SteadyRule::default();
    if fine.duration_s() < LEAST_S {
        let rounds = (fine.duration_s() / LEAST_ROUND_S) as u32;
        let state =
            SteadyState::NotEnough { rounds: rounds.min(rule.window - 1), needed: rule.window };
        return Steadiness { rule: SteadyRule { round_s: LEAST_ROUND_S, ..rule }, state };
    }
    Steadiness::of(&fine.iops, fine.interval_s, rule)
}

fn burst_interval_s(fine: &Rates) -> f64 {
    if fine.duration_s() < 60.0 { 0.5 } else { 1.0 }
}

fn burst(fine: &Rates, rates: &Rates) -> BurstFinding {
    match fine.duration_s() < LEAST_S {
        true => BurstFinding::TooShort { seconds: fine.duration_s(), needed_s: LEAST_S },
        false => find_burst(RateUnit::Ios, rates.interval_s, &rates.iops),
    }
}

/// The latencies of all jobs and directions: the total latency of each I/O if it is recorded,
/// because completion alone is almost zero if an I/O was done before its submission returned;
/// otherwise completion, as in fio's JSON.
fn latencies(jobs: &[JobResult]) -> LatencyStats {
    let mut all = DirectionStats::default();
    jobs.iter().flat_map(|job| job.dirs.iter()).for_each(|(_, stats)| all.merge(stats));
    all.lat_or_clat().clone()
}

fn humps(jobs: &[JobResult], latencies: &LatencyStats) -> HumpsFinding {
    // Reads and writes differ by nature: two humps of a mix mean nothing.
    let directions = Direction::ALL.into_iter();
    let used = directions.filter(|way| jobs.iter().any(|job| job.dirs[*way].total_ios > 0));
    match used.count() {
        1 => find_humps(&latencies.histogram),
        _ => HumpsFinding::NotEnough,
    }
}

/// The course of a rate and the spread of its latencies.
struct Shape {
    /// Rates over the finest intervals.
    fine: Rates,
    burst: BurstFinding,
    latencies: LatencyStats,
    humps: HumpsFinding,
    tooth: SawToothFinding,
}

impl Shape {
    fn of(result: &RunResult) -> Shape {
        let fine = Rates::of_jobs(&result.jobs, None, FINE_S);
        let latencies = latencies(&result.jobs);
        Shape {
            burst: burst(&fine, &Rates::of_jobs(&result.jobs, None, burst_interval_s(&fine))),
            humps: humps(&result.jobs, &latencies),
            tooth: find_saw_tooth(fine.interval_s, &fine.iops),
            latencies,
            fine,
        }
    }

    /// Whether the rate after its burst is as even as a throttle's.
    fn lasts_evenly(&self, result: &RunResult) -> bool {
        let seconds = Rates::of_jobs(&result.jobs, None, 1.0);
        let one_io = 1.0 / seconds.interval_s;
        let even = |burst: &Burst| burst.lasts_evenly(seconds.interval_s, &seconds.iops, one_io);
        matches!(&self.burst, BurstFinding::Burst(burst) if even(burst))
    }

    fn cap(&self, result: &RunResult, context: &Context, question: &CapQuestion) -> CapFinding {
        // One more than it takes: the last is seldom whole.
        let interval_s = self.fine.duration_s() / (CAP_INTERVALS + 1.0);
        let interval_s = interval_s.clamp(question.shortest_s, 1.0);
        let seconds = Rates::of_jobs(&result.jobs, None, interval_s);
        let rates = match question.unit {
            RateUnit::Bytes => &seconds.bytes_per_s,
            RateUnit::Ios => &seconds.iops,
        };
        let rate = rates.iter().sum::<f64>() / (rates.len() as f64).max(1.0);
        let moments = self.latencies.moments;
        let latency = (moments.count > 1)
            .then(|| LatencySpread { mean_ns: moments.mean(), deviation_ns: moments.stddev() });
        find_cap(&CapInputs {
            unit: question.unit,
            rate,
            interval_s: seconds.interval_s,
            run_s: Some(self.fine.duration_s()),
            rates,
            block_bytes: context.block_bytes,
            depth: context.depth,
            latency,
            device: device::time(result),
            humps: if let HumpsFinding::Two(humps) = &self.humps { Some(humps) } else { None },
            burst: if let BurstFinding::Burst(burst) = &self.burst { Some(burst) } else { None },
            saw_tooth: match &self.tooth {
                SawToothFinding::SawTooth(tooth) => Some(tooth),
                _ => None,
            },
            paced_to: context.pace.map(|pace| match pace {
                RateLimit::Iops(rate) | RateLimit::Bytes(rate) => rate,
            }),
            think_share: think_share(&result.jobs, context),
            limits: &limits::known(result, context, &self.burst),
            promised: question.promised,
            ..CapInputs::default()
        })
    }
}

/// The share of the jobs' time that went into their own pauses.
fn think_share(jobs: &[JobResult], context: &Context) -> Option<f64> {
    let ios: u64 = jobs.iter().flat_map(|job| job.dirs.iter()).map(|(_, s)| s.total_ios).sum();
    let time_us = jobs.iter().map(|job| job.runtime_ms as f64 * 1e3).sum::<f64>();
    let share = context.pause_us * ios as f64 / time_us;
    (share.is_finite() && share > 0.0).then_some(share.min(1.0))
}
