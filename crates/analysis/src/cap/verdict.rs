//! From signs to a verdict: which signs indicate a cap, their weights, and the value.

use super::ceilings::{DepthPoint, SizePoint, depth_ceiling, size_ceilings};
use super::flat::{
    LEAST_INTERVALS, LatencySpread, flat_ceiling, nearest_round, regular, varies_little,
};
use super::waits::{DeviceTime, WaitBefore, wait_before};
use super::{Cap, CapConfidence, CapFinding, CapKind, Evidence, Flat, KnownLimit, LimitSource};
use crate::quantile::{median, share_at, usable};
use crate::shown::RateUnit;
use crate::{Burst, Humps, SawTooth};

/// Signs with this total weight indicate a cap.
const TOLD: u32 = 3;
/// Signs with this total weight leave little doubt.
const CLEAR: u32 = 5;
/// Runs shorter than this, in seconds, may be alike by chance: a limit that only they show is
/// "perhaps" one.
const LEAST_RUN_S: f64 = 0.9;
/// From this block size on, a limit seen with one block size may be one of bandwidth although
/// neither value is round.
const LARGE_BLOCK_BYTES: u64 = 32 << 10;
/// If a job pauses for this share of the time, the pauses limit its rate.
const PAUSES: f64 = 0.1;
/// If this share of intervals is at one value and others are far off, or if waits form a separate
/// group, a cap cannot be excluded.
const MANY: f64 = 0.35;
/// Maximum distance of a rate from a promise that still counts as its setting.
const AS_PROMISED: f64 = 0.01;
/// How far credit saved up before a short run may raise its mean above a limit's rate.
const SAVED_UP: f64 = 0.1;
/// A job that reaches this share of its own rate limit was limited by it.
const AT_PACE: f64 = 0.97;
/// Few I/Os in an interval, and blocks whose time is mostly the seek.
const FEW_IOS: f64 = 150.0;
const SMALL_BLOCK_BYTES: u64 = 64 << 10;
/// Variation of a count, in I/Os, if the interval's end falls on either side of one.
const ONE_MORE_OR_LESS: f64 = 0.8;
/// IOPS below which a rate is known to less than half an I/O.
const FEW_TO_COUNT: f64 = 500.0;
const HALF_AN_IO: f64 = 0.5;
/// Two humps indicate a cap if the wait is this share of all latency.
const WAITS: f64 = 0.5;

/// Possible evidence of a cap; unknown facts stay empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct CapInputs<'a> {
    /// The unit of `rate`, `rates` and `paced_to`.
    pub unit: RateUnit,
    /// The run's mean rate; 0 if only `rates` are known.
    pub rate: f64,
    /// Length of an interval of `rates` in seconds; a second is best.
    pub interval_s: f64,
    /// Rates of consecutive intervals, without ramp.
    pub rates: &'a [f64],
    /// The length of the run, or of the shortest run of `depths` and `sizes`, in seconds; none if
    /// it is unknown.
    pub run_s: Option<f64>,
    /// The block size of the run in bytes, if it had one.
    pub block_bytes: Option<u64>,
    /// I/Os in flight, of all jobs together.
    pub depth: Option<u32>,
    /// Spread of the run's latencies.
    pub latency: Option<LatencySpread>,
    /// The activity of the device, if there is one disk below and all of its I/O is the run's.
    pub device: Option<DeviceTime>,
    /// Two humps of the run's latencies.
    pub humps: Option<&'a Humps>,
    /// A burst in the run.
    pub burst: Option<&'a Burst>,
    /// A saw-tooth in the run.
    pub saw_tooth: Option<&'a SawTooth>,
    /// The same load at other depths, if measured.
    pub depths: &'a [DepthPoint],
    /// The same load at other block sizes, if measured.
    pub sizes: &'a [SizePoint],
    /// The job's own rate limit (`rate_iops`, `rate`), if any.
    pub paced_to: Option<f64>,
    /// The share of the time for which the job itself paused (`thinktime`), 0 to 1.
    pub think_share: Option<f64>,
    /// Limits that the machine reports.
    pub limits: &'a [KnownLimit],
    /// What such a load is held to, if anything: a promise, or a limit by hand.
    pub promised: Option<PromisedRate>,
}

/// A rate that a volume is held to, with its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PromisedRate {
    /// I/Os or bytes.
    pub unit: RateUnit,
    /// The rate a second.
    pub per_second: f64,
    /// Who stated it.
    pub by: LimitSource,
}

