//! Linux native asynchronous I/O, by its five system calls (libaio.so adds nothing to them).
//!
//! A batch is one `io_submit`. Completions are read from the shared ring if they are already there,
//! and only missing ones are awaited in the kernel. A control block that the kernel refuses while
//! submitting becomes the completion of its slot, so that the loop sees every I/O exactly once; a
//! refusal for lack of resources (EAGAIN) leaves the block queued.

use super::rw_flags::rw_flags;
use crate::arena::Arena;
use crate::error::EngineError;
use crate::linux::advice::{io_setup_advice, sysctl};
use crate::linux::aio_ring::{CMD_FDSYNC, CMD_FSYNC, CMD_PREAD, CMD_PWRITE, IoEvent, Iocb, Ring};
use crate::linux::fileset::{FileSet, errno};
use crate::slots::Slots;
use crate::target::TargetHandle;
use crate::{Completion, Engine, Queued, Request};
use fathom_vocab::{EngineOptions, Op};
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// How often a batch is offered again when the kernel takes none of it and nothing is in flight
/// that would free resources; with the pauses between, about a second.
const MAX_REFUSALS: u32 = 1000;

/// The libaio engine.
#[derive(Debug)]
pub(crate) struct Libaio {
    context: AioContext,
    arena: Arena,
    files: FileSet,
    slots: Slots,
    /// One for each slot; the kernel copies it while submitting. In cells, so that an address in
    /// `batch` stays good while another block is written.
    blocks: Box<[UnsafeCell<Iocb>]>,
    /// Blocks queued and not yet in the kernel: addresses into `blocks`.
    batch: Vec<*mut Iocb>,
    /// Completions that the kernel will not report.
    ready: VecDeque<Completion>,
    events: Vec<IoEvent>,
    rw_flags: i32,
    /// Whether flushes go through the queue: until a file system refuses one.
    queued_sync: bool,
    /// Whether the last commit left blocks behind for want of resources.
    refused: bool,
}

/// A handle of `io_setup`.
#[derive(Debug)]
pub(crate) struct AioContext {
    pub(crate) id: libc::c_ulong,
    pub(crate) ring: Option<Ring>,
}

impl AioContext {
    pub(crate) fn new(depth: u32) -> io::Result<AioContext> {
        let mut id: libc::c_ulong = 0;
        // SAFETY: io_setup writes the handle, one word, to `id`.
        if unsafe { libc::syscall(libc::SYS_io_setup, depth, &raw mut id) } < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is io_setup's, and the ring goes with the context.
        let ring = unsafe { Ring::of(id) };
        Ok(AioContext { id, ring })
    }
}

impl Drop for AioContext {
    fn drop(&mut self) {
        // Waits for what is in flight, so that the arena, dropped later, is the kernel's no more.
        // SAFETY: the handle is this context's own and is not used again.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.id) };
    }
}

impl Libaio {
    pub(crate) fn new(
        arena: Arena,
        files: FileSet,
        options: &EngineOptions,
        notes: &mut Vec<String>,
    ) -> Result<Libaio, EngineError> {
        let depth = arena.slots();
        let context = AioContext::new(depth).map_err(|error| {
            let code = error.raw_os_error().unwrap_or(0);
            let used = sysctl("/proc/sys/fs/aio-nr");
            let advice = io_setup_advice(code, depth, used, sysctl("/proc/sys/fs/aio-max-nr"));
            EngineError::new("libaio", format!("io_setup({depth})"), error).advise(advice)
        })?;
        if context.ring.is_none() {
            notes.push(
                "libaio: the completion ring has an unknown layout; completions are \
                        taken by io_getevents"
                    .into(),
            );
        }
        Ok(Libaio {
            context,
            slots: Slots::new(depth),
            blocks: (0..depth).map(|_| UnsafeCell::new(Iocb::default())).collect(),
            batch: Vec::with_capacity(depth as usize),
            ready: VecDeque::with_capacity(depth as usize),
            events: vec![IoEvent::default(); depth as usize],
            rw_flags: rw_flags(options, true) & !libc::RWF_DONTCACHE,
            queued_sync: true,
            refused: false,
            arena,
            files,
        })
    }

    /// Completes the first block of the batch here: by a blocking call if it is a flush that cannot
    /// be queued, otherwise with the error.
    #[cold]
    fn complete_first(&mut self, error: i32) {
        let block = self.batch.remove(0);
        // SAFETY: the batch holds addresses of cells of `blocks`, which never moves, and no
        // reference into a cell is alive.
        let (slot, opcode, fd) = unsafe { ((*block).data as u32, (*block).opcode, (*block).fd) };
        let is_sync = matches!(opcode, CMD_FSYNC | CMD_FDSYNC);
        let result = if is_sync && matches!(error, libc::EINVAL | libc::EOPNOTSUPP) {
            self.queued_sync = false;
            let op = if opcode == CMD_FSYNC { Op::Fsync } else { Op::Fdatasync };
            let file = self.files.fds().iter().position(|&known| known as u32 == fd).unwrap_or(0);
            self.files.wait_for(&Request { op, file: file as u32, offset: 0, len: 0, at: 0, slot })
        } else {
            -error
        };
        self.ready.push_back(Completion { slot, result });
    }

    /// How many I/Os the kernel has and will report.
    #[inline(always)]
    fn in_kernel(&self) -> u32 {
        self.slots.count() - (self.batch.len() + self.ready.len()) as u32
    }

