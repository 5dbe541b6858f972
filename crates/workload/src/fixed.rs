//! The quick way: one file, one block size, sequential or evenly random.
//!
//! Most jobs are this one, and at ten million I/Os a second the choice of an offset is a fair
//! part of the program's cost. So the pass is counted down in I/Os, worked out beforehand, and
//! I/Os are made a batch at a time: a tight loop for each order keeps its constants in registers
//! and needs no branch that the processor would guess wrongly (a range just above a power of two
//! passes over every other value of its order: 13 ns an I/O one by one, a third of it in
//! batches). A batch never reaches beyond a pass. What it yields is the same, I/O for I/O, as
//! the general way; a test holds them together.

use crate::batch::{BATCH, Batch};
use crate::permutation::{Permutation, pass_key};
use crate::rng::{Rng, Stream, subseed};
use crate::{FileExtent, Io};
use fathom_vocab::Direction;

/// Which direction the next I/O has.
#[derive(Clone, Debug)]
pub(crate) enum Mix {
    /// Always this one.
    Only(Direction),
    /// A read where a draw is below the bound, else a write. Each I/O is drawn by itself, as
    /// fio does, so the share converges but is not exact.
    ReadBelow(u64, Rng),
}

impl Mix {
    /// A mix of `read_percent` reads among reads and writes.
    pub(crate) fn percent(read_percent: u8, seed: u64) -> Mix {
        match read_percent {
            0 => Mix::Only(Direction::Write),
            100.. => Mix::Only(Direction::Read),
            share => {
                let bound = (u128::from(share) << 64) / 100;
                Mix::ReadBelow(bound as u64, Rng::new(seed, Stream::Mix))
            }
        }
    }

    /// The direction, if there is only one.
    pub(crate) fn only(&self) -> Option<Direction> {
        match self {
            Mix::Only(dir) => Some(*dir),
            Mix::ReadBelow(..) => None,
        }
    }

    /// Draws a direction.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Direction {
        match self {
            Mix::Only(dir) => *dir,
            Mix::ReadBelow(bound, rng) => Mix::draw(*bound, rng),
        }
    }

    #[inline(always)]
    fn draw(bound: u64, rng: &mut Rng) -> Direction {
        if rng.next_u64() < bound { Direction::Read } else { Direction::Write }
    }
}

/// Which block comes next.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// One after another; reads and writes each have a place of their own, and start over
    /// together when one of them has come to the end (as fio does).
    Sequential([u64; 3]),
    /// Each block once a round.
    Permuted { blocks: Permutation, left: u64, round: u64 },
    /// Drawn afresh each time.
    Drawn(Rng),
}

/// How many I/Os of `block` bytes a pass has that issues `limit` bytes over `blocks` blocks.
///
/// I/Os are issued until `limit` is reached, so the last may overshoot it; but another round
/// over the blocks is not begun for less than a block.
pub(crate) fn ios_of_rounds(limit: u64, block: u64, blocks: u64) -> u64 {
    let round = blocks * block;
    let (rounds, rest) = (limit / round, limit % round);
    rounds * blocks + if rest >= block || rounds == 0 { rest.div_ceil(block) } else { 0 }
}

/// State of the quick way.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    block: u32,
    /// I/Os of the pass that are not made yet.
    left: u64,
    start: u64,
    mix: Mix,
    order: Order,
    blocks: u64,
    ios_a_pass: u64,
    seed: u64,
}

/// What kind of order is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderKind {
    Sequential,
    Permuted,
    Drawn,
}

impl Fixed {
    /// The workload over `file` in blocks of `block` bytes, of which at least one must fit.
    pub(crate) fn new(
        file: FileExtent,
        block: u32,
        kind: OrderKind,
        mix: Mix,
        limit: Limit,
        seed: u64,
    ) -> Fixed {
        let blocks = file.len / u64::from(block);
        let mut fixed = Fixed {
            block,
            left: 0,
            start: file.start,
            mix,
            order: Order::Sequential([0; 3]),
            blocks,
            ios_a_pass: 0,
            seed,
        };
        let by_bytes = match kind {
            OrderKind::Drawn => limit.bytes.div_ceil(u64::from(block)),
            _ => ios_of_rounds(limit.bytes, u64::from(block), blocks),
        };
        fixed.ios_a_pass = by_bytes.min(limit.ios);
        fixed.left = fixed.ios_a_pass;
        fixed.order = match kind {
            OrderKind::Sequential => Order::Sequential([0; 3]),
            OrderKind::Drawn => Order::Drawn(Rng::new(seed, Stream::Offsets)),
            OrderKind::Permuted => {
                Order::Permuted { blocks: round_order(blocks, seed, 0, 0), left: blocks, round: 0 }
            }
        };
        fixed
    }