/// Decides whether a cap limits the rate, its value, and the confidence.
pub fn find_cap(inputs: &CapInputs) -> CapFinding {
    let pace = inputs.paced_to.filter(|pace| pace.is_finite() && *pace > 0.0);
    if let Some(pace) = pace.filter(|pace| measured_rate(inputs) >= AT_PACE * pace) {
        return CapFinding::Paced { pace, unit: inputs.unit };
    }
    if let Some(limit) = inputs.limits.iter().find(|limit| limit.holds()) {
        return CapFinding::Capped(set(inputs, limit));
    }
    if let Some(share) = inputs.think_share.filter(|share| *share >= PAUSES) {
        return CapFinding::Thinks { share };
    }
    let mut evidence = signs(inputs);
    let Some(named) = named(inputs, &evidence) else {
        return untold(inputs, evidence);
    };
    let sold = inputs.promised.and_then(|promised| as_promised(inputs, &named, promised));
    let Named { kind, value, or } = sold.as_ref().map_or(named, |(named, _)| *named);
    let unit = kind.unit();
    let round = || nearest_round(unit, value).map(|value| Evidence::RoundNumber { value, unit });
    evidence.extend(sold.map(|(_, sign)| sign).or_else(round));
    match confidence_of(inputs, &evidence) {
        Some(confidence) => CapFinding::Capped(Cap { kind, value, or, evidence, confidence }),
        None => untold(inputs, evidence),
    }
}

/// The cap that a known limit makes: its kind and value need no further sign.
fn set(inputs: &CapInputs, limit: &KnownLimit) -> Cap {
    let kind = match limit.unit {
        RateUnit::Ios => CapKind::Iops,
        RateUnit::Bytes => CapKind::Bandwidth,
    };
    let flat = flat_ceiling(inputs.unit, inputs.rates, one_io(inputs));
    // Credit saved up before the run raises the mean, but not the median of the intervals.
    let level = (inputs.unit == limit.unit).then(|| median(&usable(inputs.rates)));
    let level = level.filter(|level| (level / limit.reached - 1.0).abs() <= SAVED_UP);
    let value = level.unwrap_or(limit.reached);
    let flat = flat.map(Evidence::Flat);
    let evidence = [Some(Evidence::Known(limit.clone())), flat].into_iter().flatten().collect();
    Cap { kind, value, or: None, evidence, confidence: CapConfidence::High }
}

/// The same rate in the promise's unit, if it equals the promise.
fn as_promised(
    inputs: &CapInputs,
    named: &Named,
    promised: PromisedRate,
) -> Option<(Named, Evidence)> {
    let PromisedRate { unit, per_second, by } = promised;
    let block = inputs.block_bytes? as f64;
    let (kind, value) = match (unit, named.kind) {
        (RateUnit::Ios, CapKind::Bandwidth) => (CapKind::Iops, named.value / block),
        (RateUnit::Bytes, CapKind::Iops) => (CapKind::Bandwidth, named.value * block),
        (_, kind) => (kind, named.value),
    };
    let near = (value / per_second - 1.0).abs() <= AS_PROMISED;
    let sign = Evidence::Promised { value: per_second, unit, by };
    near.then_some((Named::only(kind, value), sign))
}

/// The rate that one I/O more in an interval makes.
fn one_io(inputs: &CapInputs) -> f64 {
    let each = match inputs.unit {
        RateUnit::Ios => 1.0,
        RateUnit::Bytes => inputs.block_bytes.unwrap_or(0) as f64,
    };
    if inputs.interval_s > 0.0 { each / inputs.interval_s } else { 0.0 }
}

/// The confidence of all signs; `None` if they do not indicate a cap.
pub(super) fn confidence_of(inputs: &CapInputs, evidence: &[Evidence]) -> Option<CapConfidence> {
    // The intervals show no level, and a mean can be round by chance, as of a volume that stalls.
    let is_weak = |sign| matches!(sign, &Evidence::Humps(_) | &Evidence::RoundNumber { .. });
    if usable(inputs.rates).len() >= LEAST_INTERVALS && evidence.iter().all(is_weak) {
        return None;
    }
    let weights: Vec<u32> = evidence.iter().map(|sign| weight(inputs, sign)).collect();
    let strong = weights.iter().any(|weight| *weight >= 2);
    let known = evidence.iter().any(|sign| matches!(sign, Evidence::Known(_)));
    let short = inputs.run_s.is_some_and(|run_s| run_s < LEAST_RUN_S) && !known;
    match weights.iter().sum::<u32>() {
        TOLD.. if short => Some(CapConfidence::Low),
        CLEAR.. => Some(CapConfidence::High),
        TOLD.. if strong => Some(CapConfidence::Medium),
        TOLD.. => Some(CapConfidence::Low),
        // Several runs agree, or a clock shows: worth a word even if nothing else does.
        _ => evidence.iter().any(stands_alone).then_some(CapConfidence::Low),
    }
}

fn stands_alone(sign: &Evidence) -> bool {
    matches!(sign, Evidence::Depths(_) | Evidence::Sizes(_) | Evidence::SawTooth(_))
}

