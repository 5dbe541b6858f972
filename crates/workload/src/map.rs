//! Each block once a pass: one order where there is one block size, else a bitmap as well.
//!
//! With several block sizes an I/O may cover blocks whose turn has not come yet, which an order
//! alone can't tell. Only there is a bit kept for each smallest block; the order still says where
//! to look next, so each pass looks at each block once, however full the map is (a search that
//! draws until it hits a free block takes ever longer towards the end).

use crate::fixed::round_order;
use crate::permutation::Permutation;
use fathom_vocab::Direction;

/// Reads and trims share lane 0, as no job has both; writes have lane 1.
#[inline(always)]
pub(crate) fn lane(dir: Direction) -> usize {
    usize::from(dir == Direction::Write)
}

/// What of one file has had its turn in this round.
#[derive(Clone, Debug)]
pub(crate) enum FileMap {
    /// All I/Os have one size.
    Blocks { order: Permutation, left: u64 },
    /// Sizes differ.
    Bits(BitMap),
}

/// One bit a granule, and an order over the blocks of each lane.
#[derive(Clone, Debug)]
pub(crate) struct BitMap {
    used: Vec<u64>,
    granules: u64,
    lanes: [Option<Lane>; 2],
}

#[derive(Clone, Debug)]
struct Lane {
    order: Permutation,
    left: u64,
    /// Granules in the smallest block of this lane.
    unit: u64,
}

impl BitMap {
    /// An empty map over `granules`; lane `i` is in use where `units[i]` is not 0.
    pub(crate) fn new(granules: u64, units: [u64; 2], key: MapKey) -> BitMap {
        let lane = |number: usize| {
            let unit = units[number];
            (unit > 0).then(|| {
                let blocks = granules / unit;
                let round = key.round * 2 + number as u64;
                Lane { order: round_order(blocks, key.seed, key.file, round), left: blocks, unit }
            })
        };
        let used = vec![0; granules.div_ceil(64) as usize];
        BitMap { used, granules, lanes: [lane(0), lane(1)] }
    }

    /// Takes up to `want` free granules in a row, at least the lane's smallest block: the first
    /// of them and how many. `None` when no block of this lane is free any more.
    pub(crate) fn take(&mut self, dir: Direction, want: u64) -> Option<(u64, u64)> {
        loop {
            let lane = self.lanes[lane(dir)].as_mut().filter(|lane| lane.left > 0)?;
            lane.left -= 1;
            let first = lane.order.next() * lane.unit;
            let unit = lane.unit;
            let run = self.free_run(first, want);
            if run >= unit {
                let count = if run == want { run } else { run / unit * unit };
                self.mark(first, count);
                return Some((first, count));
            }
        }
    }

    fn free_run(&self, first: u64, want: u64) -> u64 {
        let end = (first + want).min(self.granules);
        let is_used = |at: &u64| self.used[(at / 64) as usize] >> (at % 64) & 1 == 1;
        (first..end).find(is_used).unwrap_or(end) - first
    }

    fn mark(&mut self, first: u64, count: u64) {
        for at in first..first + count {
            self.used[(at / 64) as usize] |= 1 << (at % 64);
        }
    }
}

/// What the orders of a file's round derive from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MapKey {
    pub(crate) seed: u64,
    pub(crate) file: u32,
    pub(crate) round: u64,
}

/// How the maps of a job's files are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapShape {
    /// No map: offsets are drawn.
    None,
    /// One order over blocks of this many bytes.
    Blocks(u64),
    /// A bitmap of granules of `granule` bytes; smallest blocks of the lanes, in granules.
    Bits { granule: u64, units: [u64; 2] },
}

impl MapShape {
    /// Bytes of memory that maps of files of these lengths take.
    pub(crate) fn memory(self, lens: impl Iterator<Item = u64>) -> u64 {
        match self {
            MapShape::Bits { granule, .. } => {
                lens.fold(0, |sum, len| sum + (len / granule).div_ceil(64) * 8)
            }
            _ => 0,
        }
    }

    /// The map of a file of `len` bytes for one round.
    pub(crate) fn make(self, len: u64, key: MapKey) -> Option<Box<FileMap>> {
        let map = match self {
            MapShape::None => return None,
            MapShape::Blocks(block) => {
                let left = len / block;
                FileMap::Blocks { order: round_order(left, key.seed, key.file, key.round), left }
            }
            MapShape::Bits { granule, units } => {
                FileMap::Bits(BitMap::new(len / granule, units, key))
            }
        };
        Some(Box::new(map))
    }
}