    /// Moves completions that need no waiting to `done`, at most `max`.
    #[inline(always)]
    fn take_ready(&mut self, max: u32, done: &mut Vec<Completion>) -> u32 {
        let mut taken = self.slots.give_ready(&mut self.ready, max, done);
        if let Some(ring) = &mut self.context.ring {
            let slots = &mut self.slots;
            ring.take(max - taken, |event| {
                taken += push(slots, event, done);
            });
        }
        taken
    }

    /// Waits in the kernel for `min` to `max` events: how many came.
    fn wait(
        &mut self,
        min: u32,
        max: u32,
        deadline: Option<Instant>,
        done: &mut Vec<Completion>,
    ) -> io::Result<u32> {
        let max = max.min(self.events.len() as u32);
        let count = loop {
            let mut timeout = left(deadline);
            let timeout = timeout.as_mut().map_or(std::ptr::null_mut(), std::ptr::from_mut);
            let events = self.events.as_mut_ptr();
            let (id, call) = (self.context.id, libc::SYS_io_getevents);
            // SAFETY: the kernel writes up to `max` events to a buffer that holds as many, and
            // reads the timeout, which outlives the call.
            let count = unsafe { libc::syscall(call, id, min as i64, max as i64, events, timeout) };
            if count >= 0 {
                break count as usize;
            }
            if errno() != libc::EINTR {
                return Err(io::Error::last_os_error());
            }
        };
        let slots = &mut self.slots;
        Ok(self.events[..count].iter().map(|event| push(slots, event, done)).sum())
    }
}

/// Frees the slot of an event and appends its completion: 1, or 0 for an event of no slot.
#[inline(always)]
fn push(slots: &mut Slots, event: &IoEvent, done: &mut Vec<Completion>) -> u32 {
    let slot = event.data as u32;
    if !slots.give(slot) {
        return 0;
    }
    done.push(Completion { slot, result: event.res as i32 });
    1
}

/// The time left until a moment, in the kernel's format; zero once it has passed.
pub(crate) fn left(deadline: Option<Instant>) -> Option<libc::timespec> {
    let left = deadline?.saturating_duration_since(Instant::now());
    Some(libc::timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos().into() })
}

impl Engine for Libaio {
    const SYNC: bool = false;

    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.slots.check_free(slot);
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn queue(&mut self, request: &Request) -> Queued {
        let opcode = match request.op {
            Op::Read => CMD_PREAD,
            Op::Write => CMD_PWRITE,
            Op::Fsync if self.queued_sync => CMD_FSYNC,
            Op::Fdatasync if self.queued_sync => CMD_FDSYNC,
            Op::Trim | Op::Fsync | Op::Fdatasync => {
                return Queued::Done(self.files.wait_for(request));
            }
        };
        let ptr = self.arena.ptr_of(request);
        self.slots.take(request.slot);
        let transfers = opcode <= CMD_PWRITE;
        let address = self.blocks[request.slot as usize].get();
        // SAFETY: the slot was free, so that neither the batch nor the kernel has this block.
        let block = unsafe { &mut *address };
        block.data = request.slot.into();
        block.rw_flags = if transfers { self.rw_flags } else { 0 };
        block.opcode = opcode;
        block.fd = self.files.fd(request.file) as u32;
        // A flush must carry neither address, length nor offset: the kernel tests for it.
        block.buf = if transfers { ptr as u64 } else { 0 };
        block.nbytes = if transfers { request.len.into() } else { 0 };
        block.offset = if transfers { request.offset as i64 } else { 0 };
        self.batch.push(address);
        Queued::Pending
    }

    #[inline(always)]
    fn commit(&mut self) -> io::Result<()> {
        let mut refusals = 0;
        self.refused = false;
        while !self.batch.is_empty() {
            let (count, blocks) = (self.batch.len(), self.batch.as_mut_ptr());
            // SAFETY: `count` pointers to blocks that outlive the call, each with a buffer that
            // the arena keeps until the slot is given back (`AioContext::drop` waits for the rest).
            let taken =
                unsafe { libc::syscall(libc::SYS_io_submit, self.context.id, count, blocks) };
            if taken == count as i64 {
                self.batch.clear();
            } else if taken > 0 {
                self.batch.drain(..taken as usize);
            } else {
                match errno() {
                    libc::EINTR => {}
                    libc::EAGAIN if self.in_kernel() > 0 || !self.ready.is_empty() => {
                        self.refused = true;
                        break;
                    }
                    libc::EAGAIN if refusals < MAX_REFUSALS => {
                        refusals += 1;
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    error => self.complete_first(error),
                }
            }
        }
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
        let mut taken = self.take_ready(max, done);
        if taken >= min && !self.refused && (self.context.ring.is_some() || taken >= max) {
            return Ok(());
        }
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        loop {
            if self.refused {
                self.commit()?;
                taken += self.take_ready(max - taken, done);
            }
            let wanted = min.saturating_sub(taken).min(self.in_kernel());
            taken += self.wait(wanted, max - taken, deadline, done)?;
            let idle = self.in_kernel() == 0 && self.ready.is_empty() && !self.refused;
            let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if taken >= min || idle || over {
                return Ok(());
            }
        }
    }

    fn open_file(&mut self, file: u32, target: TargetHandle) -> io::Result<()> {
        self.files.open(file, target).map(drop)
    }

    fn close_file(&mut self, file: u32) {
        self.files.close(file);
    }
}
