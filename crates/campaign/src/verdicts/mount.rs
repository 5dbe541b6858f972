//! The counters of the kernel's NFS client for a run's mount, compared with the run.

use super::context::Context;
use super::data::issued_ios;
use fathom_analysis::{Medium, MountFinding, MountInputs, MountIos, find_mount};
use fathom_stats::RunResult;
use fathom_vocab::Direction;

/// The findings from its counters; none without a network mount.
pub(super) fn answers(result: &RunResult, context: &Context) -> Vec<MountFinding> {
    let Some(mount) = context.mount.as_ref().filter(|_| context.medium == Medium::Network) else {
        return Vec::new();
    };
    let ways = [Direction::Read, Direction::Write].into_iter();
    let ios = ways.map(|direction| MountIos {
        direction,
        ios: issued_ios(result, direction),
        mean_ns: mean_ns(result, direction),
        block_bytes: context.block_bytes,
        call_bytes: match direction {
            Direction::Read => mount.read_call_bytes,
            _ => mount.write_call_bytes,
        },
    });
    find_mount(&MountInputs {
        calls: mount.calls.clone(),
        transports: mount.transports,
        ios: ios.collect(),
    })
}

fn mean_ns(result: &RunResult, direction: Direction) -> Option<f64> {
    let moments = result.jobs.iter().map(|job| &job.dirs[direction].clat.moments);
    let (count, sum) = moments
        .fold((0, 0.0), |(count, sum), of| (count + of.count, sum + of.mean() * of.count as f64));
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests;