    /// I/Os and bytes of a pass.
    pub(crate) fn pass(&self) -> (u64, u64) {
        (self.ios_a_pass, self.ios_a_pass.saturating_mul(u64::from(self.block)))
    }

    /// Makes the next I/Os; none where the pass is over.
    pub(crate) fn make(&mut self, batch: &mut Batch) {
        let made = self.left.min(BATCH as u64) as usize;
        self.left -= made as u64;
        batch.renew(made);
        batch.lens[..made].fill(self.block);
        let (dirs, offsets) = (&mut batch.dirs[..made], &mut batch.offsets[..made]);
        match &mut self.mix {
            Mix::Only(dir) => dirs.fill(*dir),
            Mix::ReadBelow(bound, rng) => dirs.fill_with(|| Mix::draw(*bound, rng)),
        }
        match &mut self.order {
            Order::Sequential(places) if self.mix.only().is_some() => {
                count_on(&mut places[0], self.blocks, offsets);
            }
            Order::Sequential(places) => step_on(places, self.blocks, dirs, offsets),
            Order::Drawn(rng) => offsets.fill_with(|| rng.below(self.blocks)),
            Order::Permuted { .. } => self.make_permuted(offsets),
        }
        self.number_to_offset(offsets);
    }

    /// From numbers of blocks to bytes.
    fn number_to_offset(&self, offsets: &mut [u64]) {
        if self.block.is_power_of_two() {
            // Two at a time, which no multiplication of the kind is.
            let shift = self.block.trailing_zeros();
            for offset in offsets {
                *offset = self.start + (*offset << shift);
            }
        } else {
            for offset in offsets {
                *offset = self.start + *offset * u64::from(self.block);
            }
        }
    }

    fn make_permuted(&mut self, offsets: &mut [u64]) {
        let mut done = 0;
        while done < offsets.len() {
            let Order::Permuted { blocks, left, round } = &mut self.order else { return };
            if *left == 0 {
                *round += 1;
                *blocks = round_order(self.blocks, self.seed, 0, *round);
                *left = self.blocks;
            }
            let count = (offsets.len() - done).min(usize::try_from(*left).unwrap_or(usize::MAX));
            *left -= count as u64;
            blocks.fill(&mut offsets[done..done + count]);
            done += count;
        }
    }

    /// How directions are chosen.
    pub(crate) fn mix(&self) -> &Mix {
        &self.mix
    }

    /// The same, to draw one.
    pub(crate) fn mix_mut(&mut self) -> &mut Mix {
        &mut self.mix
    }

    /// The next I/O, of this direction; none where the pass is over.
    pub(crate) fn next_of(&mut self, dir: Direction) -> Option<Io> {
        self.left = self.left.checked_sub(1)?;
        let mut offset = [0];
        match &mut self.order {
            Order::Sequential(places) => step_on(places, self.blocks, &[dir], &mut offset),
            Order::Drawn(rng) => offset[0] = rng.below(self.blocks),
            Order::Permuted { .. } => self.make_permuted(&mut offset),
        }
        self.number_to_offset(&mut offset);
        Some(Io { dir, file: 0, offset: offset[0], len: self.block })
    }

    /// Begins another pass, where the last one left off.
    pub(crate) fn restart(&mut self) {
        self.left = self.ios_a_pass;
    }
}

/// The next blocks, starting over at the end.
fn count_on(place: &mut u64, blocks: u64, out: &mut [u64]) {
    for number in out {
        *place = if *place == blocks { 0 } else { *place };
        *number = *place;
        *place += 1;
    }
}

/// The next block of each direction in turn; where one has come to the end, all start over.
fn step_on(places: &mut [u64; 3], blocks: u64, dirs: &[Direction], out: &mut [u64]) {
    for (dir, number) in dirs.iter().zip(out) {
        if places[dir.index()] == blocks {
            *places = [0; 3];
        }
        *number = places[dir.index()];
        places[dir.index()] += 1;
    }
}

/// The order of round `number` over the blocks of file `file`.
pub(crate) fn round_order(blocks: u64, seed: u64, file: u32, number: u64) -> Permutation {
    Permutation::new(blocks, pass_key(subseed(seed, Stream::Permutation as u64), file, number))
}

/// How much a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// Issue until this many bytes are reached.
    pub(crate) bytes: u64,
    /// Stop after this many I/Os.
    pub(crate) ios: u64,
}
