//! POSIX asynchronous I/O by the C library, which uses its own threads.
//!
//! It exists because fio has it and articles use it; it is not fast. `aio_suspend` reports that
//! some I/O has completed but not which, so every reap checks every block in flight.
//!
//! The C library's threads write to a control block while it is in flight, so no reference to one
//! is ever made: each is in its own cell and is accessed only by its address.

use crate::arena::Arena;
use crate::linux::fileset::{FileSet, errno};
use crate::linux::libaio::left;
use crate::slots::Slots;
use crate::target::TargetHandle;
use crate::{Completion, Engine, Queued, Request};
use fathom_vocab::Op;
use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// The posixaio engine.
pub(crate) struct Posixaio {
    arena: Arena,
    files: FileSet,
    slots: Slots,
    /// One for each slot; the C library stores the addresses, so the list never moves.
    blocks: Box<[UnsafeCell<libc::aiocb>]>,
    /// Queued, and not yet with the C library.
    batch: Vec<Request>,
    /// Slots with the C library.
    flying: Vec<u32>,
    /// Refused by the C library.
    ready: VecDeque<Completion>,
    /// Whether the last commit left requests behind for want of resources.
    refused: bool,
}

impl Posixaio {
    pub(crate) fn new(arena: Arena, files: FileSet) -> Posixaio {
        // SAFETY: a control block is plain data for which zero is the documented blank value.
        let blank = || UnsafeCell::new(unsafe { std::mem::zeroed() });
        let blocks = (0..arena.slots()).map(|_| blank()).collect();
        let slots = Slots::new(arena.slots());
        Posixaio {
            arena,
            files,
            slots,
            blocks,
            batch: Vec::new(),
            flying: Vec::new(),
            ready: VecDeque::new(),
            refused: false,
        }
    }

    /// Gives one request to the C library: 0, or an error number.
    fn submit(&mut self, request: &Request) -> i32 {
        let ptr = self.arena.ptr_of(request);
        let block = self.blocks[request.slot as usize].get();
        // SAFETY: the slot was free, so that the C library does not have this block.
        unsafe {
            (*block).aio_fildes = self.files.fd(request.file);
            (*block).aio_buf = ptr.cast();
            (*block).aio_nbytes = request.len as usize;
            (*block).aio_offset = request.offset as libc::off_t;
            (*block).aio_sigevent.sigev_notify = libc::SIGEV_NONE;
        }
        // SAFETY: the block does not move, its buffer is the arena's, and neither is touched
        // until the slot is given back; dropping the engine waits for that.
        let result = unsafe {
            match request.op {
                Op::Write => libc::aio_write(block),
                Op::Fsync => libc::aio_fsync(libc::O_SYNC, block),
                Op::Fdatasync => libc::aio_fsync(libc::O_DSYNC, block),
                Op::Read | Op::Trim => libc::aio_read(block),
            }
        };
        if result == 0 { 0 } else { errno() }
    }

    /// Moves completions to `done`, at most `max`; returns their number.
    fn take(&mut self, max: u32, done: &mut Vec<Completion>) -> u32 {
        let mut taken = self.slots.give_ready(&mut self.ready, max, done);
        let (blocks, slots) = (&self.blocks, &mut self.slots);
        self.flying.retain(|&slot| {
            let block = blocks[slot as usize].get();
            // SAFETY: the block was given to the C library, and its result was not taken yet.
            let state = unsafe { libc::aio_error(block) };
            if taken >= max || state == libc::EINPROGRESS {
                return true;
            }
            // SAFETY: as above; this takes the result, once.
            let value = unsafe { libc::aio_return(block) };
            slots.give(slot);
            done.push(Completion { slot, result: if state == 0 { value as i32 } else { -state } });
            taken += 1;
            false
        });
        taken
    }

    /// Waits until something in flight has completed, or the deadline.
    fn wait(&self, deadline: Option<Instant>) -> io::Result<()> {
        let address = |&slot: &u32| self.blocks[slot as usize].get().cast_const();
        let list: Vec<*const libc::aiocb> = self.flying.iter().map(address).collect();
        let timeout = left(deadline);
        let timeout = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: a list of blocks in flight, and a time that outlives the call.
        if unsafe { libc::aio_suspend(list.as_ptr(), list.len() as i32, timeout) } == 0 {
            return Ok(());
        }
        match errno() {
            libc::EINTR | libc::EAGAIN => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

impl Engine for Posixaio {
    const SYNC: bool = false;

    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.slots.check_free(slot);
        self.arena.slot(slot)
    }

    fn queue(&mut self, request: &Request) -> Queued {
        if request.op == Op::Trim {
            return Queued::Done(self.files.wait_for(request));
        }
        // Before the slot is taken: a request that does not fit must not be queued.
        self.arena.ptr_of(request);
        self.slots.take(request.slot);
        self.batch.push(*request);
        Queued::Pending
    }

    fn commit(&mut self) -> io::Result<()> {
        self.refused = false;
        let mut batch = std::mem::take(&mut self.batch);
        let mut given = 0;
        for request in &batch {
            match self.submit(request) {
                0 => self.flying.push(request.slot),
                libc::EAGAIN if !self.flying.is_empty() => {
                    self.refused = true;
                    break;
                }
                code => self.ready.push_back(Completion { slot: request.slot, result: -code }),
            }
            given += 1;
        }
        batch.drain(..given);
        self.batch = batch;
        Ok(())
    }

    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        let mut taken = self.take(max, done);
        loop {
            if self.refused {
                self.commit()?;
            }
            let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if taken >= min.min(max) || over || self.flying.is_empty() {
                return Ok(());
            }
            self.wait(deadline)?;
            taken += self.take(max - taken, done);
        }
    }

    fn open_file(&mut self, file: u32, target: TargetHandle) -> io::Result<()> {
        self.files.open(file, target).map(drop)
    }

    fn close_file(&mut self, file: u32) {
        self.files.close(file);
    }
}

impl Drop for Posixaio {
    /// Waits for the I/Os in flight: the C library's threads write into the arena.
    fn drop(&mut self) {
        let mut done = Vec::new();
        while !self.flying.is_empty() {
            if self.wait(None).is_err() {
                // Neither buffers nor blocks may go while a thread may write to them.
                self.arena.leak();
                std::mem::forget(std::mem::take(&mut self.blocks));
                return;
            }
            self.take(u32::MAX, &mut done);
        }
    }
}