/// The finding if no cap is indicated.
fn untold(inputs: &CapInputs, evidence: Vec<Evidence>) -> CapFinding {
    let flat = evidence.into_iter().find_map(|sign| match sign {
        Evidence::Flat(flat) => Some(flat),
        _ => None,
    });
    let rates = usable(inputs.rates);
    let judged = (rates.len() >= LEAST_INTERVALS && rates.iter().any(|rate| *rate > 0.0))
        || inputs.depths.len() > 1
        || inputs.sizes.len() > 1;
    match flat {
        Some(flat) => CapFinding::OnlyFlat(flat),
        None if judged && is_unclear(inputs, &rates) => {
            CapFinding::Unclear { rate: median(&rates), unit: inputs.unit }
        }
        None if judged => CapFinding::NoneSeen,
        None => CapFinding::NotEnough,
    }
}

/// Whether there are signs of a cap, but not enough: many intervals at one value, or waits of equal
/// length.
fn is_unclear(inputs: &CapInputs, rates: &[f64]) -> bool {
    let waits =
        inputs.humps.is_some_and(|humps| humps.time_share_high >= WAITS && humps.is_narrow());
    let middle = median(rates);
    let many = || share_at(rates, middle, one_io(inputs)) >= MANY;
    waits || middle > 0.0 && !varies_little(rates) && many()
}

/// Every sign except the round number, which depends on the value of the others.
fn signs(inputs: &CapInputs) -> Vec<Evidence> {
    let flat = flat_ceiling(inputs.unit, inputs.rates, one_io(inputs)).map(Evidence::Flat);
    let sizes = size_ceilings(inputs.sizes).into_iter();
    let widest = sizes.max_by_key(|ceiling| ceiling.to_bytes / ceiling.from_bytes);
    let humps = inputs.humps.filter(|humps| humps.time_share_high >= WAITS);
    let signs = [
        inputs.burst.cloned().map(Evidence::Burst),
        depth_ceiling(inputs.depths).map(Evidence::Depths),
        widest.map(Evidence::Sizes),
        flat,
        regularity(inputs),
        humps.cloned().map(Evidence::Humps),
        wait(inputs).map(Evidence::WaitBefore),
        inputs.saw_tooth.cloned().map(Evidence::SawTooth),
    ];
    signs.into_iter().flatten().collect()
}

fn wait(inputs: &CapInputs) -> Option<WaitBefore> {
    wait_before(inputs.latency?.mean_ns, inputs.device?)
}

fn regularity(inputs: &CapInputs) -> Option<Evidence> {
    let bytes_each = match inputs.unit {
        RateUnit::Ios => 1.0,
        RateUnit::Bytes => inputs.block_bytes? as f64,
    };
    let ios = inputs.rates.iter().map(|rate| rate * inputs.interval_s / bytes_each);
    let ios: Vec<f64> = ios.collect();
    regular(&ios, inputs.latency?, inputs.depth).map(Evidence::Regular)
}

/// The weight of a sign: 1 if other causes produce it as well, 2 if few do, 3 if hardly any does.
fn weight(inputs: &CapInputs, sign: &Evidence) -> u32 {
    match sign {
        Evidence::Flat(flat) if is_counted_out(inputs, flat) => 2,
        Evidence::Flat(_) | Evidence::RoundNumber { .. } => 1,
        // A device rarely reaches exactly the sold rate by chance.
        Evidence::Promised { .. } => 2,
        Evidence::Regular(regular) if regular.depth == Some(1) => 2,
        Evidence::Regular(_) => 1,
        Evidence::Humps(humps) => 1 + u32::from(humps.is_narrow()),
        Evidence::SawTooth(_) | Evidence::WaitBefore(_) => 2,
        // A device that saturates gains a little still, and over one doubling that may not show.
        Evidence::Depths(depths) if depths.to_depth < 4 * depths.knee_depth => 2,
        // A device that changes its speed may keep two levels, too.
        Evidence::Burst(burst)
            if burst.is_small()
                || !burst.lasts_evenly(inputs.interval_s, inputs.rates, one_io(inputs)) =>
        {
            2
        }
        // So does one over a fourfold size, if it is large I/Os that fill it.
        Evidence::Sizes(sizes) if sizes.to_bytes < 8 * sizes.from_bytes => 2,
        Evidence::Depths(_) | Evidence::Sizes(_) | Evidence::Burst(_) => 3,
        // The runs are weighed by their own signs.
        Evidence::Runs(_) => 0,
        Evidence::Known(_) => CLEAR,
    }
}

