//! The generator of a workload's I/Os, and the length of a pass.
//!
//! A workload has its generator as a trait object: it is called once for each batch, so that the
//! call costs little, and another kind of workload is another implementation.

use crate::batch::IoBatch;
use crate::io::{Io, OpenChange};
use crate::mix::DirectionMix;
use fathom_vocab::Direction;
use std::fmt::Debug;

/// Makes I/Os, a pass at a time.
pub(crate) trait Generator: Debug + Send {
    /// Makes the next I/Os; none if the pass is over.
    fn make(&mut self, batch: &mut IoBatch);

    /// The next I/O, of this direction (of the other if this one has nothing left); none if the
    /// pass is over.
    fn next_of(&mut self, dir: Direction) -> Option<Io>;

    /// How directions are chosen.
    fn mix(&self) -> &DirectionMix;

    /// The same, to draw one.
    fn mix_mut(&mut self) -> &mut DirectionMix;

    /// Begins another pass, where the last one stopped.
    fn restart(&mut self);

    /// From now on files are opened when their first I/O is due. Nothing to do for one file.
    fn open_on_use(&mut self) {}

    /// What changes before the I/Os made last.
    fn take_open_changes(&mut self) -> Vec<OpenChange> {
        Vec::new()
    }

    /// Bytes of a pass: exact, or the limit that ends it.
    fn pass_bytes(&self) -> u64;
}

/// How much a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PassLimit {
    /// Issue until this many bytes are reached.
    pub(crate) bytes: u64,
    /// Stop after this many I/Os.
    pub(crate) ios: u64,
}

impl PassLimit {
    /// By how much a pass of `issued` bytes exceeded the limit, which counts in the next pass, as
    /// in fio; but any pass has an I/O.
    pub(crate) fn overshoot(&self, issued: u64) -> u64 {
        issued.saturating_sub(self.bytes).min(self.bytes.saturating_sub(1))
    }
}
