//! Which I/O comes next: offsets, sizes, mixes, pacing and buffer content. Pure and seeded.
//!
//! [`Workload`] yields the I/Os of one pass of one clone, then `None`; [`Workload::restart`]
//! begins another. It knows nothing of time, kernels or files: the loop in `run` asks it, a
//! [`Pacer`] says when, a [`BufferFiller`] what is written. All three are functions of the job
//! and a seed, so a run can be had again from what its result states.
//!
//! Two ways lead to the next I/Os: [`fixed`] for one file, one block size, sequential or evenly
//! random, where nearly every job and every record attempt lies; [`general`] for all else. Both
//! make them a [`Batch`] at a time, so that the loop's way to the next I/O is a few loads.
#![forbid(unsafe_code)]

mod batch;
mod buffers;
mod fixed;
mod general;
mod map;
mod minimum;
mod pace;
mod paced;
mod paced_mix;
mod permutation;
mod plan;
mod rng;
mod service;
mod sizes;
mod skew;

use batch::Batch;
pub use buffers::BufferFiller;
use fathom_job::JobSpec;
use fathom_vocab::Direction;
use fixed::Fixed;
use general::General;
pub use minimum::Shortfall;
pub use pace::{Pacer, Unpaced};
pub use paced::{Paced, paced_for};
pub use paced_mix::{NextIo, PacedMix};
pub use rng::{Rng, Stream, mix64, seed_for, subseed};

/// The bytes of one file in which a job does I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileExtent {
    /// First byte.
    pub start: u64,
    /// How many bytes; I/O never ends beyond `start + len`.
    pub len: u64,
}

/// One I/O of the workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    /// What it does.
    pub dir: Direction,
    /// Which file, an index into the extents given.
    pub file: u32,
    /// Where in the file, in bytes.
    pub offset: u64,
    /// How many bytes.
    pub len: u32,
}

/// Why a workload cannot be made of a job.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// Nothing fits.
    #[error("{0}")]
    Unfit(String),
}

/// The sequence of I/Os of one clone of a job.
#[derive(Clone, Debug)]
pub struct Workload {
    batch: Batch,
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Fixed(Box<Fixed>),
    General(Box<General>),
}

impl Workload {
    /// The workload of `job` over `files`; the same seed gives the same sequence.
    ///
    /// # Errors
    /// Where no block of the job fits into any file, or a random map would take too much memory.
    pub fn new(job: &JobSpec, files: &[FileExtent], seed: u64) -> Result<Workload, WorkloadError> {
        let plan = plan::Plan::new(job, files)?;
        if let Some(quick) = plan.quick() {
            return Ok(Workload::of(Way::Fixed(Box::new(plan.fixed(&quick, seed)))));
        }
        Ok(Workload::of(Way::General(Box::new(plan.general(seed)?))))
    }

    /// The same by the general way, whatever the job.
    #[cfg(test)]
    fn new_general(job: &JobSpec, files: &[FileExtent], seed: u64) -> Workload {
        let plan = plan::Plan::new(job, files).expect("a fitting job");
        Workload::of(Way::General(Box::new(plan.general(seed).expect("a map that fits"))))
    }

    fn of(way: Way) -> Workload {
        Workload { batch: Batch::default(), way }
    }

    /// The next I/O, or `None` when the pass is over: the amount asked for (`size`, `io_size`,
    /// `number_ios`) has been issued, or no further block fits. It stays `None` until
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
    /// It is an I/O only where [`Workload::is_ready`] said so just before: in the loop the two
    /// are apart, because making I/Os takes time and a look at the clock.
    #[inline(always)]
    pub fn take(&mut self) -> Io {
        self.batch.take()
    }

    /// Makes the next I/Os once those made are used up: `false` when the pass is over.
    pub fn refill(&mut self) -> bool {
        match &mut self.way {
            Way::Fixed(fixed) => fixed.make(&mut self.batch),
            Way::General(general) => self.batch.fill_with(|| general.next_io()),
        }
        self.batch.is_ready()
    }

    /// Whether reads and writes are mixed, so that a choice between them can be made.
    pub fn is_mixed(&self) -> bool {
        let mix = match &self.way {
            Way::Fixed(fixed) => fixed.mix(),
            Way::General(general) => general.mix(),
        };
        mix.only().is_none()
    }

    /// Draws a direction by the job's mix.
    fn draw_direction(&mut self) -> Direction {
        match &mut self.way {
            Way::Fixed(fixed) => fixed.mix_mut().next(),
            Way::General(general) => general.mix_mut().next(),
        }
    }

    /// The next I/O, of a direction that was chosen elsewhere (see [`PacedMix`]). A workload is
    /// asked so for all of its I/Os or for none: those made ahead would come out of their order.
    fn next_of(&mut self, dir: Direction) -> Option<Io> {
        match &mut self.way {
            Way::Fixed(fixed) => fixed.next_of(dir),
            Way::General(general) => general.next_of(dir),
        }
    }

    /// Begins another pass (`loops`, `time_based`). As in fio it goes on where the last pass
    /// stopped: after a pass over everything, that is the first block, or a new random order;
    /// after one cut short by `io_size` or `number_ios`, what has not had its turn yet.
    pub fn restart(&mut self) {
        match &mut self.way {
            Way::Fixed(fixed) => fixed.restart(),
            Way::General(general) => general.restart(),
        }
    }

    /// How many bytes a pass issues (trims of `trimwrite` not counted): exact for one file and
    /// one block size, else the limit that ends the pass. For progress.
    pub fn pass_bytes(&self) -> u64 {
        match &self.way {
            Way::Fixed(fixed) => fixed.pass().1,
            Way::General(general) => general.pass_bytes(),
        }
    }
}

#[cfg(test)]
mod tests;
