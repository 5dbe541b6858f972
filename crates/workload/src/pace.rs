//! When the next I/O is due.

use crate::minimum::Shortfall;
use fathom_vocab::Direction;

/// Says when I/Os are due. All times are nanoseconds since the job's start.
pub trait Pacer {
    /// False where every I/O is due at once, so that the loop need not ask.
    const PACED: bool;

    /// When the next I/O, of this direction and length, is due; asked once for each I/O.
    fn due_ns(&mut self, dir: Direction, len: u32, now_ns: u64) -> u64;

    /// When the next I/O of this direction is due: the same answer until [`Pacer::take_due_ns`]
    /// takes it. A pacer is asked so for all of its I/Os or by [`Pacer::due_ns`] for all.
    #[inline(always)]
    fn peek_due_ns(&mut self, _dir: Direction, _len: u32, now_ns: u64) -> u64 {
        now_ns
    }

    /// The next I/O of this direction has its turn: its due moment is over.
    #[inline(always)]
    fn take_due_ns(&mut self, _dir: Direction) {}

    /// Whether due moments are those of a schedule that goes on whatever becomes of the I/Os, so
    /// that waiting counts from them; not so where there are only pauses.
    #[inline(always)]
    fn is_schedule(&self) -> bool {
        false
    }

    /// Whether the next I/O has to wait for one in flight to complete before it can be said when
    /// it is due (`thinktime` counts completions). Asked before [`Pacer::due_ns`]; while true,
    /// the loop reaps.
    #[inline(always)]
    fn holds_back(&self) -> bool {
        false
    }

    /// Until when a wait burns CPU rather than sleeps (`thinktime_spin`); 0 or the past is never.
    #[inline(always)]
    fn spin_until_ns(&self) -> u64 {
        0
    }

    /// Whether a direction fell below its least rate over the last cycle; asked now and then.
    #[inline(always)]
    fn below_minimum(&mut self, _now_ns: u64) -> Option<Shortfall> {
        None
    }

    /// Told when an I/O was issued.
    fn issued(&mut self, dir: Direction, len: u32, now_ns: u64);

    /// Told when an I/O has completed.
    fn completed(&mut self, dir: Direction, len: u32, now_ns: u64);
}

/// As fast as it goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unpaced;

impl Pacer for Unpaced {
    const PACED: bool = false;

    #[inline(always)]
    fn due_ns(&mut self, _: Direction, _: u32, _: u64) -> u64 {
        0
    }

    #[inline(always)]
    fn issued(&mut self, _: Direction, _: u32, _: u64) {}

    #[inline(always)]
    fn completed(&mut self, _: Direction, _: u32, _: u64) {}
}
