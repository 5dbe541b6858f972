//! The content of written data.
//!
//! Content affects devices that compress or deduplicate, so each option guarantees a property:
//! incompressible random bytes, a share of compressible bytes in every chunk, a share of writes
//! that repeat an earlier one. The default is fio's: random once, then eight bytes of every 512
//! changed in each write, so that no two blocks are the same; that touches one cache line in eight.
//!
//! Random content comes from a few independent generators side by side: a single one waits for its
//! own last result, and refilling would cost more than many devices.

use crate::rng::{Rng, Stream, subseed};
use crate::verify::{BlockFault, ExpectedWrite, Verifier};
use fathom_job::Buffers;
use fathom_vocab::mix64;

/// Scrambling changes every piece of this size: the smallest sector, and so the smallest unit of
/// deduplication.
const PIECE: usize = 512;
/// Generators side by side.
const LANES: usize = 4;

/// The content of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// As it was when the slot was made.
    Still,
    /// As it was, a few bytes changed.
    Scrambled,
    /// Generated for each write, with this share of fixed bytes in each chunk (percent).
    Fresh { fixed_percent: u8 },
    /// As the verifier's base, and stamped.
    Verified,
}

/// Fills the buffers of one clone's slots.
#[derive(Clone, Debug)]
pub struct BufferFiller {
    content: Content,
    /// A still buffer is the pattern, or zeros, rather than random.
    fixed: bool,
    pattern: Vec<u8>,
    chunk: usize,
    dedupe_percent: u64,
    dedupe: Rng,
    seed: u64,
    /// Contents made so far; the number of the current one.
    number: u64,
    /// Stamps what was filled, and what it is filled with before.
    verified: Option<Box<(Verifier, Content)>>,
}

impl BufferFiller {
    /// A filler for `buffers`, with blocks of up to `block_max` bytes.
    pub fn new(buffers: &Buffers, block_max: usize, seed: u64) -> BufferFiller {
        let chunk = usize::try_from(buffers.compress_chunk).unwrap_or(usize::MAX);
        BufferFiller {
            content: content(buffers),
            fixed: is_fixed(buffers),
            pattern: buffers.pattern.clone(),
            chunk: if chunk == 0 { block_max.max(1) } else { chunk },
            dedupe_percent: u64::from(buffers.dedupe_percentage.min(100)),
            dedupe: Rng::new(seed, Stream::Dedupe),
            seed: subseed(seed, Stream::Buffers as u64),
            number: 0,
            verified: None,
        }
    }

    /// Makes every write one that can be checked later.
    pub fn verify(&mut self, verifier: Verifier) {
        self.verified = Some(Box::new((verifier, self.content)));
        self.content = Content::Verified;
    }

    /// Whether a block that was read is as it was written, and of the expected write; everything
    /// is without verification. The bytes of `buf` may be moved.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(
        &self,
        buf: &mut [u8],
        offset: u64,
        expected: Option<ExpectedWrite>,
    ) -> Result<(), BlockFault> {
        self.verified.as_ref().map_or(Ok(()), |verified| verified.0.check(buf, offset, expected))
    }

    /// How many writes were made that can be checked.
    pub fn verifiable_writes(&self) -> u64 {
        self.verified.as_ref().map_or(0, |verified| verified.0.written())
    }

    /// Whether [`BufferFiller::prepare`] does anything, so that the loop need not call it.
    pub fn prepares(&self) -> bool {
        self.content != Content::Still
    }

    /// Fills the whole buffer of a slot, once, before the first I/O.
    pub fn init(&mut self, buf: &mut [u8]) {
        let content = self.verified.as_ref().map_or(self.content, |verified| verified.1);
        if let Content::Fresh { fixed_percent } = content {
            self.refill(buf, fixed_percent);
        } else if self.fixed {
            repeat(&self.pattern, buf);
        } else {
            self.number += 1;
            fill_random(subseed(self.seed, self.number), buf);
        }
    }

    /// Prepares `buf`, exactly the bytes of the next write, which goes to `offset` at `now_ns`.
    #[inline]
    pub fn prepare(&mut self, buf: &mut [u8], offset: u64, now_ns: u64) {
        self.make(self.content, buf, offset, now_ns);
    }

    #[inline]
    fn make(&mut self, content: Content, buf: &mut [u8], offset: u64, now_ns: u64) {
        match content {
            Content::Still => {}
            Content::Scrambled => {
                self.number += 1;
                scramble(buf, mix64(self.seed ^ self.number) ^ offset ^ now_ns.rotate_left(32));
            }
            Content::Fresh { fixed_percent } => self.refill(buf, fixed_percent),
            Content::Verified => self.stamp(buf, offset, now_ns),
        }
    }

    #[cold]
    #[inline(never)]
    fn stamp(&mut self, buf: &mut [u8], offset: u64, now_ns: u64) {
        let Some(mut verified) = self.verified.take() else { return };
        let (verifier, content) = &mut *verified;
        if *content != Content::Verified {
            self.make(*content, buf, offset, now_ns);
        }
        verifier.stamp(buf, offset, now_ns);
        self.verified = Some(verified);
    }

    /// New content, or that of the last write, at the requested rate of deduplication.
    fn refill(&mut self, buf: &mut [u8], fixed_percent: u8) {
        let repeats = self.number > 0 && self.dedupe.below(100) < self.dedupe_percent;
        if !repeats {
            self.number += 1;
        }
        let seed = subseed(self.seed, self.number);
        if fixed_percent == 0 {
            return fill_random(seed, buf);
        }
        for (number, chunk) in buf.chunks_mut(self.chunk).enumerate() {
            let fixed = chunk.len() * usize::from(fixed_percent) / 100;
            let (random, rest) = chunk.split_at_mut(chunk.len() - fixed);
            fill_random(subseed(seed, number as u64), random);
            repeat(&self.pattern, rest);
        }
    }
}

