//! One connection without its socket: calls in flight by their xid, data to be sent, and replies in
//! the received data.
//!
//! Decided here:
//! - A call's bytes are stored until its reply, so that after a reconnect it is sent again
//!   unchanged, under the same xid: a server that has done it already recognises it.
//! - An xid is never used for another call. They begin at a random number, because a server may
//!   remember those of an earlier client.
//! - An unexpected reply is counted and dropped.

use crate::error::WireError;
use crate::rpc::{
    RECORD_MAX, RecordReader, RpcCredential, RpcProgram, RpcRefusal, RpcReply, begin_record,
    end_record, write_call,
};
use crate::xdr::{Xdr, XdrReader, XdrWriter};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::io::IoSlice;
use std::time::Instant;

/// Calls that one system call sends at most.
const SENT_AT_ONCE: usize = 64;
/// Buffers stored for later calls.
const SPARE_MAX: usize = 256;

/// A call that waits for its reply.
#[derive(Debug)]
struct CallInFlight {
    tag: u32,
    /// Its place in the order of all calls.
    order: u64,
    bytes: Vec<u8>,
    began: Instant,
}

/// The counters of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WireCounts {
    /// Calls that were made.
    pub calls: u64,
    /// Replies that were waited for.
    pub replies: u64,
    /// Calls that were sent again over a new connection.
    pub resends: u64,
    /// Unexpected replies.
    pub strays: u64,
    /// Most calls in flight.
    pub most_in_flight: u32,
}

/// A reply that was waited for.
#[derive(Debug)]
pub struct WireReply<'a> {
    /// The caller's name of the call.
    pub tag: u32,
    /// When it was made.
    pub began: Instant,
    /// The procedure's result, to be read.
    pub outcome: Result<XdrReader<'a>, RpcRefusal>,
}

/// A call without its arguments.
#[derive(Clone, Copy, Debug)]
pub struct CallHead<'a> {
    /// The program.
    pub program: RpcProgram,
    /// The procedure.
    pub procedure: u32,
    /// The user.
    pub credential: &'a RpcCredential,
    /// The caller's name of the call.
    pub tag: u32,
}

/// The state of a connection.
#[derive(Debug)]
pub struct WireConnection {
    next_xid: u32,
    next_order: u64,
    /// By xid. The numbers are ours, so that a hash needs no secret.
    flying: FxHashMap<u32, CallInFlight>,
    /// Calls to be sent, and how much of the first is.
    queue: VecDeque<u32>,
    sent: usize,
    records: RecordReader,
    spare: Vec<Vec<u8>>,
    counts: WireCounts,
}

impl WireConnection {
    /// A connection whose first call has this xid.
    pub fn new(first_xid: u32) -> WireConnection {
        WireConnection {
            next_xid: first_xid,
            next_order: 0,
            flying: FxHashMap::default(),
            queue: VecDeque::new(),
            sent: 0,
            records: RecordReader::new(RECORD_MAX),
            spare: Vec::new(),
            counts: WireCounts::default(),
        }
    }

    /// Queues a call whose arguments `write` adds; returns its xid.
    pub fn call(
        &mut self,
        head: CallHead<'_>,
        now: Instant,
        write: impl FnOnce(&mut XdrWriter),
    ) -> u32 {
        let xid = self.next_xid;
        self.next_xid = self.next_xid.wrapping_add(1);
        let mut writer = begin_record(self.spare.pop().unwrap_or_default());
        let CallHead { program, procedure, credential, tag } = head;
        write_call(xid, program, procedure, Some(credential), &mut writer);
        write(&mut writer);
        let (bytes, order) = (end_record(writer), self.next_order);
        self.next_order += 1;
        self.flying.insert(xid, CallInFlight { tag, order, bytes, began: now });
        self.queue.push_back(xid);
        self.counts.calls += 1;
        self.counts.most_in_flight = self.counts.most_in_flight.max(self.in_flight());
        xid
    }

    /// How many calls wait for a reply.
    pub fn in_flight(&self) -> u32 {
        self.flying.len() as u32
    }

    /// Its counters.
    pub fn counts(&self) -> WireCounts {
        self.counts
    }

