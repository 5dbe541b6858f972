//! Properties of whole sequences, for both generators.

use crate::{FileExtent, Io, Workload};
use fathom_job::{BlockSize, JobSize, JobSpec};
use fathom_vocab::{Direction, PerDirection};

mod modes;
mod observed;
mod once;
mod opened;

/// A job of reads, random or not, in blocks of `bs` bytes.
pub(crate) fn reads(random: bool, bs: u64) -> JobSpec {
    let mut job = JobSpec::default();
    job.pattern.rw.random = random;
    job.pattern.bs = PerDirection::splat(BlockSize::Fixed(bs));
    job
}

/// One file from `start` on.
pub(crate) fn file(start: u64, len: u64) -> FileExtent {
    FileExtent { start, len, file_len: start + len }
}

/// All I/Os of the pass at hand.
pub(crate) fn pass(workload: &mut Workload) -> Vec<Io> {
    std::iter::from_fn(|| workload.next_io()).collect()
}
