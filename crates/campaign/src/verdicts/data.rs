//! The source or destination of the data: issued I/Os compared with the counters below the file
//! system, for reads and writes separately.

use super::context::Context;
use fathom_analysis::{
    ByteCounter, CacheFinding, CacheInputs, CacheSign, CacheVerdict, CounterBytes, ForeignBytes,
    Medium, find_cached,
};
use fathom_stats::{DiskUtil, RunResult};
use fathom_vocab::Direction;

/// IOPS in a direction that the job does not use, below which they do not matter.
const LEAST_OTHER_IOPS: f64 = 10.0;

pub(super) fn answers(result: &RunResult, context: &Context) -> Vec<CacheFinding> {
    let ways = [Direction::Read, Direction::Write].into_iter();
    ways.filter_map(|direction| {
        let issued_bytes = issued(result, direction);
        (issued_bytes > 0).then(|| {
            find_cached(&CacheInputs {
                seen: seen(result, direction, context),
                other: other(result, direction, issued_bytes),
                cache_beneath: context.cache_beneath,
                direct: context.direct,
                medium: context.medium,
                filesystem: context.filesystem.clone(),
                working_set_bytes: context.working_set_bytes,
                memory_bytes: context.memory_bytes,
                unwritten_share: context.unwritten_share,
                // Anybody may have written the data that a device reads.
                compressible_share: context
                    .compressible_share
                    .filter(|_| direction == Direction::Write),
                offsets: context.offsets,
                seconds: seconds(result),
                ..CacheInputs::new(direction, issued_bytes)
            })
        })
    })
    .collect()
}

/// The share of the device's work that was certainly foreign: I/O in a direction that the jobs do
/// not use, or more than they issued if no file system adds its own.
pub(super) fn others_share(findings: &[CacheFinding], context: &Context) -> f64 {
    let of = |finding: &CacheFinding| match finding.verdict {
        CacheVerdict::SawMore { times } if context.filesystem.is_empty() => times - 1.0,
        CacheVerdict::Foreign { times } => {
            let ios = finding.signs.iter().map(|sign| match sign {
                CacheSign::OtherDirection { ios, .. } => *ios,
                _ => 0.0,
            });
            ios.fold(times, f64::max)
        }
        _ => 0.0,
    };
    findings.iter().map(of).fold(0.0, f64::max)
}

fn seconds(result: &RunResult) -> f64 {
    result.jobs.iter().map(|job| job.runtime_ms).max().unwrap_or(0) as f64 / 1e3
}

/// Bytes that the jobs moved, ramp included, as counters see the ramp too.
pub(super) fn issued(result: &RunResult, direction: Direction) -> u64 {
    let intervals = result.jobs.iter().flat_map(|job| &job.series.intervals);
    let with_ramp: u64 = intervals.map(|interval| interval.bytes[direction]).sum();
    let measured: u64 = result.jobs.iter().map(|job| job.dirs[direction].io_bytes).sum();
    with_ramp.max(measured)
}

/// I/Os that the jobs did, ramp included.
pub(super) fn issued_ios(result: &RunResult, direction: Direction) -> u64 {
    let intervals = result.jobs.iter().flat_map(|job| &job.series.intervals);
    let with_ramp: u64 = intervals.map(|interval| interval.ios[direction]).sum();
    let measured: u64 = result.jobs.iter().map(|job| job.dirs[direction].total_ios).sum();
    with_ramp.max(measured)
}

/// A counter's value. Only for one disk below the file system: the distribution of I/O over a pool
/// or a mirror is unknown here.
fn seen(result: &RunResult, direction: Direction, context: &Context) -> Option<CounterBytes> {
    if let (Medium::Network, Some(mount)) = (context.medium, &context.mount) {
        return Some(if direction == Direction::Read { mount.read } else { mount.written });
    }
    match result.disks.as_slice() {
        [disk] if disk.aggregate.is_none() => Some(seen_by(disk, direction)),
        _ => None,
    }
}

/// The I/O of the only disk in the direction that the job does not use, as a share of the job's
/// I/O.
fn other(result: &RunResult, direction: Direction, issued_bytes: u64) -> Option<ForeignBytes> {
    let [disk] = result.disks.as_slice() else { return None };
    let (direction, ios, sectors) = match direction {
        Direction::Read => (Direction::Write, disk.ios.1, disk.sectors.1),
        _ => (Direction::Read, disk.ios.0, disk.sectors.0),
    };
    let has_none = issued(result, direction) == 0;
    let issued_ios: u64 =
        result.jobs.iter().flat_map(|job| job.dirs.iter()).map(|(_, stats)| stats.total_ios).sum();
    // A file system's own records are a few I/Os a second, however slow the volume is.
    let is_much = ios as f64 >= LEAST_OTHER_IOPS * seconds(result);
    (has_none && is_much && disk.aggregate.is_none() && issued_ios > 0).then(|| ForeignBytes {
        direction,
        ios: ios as f64 / issued_ios as f64,
        bytes: sectors.saturating_mul(512) as f64 / issued_bytes as f64,
    })
}

pub(super) fn seen_by(disk: &DiskUtil, direction: Direction) -> CounterBytes {
    let (sectors, merges) = match direction {
        Direction::Read => (disk.sectors.0, disk.merges.0),
        _ => (disk.sectors.1, disk.merges.1),
    };
    CounterBytes { by: ByteCounter::Device, bytes: sectors.saturating_mul(512), merges }
}
