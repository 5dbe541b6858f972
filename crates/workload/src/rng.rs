//! Random numbers: xoshiro256++ for draws, SplitMix64 to seed it, one named stream for each
//! purpose.
//!
//! Forty lines of our own rather than a crate, because the sequence is part of a result: a stored
//! seed must give the same I/Os in every later version, and a crate may change its generator or its
//! seeding. The generators are public domain (Blackman and Vigna, "Scrambled linear pseudorandom
//! number generators", 2021; Steele, Lea and Flood, 2014).
//!
//! Every purpose draws from its own stream, so that a new feature, or an option switched on, does
//! not shift the draws of the others.

use fathom_job::JobSpec;
use fathom_vocab::{SplitMix, mix64};

/// The seed of `randrepeat`. Any number would do; it must never change.
const REPEATED_SEED: u64 = 0x0fa7_4033;

/// The purpose of a stream of random numbers. The number is part of the seed: never renumber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stream {
    /// Offsets that are drawn (`norandommap` and the skewed distributions).
    Offsets = 1,
    /// The direction of the next I/O of a mixed job.
    Mix = 2,
    /// Block sizes.
    BlockSize = 3,
    /// The next file.
    Files = 4,
    /// Content of buffers.
    Buffers = 5,
    /// Gaps of a Poisson process.
    Pacing = 6,
    /// Keys of the permutations that replace a random map.
    Permutation = 7,
    /// Whether the next I/O is random or sequential (`percentage_random`).
    RandomShare = 8,
    /// How hot ranks are scattered over the range (zipf, pareto).
    Scatter = 9,
    /// The writes that repeat earlier content (`dedupe_percentage`).
    Dedupe = 10,
}

impl Stream {
    /// All, by number.
    pub const ALL: [Stream; 10] = [
        Stream::Offsets,
        Stream::Mix,
        Stream::BlockSize,
        Stream::Files,
        Stream::Buffers,
        Stream::Pacing,
        Stream::Permutation,
        Stream::RandomShare,
        Stream::Scatter,
        Stream::Dedupe,
    ];
}

/// A seed for a part of something that has a seed itself: differs in every bit from its
/// neighbours' (`part` 0, 1, 2 …).
#[inline]
pub fn subseed(seed: u64, part: u64) -> u64 {
    mix64(mix64(seed) ^ part.wrapping_mul(0xd1b5_4a32_d192_ed03))
}

/// Seed of one clone of a job.
///
/// `randseed` rules; without it `randrepeat` gives the same seed in every run, else `entropy`
/// (fresh random bits of the caller's) decides. Clones, counted from 0, differ, and so do their
/// sequences, as in fio; jobs of different names or options don't differ by that.
pub fn seed_for(job: &JobSpec, clone: u32, entropy: u64) -> u64 {
    let base = match job.pattern.randseed {
        Some(given) => given,
        None if job.pattern.randrepeat => REPEATED_SEED,
        None => entropy,
    };
    subseed(base, u64::from(clone))
}

/// xoshiro256++: 256 bits of state, period 2^256 - 1, about ten instructions a draw.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator of `stream` below `seed`.
    pub fn new(seed: u64, stream: Stream) -> Rng {
        Rng::from_seed(subseed(seed, stream as u64))
    }

    /// A generator seeded with 64 bits, spread over its state by SplitMix64.
    pub fn from_seed(seed: u64) -> Rng {
        let mut mix = SplitMix::new(seed);
        Rng { state: [(); 4].map(|()| mix.draw()) }
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// Evenly from `0..bound`; 0 if `bound` is 0. The bias is below `bound / 2^64` (no
    /// rejection: at 2^38 blocks, a PiB of 4 KiB, that is one in 10^7 of a block's share).
    #[inline(always)]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// The same of 32 random bits, as fio's `tausworthe`: of more than 2^32 numbers every so many.
    pub fn coarsely_below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64() >> 32) * u128::from(bound)) >> 32) as u64
    }

    /// Evenly from `[0, 1)`, in steps of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Evenly from `(0, 1]`, so that a logarithm of it is finite.
    #[inline]
    pub fn unit_above_zero(&mut self) -> f64 {
        1.0 - self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference implementation for the state 1, 2, 3, 4 (as published
    /// with the `rand_xoshiro` crate's tests).
    #[test]
    fn follows_the_reference() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let want = [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386];
        assert_eq!(want, [(); 4].map(|()| rng.next_u64()));
    }

    #[test]
    fn streams_and_parts_differ() {
        let draws: std::collections::HashSet<u64> =
            (0..1000).map(|part| Rng::from_seed(subseed(7, part)).next_u64()).collect();
        assert_eq!(draws.len(), 1000);
        assert_ne!(Rng::new(1, Stream::Mix).next_u64(), Rng::new(1, Stream::Offsets).next_u64());
    }

    #[test]
    fn seeds_repeat_as_asked() {
        let mut job = JobSpec::default();
        assert_eq!(seed_for(&job, 0, 1), seed_for(&job, 0, 2));
        assert_ne!(seed_for(&job, 0, 1), seed_for(&job, 1, 1));
        job.pattern.randrepeat = false;
        assert_ne!(seed_for(&job, 0, 1), seed_for(&job, 0, 2));
        job.pattern.randseed = Some(42);
        assert_eq!(seed_for(&job, 3, 1), seed_for(&job, 3, 2));
        assert_ne!(seed_for(&job, 3, 1), seed_for(&job, 4, 1));
    }

    #[test]
    fn below_keeps_below() {
        let mut rng = Rng::from_seed(3);
        assert_eq!(rng.below(0), 0);
        assert!((0..1000).all(|_| rng.below(7) < 7));
    }
}
