//! The state of I/Os in flight: their calls, flushes, and writes that may be lost.

use crate::proto::NfsProcedure;
use crate::sketch::LatencySketch;
use fathom_vocab::{ErrorNumber, Op};
use std::time::{Duration, Instant};

/// One I/O to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NfsRequest {
    /// The operation.
    pub op: Op,
    /// The file.
    pub file: u32,
    /// Where in it.
    pub offset: u64,
    /// How many bytes.
    pub len: u32,
    /// Where in the buffer they are.
    pub at: u32,
    /// The slot of the buffer.
    pub slot: u32,
}

/// The counters of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionCounts {
    /// The port that it was made from.
    pub source_port: u16,
    /// READs and WRITEs that were answered.
    pub ops: u64,
    /// Their bytes.
    pub bytes: u64,
    /// COMMITs that were answered.
    pub commits: u64,
    /// Times from a READ or a WRITE to its reply; a COMMIT is timed as a flush.
    pub latency: LatencySketch,
    /// Most calls in flight.
    pub most_in_flight: u32,
    /// How often it was reconnected.
    pub reconnects: u64,
    /// Calls that were sent again.
    pub resends: u64,
    /// Unexpected replies.
    pub strays: u64,
}

/// A write that the server may have lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoggedWrite {
    pub file: u32,
    pub verifier: u32,
    pub offset: u64,
    pub len: u64,
}

/// An I/O in flight.
#[derive(Clone, Debug)]
pub(crate) struct IoState {
    pub request: NfsRequest,
    /// Calls that have no reply yet.
    pub outstanding: u32,
    /// Bytes of it that exist, from its beginning.
    pub whole: u32,
    pub error: ErrorNumber,
    pub flush: Option<FlushState>,
}

/// Events beside I/O.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NfsEvents {
    /// Answers of JUKEBOX: the server requests a retry later.
    pub jukebox: u64,
    /// READs and WRITEs that transferred fewer bytes than requested.
    pub short: u64,
    /// COMMITs.
    pub commits: u64,
    /// Automatic COMMITs, because too much data was unstable.
    pub unasked_commits: u64,
    /// Unstable writes that the server had lost, and that were sent again.
    pub lost_writes: u64,
    /// Verifiers after the first one.
    pub verifier_changes: u64,
}

/// A flush in progress.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlushState {
    /// Writes that it is to make durable.
    pub writes: Vec<LoggedWrite>,
    /// Those that are lost and not yet sent again.
    pub lost: Vec<LoggedWrite>,
}

/// The purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    Read,
    Write,
    Commit,
    /// A write that the server has lost.
    Rewrite,
}

impl PartKind {
    pub fn procedure(self) -> NfsProcedure {
        match self {
            PartKind::Read => NfsProcedure::Read,
            PartKind::Write | PartKind::Rewrite => NfsProcedure::Write,
            PartKind::Commit => NfsProcedure::Commit,
        }
    }
}

/// A call of an I/O.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IoPart {
    pub slot: u32,
    pub kind: PartKind,
    pub file: u32,
    /// Where in the file.
    pub offset: u64,
    /// Where in the slot's buffer.
    pub at: u32,
    pub len: u32,
    pub began: Option<Instant>,
    /// How often it was answered with JUKEBOX.
    pub waits: u32,
    pub link: usize,
    pub xid: u32,
}

impl IoPart {
    pub fn of(request: &NfsRequest, at: u32, len: u32) -> IoPart {
        let kind = if request.op == Op::Read { PartKind::Read } else { PartKind::Write };
        let offset = request.offset + u64::from(at);
        let part = IoPart::new(request.slot, kind, request.file, offset);
        IoPart { at: request.at + at, len, ..part }
    }

    pub fn new(slot: u32, kind: PartKind, file: u32, offset: u64) -> IoPart {
        let (at, len, began, waits, link, xid) = (0, 0, None, 0, 0, 0);
        IoPart { slot, kind, file, offset, at, len, began, waits, link, xid }
    }

    /// The remainder after this number of bytes.
    pub fn rest(self, bytes: u32) -> IoPart {
        let offset = self.offset + u64::from(bytes);
        IoPart { offset, at: self.at + bytes, len: self.len - bytes, ..self }
    }
}

/// Calls in flight, by their tags.
#[derive(Debug, Default)]
pub(crate) struct PartTable {
    parts: Vec<Option<IoPart>>,
    free: Vec<u32>,
}

impl PartTable {
    pub fn put(&mut self, part: IoPart) -> u32 {
        match self.free.pop() {
            Some(tag) => {
                self.parts[tag as usize] = Some(part);
                tag
            }
            None => {
                self.parts.push(Some(part));
                self.parts.len() as u32 - 1
            }
        }
    }

    pub fn take(&mut self, tag: u32) -> Option<IoPart> {
        let part = self.parts.get_mut(tag as usize)?.take()?;
        self.free.push(tag);
        Some(part)
    }

    /// Takes all calls of a slot.
    pub fn take_of(&mut self, slot: u32) -> Vec<IoPart> {
        let of_slot = |part: &Option<IoPart>| part.is_some_and(|part| part.slot == slot);
        let tags: Vec<u32> = (0..self.parts.len() as u32)
            .filter(|tag| of_slot(&self.parts[*tag as usize]))
            .collect();
        tags.into_iter().filter_map(|tag| self.take(tag)).collect()
    }

    /// All calls in flight.
    pub fn in_flight(&self) -> impl Iterator<Item = &IoPart> {
        self.parts.iter().flatten()
    }

    /// Slots of calls that have waited longer.
    pub fn older_than(&self, now: Instant, time: Duration) -> Vec<u32> {
        let late = |part: &&IoPart| part.began.is_some_and(|began| now >= began + time);
        self.in_flight().filter(late).map(|part| part.slot).collect()
    }

    pub fn set_xid(&mut self, tag: u32, xid: u32) {
        if let Some(Some(part)) = self.parts.get_mut(tag as usize) {
            part.xid = xid;
        }
    }
}
