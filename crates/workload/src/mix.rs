//! The direction of the next I/O of a job that reads and writes.

use crate::rng::{Rng, Stream};
use fathom_vocab::Direction;

/// The direction of the next I/O.
#[derive(Clone, Debug)]
pub(crate) enum DirectionMix {
    /// Always this one.
    Only(Direction),
    /// A read if a draw is below the bound, otherwise a write. Each I/O is drawn by itself, as in
    /// fio, so the share converges but is not exact.
    ReadBelow(u64, Rng),
}

impl DirectionMix {
    /// A mix of `read_percent` reads among reads and writes.
    pub(crate) fn percent(read_percent: u8, seed: u64) -> DirectionMix {
        match read_percent {
            0 => DirectionMix::Only(Direction::Write),
            100.. => DirectionMix::Only(Direction::Read),
            share => {
                let bound = (u128::from(share) << 64) / 100;
                DirectionMix::ReadBelow(bound as u64, Rng::new(seed, Stream::Mix))
            }
        }
    }

    /// The direction, if there is only one.
    pub(crate) fn only(&self) -> Option<Direction> {
        match self {
            DirectionMix::Only(dir) => Some(*dir),
            DirectionMix::ReadBelow(..) => None,
        }
    }

    /// Draws a direction.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Direction {
        match self {
            DirectionMix::Only(dir) => *dir,
            DirectionMix::ReadBelow(bound, rng) => DirectionMix::draw(*bound, rng),
        }
    }

    #[inline(always)]
    pub(crate) fn draw(bound: u64, rng: &mut Rng) -> Direction {
        if rng.next_u64() < bound { Direction::Read } else { Direction::Write }
    }
}
