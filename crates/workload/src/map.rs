//! Each block once a pass: one order for one block size, otherwise a bitmap.
//!
//! With several block sizes an I/O may cover blocks that are still free, which an order alone
//! cannot show. Only then a bit is stored for each smallest block. A position is drawn evenly, and
//! the first free block from there on is taken, with as many free ones behind it as the I/O needs,
//! as observed of fio. So an I/O begins where another ended, rather than inside free space, and few
//! are cut short; starting at even positions gave half as many I/Os again for a pass. Words of 64
//! bits have summary words that show which of them are full, so that a free block is found in a few
//! steps in any map.

use crate::permutation::{Permutation, pass_key, round_order};
use crate::rng::{Rng, Stream, subseed};
use fathom_vocab::Direction;

/// Reads and trims share lane 0, as no job has both; writes have lane 1.
#[inline(always)]
pub(crate) fn lane(dir: Direction) -> usize {
    usize::from(dir == Direction::Write)
}

/// The blocks of one file that were used in this round.
#[derive(Clone, Debug)]
pub(crate) enum FileMap {
    /// All I/Os have one size.
    Blocks { order: Permutation, left: u64 },
    /// Sizes differ.
    Bits(BitMap),
}

/// The used parts of a file, in granules and in the smallest blocks of each lane.
#[derive(Clone, Debug)]
pub(crate) struct BitMap {
    granules: TakenSet,
    lanes: [Option<Lane>; 2],
    rng: Rng,
}

/// The blocks in which the I/Os of a lane begin.
#[derive(Clone, Debug)]
struct Lane {
    /// Granules in the smallest block.
    unit: u64,
    blocks: u64,
    /// Partly used blocks; none if a block is a granule.
    taken: Option<TakenSet>,
}

impl Lane {
    /// The lane whose smallest block has `unit` granules; none if that is 0 or does not fit.
    fn new(granules: u64, unit: u64) -> Option<Lane> {
        let blocks = granules.checked_div(unit).filter(|blocks| *blocks > 0)?;
        Some(Lane { unit, blocks, taken: (unit > 1).then(|| TakenSet::new(blocks)) })
    }

    /// Takes all blocks with a granule from `first` to before `end`.
    fn take(&mut self, first: u64, end: u64) {
        let (unit, blocks) = (self.unit, self.blocks);
        if let Some(taken) = &mut self.taken {
            (first / unit..end.div_ceil(unit).min(blocks)).for_each(|block| taken.insert(block));
        }
    }
}

impl BitMap {
    /// An empty map over `granules`; lane `i` is in use where `units[i]` is not 0.
    pub(crate) fn new(granules: u64, units: [u64; 2], key: MapKey) -> BitMap {
        let seed = subseed(key.seed, Stream::Permutation as u64);
        BitMap {
            granules: TakenSet::new(granules),
            lanes: units.map(|unit| Lane::new(granules, unit)),
            rng: Rng::from_seed(pass_key(seed, key.file, key.round)),
        }
    }

    /// Takes up to `want` free granules in a row, at least the lane's smallest block: the first
    /// of them and how many. `None` when no block of this lane is free any more.
    pub(crate) fn take(&mut self, dir: Direction, want: u64) -> Option<(u64, u64)> {
        let lane = self.lanes[lane(dir)].as_ref()?;
        let blocks = lane.taken.as_ref().unwrap_or(&self.granules);
        let drawn = self.rng.below(lane.blocks);
        let first = blocks.free_from(drawn).or_else(|| blocks.free_from(0))? * lane.unit;
        let run = self.granules.free_run(first, want);
        let count = if run == want { run } else { run / lane.unit * lane.unit };
        (first..first + count).for_each(|at| self.granules.insert(at));
        self.lanes.iter_mut().flatten().for_each(|lane| lane.take(first, first + count));
        Some((first, count))
    }

