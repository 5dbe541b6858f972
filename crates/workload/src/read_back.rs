//! The second pass of a job that verifies: its writes once more, as reads.
//!
//! The choice of I/Os is a function of the job and its seed, so that the pass is replayed rather
//! than logged: while a job writes, nothing is remembered but how many writes there were. Where no
//! place is written twice, the replay is read as it comes. Otherwise it is gone through once
//! beforehand, and a table of about fifty bytes for each block has the last write to each place.
//! Of blocks that overlap another in part, only the last is read. Which of two writes that were in
//! flight at once arrived last is unknown: either may be there, and if they overlap in part,
//! neither is read.

use crate::batch::IoBatch;
use crate::generator::Generator;
use crate::io::{FileExtent, Io, WorkloadError};
use crate::mix::DirectionMix;
use crate::plan::WorkloadPlan;
use crate::verify::ExpectedWrite;
use crate::{OpenChange, Workload};
use fathom_job::JobSpec;
use fathom_vocab::Direction;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// The reads that check the first writes of a job.
#[derive(Debug)]
pub struct ReadBack {
    /// The reads.
    pub workload: Workload,
    /// The write that each of them shall find; empty if they come in the order of the writes.
    expected: Vec<ExpectedWrite>,
}

impl ReadBack {
    /// The reads that check the first `writes` of `job` over `files`, or all of its passes if they
    /// are fewer.
    ///
    /// # Errors
    /// As of [`Workload::new`].
    pub fn new(
        job: &JobSpec,
        files: &[FileExtent],
        seed: u64,
        writes: u64,
    ) -> Result<ReadBack, WorkloadError> {
        let once = WorkloadPlan::new(job, files)?.writes_once(job);
        let source = Workload::new(job, files, seed)?;
        let passes_left = if writes == u64::MAX { job.extent.loops } else { u64::MAX };
        let replay = Replay { source, left: writes, passes_left };
        if once {
            let workload = Workload::of(Box::new(Reads { next: replay, mix: READS }));
            return Ok(ReadBack { workload, expected: Vec::new() });
        }
        let writes = (0..).zip(replay).map(|(number, io)| (io, ExpectedWrite::only(number)));
        Ok(ReadBack::of_list(last_writes(writes, depth_of(job))))
    }

    /// The reads that check the `count` oldest of these writes of `job`, which are in their order.
    /// The others are left; those that others overwrote are not.
    pub fn of_oldest(
        job: &JobSpec,
        writes: &mut Vec<(Io, ExpectedWrite)>,
        count: usize,
    ) -> ReadBack {
        let mut last = last_writes(std::mem::take(writes).into_iter(), depth_of(job));
        *writes = last.split_off(count.min(last.len()));
        ReadBack::of_list(last)
    }

    fn of_list(reads: Vec<(Io, ExpectedWrite)>) -> ReadBack {
        let (reads, expected): (Vec<Io>, _) = reads.into_iter().unzip();
        let workload = Workload::of(Box::new(Reads { next: reads.into_iter(), mix: READS }));
        ReadBack { workload, expected }
    }

    /// The write that read number `n` shall find.
    pub fn expected(&self, n: u64) -> ExpectedWrite {
        let listed = self.expected.get(usize::try_from(n).unwrap_or(usize::MAX));
        listed.copied().unwrap_or(ExpectedWrite::only(n))
    }
}

/// How many writes may have been in flight at once.
fn depth_of(job: &JobSpec) -> u64 {
    if job.engine.engine.is_sync() { 1 } else { job.engine.iodepth.into() }
}

const READS: DirectionMix = DirectionMix::Only(Direction::Read);

/// A job's writes in their order, as reads.
#[derive(Debug)]
struct Replay {
    source: Workload,
    left: u64,
    passes_left: u64,
}

impl Iterator for Replay {
    type Item = Io;

    fn next(&mut self) -> Option<Io> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let io = self.source.next_io().or_else(|| {
                self.passes_left = self.passes_left.checked_sub(1).filter(|left| *left > 0)?;
                self.source.restart();
                self.source.next_io()
            })?;
            if io.dir == Direction::Write {
                return Some(Io { dir: Direction::Read, ..io });
            }
        }
    }
}

/// A list of reads as a workload.
#[derive(Debug)]
struct Reads<I> {
    next: I,
    mix: DirectionMix,
}

impl<I: Iterator<Item = Io> + Debug + Send> Generator for Reads<I> {
    fn make(&mut self, batch: &mut IoBatch) {
        batch.fill_with(|| self.next.next());
    }

    fn next_of(&mut self, _dir: Direction) -> Option<Io> {
        self.next.next()
    }

    fn mix(&self) -> &DirectionMix {
        &self.mix
    }

    fn mix_mut(&mut self) -> &mut DirectionMix {
        &mut self.mix
    }

    fn restart(&mut self) {}

    fn take_open_changes(&mut self) -> Vec<OpenChange> {
        Vec::new()
    }

    fn pass_bytes(&self) -> u64 {
        0
    }
}

/// The last write to each place.
#[derive(Clone, Copy)]
struct LastWrite {
    len: u32,
    expected: ExpectedWrite,
    /// What is there is unknown.
    is_lost: bool,
}

/// The blocks to be read, in the order of their last writes, of which `depth` may be in flight at
/// once.
fn last_writes(
    writes: impl Iterator<Item = (Io, ExpectedWrite)>,
    depth: u64,
) -> Vec<(Io, ExpectedWrite)> {
    let mut places: BTreeMap<(u32, u64), LastWrite> = BTreeMap::new();
    for (io, expected) in writes {
        let number = expected.number;
        let mut last = LastWrite { len: io.len, expected, is_lost: false };
        for (at, before) in take_overlapped(&mut places, &io) {
            if before.expected.number + depth <= number {
                continue;
            }
            let is_same = at == (io.file, io.offset) && before.len == io.len;
            last.is_lost |= before.is_lost || !is_same;
            let oldest = (number + 1).saturating_sub(depth);
            last.expected.since = before.expected.since.max(oldest).min(last.expected.since);
        }
        places.insert((io.file, io.offset), last);
    }
    let sound = places.into_iter().filter(|(_, last)| !last.is_lost);
    let mut reads: Vec<(Io, ExpectedWrite)> = sound
        .map(|((file, offset), last)| {
            (Io { dir: Direction::Read, file, offset, len: last.len }, last.expected)
        })
        .collect();
    reads.sort_unstable_by_key(|(_, expected)| expected.number);
    reads
}

/// Takes the places out that an I/O overlaps.
fn take_overlapped(
    places: &mut BTreeMap<(u32, u64), LastWrite>,
    io: &Io,
) -> Vec<((u32, u64), LastWrite)> {
    let end = (io.file, io.offset + u64::from(io.len));
    // Places don't overlap one another, so that all but those that overlap come before.
    let mut overlapped = Vec::new();
    while let Some((&at, &last)) = places.range(..end).next_back() {
        if at.0 != io.file || at.1 + u64::from(last.len) <= io.offset {
            break;
        }
        places.remove(&at);
        overlapped.push((at, last));
    }
    overlapped
}

#[cfg(test)]
mod tests;
