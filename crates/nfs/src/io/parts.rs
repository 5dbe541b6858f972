//! The calls of I/Os: made, answered, repeated.

use super::state::{ConnectionCounts, IoPart, LoggedWrite, PartKind};
use super::{LOGGED_MAX, NfsIo, SlotBuffers};
use crate::error::NfsError;
use crate::proto::*;
use crate::rpc::{RpcProgram, RpcRefusal};
use crate::status::NfsStatus;
use crate::wire::CallHead;
use crate::xdr::{Xdr, XdrError, XdrReader};
use fathom_vocab::ErrorNumber;
use std::time::{Duration, Instant};

/// Wait after the first JUKEBOX; it doubles up to [`JUKEBOX_MAX`].
const JUKEBOX_FIRST: Duration = Duration::from_millis(100);
const JUKEBOX_MAX: Duration = Duration::from_secs(5);

/// The content of a reply.
enum PartReply<'a> {
    Read(ReadReply<'a>),
    Write(WriteReply),
    Commit(CommitReply),
    Failed(NfsStatus),
}

impl<'a> PartReply<'a> {
    fn read(kind: PartKind, mut from: XdrReader<'a>) -> Result<PartReply<'a>, XdrError> {
        let from = &mut from;
        let status = NfsStatus::read(from)?;
        if status != NfsStatus::OK {
            return Ok(PartReply::Failed(status));
        }
        match kind {
            PartKind::Read => ReadReply::read(from).map(PartReply::Read),
            PartKind::Write | PartKind::Rewrite => WriteReply::read(from).map(PartReply::Write),
            PartKind::Commit => CommitReply::read(from).map(PartReply::Commit),
        }
    }
}

/// The action after a reply, once it is no longer borrowed.
enum AfterReply {
    /// The call is over.
    Over,
    /// This number of bytes is done, and the remainder is requested.
    Rest(u32),
    /// It is over, and nothing follows these bytes.
    End(u32),
    Wrote(WriteReply),
    Committed(NfsVerifier),
    Failed(NfsStatus),
    Refused(RpcRefusal),
}

impl NfsIo {
    /// Makes a call, over the connection with the fewest in flight.
    pub(super) fn issue(&mut self, mut part: IoPart, buffers: &mut impl SlotBuffers) {
        if let Some(io) = &mut self.ios[part.slot as usize] {
            io.outstanding += 1;
        }
        let now = Instant::now();
        part.link = self.next_link();
        part.began.get_or_insert(now);
        let tag = self.parts.put(part);
        let xid = self.send(&part, tag, now, buffers);
        self.parts.set_xid(tag, xid);
    }

    /// The connection for the next call.
    fn next_link(&mut self) -> usize {
        let count = self.links.len();
        if count == 1 {
            return 0;
        }
        let from_turn = (0..count).map(|step| (self.turn + step) % count);
        let load = |at: &usize| (!self.links[*at].is_up(), self.links[*at].wire.in_flight());
        let link = from_turn.min_by_key(load).unwrap_or(0);
        self.turn = link + 1;
        link
    }

    /// Gives a call to its connection: its xid.
    fn send(
        &mut self,
        part: &IoPart,
        tag: u32,
        now: Instant,
        buffers: &mut impl SlotBuffers,
    ) -> u32 {
        let stability = self.stability_of(part);
        let procedure = part.kind.procedure() as u32;
        let (program, credential) = (RpcProgram::NFS, self.export.credential());
        let head = CallHead { program, procedure, credential, tag };
        let file = &self.files[part.file as usize].handle.0;
        let wire = &mut self.links[part.link].wire;
        let IoPart { offset, at, len, .. } = *part;
        match part.kind {
            PartKind::Read | PartKind::Commit => wire.call(head, now, |to| {
                to.opaque(file);
                to.u64(offset);
                to.u32(len);
            }),
            PartKind::Write | PartKind::Rewrite => {
                let own = part.slot as usize == self.ios.len() - 1;
                let data = buffers.slot(if own { 0 } else { part.slot });
                let data = data.get(at as usize..(at + len) as usize).unwrap_or_default();
                let call = WriteCall { file, offset, stability, data };
                wire.call(head, now, |to| call.write(to))
            }
        }
    }

    /// Repeats calls whose delay has ended.
    pub(super) fn reissue_delayed(&mut self, now: Instant, buffers: &mut impl SlotBuffers) {
        while let Some(at) = self.delayed.iter().position(|(due, _)| *due <= now) {
            let (_, part) = self.delayed.swap_remove(at);
            if let Some(io) = &mut self.ios[part.slot as usize] {
                // It has been counted all the time.
                io.outstanding -= 1;
            }
            self.issue(part, buffers);
        }
    }

    /// Takes all replies out of a connection.
    pub(super) fn take_replies(
        &mut self,
        at: usize,
        now: Instant,
        buffers: &mut impl SlotBuffers,
    ) -> Result<(), NfsError> {
        loop {
            let reply = self.links[at].wire.next_reply();
            let reply = match reply {
                Err(error) => return Err(self.links[at].malformed(&error)),
                Ok(None) => return Ok(()),
                Ok(Some(reply)) => reply,
            };
            let Some(part) = self.parts.take(reply.tag) else { continue };
            let latency = now.saturating_duration_since(reply.began);
            let after = match reply.outcome {
                Err(refusal) => Ok(AfterReply::Refused(refusal)),
                Ok(result) => PartReply::read(part.kind, result)
                    .map(|reply| look_at(&part, reply, buffers, &mut self.counts[at])),
            };
            let after = after.map_err(|error| self.links[at].malformed(&error.into()))?;
            if part.kind != PartKind::Commit {
                self.counts[at].latency.record(latency);
            }
            self.follow(part, after, now, buffers);
        }
    }

