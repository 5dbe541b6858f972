//! From a promise to its runs: the pattern, the block size, the depth.
//!
//! A queue that is too short measures itself: n I/Os in flight give at most n / latency a second.
//! Providers assume 2 ms for each (Google: 8 for 4,000, 32 for 16,000, 128 for 64,000). Twice that
//! is used, because a deeper queue only waits longer at a limit.

use crate::cases::{Case, UsualJob};
use crate::jobs::RefusedJob;
use fathom_analysis::promise::{Accounting, Bound, Charge};
use fathom_document::check::{CheckBasis, CheckLoad, Promised, SMALL_BYTES};
use fathom_document::{CaseTime, Goal, LARGE_BYTES};
use fathom_vocab::Direction;

/// Block sizes for bandwidth if the provider states none. AWS counts up to 256 KiB as one I/O, and
/// Google states its rates from this size on. Larger ones, which a kernel may count twice (see
/// there), are for volumes with too few IOPS for their bandwidth.
const LARGE_CHOICES: [u64; 2] = [LARGE_BYTES, 1 << 20];
/// Sectors of any volume divide this.
const WHOLE_BYTES: u64 = 4 << 10;
/// Seconds assumed for a small I/O in the queue: twice the providers' assumption.
const SMALL_QUEUE_S: f64 = 4e-3;
/// The same for a large I/O, whose transfer takes longer.
const LARGE_QUEUE_S: f64 = 20e-3;
/// Fewest and most small I/Os in flight, over all jobs.
const SMALL_DEPTHS: (f64, f64) = (32.0, 1024.0);
/// Fewest and most large I/Os in flight.
const LARGE_DEPTHS: (f64, f64) = (16.0, 128.0);
/// IOPS assigned to one job: a slow processor's core can drive them.
const IOPS_OF_A_JOB: f64 = 50_000.0;

/// The runs that check all of `basis` with this number of processors; latency first, before a queue
/// is filled or a burst bucket emptied.
pub(super) fn loads(basis: &CheckBasis, cpus: u32) -> Vec<CheckLoad> {
    let goals = [Goal::Latency, Goal::Iops, Goal::Throughput];
    let ways = [Direction::Read, Direction::Write];
    let each = goals.into_iter().flat_map(|goal| ways.map(|way| (goal, way)));
    each.filter(|(goal, way)| basis.has(*goal, *way))
        .map(|(goal, way)| load(basis, goal, way, cpus))
        .collect()
}

fn load(basis: &CheckBasis, goal: Goal, direction: Direction, cpus: u32) -> CheckLoad {
    let block_bytes = block_for(basis, goal, direction);
    let expected = basis.expected(direction, block_bytes);
    let burst = basis.expected_burst(direction, block_bytes);
    let most = burst.or(expected).map_or(0.0, |reach| reach.iops);
    let (depth, jobs) = match goal {
        Goal::Latency => (1, 1),
        Goal::Iops => queue(most * SMALL_QUEUE_S, SMALL_DEPTHS, most, cpus),
        Goal::Throughput => queue(most * LARGE_QUEUE_S, LARGE_DEPTHS, 0.0, cpus),
    };
    let promised = match goal {
        Goal::Latency => {
            Promised { latency_ns: basis.latency_ns(direction), ..Promised::default() }
        }
        _ => Promised { rate: expected, burst, latency_ns: None },
    };
    CheckLoad { goal, direction, block_bytes, depth, jobs, promised }
}

/// I/Os in flight for each of this number of jobs.
fn queue(wanted: f64, (fewest, most): (f64, f64), iops: f64, cpus: u32) -> (u32, u32) {
    let total = (wanted.clamp(fewest, most).ceil() as u32).next_power_of_two();
    let jobs = ((iops / IOPS_OF_A_JOB).ceil() as u32).clamp(1, cpus.max(1));
    (total.div_ceil(jobs), jobs)
}

fn block_for(basis: &CheckBasis, goal: Goal, direction: Direction) -> u64 {
    let accounting = basis.promise().map(|promise| promise.accounting).unwrap_or_default();
    match goal {
        Goal::Iops => small_block(&accounting),
        Goal::Throughput => large_block(basis, &accounting, direction),
        Goal::Latency => {
            let latency = basis.promise().and_then(|promise| promise.latency.as_ref());
            latency.and_then(|latency| whole(latency.at_bytes?)).unwrap_or(SMALL_BYTES)
        }
    }
}

/// A size that I/Os past the page cache can have.
fn whole(bytes: f64) -> Option<u64> {
    let bytes = bytes as u64;
    (bytes > 0 && bytes.is_multiple_of(WHOLE_BYTES)).then_some(bytes)
}

/// IOPS stated for up to 16 KB apply to 4 KiB as well. If a small I/O is charged as a whole unit,
/// smaller ones would only transfer fewer bytes.
fn small_block(accounting: &Accounting) -> u64 {
    let stated = accounting.iops_at_bytes.and_then(whole);
    stated.or(charged_unit(accounting)).unwrap_or(SMALL_BYTES)
}

/// The least unit that every I/O is charged as.
fn charged_unit(accounting: &Accounting) -> Option<u64> {
    let unit = accounting.unit_bytes.filter(|_| accounting.charge == Charge::WholeUnits);
    unit.and_then(whole)
}

/// The block size that bytes are stated for; else one so large that bytes and not IOPS limit it.
fn large_block(basis: &CheckBasis, accounting: &Accounting, direction: Direction) -> u64 {
    let stated = accounting.rate_at_bytes.and_then(whole);
    let by_bytes = |block: &u64| basis.first_bound(direction, *block) == Some(Bound::Throughput);
    let mut choices = stated.into_iter().chain(charged_unit(accounting)).chain(LARGE_CHOICES);
    choices.find(by_bytes).or(stated).unwrap_or(LARGE_BYTES)
}

/// The case that runs a load.
pub(super) fn case_of(load: &CheckLoad, index: usize, time: CaseTime) -> Result<Case, RefusedJob> {
    let rw = format!("{}{}", if load.is_random() { "rand" } else { "" }, load.direction.name());
    let CheckLoad { block_bytes, depth, jobs, .. } = *load;
    UsualJob { rw, block_bytes, depth, jobs }.case(index, None, time)
}