/// Whether a rate is flat over intervals of few small I/Os: over thousands the average is flat
/// anyway, but a device that takes 10 ms for an I/O has a head, and its seeks differ.
fn is_counted_out(inputs: &CapInputs, flat: &Flat) -> bool {
    let each = one_io(inputs);
    let ios = flat.rate / each;
    let small = inputs.block_bytes.is_some_and(|bytes| bytes <= SMALL_BLOCK_BYTES);
    small && each > 0.0 && ios <= FEW_IOS && flat.variation * ios <= ONE_MORE_OR_LESS
}

/// The mean rate, or the median of the intervals if there is none.
fn measured_rate(inputs: &CapInputs) -> f64 {
    match inputs.rate.is_finite() && inputs.rate > 0.0 {
        true => inputs.rate,
        false => median(&usable(inputs.rates)),
    }
}

/// The unit and value of a cap, and its value in the other unit if both are equally likely.
#[derive(Clone, Copy)]
struct Named {
    kind: CapKind,
    value: f64,
    or: Option<f64>,
}

impl Named {
    fn only(kind: CapKind, value: f64) -> Named {
        Named { kind, value, or: None }
    }
}

/// The constant quantity and its value, from the best sign; `None` if there is no rate at all.
fn named(inputs: &CapInputs, evidence: &[Evidence]) -> Option<Named> {
    let by_sizes = evidence.iter().find_map(|sign| match sign {
        Evidence::Sizes(sizes) => Some(Named::only(sizes.kind, sizes.value)),
        _ => None,
    });
    if by_sizes.is_some() {
        return by_sizes;
    }
    // Signs are ordered by how well they give a value.
    let level = evidence.iter().find_map(|sign| match sign {
        Evidence::Burst(burst) => Some((burst.unit, burst.sustained_rate)),
        Evidence::Depths(depths) => Some((RateUnit::Ios, depths.iops)),
        Evidence::Flat(flat) => Some((flat.unit, flat.rate)),
        _ => None,
    });
    let (unit, rate) = level.unwrap_or((inputs.unit, measured_rate(inputs)));
    let block = inputs.block_bytes.filter(|bytes| *bytes > 0);
    let (iops, bytes) = match (unit, block) {
        (RateUnit::Ios, block) => (Some(rate), block.map(|block| rate * block as f64)),
        (RateUnit::Bytes, block) => (block.map(|block| rate / block as f64), Some(rate)),
    };
    let positive = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let named = kind_of(inputs.unit, iops.filter(positive), bytes.filter(positive), block)?;
    Some(with_the_other(inputs, named, block))
}

/// A round number of bytes that is more than half an I/O a second away is chance: with so few I/Os
/// their rate is known better than that, and either unit may be capped.
fn with_the_other(inputs: &CapInputs, named: Named, block: Option<u64>) -> Named {
    let (CapKind::Bandwidth, None, Some(block)) = (named.kind, named.or, block) else {
        return named;
    };
    let block = block as f64;
    let iops = named.value / block;
    let misses = nearest_round(RateUnit::Bytes, named.value)
        .is_some_and(|round| (round - named.value).abs() > HALF_AN_IO * block);
    match misses && iops <= FEW_TO_COUNT {
        false => named,
        true if inputs.unit == RateUnit::Ios => {
            Named { kind: CapKind::Iops, value: iops, or: Some(named.value) }
        }
        true => Named { or: Some(iops), ..named },
    }
}

/// With one block size only a round number distinguishes IOPS from bandwidth. If both are round, as
/// with blocks of a power of two, or neither is, either may be capped: the one in `unit` is named
/// first.
fn kind_of(
    unit: RateUnit,
    iops: Option<f64>,
    bytes: Option<f64>,
    block: Option<u64>,
) -> Option<Named> {
    let (iops, bytes) = match (iops, bytes) {
        (Some(iops), Some(bytes)) => (iops, bytes),
        (iops, bytes) => {
            let iops = iops.map(|iops| Named::only(CapKind::Iops, iops));
            return iops.or(bytes.map(|bytes| Named::only(CapKind::Bandwidth, bytes)));
        }
    };
    let round = |unit, rate| nearest_round(unit, rate).is_some();
    let large = block.is_some_and(|block| block >= LARGE_BLOCK_BYTES);
    Some(match (round(RateUnit::Ios, iops), round(RateUnit::Bytes, bytes)) {
        (true, false) => Named::only(CapKind::Iops, iops),
        (false, true) => Named::only(CapKind::Bandwidth, bytes),
        // Small blocks reach a limit of I/Os long before one of bytes.
        (false, false) if !large => Named::only(CapKind::Iops, iops),
        _ if unit == RateUnit::Ios => Named { kind: CapKind::Iops, value: iops, or: Some(bytes) },
        _ => Named { kind: CapKind::Bandwidth, value: bytes, or: Some(iops) },
    })
}
