//! The kernel's counters of the only disk below a run, if it did the run's I/O and no other.

use super::client;
use super::data::{issued, seen_by};
use fathom_analysis::DeviceTime;
use fathom_stats::{DiskUtil, RunResult};
use fathom_vocab::Direction;

/// How far a disk's bytes may be off the run's and still be the run's alone.
const OWN: f64 = 0.03;

/// How long the disk took for an I/O, and how busy it and the jobs were.
pub(super) fn time(result: &RunResult) -> Option<DeviceTime> {
    let disk = own_disk(result)?;
    let ios = disk.ios.0 + disk.ios.1;
    let threads = result.jobs.iter().map(client::busy);
    let busiest_thread = threads.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)?;
    (ios > 0).then(|| DeviceTime {
        service_ns: disk.in_queue_ms as f64 * 1e6 / ios as f64,
        busy: disk.util_percent / 100.0,
        busiest_thread,
    })
}

/// The only disk, where its bytes are those of the jobs.
pub(super) fn own_disk(result: &RunResult) -> Option<&DiskUtil> {
    let [disk] = result.disks.as_slice() else { return None };
    let is_own = |direction| {
        let (own, seen) = (issued(result, direction) as f64, seen_by(disk, direction).bytes as f64);
        (seen - own).abs() <= OWN * own.max(seen)
    };
    let all = [Direction::Read, Direction::Write].into_iter().all(is_own);
    (disk.aggregate.is_none() && all).then_some(disk)
}