/// The content for `buffers`, as fio 3.33 chooses it: shares to compress or to repeat override
/// zeros and patterns, and zeros are scrambled only by an explicit `scramble_buffers=1`.
fn content(buffers: &Buffers) -> Content {
    let scramble = buffers.scramble.unwrap_or(!buffers.zero) && !buffers.refill;
    match buffers.compress_percentage {
        Some(fixed_percent @ 1..100) => Content::Fresh { fixed_percent },
        None if scramble => Content::Scrambled,
        _ if buffers.refill && !is_fixed(buffers) => Content::Fresh { fixed_percent: 0 },
        _ => Content::Still,
    }
}

/// Whether a buffer is nothing but the pattern or zeros.
fn is_fixed(buffers: &Buffers) -> bool {
    let compressible = buffers.compress_percentage.is_some_and(|share| share >= 100);
    let fixed = buffers.zero || !buffers.pattern.is_empty() || compressible;
    fixed && buffers.dedupe_percentage == 0
}

/// Fills `buf` with repetitions of `pattern`, or with zeros if it is empty.
fn repeat(pattern: &[u8], buf: &mut [u8]) {
    if pattern.is_empty() {
        return buf.fill(0);
    }
    for piece in buf.chunks_mut(pattern.len()) {
        piece.copy_from_slice(&pattern[..piece.len()]);
    }
}

/// Changes eight bytes in each piece of 512, to something no other write has there: at one of
/// eight places, so that zeros and patterns stay most of it after any number of writes, as in
/// fio.
fn scramble(buf: &mut [u8], salt: u64) {
    let mut value = mix64(salt);
    let mut change = |piece: &mut [u8], words: usize| {
        value = value.wrapping_mul(0xd129_42f2_4afe_9f4d).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bytes = (value ^ (value >> 29)).to_le_bytes();
        let at = (value >> 40) as usize % words.div_ceil(8) * 64;
        piece[at..at + 8].copy_from_slice(&bytes);
    };
    // Whole pieces by themselves: their length is a constant, and the division a mask.
    let mut pieces = buf.chunks_exact_mut(PIECE);
    for piece in &mut pieces {
        change(piece, PIECE / 8);
    }
    let rest = pieces.into_remainder();
    match rest.len() / 8 {
        0 => rest.copy_from_slice(&value.to_le_bytes()[..rest.len()]),
        words => change(rest, words),
    }
}

/// Fills `buf` with random bytes that `seed` determines.
fn fill_random(seed: u64, buf: &mut [u8]) {
    let mut lanes: [Rng; LANES] =
        std::array::from_fn(|lane| Rng::from_seed(subseed(seed, lane as u64)));
    let mut blocks = buf.chunks_exact_mut(8 * LANES);
    for block in &mut blocks {
        for (word, rng) in block.chunks_exact_mut(8).zip(&mut lanes) {
            word.copy_from_slice(&rng.next_u64().to_le_bytes());
        }
    }
    for (word, rng) in blocks.into_remainder().chunks_mut(8).zip(&mut lanes) {
        word.copy_from_slice(&rng.next_u64().to_le_bytes()[..word.len()]);
    }
}

#[cfg(test)]
mod tests;
