//! Verification: who writes content stamps it, and can tell later whether it is still there.
//!
//! A block has one header, or one for each `verify_interval`, and a sum over the data behind it;
//! `verify=pattern` has neither, but the same bytes everywhere. Headers, sums and patterns are
//! those of fio 3.33, so that each program checks what the other wrote.
//!
//! A header also says which write it is of. Those of one run have a mark of their own in place of
//! the seed of fio's content, so that a block that an earlier run left is told from one of this
//! run. Blocks with a pattern have no mark, as in fio.

mod fault;
mod header;
mod pattern;
mod sums;

use fathom_job::{Verify, VerifyMethod};
use fathom_vocab::mix64;
pub use fault::{BlockFault, FaultKind};
use header::{HEADER_BYTES, Header};

/// The writes that a block may hold: the last one to its place, or one of several that were in
/// flight at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExpectedWrite {
    /// The number of the last, from 0.
    pub number: u64,
    /// The number of the first that may have arrived last.
    pub since: u64,
}

impl ExpectedWrite {
    /// This write and no other.
    pub fn only(number: u64) -> ExpectedWrite {
        ExpectedWrite { number, since: number }
    }
}

/// Stamps the blocks that a job writes, and checks those that it reads.
#[derive(Clone, Debug)]
pub struct Verifier {
    rules: Verify,
    /// The job's number, from 1.
    thread: u16,
    /// The mark of this run.
    salt: u64,
    /// Whether blocks may also be of another job of the run.
    is_shared: bool,
    /// How many blocks were stamped.
    written: u64,
}

/// One header's part of a block.
#[derive(Clone, Copy)]
struct Piece {
    /// Where in the file.
    offset: u64,
    len: usize,
}

impl Verifier {
    /// A verifier for a job, if it verifies: `thread` is its number in the run, and `salt` differs
    /// in each run; `is_shared` if other jobs write to its files. What an earlier run wrote has
    /// that run's mark and order, neither of which is known.
    pub fn new(rules: &Verify, thread: u32, salt: u64, is_shared: bool) -> Option<Verifier> {
        rules.method?;
        let (mut rules, thread) = (rules.clone(), thread as u16);
        rules.header_seed &= !rules.only;
        rules.write_sequence &= !rules.only;
        Some(Verifier { rules, thread, salt, is_shared, written: 0 })
    }

