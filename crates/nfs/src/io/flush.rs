//! Flushes: a COMMIT, and repeated writes of data that the server has lost since its answer.

use super::state::{FlushState, IoPart, IoState, LoggedWrite, NfsRequest, PartKind};
use super::{NfsIo, SlotBuffers};
use crate::proto::NfsVerifier;
use fathom_vocab::{ErrorNumber, Op};

/// Lost writes that are sent again at once.
const REWRITES: usize = 32;

/// Takes a slot's buffer for nothing: a COMMIT has no data.
struct NoBuffers;

impl SlotBuffers for NoBuffers {
    fn slot(&mut self, _: u32) -> &mut [u8] {
        &mut []
    }
}

impl NfsIo {
    /// Begins the flush of a file.
    pub(super) fn begin_flush(&mut self, slot: u32, file: u32) {
        let (writes, log) =
            std::mem::take(&mut self.log).into_iter().partition(|write| write.file == file);
        self.log = log;
        if let Some(io) = &mut self.ios[slot as usize] {
            io.flush = Some(FlushState { writes, lost: Vec::new() });
        }
        self.send_commit(slot, file);
    }

    fn send_commit(&mut self, slot: u32, file: u32) {
        self.events.commits += 1;
        self.issue(IoPart::new(slot, PartKind::Commit, file, 0), &mut NoBuffers);
    }

    /// Commits automatically, because too much data is unstable.
    pub(super) fn commit_unasked(&mut self, file: u32) {
        let own = self.ios.len() - 1;
        if self.ios[own].is_some() {
            return;
        }
        self.events.unasked_commits += 1;
        let slot = own as u32;
        let request = NfsRequest { op: Op::Fsync, file, offset: 0, len: 0, at: 0, slot };
        let (outstanding, whole, error, flush) = (0, 0, ErrorNumber::NONE, None);
        self.ios[own] = Some(IoState { request, outstanding, whole, error, flush });
        self.begin_flush(slot, file);
    }

    /// Records a write that may be lost. Consecutive ones are merged.
    pub(super) fn log_write(&mut self, part: &IoPart, write: LoggedWrite) {
        let flush = self.ios[part.slot as usize].as_mut().and_then(|io| io.flush.as_mut());
        let log = match flush {
            Some(flush) if part.kind == PartKind::Rewrite => &mut flush.writes,
            _ => &mut self.log,
        };
        match log.last_mut() {
            Some(last)
                if last.file == write.file
                    && last.verifier == write.verifier
                    && last.offset + last.len == write.offset =>
            {
                last.len += write.len;
            }
            _ => log.push(write),
        }
    }

    /// Handles the answer of a COMMIT: writes with another verifier are lost.
    pub(super) fn committed(
        &mut self,
        part: IoPart,
        verifier: NfsVerifier,
        buffers: &mut impl SlotBuffers,
    ) {
        let seen = self.number_of(verifier);
        let Some(flush) = self.ios[part.slot as usize].as_mut().and_then(|io| io.flush.as_mut())
        else {
            return;
        };
        let writes = std::mem::take(&mut flush.writes);
        flush.lost = writes.into_iter().filter(|write| write.verifier != seen).collect();
        self.events.lost_writes += flush.lost.len() as u64;
        for _ in 0..REWRITES.min(flush.lost.len()) {
            self.rewrite_next(part.slot, buffers);
        }
    }

    /// Sends the next lost write again; after the last one comes another COMMIT.
    pub(super) fn rewrite_next(&mut self, slot: u32, buffers: &mut impl SlotBuffers) {
        let own = self.ios.len() - 1;
        let room = buffers.slot(if slot as usize == own { 0 } else { slot }).len() as u64;
        let most = room.min(u64::from(self.export.write_max())).max(1);
        let Some(io) = self.ios[slot as usize].as_mut() else { return };
        let (file, outstanding) = (io.request.file, io.outstanding);
        let Some(flush) = io.flush.as_mut() else { return };
        let Some(write) = flush.lost.pop() else {
            // This reply's call is still counted.
            if outstanding == 1 && !flush.writes.is_empty() {
                self.send_commit(slot, file);
            }
            return;
        };
        let len = write.len.min(most);
        if len < write.len {
            let rest = LoggedWrite { offset: write.offset + len, len: write.len - len, ..write };
            flush.lost.push(rest);
        }
        let part = IoPart::new(slot, PartKind::Rewrite, file, write.offset);
        self.issue(IoPart { len: len as u32, ..part }, buffers);
    }
}
