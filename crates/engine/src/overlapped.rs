//! The engine windowsaio without its system calls: slots in flight, inline completions, and packets
//! of a completion port.
//!
//! The calls are behind [`OverlappedCalls`], so that scripted ones can test on every system what no
//! machine does on demand (I/Os that complete inline, out of order, partly, never, or with an error
//! of the port). Decided here:
//! - Queued requests are issued by `commit`, in order. An I/O that completes inline leaves no
//!   packet at the port; the next `reap` returns it.
//! - If the system lacks resources, the remaining requests wait for completions, as with libaio.
//! - Alignment is checked here: not every layer below checks it.
//! - Dropping cancels the I/Os in flight and waits for them: the kernel writes into the arena.
//! - A port waits in whole milliseconds. The fraction before a deadline is polled, because a
//!   deadline is when a paced I/O is due.

use crate::arena::Arena;
use crate::slots::Slots;
use crate::{Completion, Engine, Queued, Request};
use fathom_vocab::{ErrorNumber, NumberedError, Op};
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// `ERROR_HANDLE_EOF`.
const HANDLE_EOF: u32 = 38;

/// A code of Windows as the result of an I/O: a negative error number, or nothing done at the end
/// of a file.
pub(crate) fn result_of(code: u32) -> i32 {
    match code {
        HANDLE_EOF => 0,
        code => -ErrorNumber::of_windows(code).get(),
    }
}

/// Whether a request and its buffer are multiples of its file's alignment.
#[inline(always)]
pub(crate) fn is_aligned(request: &Request, buffer: *const u8, align: u32) -> bool {
    align <= 1
        || request.offset.is_multiple_of(align.into())
            && request.len.is_multiple_of(align)
            && (buffer as usize).is_multiple_of(align as usize)
}

/// A read or write that is to be issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverlappedIo {
    pub write: bool,
    pub file: u32,
    pub offset: u64,
    pub len: u32,
    pub slot: u32,
    pub ptr: *mut u8,
}

/// The outcome of issuing an I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IssueOutcome {
    /// The port will report it.
    Flying,
    /// It is done with this number of bytes, and the port will not report it.
    Inline(u32),
    /// It was refused with this code, and the port will not report it.
    Refused(u32),
}

/// A port's packet for one I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortPacket {
    pub slot: u32,
    pub bytes: u32,
    /// 0 if all went well.
    pub code: u32,
}

/// How long a port is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortWait {
    /// Until a packet arrives.
    Forever,
    /// Up to this number of milliseconds; 0 takes only available packets.
    Milliseconds(u32),
}

/// The calls that the engine makes.
pub(crate) trait OverlappedCalls {
    /// Issues an I/O.
    ///
    /// # Safety
    /// `io.ptr` must stay valid for `io.len` bytes until the port has reported it, and no I/O of
    /// the same slot may be in flight.
    unsafe fn issue(&mut self, io: &OverlappedIo) -> IssueOutcome;

    /// Appends at most `max` packets to `packets`; none once the time is over.
    ///
    /// # Errors
    /// The code of an error of the port itself.
    fn dequeue(
        &mut self,
        max: u32,
        wait: PortWait,
        packets: &mut Vec<PortPacket>,
    ) -> Result<(), u32>;

    /// Requests the end of all I/Os in flight, which the port reports anyway.
    fn cancel(&mut self);

    /// Does a flush or a trim, and waits for it: bytes, or a negative error number.
    fn wait_for(&mut self, request: &Request) -> i32;

    /// Gives up the memory that the kernel may still write to.
    fn leak(&mut self);
}

/// The windowsaio engine, over some calls.
pub(crate) struct Overlapped<C: OverlappedCalls> {
    calls: C,
    arena: Arena,
    slots: Slots,
    /// The alignment of offsets and lengths of each file; 1 if there is none.
    alignments: Vec<u32>,
    /// Queued, and not yet issued.
    batch: Vec<Request>,
    /// Over without the port.
    ready: VecDeque<Completion>,
    /// I/Os that the port will report.
    flying: u32,
    packets: Vec<PortPacket>,
    /// Whether the last commit left I/Os behind for want of resources.
    short_of_resources: bool,
}

impl<C: OverlappedCalls> Overlapped<C> {
    /// An engine over `calls` whose files have these alignments.
    pub(crate) fn new(calls: C, arena: Arena, alignments: Vec<u32>) -> Overlapped<C> {
        let depth = arena.slots();
        Overlapped {
            calls,
            arena,
            slots: Slots::new(depth),
            alignments,
            batch: Vec::with_capacity(depth as usize),
            ready: VecDeque::with_capacity(depth as usize),
            flying: 0,
            packets: Vec::with_capacity(depth as usize),
            short_of_resources: false,
        }
    }

