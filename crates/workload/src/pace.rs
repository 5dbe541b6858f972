//! The due time of the next I/O.

use crate::minimum::Shortfall;
use fathom_vocab::Direction;

/// Sets the due times of I/Os. All times are nanoseconds since the job's start.
pub trait Pacer {
    /// False if every I/O is due at once, so that the loop need not check.
    const PACED: bool;

    /// Puts the due times of the next I/Os, of these directions and lengths, into a list, each
    /// once: how many are certain, at least one. Later ones depend on what happens until then.
    fn make_due_times(
        &mut self,
        dirs: &[Direction],
        lens: &[u32],
        now_ns: u64,
        into: &mut [u64],
    ) -> usize;

    /// The due time of the next I/O of this direction: the same answer until [`Pacer::take_due_ns`]
    /// takes it. All I/Os of a pacer must use this method, or all
    /// [`Pacer::make_due_times`].
    #[inline(always)]
    fn peek_due_ns(&mut self, _dir: Direction, _len: u32, now_ns: u64) -> u64 {
        now_ns
    }

    /// Takes the next I/O of this direction.
    #[inline(always)]
    fn take_due_ns(&mut self, _dir: Direction) {}

    /// Whether due times follow a schedule independent of the I/Os, so that waiting counts from
    /// them; not so if there are only pauses.
    #[inline(always)]
    fn is_schedule(&self) -> bool {
        false
    }

    /// Whether the due time of the next I/O depends on a completion (`thinktime` counts
    /// completions). Called before a due time is asked; while true, the loop reaps.
    #[inline(always)]
    fn holds_back(&self) -> bool {
        false
    }

    /// Until when a wait burns CPU rather than sleeps (`thinktime_spin`); 0 or the past is never.
    #[inline(always)]
    fn spin_until_ns(&self) -> u64 {
        0
    }

    /// Whether a direction fell below its minimum rate.
    #[inline(always)]
    fn below_minimum(&self) -> Option<Shortfall> {
        None
    }

    /// Called when an I/O was issued.
    fn issued(&mut self, dir: Direction, len: u32, now_ns: u64);

    /// Called when an I/O has completed.
    fn completed(&mut self, dir: Direction, len: u32, now_ns: u64);
}

/// At full speed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unpaced;

impl Pacer for Unpaced {
    const PACED: bool = false;

    fn make_due_times(&mut self, _: &[Direction], _: &[u32], _: u64, _: &mut [u64]) -> usize {
        1
    }

    #[inline(always)]
    fn issued(&mut self, _: Direction, _: u32, _: u64) {}

    #[inline(always)]
    fn completed(&mut self, _: Direction, _: u32, _: u64) {}
}