    /// Whether something is to be sent.
    pub fn has_output(&self) -> bool {
        !self.queue.is_empty()
    }

    /// The data to be sent next, in pieces.
    pub fn output(&self) -> SmallVec<[IoSlice<'_>; 8]> {
        let calls = self.queue.iter().take(SENT_AT_ONCE);
        let bytes = calls.filter_map(|xid| Some(self.flying.get(xid)?.bytes.as_slice()));
        let mut sent = self.sent;
        let unsent = bytes.map(|bytes| &bytes[std::mem::take(&mut sent).min(bytes.len())..]);
        unsent.map(IoSlice::new).collect()
    }

    /// Reports that this number of bytes of the output was sent.
    pub fn sent(&mut self, bytes: usize) {
        self.sent += bytes;
        while let Some(xid) = self.queue.front() {
            let len = self.flying.get(xid).map_or(0, |call| call.bytes.len());
            if self.sent < len {
                return;
            }
            self.sent -= len;
            self.queue.pop_front();
        }
    }

    /// The buffer for received data: see [`RecordReader::room`].
    pub fn input(&mut self) -> &mut RecordReader {
        &mut self.records
    }

    /// The next reply, if a complete one has arrived.
    ///
    /// # Errors
    /// If the received data is not a reply; the connection is useless then.
    pub fn next_reply(&mut self) -> Result<Option<WireReply<'_>>, WireError> {
        // The record is read twice, because it cannot be borrowed while the next one is searched.
        loop {
            let Some(record) = self.records.next_record()? else { return Ok(None) };
            let mut reader = XdrReader::new(record);
            let head = RpcReply::read(&mut reader)?;
            // A call that is still being sent cannot have been answered.
            let Some(call) = self.flying.remove(&head.xid) else {
                self.counts.strays += 1;
                continue;
            };
            self.counts.replies += 1;
            forget_queued(&mut self.queue, &mut self.sent, head.xid);
            keep_spare(&mut self.spare, call.bytes);
            let at = record.len() - reader.rest().len();
            let outcome = head.outcome.map(|()| XdrReader::new(self.records.last_record(at)));
            return Ok(Some(WireReply { tag: call.tag, began: call.began, outcome }));
        }
    }

    /// No longer waits for a call: its reply will be dropped.
    pub fn forget(&mut self, xid: u32) {
        // A half sent call must be sent completely.
        let half_sent = self.sent > 0 && self.queue.front() == Some(&xid);
        if !half_sent && let Some(call) = self.flying.remove(&xid) {
            self.queue.retain(|queued| *queued != xid);
            keep_spare(&mut self.spare, call.bytes);
        }
    }

    /// The connection has ended: all calls without a reply are to be sent over the next one, in
    /// their order.
    pub fn lost(&mut self) {
        self.records.clear();
        let mut calls: Vec<(u64, u32)> =
            self.flying.iter().map(|(xid, call)| (call.order, *xid)).collect();
        calls.sort_unstable();
        let unsent = self.queue.len() - usize::from(self.sent > 0);
        self.counts.resends += (calls.len() - unsent.min(calls.len())) as u64;
        self.queue = calls.into_iter().map(|(_, xid)| xid).collect();
        self.sent = 0;
    }

    /// Waits for nothing any more: the tags of all calls.
    pub fn abandon(&mut self) -> Vec<u32> {
        self.queue.clear();
        self.sent = 0;
        self.records.clear();
        self.flying.drain().map(|(_, call)| call.tag).collect()
    }
}

/// A hostile server may answer a call that was not sent completely; its remainder is then not sent,
/// and the next invalid data reconnects.
fn forget_queued(queue: &mut VecDeque<u32>, sent: &mut usize, xid: u32) {
    if let Some(at) = queue.iter().position(|queued| *queued == xid) {
        queue.remove(at);
        if at == 0 {
            *sent = 0;
        }
    }
}

fn keep_spare(spare: &mut Vec<Vec<u8>>, bytes: Vec<u8>) {
    if spare.len() < SPARE_MAX {
        spare.push(bytes);
    }
}