    /// Issues one request; returns whether it has left the batch.
    #[inline(always)]
    fn issue(&mut self, request: &Request) -> bool {
        let Request { op, file, offset, len, slot, .. } = *request;
        let ptr = self.arena.ptr_of(request);
        let io = OverlappedIo { write: op == Op::Write, file, offset, len, slot, ptr };
        // SAFETY: the slot is taken until its packet was dequeued, so that nobody touches its
        // buffer; the arena outlives what is in flight (see `drop`).
        let result = match unsafe { self.calls.issue(&io) } {
            IssueOutcome::Flying => {
                self.flying += 1;
                return true;
            }
            IssueOutcome::Inline(bytes) => bytes as i32,
            IssueOutcome::Refused(code) => {
                let result = result_of(code);
                let is_short = result == -ErrorNumber::EAGAIN.get();
                if is_short && (self.flying > 0 || !self.ready.is_empty()) {
                    return false;
                }
                result
            }
        };
        self.ready.push_back(Completion { slot, result });
        true
    }

    /// Takes packets from the port, at most `max`; returns the number of completions.
    #[inline(always)]
    fn take(&mut self, max: u32, wait: PortWait, done: &mut Vec<Completion>) -> io::Result<u32> {
        self.packets.clear();
        self.calls.dequeue(max, wait, &mut self.packets).map_err(port_error)?;
        let mut taken = 0;
        for packet in &self.packets {
            // A packet for a slot that is not in flight is ignored.
            if !self.slots.give(packet.slot) {
                continue;
            }
            self.flying -= 1;
            let result =
                if packet.code == 0 { packet.bytes as i32 } else { result_of(packet.code) };
            done.push(Completion { slot: packet.slot, result });
            taken += 1;
        }
        Ok(taken)
    }
}

#[cold]
fn port_error(code: u32) -> io::Error {
    let text = format!("the completion port failed (Windows error {code}); run again");
    NumberedError::new(ErrorNumber::of_windows(code), text).into()
}

/// How long to wait for this number of further completions.
fn wait_until(deadline: Option<Instant>, wanted: u32) -> PortWait {
    match deadline {
        _ if wanted == 0 => PortWait::Milliseconds(0),
        None => PortWait::Forever,
        Some(deadline) => {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis();
            PortWait::Milliseconds(left.min(1 << 30) as u32)
        }
    }
}

impl<C: OverlappedCalls> Engine for Overlapped<C> {
    const SYNC: bool = false;

    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.slots.check_free(slot);
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn queue(&mut self, request: &Request) -> Queued {
        if !matches!(request.op, Op::Read | Op::Write) {
            return Queued::Done(self.calls.wait_for(request));
        }
        let ptr = self.arena.ptr_of(request);
        let align = self.alignments.get(request.file as usize).copied().unwrap_or(1);
        if !is_aligned(request, ptr, align) {
            return Queued::Done(-ErrorNumber::EINVAL.get());
        }
        self.slots.take(request.slot);
        self.batch.push(*request);
        Queued::Pending
    }

    #[inline(always)]
    fn commit(&mut self) -> io::Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        let issued = batch.iter().take_while(|request| self.issue(request)).count();
        self.short_of_resources = issued < batch.len();
        batch.drain(..issued);
        self.batch = batch;
        Ok(())
    }

    #[inline(always)]
    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let min = min.min(max);
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let mut taken = self.slots.give_ready(&mut self.ready, max, done);
        loop {
            if self.short_of_resources {
                self.commit()?;
                taken += self.slots.give_ready(&mut self.ready, max - taken, done);
            }
            if self.flying > 0 && taken < max {
                let wait = wait_until(deadline, min.saturating_sub(taken));
                taken += self.take(max - taken, wait, done)?;
            }
            let is_idle = self.flying == 0 && self.ready.is_empty() && !self.short_of_resources;
            let is_over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if taken >= min || is_idle || is_over {
                return Ok(());
            }
        }
    }
}

impl<C: OverlappedCalls> fmt::Debug for Overlapped<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overlapped")
            .field("taken", &self.slots.count())
            .field("flying", &self.flying)
            .finish_non_exhaustive()
    }
}

impl<C: OverlappedCalls> Drop for Overlapped<C> {
    /// Ends the I/Os in flight: the kernel must not write into freed memory. Queued requests that
    /// were never committed are dropped with the engine.
    fn drop(&mut self) {
        if self.flying == 0 {
            return;
        }
        self.calls.cancel();
        let mut done = Vec::new();
        while self.flying > 0 {
            if self.take(u32::MAX, PortWait::Forever, &mut done).is_err() {
                self.arena.leak();
                self.calls.leak();
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
