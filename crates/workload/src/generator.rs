//! What makes the I/Os of a workload, and how much of them a pass has.
//!
//! A workload holds its generator as a trait object: it is asked once for each batch, so that the
//! call is not in the way, and another kind of workload is another implementation and no more.

use crate::batch::IoBatch;
use crate::io::Io;
use crate::mix::DirectionMix;
use fathom_vocab::Direction;
use std::fmt::Debug;

/// Makes I/Os, a pass at a time.
pub(crate) trait Generator: Debug + Send {
    /// Makes the next I/Os; none where the pass is over.
    fn make(&mut self, batch: &mut IoBatch);

    /// The next I/O, of this direction (of the other where this one has nothing left); none where
    /// the pass is over.
    fn next_of(&mut self, dir: Direction) -> Option<Io>;

    /// How directions are chosen.
    fn mix(&self) -> &DirectionMix;

    /// The same, to draw one.
    fn mix_mut(&mut self) -> &mut DirectionMix;

    /// Begins another pass, where the last one left off.
    fn restart(&mut self);

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
