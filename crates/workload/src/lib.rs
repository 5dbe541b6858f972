//! The choice of the next I/O: offsets, sizes, mixes, pacing and buffer content. Pure and seeded.
//!
//! [`Workload`] yields the I/Os of one pass of one clone, then `None`; [`Workload::restart`] begins
//! another. It knows nothing of time, kernels or files: the loop in `run` calls it, a [`Pacer`]
//! sets due times, a [`BufferFiller`] the written content. All three are functions of the job and a
//! seed, so a run can be repeated from its result.
//!
//! Two generators make the next I/Os: [`fixed`] for one file, one block size, sequential or evenly
//! random, which covers nearly every job and all record attempts; [`general`] for all others. Both
//! make them a [`IoBatch`] at a time, so that the loop reads the next I/O with a few loads.
#![forbid(unsafe_code)]

mod batch;
mod buffers;
mod fixed;
mod general;
mod generator;
mod io;
mod map;
mod minimum;
mod mix;
mod open_changes;
mod pace;
mod paced;
mod paced_mix;
mod permutation;
mod plan;
mod read_back;
mod rng;
mod service;
mod sizes;
mod skew;
mod verify;

use batch::IoBatch;
pub use buffers::BufferFiller;
use fathom_job::JobSpec;
use fathom_vocab::Direction;
use generator::Generator;
pub use io::{FileExtent, Io, OpenChange, WorkloadError};
pub use minimum::Shortfall;
pub use pace::{Pacer, Unpaced};
pub use paced::{Paced, paced_for};
pub use paced_mix::{NextIo, PacedMix};
pub use read_back::ReadBack;
pub use rng::{Rng, Stream, seed_for, subseed};
pub use verify::{BlockFault, ExpectedWrite, FaultKind, Verifier};

/// The sequence of I/Os of one clone of a job.
#[derive(Debug)]
pub struct Workload {
    batch: IoBatch,
    generator: Box<dyn Generator>,
}

impl Workload {
    /// The workload of `job` over `files`; the same seed gives the same sequence.
    ///
    /// # Errors
    /// If no block of the job fits into any file, or a random map would take too much memory.
    pub fn new(job: &JobSpec, files: &[FileExtent], seed: u64) -> Result<Workload, WorkloadError> {
        let plan = plan::WorkloadPlan::new(job, files)?;
        Ok(Workload::of(match plan.quick() {
            Some(quick) => Box::new(plan.fixed(&quick, seed)),
            None => Box::new(plan.general(seed)?),
        }))
    }

    /// Checks a job against its files, as `new` does.
    ///
    /// # Errors
    /// As `new`.
    pub fn check(job: &JobSpec, files: &[FileExtent]) -> Result<(), WorkloadError> {
        plan::WorkloadPlan::new(job, files).map(drop)
    }

    /// Index of the first file of which `tausworthe`, the default generator, cannot reach every
    /// block with its 32 bits; none if the job's offsets come from elsewhere.
    pub fn file_beyond_tausworthe(job: &JobSpec, files: &[FileExtent]) -> Option<usize> {
        plan::WorkloadPlan::new(job, files).ok()?.file_beyond_tausworthe()
    }

    /// How many rounds over its files a job of several `loops` makes, if its `io_size` exceeds
    /// them: fio makes whole ones, until there were `loops` and `io_size` is reached. None where
    /// each loop does its own amount.
    pub fn rounds(job: &JobSpec, files: &[FileExtent]) -> Option<u64> {
        plan::WorkloadPlan::new(job, files).ok()?.rounds(job.extent.loops)
    }

    /// The same with the general generator, for any job.
    #[cfg(test)]
    fn new_general(job: &JobSpec, files: &[FileExtent], seed: u64) -> Workload {
        let plan = plan::WorkloadPlan::new(job, files).expect("a fitting job");
        Workload::of(Box::new(plan.general(seed).expect("a map that fits")))
    }

    /// How many I/Os are made at a time.
    pub const AHEAD: usize = batch::BATCH;

    fn of(generator: Box<dyn Generator>) -> Workload {
        Workload { batch: IoBatch::default(), generator }
    }

    /// The next I/O, or `None` when the pass is over: the requested amount (`size`, `io_size`,
    /// `number_ios`) was issued, or no further block fits. It stays `None` until
    /// [`Workload::restart`].
    pub fn next_io(&mut self) -> Option<Io> {
        (self.is_ready() || self.refill()).then(|| self.take())
    }

    /// Whether [`Workload::take`] has an I/O to give.
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        self.batch.is_ready()
    }

    /// The next I/O of those that are made.
    ///
    /// It is valid only directly after [`Workload::is_ready`] returned true: the loop calls them
    /// separately, because choosing I/Os takes time and a reading of the clock.
    #[inline(always)]
    pub fn take(&mut self) -> Io {
        self.batch.take()
    }

    /// Directions and lengths of the I/Os that are made and not taken: at most [`Workload::AHEAD`].
    pub fn ahead(&self) -> (&[Direction], &[u32]) {
        self.batch.ahead()
    }

    /// Makes the next I/Os once those made are used up: `false` when the pass is over.
    pub fn refill(&mut self) -> bool {
        self.generator.make(&mut self.batch);
        self.batch.is_ready()
    }

    /// From now on files are opened when their first I/O is due, and closed when they are done: see
    /// [`Workload::take_open_changes`]. Not for I/Os that a [`PacedMix`] chooses.
    pub fn open_on_use(&mut self) {
        self.generator.open_on_use();
    }

    /// The files to be closed and opened, in this order, before the I/Os of the last refill.
    pub fn take_open_changes(&mut self) -> Vec<OpenChange> {
        self.generator.take_open_changes()
    }

    /// Whether reads and writes are mixed, so that a choice between them can be made.
    pub fn is_mixed(&self) -> bool {
        self.generator.mix().only().is_none()
    }

    /// Draws a direction by the job's mix.
    fn draw_direction(&mut self) -> Direction {
        self.generator.mix_mut().next()
    }

    /// The next I/O, of a direction that was chosen elsewhere (see [`PacedMix`]). All I/Os of a
    /// workload must be taken in this way or none: those chosen ahead would otherwise be out of
    /// order.
    fn next_of(&mut self, dir: Direction) -> Option<Io> {
        self.generator.next_of(dir)
    }

    /// Begins another pass (`loops`, `time_based`). As in fio it continues where the last pass
    /// stopped: after a complete pass, at the first block, or with a new random order; after one
    /// cut short by `io_size` or `number_ios`, with the remaining blocks.
    pub fn restart(&mut self) {
        self.generator.restart();
    }

    /// How many bytes a pass issues (trims of `trimwrite` not counted): exact for one file and
    /// one block size, else the limit that ends the pass. For progress.
    pub fn pass_bytes(&self) -> u64 {
        self.generator.pass_bytes()
    }
}

#[cfg(test)]
mod tests;
