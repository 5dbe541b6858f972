//! SplitMix64, the one small generator of random numbers: for seeds, hashes and orders. A stored
//! seed promises its sequence, so it must never change.

use std::hash::{BuildHasher, Hasher, RandomState};

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64: a bijective, well mixing hash of 64 bits.
#[inline]
pub fn mix64(value: u64) -> u64 {
    let mut z = value.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number that no other run has: for seeds of runs that must not repeat another.
pub fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): a few
/// well-mixed numbers from any seed, also 0.
#[derive(Clone, Copy, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// From a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// From a seed and further numbers, each of which changes all following values.
    pub fn of(seed: u64, more: &[u64]) -> SplitMix {
        more.iter().fold(SplitMix(seed), |mut mix, number| {
            let state = mix.draw();
            SplitMix(state ^ number)
        })
    }

    /// The number at a place of a seed's sequence, counted from 0.
    pub fn nth(seed: u64, place: u64) -> u64 {
        mix64(seed.wrapping_add(place.wrapping_mul(STEP)))
    }

    /// The next number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        let drawn = mix64(self.0);
        self.0 = self.0.wrapping_add(STEP);
        drawn
    }

    /// Puts `items` into a random order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            // The bias of a remainder is below 2^-40 for any list that fits in memory here.
            let other = (self.draw() % (at as u64 + 1)) as usize;
            items.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs for seed 1234567, as in the reference implementation's test vectors.
        let mut mix = SplitMix::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| mix.draw()).collect();
        assert_eq!(SplitMix::nth(1_234_567, 2), drawn[2]);
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    proptest! {
        #[test]
        fn shuffling_loses_nothing_and_repeats(seed: u64, count in 0usize..200) {
            let shuffled = || {
                let mut items: Vec<usize> = (0..count).collect();
                SplitMix::new(seed).shuffle(&mut items);
                items
            };
            let mut sorted = shuffled();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..count).collect::<Vec<_>>());
            prop_assert_eq!(shuffled(), shuffled());
        }

        #[test]
        fn further_numbers_change_what_follows(seed: u64, a in 0u64..1000, b in 0u64..1000) {
            prop_assume!(a != b);
            let draw = |more: &[u64]| SplitMix::of(seed, more).draw();
            prop_assert_ne!(draw(&[a, b]), draw(&[b, a]));
            prop_assert_ne!(draw(&[a]), draw(&[b]));
        }
    }
}
