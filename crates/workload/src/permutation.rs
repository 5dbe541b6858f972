//! A keyed order over the blocks of a range: each block exactly once a pass, without a map.
//!
//! fio records used blocks in a bitmap, 539 MB at 16 TiB. Fathom walks instead through `0..2^b`,
//! the next power of two, with a linear congruential generator of full period (Hull and Dobell,
//! 1962: multiplier 1 mod 4, odd increment), and passes each state through a bijection on b bits
//! (xor-shift, odd multiplication, twice: the idea of PCG, O'Neill 2014). Values outside the range
//! are skipped. Each step is a bijection, so each block comes exactly once; the state is 64 bytes
//! for a file of any size; and because `2^b < 2n`, a block costs fewer than two steps of a dozen
//! instructions.
//!
//! A plain counter instead of the generator would need more rounds to look random; a Feistel
//! network costs about twice as much and, with an odd number of bits, needs unequal halves. A
//! domain of at least 2^MIN_BITS is used even for a handful of blocks, because with 2 or 3 bits
//! some orders are half again as frequent as others (with 6, all orders of five blocks are equally
//! frequent).

use crate::rng::{Stream, subseed};
use fathom_vocab::mix64;

/// Fewest bits of the domain for ranges above one block. 64 states for 3 blocks cost more steps
/// a block, but only 64 a pass.
const MIN_BITS: u32 = 6;

/// An order over `0..len`, each value exactly once a pass.
#[derive(Clone, Debug)]
pub(crate) struct Permutation {
    state: u64,
    step_mul: u64,
    step_add: u64,
    out_mul: [u64; 2],
    mask: u64,
    len: u64,
    shift: u32,
}

impl Permutation {
    /// The order that `key` gives over `0..len`.
    pub(crate) fn new(len: u64, key: u64) -> Permutation {
        let bits = if len <= 1 { 0 } else { (64 - (len - 1).leading_zeros()).max(MIN_BITS) };
        let mask = if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
        let word = |part| subseed(key, part);
        Permutation {
            state: word(0) & mask,
            step_mul: (word(1) & !7) | 5,
            step_add: word(2) | 1,
            out_mul: [word(3) | 1, word(4) | 1],
            mask,
            len,
            shift: (bits / 2).max(1),
        }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The next value. After `len` of them each has occurred once, and the same order begins again.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> u64 {
        loop {
            let value = self.scramble(self.state);
            self.state =
                self.state.wrapping_mul(self.step_mul).wrapping_add(self.step_add) & self.mask;
            if value < self.len || self.len == 0 {
                return value;
            }
        }
    }

    /// Fills `out` with the next values, without a branch on skipped ones.
    pub(crate) fn fill(&mut self, out: &mut [u64]) {
        if self.len == 0 {
            return out.fill(0);
        }
        let (mut state, mut count) = (self.state, 0);
        while count < out.len() {
            let value = self.scramble(state);
            state = state.wrapping_mul(self.step_mul).wrapping_add(self.step_add) & self.mask;
            out[count] = value;
            count += usize::from(value < self.len);
        }
        self.state = state;
    }

    /// The position of the value `rank` in a fixed shuffle of `0..len`; `rank` must be below `len`.
    /// Unlike [`Permutation::next`] it has no state: it walks the cycle of the bijection until it
    /// is inside the range again (cycle walking, Black and Rogaway 2002).
    #[inline]
    pub(crate) fn at(&self, rank: u64) -> u64 {
        let mut value = rank;
        loop {
            value = self.scramble(value.wrapping_add(self.step_add) & self.mask);
            if value < self.len || self.len == 0 {
                return value;
            }
        }
    }

    /// A bijection on `0..=mask`.
    #[inline(always)]
    fn scramble(&self, value: u64) -> u64 {
        let mut x = value;
        x ^= x >> self.shift;
        x = x.wrapping_mul(self.out_mul[0]) & self.mask;
        x ^= x >> self.shift;
        x = x.wrapping_mul(self.out_mul[1]) & self.mask;
        x ^ (x >> self.shift)
    }
}

/// Key of the order of one pass over one file.
pub(crate) fn pass_key(seed: u64, file: u32, pass: u64) -> u64 {
    mix64(subseed(seed, u64::from(file)) ^ pass.wrapping_mul(0xa076_1d64_78bd_642f))
}

/// The order of round `number` over the blocks of file `file`.
pub(crate) fn round_order(blocks: u64, seed: u64, file: u32, number: u64) -> Permutation {
    Permutation::new(blocks, pass_key(subseed(seed, Stream::Permutation as u64), file, number))
}

#[cfg(test)]
mod tests;
