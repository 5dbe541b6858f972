//! The fast generator: one file, one block size, sequential or evenly random.
//!
//! Most jobs are of this kind, and at ten million I/Os a second the choice of an offset is a large
//! part of the program's cost. So the length of a pass in I/Os is calculated beforehand, and I/Os
//! are chosen a batch at a time: a tight loop for each order has its constants in registers and no
//! unpredictable branch (a range just above a power of two skips every other value of its order: 13
//! ns an I/O one by one, a third of it in batches). A batch never reaches beyond a pass. It yields
//! the same I/Os as the general generator; a test checks that.

use crate::batch::{BATCH, IoBatch};
use crate::generator::{Generator, PassLimit};
use crate::io::{FileExtent, Io};
use crate::mix::DirectionMix;
use crate::permutation::{Permutation, round_order};
use crate::rng::{Rng, Stream};
use fathom_vocab::Direction;

/// The order of blocks.
#[derive(Clone, Debug)]
pub(crate) enum BlockOrder {
    /// Sequential; reads and writes each have their own position, and restart together when one of
    /// them has reached the end (as in fio).
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

/// State of the fast generator.
#[derive(Clone, Debug)]
pub(crate) struct Fixed {
    block: u32,
    /// I/Os of the pass that are not made yet.
    left: u64,
    start: u64,
    mix: DirectionMix,
    order: BlockOrder,
    blocks: u64,
    ios_a_pass: u64,
    limit: PassLimit,
    /// Bytes by which the last pass exceeded the limit, which count in the next; none where a pass
    /// has whole rounds.
    overshoot: Option<u64>,
    seed: u64,
}

/// The kind of order.
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
        mix: DirectionMix,
        limit: PassLimit,
        seed: u64,
    ) -> Fixed {
        let blocks = file.len / u64::from(block);
        // A mix in order has no rounds: each direction goes on from its own place.
        let rounds =
            kind == OrderKind::Permuted || kind == OrderKind::Sequential && mix.only().is_some();
        let mut fixed = Fixed {
            block,
            left: 0,
            start: file.start,
            mix,
            order: BlockOrder::Sequential([0; 3]),
            blocks,
            ios_a_pass: 0,
            limit,
            overshoot: (!rounds).then_some(0),
            seed,
        };
        fixed.ios_a_pass = fixed.next_pass();
        fixed.left = fixed.ios_a_pass;
        fixed.order = match kind {
            OrderKind::Sequential => BlockOrder::Sequential([0; 3]),
            OrderKind::Drawn => BlockOrder::Drawn(Rng::new(seed, Stream::Offsets)),
            OrderKind::Permuted => BlockOrder::Permuted {
                blocks: round_order(blocks, seed, 0, 0),
                left: blocks,
                round: 0,
            },
        };
        fixed
    }

    /// I/Os of the next pass.
    fn next_pass(&mut self) -> u64 {
        let (PassLimit { bytes, ios }, block) = (self.limit, u64::from(self.block));
        let Some(overshoot) = &mut self.overshoot else {
            return ios_of_rounds(bytes, block, self.blocks).min(ios);
        };
        let count = bytes.saturating_sub(*overshoot).div_ceil(block).min(ios);
        *overshoot = self.limit.overshoot(count.saturating_mul(block).saturating_add(*overshoot));
        count
    }

    /// From numbers of blocks to bytes.
    fn number_to_offset(&self, offsets: &mut [u64]) {
        if self.block.is_power_of_two() {
            // Shifts vectorise (2 × u64); 64-bit multiplication does not.
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
            let BlockOrder::Permuted { blocks, left, round } = &mut self.order else { return };
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
}

impl Generator for Fixed {
    fn make(&mut self, batch: &mut IoBatch) {
        let made = self.left.min(BATCH as u64) as usize;
        self.left -= made as u64;
        batch.renew(made);
        batch.lens[..made].fill(self.block);
        let (dirs, offsets) = (&mut batch.dirs[..made], &mut batch.offsets[..made]);
        match &mut self.mix {
            DirectionMix::Only(dir) => dirs.fill(*dir),
            DirectionMix::ReadBelow(bound, rng) => {
                dirs.fill_with(|| DirectionMix::draw(*bound, rng))
            }
        }
        match &mut self.order {
            BlockOrder::Sequential(places) if self.mix.only().is_some() => {
                count_on(&mut places[0], self.blocks, offsets);
            }
            BlockOrder::Sequential(places) => step_on(places, self.blocks, dirs, offsets),
            BlockOrder::Drawn(rng) => offsets.fill_with(|| rng.below(self.blocks)),
            BlockOrder::Permuted { .. } => self.make_permuted(offsets),
        }
        self.number_to_offset(offsets);
    }

    fn mix(&self) -> &DirectionMix {
        &self.mix
    }

    fn mix_mut(&mut self) -> &mut DirectionMix {
        &mut self.mix
    }

    fn next_of(&mut self, dir: Direction) -> Option<Io> {
        self.left = self.left.checked_sub(1)?;
        let mut offset = [0];
        match &mut self.order {
            BlockOrder::Sequential(places) => step_on(places, self.blocks, &[dir], &mut offset),
            BlockOrder::Drawn(rng) => offset[0] = rng.below(self.blocks),
            BlockOrder::Permuted { .. } => self.make_permuted(&mut offset),
        }
        self.number_to_offset(&mut offset);
        Some(Io { dir, file: 0, offset: offset[0], len: self.block })
    }

    fn restart(&mut self) {
        self.left = self.next_pass();
    }
    fn pass_bytes(&self) -> u64 {
        self.ios_a_pass.saturating_mul(u64::from(self.block))
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

/// The next block of each direction in turn; when one has reached the end, all restart.
fn step_on(places: &mut [u64; 3], blocks: u64, dirs: &[Direction], out: &mut [u64]) {
    for (dir, number) in dirs.iter().zip(out) {
        if places[dir.index()] == blocks {
            *places = [0; 3];
        }
        *number = places[dir.index()];
        places[dir.index()] += 1;
    }
}