    fn follow(
        &mut self,
        part: IoPart,
        after: AfterReply,
        now: Instant,
        buffers: &mut impl SlotBuffers,
    ) {
        match after {
            AfterReply::Over => {}
            AfterReply::Rest(bytes) => self.go_on(part, bytes, buffers),
            AfterReply::End(bytes) => {
                if let Some(io) = &mut self.ios[part.slot as usize] {
                    io.whole = io.whole.min(part.at - io.request.at + bytes);
                }
            }
            AfterReply::Wrote(reply) => self.wrote(part, &reply, buffers),
            AfterReply::Committed(verifier) => self.committed(part, verifier, buffers),
            AfterReply::Failed(NfsStatus::JUKEBOX) => return self.wait_for_jukebox(part, now),
            AfterReply::Failed(status) => {
                let what = part.kind.procedure().name();
                self.fail(part.slot, status.errno(), format!("{what}: {status}"));
            }
            AfterReply::Refused(refusal) => {
                let denied = matches!(refusal, RpcRefusal::Denied(_));
                let number = ErrorNumber::new(if denied { 13 } else { 95 });
                self.fail(part.slot, number, refusal.to_string());
            }
        }
        self.part_over(part.slot);
    }

    /// One call fewer: with the last one the I/O is over.
    fn part_over(&mut self, slot: u32) {
        let Some(io) = &mut self.ios[slot as usize] else { return };
        io.outstanding -= 1;
        if io.outstanding > 0 {
            return;
        }
        let result = match io.error.is_error() {
            true => -io.error.get(),
            false if io.request.op.is_sync() => 0,
            false => io.whole as i32,
        };
        self.over.push_back((slot, result));
    }

    fn fail(&mut self, slot: u32, error: ErrorNumber, why: String) {
        if let Some(io) = &mut self.ios[slot as usize] {
            io.error = io.error.or(error);
            io.flush = None;
        }
        let server = self.export.server();
        self.trouble = Some(format!("{server}: {why}"));
    }

    fn go_on(&mut self, part: IoPart, bytes: u32, buffers: &mut impl SlotBuffers) {
        self.events.short += 1;
        self.issue(IoPart { began: None, ..part.rest(bytes) }, buffers);
    }

    fn wait_for_jukebox(&mut self, part: IoPart, now: Instant) {
        self.events.jukebox += 1;
        let wait = JUKEBOX_FIRST.saturating_mul(1 << part.waits.min(6)).min(JUKEBOX_MAX);
        self.delayed.push((now + wait, IoPart { waits: part.waits + 1, ..part }));
    }

    fn wrote(&mut self, part: IoPart, reply: &WriteReply, buffers: &mut impl SlotBuffers) {
        let asked = self.stability_of(&part);
        if reply.committed < asked {
            let why = "WRITE: it answered with less durability than was asked for";
            return self.fail(part.slot, ErrorNumber::EIO, why.to_owned());
        }
        let bytes = reply.count.min(part.len);
        if bytes == 0 && part.len > 0 {
            let why = "WRITE: it wrote nothing and said no reason";
            return self.fail(part.slot, ErrorNumber::EIO, why.to_owned());
        }
        if reply.committed == WriteStability::Unstable {
            let verifier = self.number_of(reply.verifier);
            let (file, offset, len) = (part.file, part.offset, u64::from(bytes));
            self.log_write(&part, LoggedWrite { file, verifier, offset, len });
        }
        if bytes < part.len {
            return self.go_on(part, bytes, buffers);
        }
        if part.kind == PartKind::Rewrite {
            self.rewrite_next(part.slot, buffers);
        } else if self.log.len() >= LOGGED_MAX {
            self.commit_unasked(part.file);
        }
    }

    fn stability_of(&self, part: &IoPart) -> WriteStability {
        match part.kind {
            PartKind::Rewrite => WriteStability::Unstable,
            _ => self.files[part.file as usize].stability,
        }
    }

    /// The number of a verifier, in the order of first appearance.
    pub(super) fn number_of(&mut self, verifier: NfsVerifier) -> u32 {
        if self.verifiers.last() == Some(&verifier) {
            return self.verifiers.len() as u32 - 1;
        }
        if let Some(at) = self.verifiers.iter().position(|seen| *seen == verifier) {
            return at as u32;
        }
        self.events.verifier_changes += u64::from(!self.verifiers.is_empty());
        self.verifiers.push(verifier);
        self.verifiers.len() as u32 - 1
    }
}

/// Handles a reply: data goes into the slot's buffer.
fn look_at(
    part: &IoPart,
    reply: PartReply<'_>,
    buffers: &mut impl SlotBuffers,
    counts: &mut ConnectionCounts,
) -> AfterReply {
    match reply {
        PartReply::Failed(status) => AfterReply::Failed(status),
        PartReply::Commit(reply) => {
            counts.commits += 1;
            AfterReply::Committed(reply.verifier)
        }
        PartReply::Write(reply) => {
            counts.ops += 1;
            counts.bytes += u64::from(reply.count.min(part.len));
            AfterReply::Wrote(reply)
        }
        PartReply::Read(reply) => {
            let bytes = reply.data.len().min(part.len as usize);
            let place = part.at as usize..part.at as usize + bytes;
            if let Some(place) = buffers.slot(part.slot).get_mut(place) {
                place.copy_from_slice(&reply.data[..bytes]);
            }
            counts.ops += 1;
            counts.bytes += bytes as u64;
            match bytes as u32 {
                all if all == part.len => AfterReply::Over,
                some if reply.eof || some == 0 => AfterReply::End(some),
                some => AfterReply::Rest(some),
            }
        }
    }
}