    /// Bytes of memory that a map takes.
    fn memory(granules: u64, units: [u64; 2]) -> u64 {
        let of_lane = |unit: u64| match unit {
            0 | 1 => 0,
            unit => TakenSet::memory(granules / unit),
        };
        TakenSet::memory(granules) + units.into_iter().map(of_lane).sum::<u64>()
    }
}

/// A growing set of numbers below a bound, in which a free number is found in a few steps.
#[derive(Clone, Debug)]
struct TakenSet {
    /// A bit for each number; above, a bit for each word that has no free bit left; and so on.
    levels: Vec<Vec<u64>>,
}

impl TakenSet {
    /// How many bits each level has, from the lowest up.
    fn bits(len: u64) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(len), |bits| (*bits > 64).then(|| bits.div_ceil(64)))
    }

    /// None of the numbers below `len`. Bits beyond are taken, so that a last word can be full.
    fn new(len: u64) -> TakenSet {
        let level = |bits: u64| {
            let mut words = vec![0; bits.div_ceil(64) as usize];
            if let Some(last) = words.last_mut()
                && !bits.is_multiple_of(64)
            {
                *last = u64::MAX << (bits % 64);
            }
            words
        };
        TakenSet { levels: TakenSet::bits(len).map(level).collect() }
    }

    fn memory(len: u64) -> u64 {
        TakenSet::bits(len).map(|bits| bits.div_ceil(64) * 8).sum()
    }

    fn insert(&mut self, number: u64) {
        let mut at = number;
        for words in &mut self.levels {
            let word = &mut words[(at / 64) as usize];
            *word |= 1 << (at % 64);
            if *word != u64::MAX {
                return;
            }
            at /= 64;
        }
    }

    /// The first free number from `from` on.
    fn free_from(&self, from: u64) -> Option<u64> {
        let (mut at, mut level) = (from, 0);
        loop {
            let word = self.levels.get(level)?.get((at / 64) as usize)?;
            let free = !word & (u64::MAX << (at % 64));
            if free != 0 {
                at = at / 64 * 64 + u64::from(free.trailing_zeros());
                break;
            }
            (at, level) = (at / 64 + 1, level + 1);
        }
        for words in self.levels[..level].iter().rev() {
            at = at * 64 + u64::from((!words[at as usize]).trailing_zeros());
        }
        Some(at)
    }

    /// How many numbers from `first` on are free in a row, up to `most`.
    fn free_run(&self, first: u64, most: u64) -> u64 {
        let words = &self.levels[0];
        let (mut word, mut skip) = ((first / 64) as usize, first % 64);
        while let Some(bits) = words.get(word)
            && (word as u64) * 64 < first + most
        {
            let taken = bits & (u64::MAX << skip);
            if taken != 0 {
                let end = word as u64 * 64 + u64::from(taken.trailing_zeros());
                return (end - first).min(most);
            }
            (word, skip) = (word + 1, 0);
        }
        (word as u64 * 64 - first).min(most)
    }
}

/// The source of the orders of a file's round.
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
            MapShape::Bits { granule, units } => {
                lens.fold(0, |sum, len| sum + BitMap::memory(len / granule, units))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]
        /// Beside a plain list of booleans.
        #[test]
        fn free_numbers_are_found(len in 1u64..10_000, share in 0u64..=100, seed: u64) {
            let mut rng = Rng::from_seed(seed);
            let (mut set, mut plain) = (TakenSet::new(len), vec![false; len as usize]);
            for number in 0..len {
                if rng.below(100) < share {
                    set.insert(number);
                    plain[number as usize] = true;
                }
            }
            for _ in 0..50 {
                let from = rng.below(len);
                let free = (from..len).find(|at| !plain[*at as usize]);
                prop_assert_eq!(set.free_from(from), free);
                let most = rng.below(300) + 1;
                let run = (from..len).take(most as usize).take_while(|at| !plain[*at as usize]);
                prop_assert_eq!(set.free_run(from, most), run.count() as u64);
            }
            (0..len).for_each(|number| set.insert(number));
            prop_assert_eq!(set.free_from(0), None);
        }
    }
}
