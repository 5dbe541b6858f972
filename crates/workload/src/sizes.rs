//! The size of the next I/O: fixed, a range, or weighted sizes.

use crate::rng::Rng;
use fathom_job::BlockSize;

/// Draws block sizes of one direction.
#[derive(Clone, Debug)]
pub(crate) enum BlockSizes {
    /// Always the same.
    Fixed(u32),
    /// Multiples of `min` up to `max`, which counts as the last even if it is not a multiple. A
    /// size is drawn evenly from 1 to `max` bytes and rounded up, as fio does: 4k-10k gives 40 %
    /// 4k, 40 % 8k, 20 % 10k.
    Steps { min: u32, max: u32 },
    /// Any number of bytes from `min` to `max` (`bs_unaligned`). As in fio `min` is added to a draw
    /// below `max`, and what exceeds `max` is cut: 4k-8k gives 50 % 8k.
    Bytes { min: u32, max: u32 },
    /// Sizes with running sums of their weights, and the smallest size.
    Split { parts: Vec<(u64, u32)>, total: u64, min: u32 },
}

impl BlockSizes {
    /// The sizes that `sizes` describes; all must be below 4 GiB.
    pub(crate) fn new(sizes: &BlockSize, unaligned: bool) -> BlockSizes {
        let (min, max) = (sizes.min() as u32, sizes.max() as u32);
        match sizes {
            _ if min == max => BlockSizes::Fixed(min),
            BlockSize::Range(..) if unaligned => BlockSizes::Bytes { min, max },
            BlockSize::Fixed(_) | BlockSize::Range(..) => BlockSizes::Steps { min, max },
            BlockSize::Split(given) => split(given, min),
        }
    }

    /// The smallest size.
    pub(crate) fn min(&self) -> u32 {
        match self {
            BlockSizes::Fixed(size) => *size,
            BlockSizes::Steps { min, .. }
            | BlockSizes::Bytes { min, .. }
            | BlockSizes::Split { min, .. } => *min,
        }
    }

    /// A size that fits into `room` bytes: the drawn one, or the smallest if that is too long. The
    /// smallest must fit into `room`.
    #[inline]
    pub(crate) fn draw(&self, rng: &mut Rng, room: u64) -> u32 {
        let size = match self {
            BlockSizes::Fixed(size) => return *size,
            BlockSizes::Steps { min, max } => {
                let drawn = rng.below(u64::from(*max)) + 1;
                drawn.next_multiple_of(u64::from(*min)).min(u64::from(*max)) as u32
            }
            BlockSizes::Bytes { min, max } => {
                (u64::from(*min) + rng.below(u64::from(*max))).min(u64::from(*max)) as u32
            }
            BlockSizes::Split { parts, total, min } => {
                let drawn = rng.below(*total);
                parts.iter().find(|part| drawn < part.0).map_or(*min, |part| part.1)
            }
        };
        if u64::from(size) <= room { size } else { self.min() }
    }
}

fn split(given: &[(u64, u8)], min: u32) -> BlockSizes {
    let mut total = 0;
    let parts: Vec<(u64, u32)> = given
        .iter()
        .map(|&(size, weight)| {
            total += u64::from(weight);
            (total, size as u32)
        })
        .collect();
    BlockSizes::Split { parts, total, min }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn shares(sizes: &BlockSize, unaligned: bool) -> HashMap<u32, f64> {
        let (sizes, mut rng) = (BlockSizes::new(sizes, unaligned), Rng::from_seed(5));
        let mut counts = HashMap::new();
        for _ in 0..100_000 {
            *counts.entry(sizes.draw(&mut rng, u64::MAX)).or_default() += 1e-5;
        }
        counts
    }

    /// Bound: 6.5 standard deviations of a share of one half over 100,000 draws is 0.0103; a
    /// normal variable exceeds 6.5 with probability 8e-11.
    #[test]
    fn shares_are_as_asked() {
        let near = |got: &HashMap<u32, f64>, size, want: f64| {
            assert!((got[&size] - want).abs() < 0.0103, "{size}: {} for {want}", got[&size]);
        };
        let range = shares(&BlockSize::Range(4096, 10_240), false);
        for (size, want) in [(4096, 0.4), (8192, 0.4), (10_240, 0.2)] {
            near(&range, size, want);
        }
        let split = shares(&BlockSize::Split(vec![(4096, 10), (65536, 50), (32768, 40)]), false);
        for (size, want) in [(4096, 0.1), (65536, 0.5), (32768, 0.4)] {
            near(&split, size, want);
        }
        assert_eq!((range.len(), split.len()), (3, 3));
    }

    /// fio 3.33: 82.8 % of 8,869 sizes were 120, the others 0.6 to 1.0 % each.
    #[test]
    fn unaligned_sizes_take_every_byte_between_and_the_largest_most_often() {
        let got = shares(&BlockSize::Range(100, 120), true);
        assert_eq!(got.len(), 21);
        assert!(got.keys().all(|size| (100..=120).contains(size)));
        assert!((got[&120] - 100.0 / 120.0).abs() < 0.0103, "{}", got[&120]);
    }

    #[test]
    fn what_does_not_fit_becomes_the_smallest() {
        let sizes = BlockSizes::new(&BlockSize::Split(vec![(4096, 1), (16384, 99)]), false);
        let mut rng = Rng::from_seed(1);
        assert!((0..100).all(|_| sizes.draw(&mut rng, 16383) == 4096));
    }
}
