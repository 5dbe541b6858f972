//! What is wrong with a block that was read back, in words that tell kinds apart.

use super::header::BadHeader;
use fathom_job::VerifyMethod;

/// A block that is not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFault {
    /// Where it begins in its file.
    pub offset: u64,
    /// How many bytes its header stands for, or its pattern.
    pub len: u32,
    /// What is wrong.
    pub kind: FaultKind,
    /// How it was verified.
    pub method: VerifyMethod,
}

/// What is wrong with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It has no header, but these two bytes.
    NoHeader(u16),
    /// Its header is damaged.
    Header,
    /// It was written with another method.
    Method(u16),
    /// It was written with another length.
    Length(u32),
    /// It belongs to another offset.
    Misplaced(u64),
    /// Its data do not match its sum or its pattern, from this byte on if that is known.
    Data(Option<u32>),
    /// Parts of it are of different writes, where it was written at once.
    Torn,
    /// It is sound but not the last that was written there: a write was lost. These are the number
    /// of the write that is there and of the one that was expected, and whether the former is of
    /// the same run.
    Stale(u16, u16, bool),
}

impl FaultKind {
    pub(super) fn of_header(bad: BadHeader) -> FaultKind {
        match bad {
            BadHeader::Magic(found) => FaultKind::NoHeader(found),
            BadHeader::Sum => FaultKind::Header,
        }
    }
}

impl BlockFault {
    /// The message about it, beginning as fio's does.
    pub fn message(&self, file: &str) -> String {
        let BlockFault { offset, len, kind, method } = self;
        let place = format!("at file {file} offset {offset}, length {len}");
        let method = method.name();
        match kind {
            FaultKind::NoHeader(found) => format!(
                "verify: bad magic header {found:x}, wanted acca {place}: the block was never \
                 written, or overwritten from outside"
            ),
            FaultKind::Header => {
                format!("verify: bad header crc {place}: the block's header is damaged")
            }
            FaultKind::Method(found) => format!(
                "verify: bad header type {place}: the block was written with another verify= \
                 ({found}), not {method}"
            ),
            FaultKind::Length(found) => format!(
                "verify: bad header length {found}, wanted {len} {place}: give the bs and \
                 verify_interval that it was written with"
            ),
            FaultKind::Data(first) => {
                let first = first.map(|at| format!(": they differ from byte {at} on"));
                let why = first.unwrap_or_else(|| " (torn or corrupted)".to_owned());
                format!("{method}: verify failed {place}: the data are not those written{why}")
            }
            FaultKind::Misplaced(_) | FaultKind::Torn | FaultKind::Stale(..) => {
                self.wrong_write(&place)
            }
        }
    }

    /// The message about a block that is sound, and of another write.
    fn wrong_write(&self, place: &str) -> String {
        let offset = self.offset;
        match self.kind {
            FaultKind::Misplaced(found) => format!(
                "verify: bad header offset {found}, wanted {offset} {place}: the block is \
                 misplaced"
            ),
            FaultKind::Stale(_, wanted, false) => format!(
                "verify: stale block {place}: it is older than this run, write {wanted} of the \
                 job was lost"
            ),
            FaultKind::Stale(found, wanted, true) => format!(
                "verify: stale block {place}: it holds write {found} of the job, write {wanted} \
                 was lost"
            ),
            _ => format!("verify: torn block {place}: its parts are of different writes"),
        }
    }
}
