//! The rate of a run: steady or not, how well known, capped, begun with a burst; and the shape of
//! its latencies.

use super::context::{Context, Pace};
use super::{Answer, device, limits};
use fathom_analysis::{
    BurstFinding, CapFinding, CapInputs, DeviceTime, Estimate, Evidence, HumpsFinding, KnownLimit,
    LatencySpread, RateUnit, Rates, SawToothFinding, Steadiness, SteadyRule, SteadyState,
    find_burst, find_cap, find_humps, find_saw_tooth,
};
use fathom_stats::{DirectionStats, JobResult, LatencyStats, RunResult};
use fathom_vocab::Direction;

/// Runs of less than this many seconds are not asked whether they are steady, began with a burst
/// or are flat: what a few seconds show is as well a cache that fills or a queue that settles.
const LEAST_S: f64 = 8.0;
/// Rounds of PTS are a minute; those of short runs at least so many seconds.
const LEAST_ROUND_S: f64 = 1.5;
/// The intervals in which estimates and clocks are looked for.
const FINE_S: f64 = 0.1;
/// The share of a device's work from which on somebody else's shapes the rate as well: a step or a
/// level of it may be theirs.
const OTHERS_SHAPE: f64 = 0.05;
/// Intervals that a cap is looked for in, at least.
const CAP_INTERVALS: f64 = 10.0;

/// `others` is the share of the device's work that was somebody else's.
pub(super) fn answers(result: &RunResult, context: &Context, others: f64) -> Vec<Answer> {
    let rates = |wanted_s: f64| Rates::of_jobs(&result.jobs, None, wanted_s);
    let fine = rates(FINE_S);
    let burst = burst(&fine, &rates(burst_interval_s(&fine)));
    let latencies = latencies(&result.jobs);
    let humps = humps(&result.jobs, &latencies);
    let tooth = find_saw_tooth(fine.interval_s, &fine.iops);
    let held = Held {
        think_share: think_share(&result.jobs, context),
        limits: limits::known(result, context, &burst),
        device: device::time(result),
    };
    let cap = cap(&latencies, context, &rates(1.0), (&burst, &humps, &tooth), &held);
    let (cap, burst) = match others >= OTHERS_SHAPE {
        true => (cap.beside_others(), burst.beside_others()),
        false => (cap, burst),
    };
    // What is part of a cap's evidence is not told a second time.
    let explained = match &cap {
        CapFinding::Capped(cap) => cap.evidence.iter().any(|s| matches!(s, Evidence::Humps(_))),
        _ => false,
    };
    let mut answers = vec![Answer::Steady(steadiness(&fine))];
    answers.extend(match Estimate::of_intervals(&fine.iops) {
        Ok(estimate) => Some(Answer::Sure(estimate.holding(shown_iops(&result.jobs)))),
        // The mean over a burst and what follows is neither's, however well it is known.
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

/// The latencies of all jobs and directions: the whole of each I/O where that is recorded, since
/// completion alone is next to nothing where an I/O was over before its submission returned; else
/// completion, as in fio's JSON.
fn latencies(jobs: &[JobResult]) -> LatencyStats {
    let mut all = DirectionStats::default();
    jobs.iter().flat_map(|job| job.dirs.iter()).for_each(|(_, stats)| all.merge(stats));
    all.told_latency().clone()
}

fn humps(jobs: &[JobResult], latencies: &LatencyStats) -> HumpsFinding {
    // Reads and writes differ by nature: two humps of a mix say nothing.
    let directions = Direction::ALL.into_iter();
    let used = directions.filter(|way| jobs.iter().any(|job| job.dirs[*way].total_ios > 0));
    match used.count() {
        1 => find_humps(&latencies.histogram),
        _ => HumpsFinding::NotEnough,
    }
}

fn cap(
    latencies: &LatencyStats,
    context: &Context,
    seconds: &Rates,
    (burst, humps, tooth): (&BurstFinding, &HumpsFinding, &SawToothFinding),
    held: &Held,
) -> CapFinding {
    let spread = latencies.moments;
    let spread = (spread.count > 1)
        .then(|| LatencySpread { mean_ns: spread.mean(), deviation_ns: spread.stddev() });
    let by_bytes = matches!(context.pace, Some(Pace::Bytes(_)));
    let (unit, rates) = match by_bytes {
        true => (RateUnit::Bytes, &seconds.bytes_per_s),
        false => (RateUnit::Ios, &seconds.iops),
    };
    let rate = rates.iter().sum::<f64>() / (rates.len() as f64).max(1.0);
    let enough = seconds.duration_s() >= CAP_INTERVALS;
    find_cap(&CapInputs {
        unit,
        rate,
        interval_s: seconds.interval_s,
        rates: if enough { rates } else { &[] },
        block_bytes: context.block_bytes,
        depth: context.depth,
        latency: spread,
        device: held.device,
        humps: if let HumpsFinding::Two(humps) = humps { Some(humps) } else { None },
        burst: if let BurstFinding::Burst(burst) = burst { Some(burst) } else { None },
        saw_tooth: if let SawToothFinding::SawTooth(tooth) = tooth { Some(tooth) } else { None },
        depths: &[],
        sizes: &[],
        paced_to: context.pace.map(|pace| match pace {
            Pace::Iops(rate) | Pace::Bytes(rate) => rate,
        }),
        think_share: held.think_share,
        limits: &held.limits,
    })
}

/// What may hold a rate beside the volume.
struct Held {
    think_share: Option<f64>,
    limits: Vec<KnownLimit>,
    device: Option<DeviceTime>,
}

/// The share of the jobs' time that went into their own pauses.
fn think_share(jobs: &[JobResult], context: &Context) -> Option<f64> {
    let ios: u64 = jobs.iter().flat_map(|job| job.dirs.iter()).map(|(_, s)| s.total_ios).sum();
    let time_us = jobs.iter().map(|job| job.runtime_ms as f64 * 1e3).sum::<f64>();
    let share = context.pause_us * ios as f64 / time_us;
    (share.is_finite() && share > 0.0).then_some(share.min(1.0))
}
