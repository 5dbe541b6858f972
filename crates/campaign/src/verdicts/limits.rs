//! Limits of control groups on the device of a run, and the share of each that the run reached.
//!
//! A limit counts one direction, and I/Os as the device gets them: a split I/O counts as its parts,
//! by the device's own counters. It counts all of its group: what other programs in it did is known
//! from the group's counters, where the device saw more than ours as well.

use super::context::Context;
use super::data::{issued, issued_ios, seen_by};
use super::observe::LimitUse;
use super::{client, device};
use fathom_analysis::{BurstFinding, KnownLimit, RateUnit, Rates};
use fathom_host::{IoThrottle, ThrottleUnit};
use fathom_stats::{DiskUtil, JobResult, RunResult};
use fathom_vocab::Direction;

/// Seconds of a time slice of Linux's throttle (`throtl_slice`): a tenth, and less for an SSD.
const SLICE_S: f64 = 0.1;

/// A device that saw more than this share above the run's own bytes saw others'.
const OTHERS: f64 = 0.03;
/// The kernel splits no I/O of this size or less.
const WHOLE_BYTES: u64 = 64 << 10;

/// The limits of `context`, each with the rate that `result` reached; after a burst, the lasting
/// rate.
pub(crate) fn known(
    result: &RunResult,
    context: &Context,
    burst: &BurstFinding,
) -> Vec<KnownLimit> {
    let mut known: Vec<KnownLimit> = context
        .limits
        .iter()
        .filter_map(|group| {
            let both_ways = is_both_ways(&context.limits, &group.limit);
            let others = others(result, context, group);
            Some(KnownLimit { both_ways, ..reached(result, burst, &group.limit, others)? })
        })
        .collect();
    // The tightest says most.
    let share = |limit: &KnownLimit| limit.reached / limit.per_second;
    known.sort_by(|a, b| share(b).total_cmp(&share(a)));
    known
}

/// Whether reads and writes have the same limit, each of its own.
fn is_both_ways(limits: &[LimitUse], limit: &IoThrottle) -> bool {
    use ThrottleUnit::{ReadBytes, ReadIops, WriteBytes, WriteIops};
    let other = match limit.unit {
        ReadIops => WriteIops,
        WriteIops => ReadIops,
        ReadBytes => WriteBytes,
        WriteBytes => ReadBytes,
    };
    let mut others = limits.iter().map(|one| &one.limit);
    others.any(|one| (one.unit, one.per_second) == (other, limit.per_second))
}

/// What a limit counts.
fn counted(limit: &IoThrottle) -> (Direction, RateUnit) {
    match limit.unit {
        ThrottleUnit::ReadIops => (Direction::Read, RateUnit::Ios),
        ThrottleUnit::WriteIops => (Direction::Write, RateUnit::Ios),
        ThrottleUnit::ReadBytes => (Direction::Read, RateUnit::Bytes),
        ThrottleUnit::WriteBytes => (Direction::Write, RateUnit::Bytes),
    }
}

/// What other programs of the limit's group did of what it counts, a second: 0 if that is not
/// known.
fn others(result: &RunResult, context: &Context, group: &LimitUse) -> f64 {
    let (direction, unit) = counted(&group.limit);
    let ([disk], Some(count)) = (result.disks.as_slice(), group.count) else { return 0.0 };
    let (own, seen) = (issued(result, direction), seen_by(disk, direction).bytes);
    if disk.aggregate.is_some() || seen as f64 <= own as f64 * (1.0 + OTHERS) {
        return 0.0;
    }
    let others = match unit {
        RateUnit::Bytes => count.min(seen).saturating_sub(own),
        // How often the kernel split ours is not known beside others'.
        RateUnit::Ios if context.block_bytes.is_none_or(|bytes| bytes > WHOLE_BYTES) => 0,
        RateUnit::Ios => count.saturating_sub(issued_ios(result, direction)),
    };
    others as f64 * 1e3 / client::elapsed_ms(&result.jobs).max(1) as f64
}

fn reached(
    result: &RunResult,
    burst: &BurstFinding,
    limit: &IoThrottle,
    others: f64,
) -> Option<KnownLimit> {
    let (direction, unit) = counted(limit);
    let rates = Rates::of_jobs(&result.jobs, Some(direction), 1.0);
    let from_s = match burst {
        BurstFinding::Burst(burst) => burst.step_at_s.ceil() as usize + 1,
        _ => 0,
    };
    let values = match unit {
        RateUnit::Ios => &rates.iops,
        RateUnit::Bytes => &rates.bytes_per_s,
    };
    let is_split = unit == RateUnit::Ios && others == 0.0;
    let parts = if is_split { parts(result, direction) } else { 1.0 };
    let (rate, seconds) = match values.is_empty() {
        true => whole_rate(result, direction, unit)?,
        false => {
            let values = values.get(from_s..).filter(|values| !values.is_empty())?;
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (mean, values.len() as f64 * rates.interval_s)
        }
    };
    let reached = at_limit(rate * parts + others, limit.per_second as f64, seconds);
    (reached > 0.0 && limit.per_second > 0).then(|| KnownLimit {
        unit,
        per_second: limit.per_second as f64,
        reached,
        others,
        group: limit.cgroup.clone(),
        both_ways: false,
    })
}

/// The rate of a run of less than a second, as the rounds of a comparison are, and its seconds.
fn whole_rate(result: &RunResult, direction: Direction, unit: RateUnit) -> Option<(f64, f64)> {
    let count = |job: &JobResult| match unit {
        RateUnit::Ios => job.dirs[direction].total_ios,
        RateUnit::Bytes => job.dirs[direction].io_bytes,
    };
    let seconds = result.jobs.iter().map(|job| job.dirs[direction].runtime_ms).max()? as f64 / 1e3;
    let rate = result.jobs.iter().map(count).sum::<u64>() as f64 / seconds;
    rate.is_finite().then_some((rate, seconds))
}

/// A throttle lets I/Os through by time slices, and a short run may have one slice more than its
/// time allows: a rate that is above the limit by no more than that is at the limit.
fn at_limit(rate: f64, per_second: f64, seconds: f64) -> f64 {
    let is_at = rate > per_second && rate <= per_second * (1.0 + SLICE_S / seconds);
    if is_at { per_second } else { rate }
}

/// The number of parts into which the kernel split each I/O of a direction: 1 if it split none.
fn parts(result: &RunResult, direction: Direction) -> f64 {
    let issued = issued_ios(result, direction);
    let of = |disk: &DiskUtil| if direction == Direction::Read { disk.ios.0 } else { disk.ios.1 };
    let share = |disk: &DiskUtil| of(disk) as f64 / issued.max(1) as f64;
    match (device::own_disk(result), result.disks.as_slice()) {
        // The number of parts varies: large I/Os lie over pages of memory at random.
        (Some(disk), _) => share(disk).max(1.0),
        // Whole numbers only: a fraction may be foreign I/O.
        (None, [disk]) => share(disk).round().max(1.0),
        _ => 1.0,
    }
}