    /// How many writes were stamped.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn method(&self) -> VerifyMethod {
        self.rules.method.unwrap_or(VerifyMethod::Null)
    }

    /// The mark of a write; 0 where a pattern says what the data are.
    fn seed_of(&self, number: u64) -> u64 {
        if self.rules.pattern.bytes.is_empty() { mix64(self.salt ^ number) | 1 } else { 0 }
    }

    /// Bytes that a header of a block of `len` bytes stands for.
    fn piece_bytes(&self, len: usize) -> usize {
        let interval = self.rules.interval as usize;
        if interval > 0 && len.is_multiple_of(interval) { interval } else { len.max(1) }
    }

    /// Bytes of a header with its sum.
    fn header_bytes(&self) -> usize {
        self.method().header_bytes() as usize
    }

    /// Exchanges the header with the bytes at `verify_offset`, or back.
    fn move_header(&self, piece: &mut [u8]) {
        let at = self.rules.offset as usize;
        let bytes = self.header_bytes();
        if at >= bytes && at + bytes <= piece.len() {
            let (head, rest) = piece.split_at_mut(at);
            head[..bytes].swap_with_slice(&mut rest[..bytes]);
        }
    }

    /// Makes `buf`, whose content is ready, the next write, which goes to `offset` at `now_ns`.
    pub fn stamp(&mut self, buf: &mut [u8], offset: u64, now_ns: u64) {
        let number = self.written;
        self.written += 1;
        pattern::fill(&self.rules.pattern, buf, offset);
        let method = self.method();
        if !method.has_header() {
            return;
        }
        let len = self.piece_bytes(buf.len());
        if len < self.header_bytes() {
            return;
        }
        let seed = self.seed_of(number);
        for (at, piece) in (0u64..).step_by(len).zip(buf.chunks_exact_mut(len)) {
            let header = Header {
                method: sums::number_of(method),
                len: len as u32,
                seed,
                offset: offset + at,
                time_ns: now_ns,
                thread: self.thread,
                number: number as u16,
            };
            let (head, data) = piece.split_at_mut(self.header_bytes());
            sums::write(method, data, &mut head[HEADER_BYTES..]);
            header.write(head);
            self.move_header(piece);
        }
    }

    /// Whether `buf`, which was read at `offset`, is as it was written; and the write that is
    /// expected, if that is known. The headers in `buf` are moved to where their pieces begin.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(
        &self,
        buf: &mut [u8],
        offset: u64,
        expected: Option<ExpectedWrite>,
    ) -> Result<(), BlockFault> {
        let method = self.method();
        match method {
            VerifyMethod::Null => return Ok(()),
            VerifyMethod::Pattern => return self.check_pattern(buf, offset, 0, offset),
            _ => {}
        }
        let len = self.piece_bytes(buf.len());
        if len < self.header_bytes() {
            return Ok(());
        }
        let mut first = None;
        for (at, bytes) in (0u64..).step_by(len).zip(buf.chunks_exact_mut(len)) {
            let piece = Piece { offset: offset + at, len };
            self.move_header(bytes);
            let header = self.check_piece(bytes, piece, offset)?;
            let Some(expected) = expected else { continue };
            let identity = (header.seed, header.thread, header.number);
            if *first.get_or_insert(identity) != identity {
                return Err(self.fault(piece, FaultKind::Torn));
            }
            self.check_write(&header, piece, expected)?;
        }
        Ok(())
    }

    /// The header of a piece, if it, its sum and its pattern are right.
    fn check_piece(&self, bytes: &[u8], piece: Piece, block: u64) -> Result<Header, BlockFault> {
        let method = self.method();
        let header =
            Header::read(bytes).map_err(|bad| self.fault(piece, FaultKind::of_header(bad)))?;
        let fail = |kind| Err(self.fault(piece, kind));
        if header.method != sums::number_of(method) {
            return fail(FaultKind::Method(header.method));
        }
        if header.len as usize != piece.len {
            return fail(FaultKind::Length(header.len));
        }
        if header.offset != piece.offset {
            return fail(FaultKind::Misplaced(header.offset));
        }
        let (head, data) = bytes.split_at(self.header_bytes());
        let mut sum = [0; sums::SUM_MAX];
        let sum = &mut sum[..head.len() - HEADER_BYTES];
        sums::write(method, data, sum);
        if *sum != head[HEADER_BYTES..] {
            return fail(FaultKind::Data(None));
        }
        if method == VerifyMethod::PatternHeader {
            self.check_pattern(bytes, piece.offset, head.len(), block)?;
        }
        Ok(header)
    }

    /// Whether `bytes`, which begin at `offset`, have the pattern of the block at `block` from
    /// `from` on.
    fn check_pattern(
        &self,
        bytes: &[u8],
        offset: u64,
        from: usize,
        block: u64,
    ) -> Result<(), BlockFault> {
        let phase = (offset - block) as usize;
        match pattern::first_difference(&self.rules.pattern, &bytes[from..], phase + from, block) {
            None => Ok(()),
            Some(at) => {
                let piece = Piece { offset, len: bytes.len() };
                Err(self.fault(piece, FaultKind::Data(Some((from + at) as u32))))
            }
        }
    }

    /// Whether a sound block is of an expected write.
    fn check_write(
        &self,
        header: &Header,
        piece: Piece,
        expected: ExpectedWrite,
    ) -> Result<(), BlockFault> {
        if self.is_shared && header.thread != self.thread {
            return Ok(());
        }
        let is_of = |number: u64| {
            (!self.rules.write_sequence || header.number == number as u16)
                && (!self.rules.header_seed || header.seed == self.seed_of(number))
        };
        let is_own = header.thread == self.thread || self.rules.only;
        if is_own && (expected.since..=expected.number).rev().any(is_of) {
            return Ok(());
        }
        let of_this_run = is_own && (0..expected.number).rev().take(1 << 16).any(is_of);
        let stale = FaultKind::Stale(header.number, expected.number as u16, of_this_run);
        Err(self.fault(piece, stale))
    }

    fn fault(&self, piece: Piece, kind: FaultKind) -> BlockFault {
        BlockFault { offset: piece.offset, len: piece.len as u32, kind, method: self.method() }
    }
}

#[cfg(test)]
mod tests;
