//! The engine that does nothing, to measure the program around it.
//!
//! There are two types, because the loop treats an engine that completes at once and one that
//! completes later differently, and both must be measured: depth 1 is done when queued, more is
//! taken by `commit` and found by `reap`, as in fio's null engine.

use crate::arena::Arena;
use crate::synchronous::Synchronous;
use crate::{Completion, Engine, Queued, Request};
use std::io;
use std::time::Duration;

/// Completes when queued.
#[derive(Debug)]
pub(crate) struct NullNow {
    arena: Arena,
}

impl NullNow {
    pub(crate) fn new(arena: Arena) -> NullNow {
        NullNow { arena }
    }
}

impl Synchronous for NullNow {
    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn perform(&mut self, request: &Request) -> i32 {
        request.len as i32
    }
}

/// Completes when reaped, in the order of queueing. It does not track its slots, as engines with a
/// kernel do: nothing else writes into its buffers.
#[derive(Debug)]
pub(crate) struct NullLater {
    arena: Arena,
    queue: Vec<Completion>,
    /// How many of `queue`, from its front, were committed.
    committed: usize,
}

impl NullLater {
    pub(crate) fn new(arena: Arena) -> NullLater {
        let queue = Vec::with_capacity(arena.slots() as usize);
        NullLater { arena, queue, committed: 0 }
    }
}

impl Engine for NullLater {
    const SYNC: bool = false;

    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn queue(&mut self, request: &Request) -> Queued {
        if self.queue.len() >= self.arena.slots() as usize {
            return Queued::Busy;
        }
        self.queue.push(Completion { slot: request.slot, result: request.len as i32 });
        Queued::Pending
    }

    #[inline(always)]
    fn commit(&mut self) -> io::Result<()> {
        self.committed = self.queue.len();
        Ok(())
    }

    #[inline(always)]
    fn reap(
        &mut self,
        _min: u32,
        max: u32,
        _timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let count = self.committed.min(max as usize);
        done.extend_from_slice(&self.queue[..count]);
        if count == self.queue.len() {
            self.queue.clear();
        } else {
            self.queue.drain(..count);
        }
        self.committed -= count;
        Ok(())
    }
}
