//! io_uring: requests and completions through two rings shared with the kernel.
//!
//! Each request is written directly into the submission ring when it is queued, and `commit` is one
//! call. Available completions are taken without a call; waiting for others runs the deferred work
//! that posts them.
//!
//! The ring belongs to the thread that made it (SINGLE_ISSUER). Flushes go through the ring, except
//! if it polls for completions: polled rings take reads and writes only.

use super::rw_flags::rw_flags;
use crate::arena::Arena;
use crate::error::EngineError;
use crate::linux::fileset::FileSet;
use crate::linux::uring_enter::RegisteredRing;
use crate::linux::uring_setup::{RingSetup, prepare};
use crate::slots::Slots;
use crate::target::TargetHandle;
use crate::{Completion, Engine, Queued, Request};
use fathom_vocab::{EngineOptions, Op};
use io_uring::types::{Fd, Fixed, FsyncFlags};
use io_uring::{IoUring, opcode, squeue};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::{Duration, Instant};

/// The io_uring engine.
pub(crate) struct Uring {
    /// Before the ring, and both before the arena, because they are dropped in this order.
    door: RegisteredRing,
    ring: IoUring,
    arena: Arena,
    files: FileSet,
    slots: Slots,
    fixed_files: bool,
    /// Slots to a registered buffer; 0 if buffers are not registered.
    slots_per_buffer: u32,
    rw_flags: i32,
    /// Every N-th request goes to a worker; 0 means never.
    force_async: u32,
    since_async: u32,
    /// Whether completions have to be polled for.
    polled: bool,
    /// Whether the last commit left requests in the ring for want of resources.
    refused: bool,
}

impl Uring {
    pub(crate) fn new(
        arena: Arena,
        files: FileSet,
        options: &EngineOptions,
        notes: &mut Vec<String>,
    ) -> Result<Uring, EngineError> {
        let RingSetup { ring, slots_per_buffer, fixed_files } =
            prepare(&arena, &files, options, notes)?;
        Ok(Uring {
            slots: Slots::new(arena.slots()),
            fixed_files,
            slots_per_buffer,
            rw_flags: rw_flags(options, false),
            force_async: options.force_async,
            since_async: 0,
            polled: options.hipri,
            refused: false,
            door: RegisteredRing::new(&ring),
            ring,
            arena,
            files,
        })
    }

    /// The entry of a request, with its file in the registered form.
    #[inline(always)]
    fn entry(&self, request: &Request, ptr: *mut u8) -> squeue::Entry {
        if self.fixed_files {
            self.entry_for(request, ptr, Fixed(request.file))
        } else {
            self.entry_for(request, ptr, Fd(self.files.fd(request.file)))
        }
    }

    #[inline(always)]
    fn entry_for<F: Target>(&self, request: &Request, ptr: *mut u8, file: F) -> squeue::Entry {
        let Request { op, len, offset, slot, .. } = *request;
        if op.is_sync() {
            return file.fsync(op == Op::Fdatasync);
        }
        // A shift would do, but the division by the slots of 1 GiB is not a bottleneck.
        let buffer = (self.slots_per_buffer > 0).then(|| (slot / self.slots_per_buffer) as u16);
        file.transfer(op == Op::Write, ptr, len, offset, buffer, self.rw_flags)
    }

    /// Whether this request is one of those sent to a worker.
    #[inline(always)]
    fn goes_to_worker(&mut self) -> bool {
        if self.force_async == 0 {
            return false;
        }
        self.since_async += 1;
        if self.since_async < self.force_async {
            return false;
        }
        self.since_async = 0;
        true
    }

    /// Moves completions that are in the ring to `done`, at most `max`: how many.
    #[inline(always)]
    fn take(&mut self, max: u32, done: &mut Vec<Completion>) -> u32 {
        let mut taken = 0;
        let mut ring = self.ring.completion();
        while taken < max
            && let Some(event) = ring.next()
        {
            let slot = event.user_data() as u32;
            if self.slots.give(slot) {
                done.push(Completion { slot, result: event.result() });
                taken += 1;
            }
        }
        taken
    }

    /// Waits for `min` completions to be in the ring; 0 only makes the kernel post its completions.
    fn wait(&self, min: u32, deadline: Option<Instant>) -> io::Result<()> {
        let params = self.ring.params();
        if min == 0 && params.is_setup_sqpoll() && !self.polled {
            return Ok(());
        }
        if let Some(deadline) = deadline
            && min > 0
            && !params.is_feature_ext_arg()
        {
            return self.poll_ring(deadline);
        }
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        match self.door.wait(min, left.filter(|_| min > 0)) {
            Ok(_) => Ok(()),
            Err(error) => match error.raw_os_error() {
                // EBUSY and EAGAIN: there are completions to be taken first.
                Some(libc::EINTR | libc::ETIME | libc::EBUSY | libc::EAGAIN) => Ok(()),
                _ => Err(error),
            },
        }
    }

    /// Waits for a completion on kernels whose wait has no timeout (before 5.11).
    #[cold]
    fn poll_ring(&self, deadline: Instant) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        // SAFETY: the ring is open for as long as it is borrowed here.
        let ring = unsafe { BorrowedFd::borrow_raw(self.ring.as_raw_fd()) };
        match poll(&mut [PollFd::new(&ring, PollFlags::IN)], Some(&left)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// How many I/Os the kernel has and will report.
    #[inline(always)]
    fn in_kernel(&mut self) -> u32 {
        if self.ring.params().is_setup_sqpoll() {
            return self.slots.count();
        }
        self.slots.count() - self.ring.submission().len() as u32
    }

    /// Submits until the ring is empty, or the kernel wants completions taken first.
    #[inline(always)]
    fn submit(&mut self) -> io::Result<()> {
        loop {
            let count = self.ring.submission().len() as u32;
            if count == 0 {
                return Ok(());
            }
            match self.door.submit(count) {
                Ok(taken) if taken == count => return Ok(()),
                Ok(1..) => {}
                Ok(0) => return self.put_off(libc::EAGAIN),
                Err(error) => match error.raw_os_error() {
                    Some(libc::EINTR) => {}
                    Some(code @ (libc::EBUSY | libc::EAGAIN)) => return self.put_off(code),
                    _ => return Err(error),
                },
            }
        }
    }

    /// Leaves requests in the ring until some that the kernel has are complete.
    ///
    /// # Errors
    /// If it has none: nothing would ever change.
    #[cold]
    fn put_off(&mut self, code: i32) -> io::Result<()> {
        if self.in_kernel() == 0 {
            return Err(io::Error::from_raw_os_error(code));
        }
        self.refused = true;
        Ok(())
    }
}

/// A file as the submission ring names it: by descriptor, or by its place in a registered list.
trait Target {
    fn fsync(self, data_only: bool) -> squeue::Entry;
    fn transfer(
        self,
        write: bool,
        ptr: *mut u8,
        len: u32,
        offset: u64,
        buffer: Option<u16>,
        flags: i32,
    ) -> squeue::Entry;
}

macro_rules! target {
    ($kind:ty) => {
        impl Target for $kind {
            #[inline(always)]
            fn fsync(self, data_only: bool) -> squeue::Entry {
                let flags = if data_only { FsyncFlags::DATASYNC } else { FsyncFlags::empty() };
                opcode::Fsync::new(self).flags(flags).build()
            }

            #[inline(always)]
            fn transfer(
                self,
                write: bool,
                ptr: *mut u8,
                len: u32,
                offset: u64,
                buffer: Option<u16>,
                flags: i32,
            ) -> squeue::Entry {
                match (write, buffer) {
                    (false, Some(buffer)) => opcode::ReadFixed::new(self, ptr, len, buffer)
                        .offset(offset)
                        .rw_flags(flags)
                        .build(),
                    (true, Some(buffer)) => opcode::WriteFixed::new(self, ptr, len, buffer)
                        .offset(offset)
                        .rw_flags(flags)
                        .build(),
                    (false, None) => {
                        opcode::Read::new(self, ptr, len).offset(offset).rw_flags(flags).build()
                    }
                    (true, None) => {
                        opcode::Write::new(self, ptr, len).offset(offset).rw_flags(flags).build()
                    }
                }
            }
        }
    };
}

target!(Fd);
target!(Fixed);

impl Engine for Uring {
    const SYNC: bool = false;

    #[inline(always)]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.slots.check_free(slot);
        self.arena.slot(slot)
    }

    #[inline(always)]
    fn queue(&mut self, request: &Request) -> Queued {
        if request.op == Op::Trim || (self.polled && request.op.is_sync()) {
            return Queued::Done(self.files.wait_for(request));
        }
        let ptr = self.arena.ptr_of(request);
        let mut entry = self.entry(request, ptr).user_data(request.slot.into());
        if self.goes_to_worker() {
            entry = entry.flags(squeue::Flags::ASYNC);
        }
        self.slots.take(request.slot);
        // SAFETY: the buffer lies in the arena (`Arena::ptr` checked it) and stays untouched
        // while the slot is taken; dropping the engine waits for what is in flight.
        if unsafe { self.ring.submission().push(&entry) }.is_err() {
            self.slots.give(request.slot);
            return Queued::Busy;
        }
        Queued::Pending
    }

    #[inline(always)]
    fn commit(&mut self) -> io::Result<()> {
        self.refused = false;
        if self.ring.params().is_setup_sqpoll() {
            // The kernel's thread takes them by itself, unless it has gone to sleep.
            return match self.ring.submission().need_wakeup() {
                true => self.door.wake().map(drop),
                false => Ok(()),
            };
        }
        self.submit()
    }

    #[inline(always)]
    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        let mut taken = self.take(max, done);
        if taken >= min.max(1) || self.slots.count() == 0 {
            return Ok(());
        }
        let deadline = timeout.map(|timeout| Instant::now() + timeout);
        loop {
            let wanted = min.min(max).saturating_sub(taken).min(self.in_kernel());
            self.wait(wanted, deadline)?;
            taken += self.take(max - taken, done);
            if self.refused {
                self.commit()?;
            }
            let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if taken >= min.min(max) || over || self.in_kernel() == 0 {
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

impl Drop for Uring {
    /// Waits for the I/Os in flight: the kernel must not write into freed memory. Queued requests
    /// that were never committed are dropped with the ring.
    fn drop(&mut self) {
        let mut done = Vec::new();
        while self.in_kernel() > 0 {
            if self.reap(1, u32::MAX, None, &mut done).is_err() {
                self.arena.leak();
                return;
            }
            done.clear();
        }
        // The kernel releases a ring in the background, some time after it is closed. Its
        // registered files must not wait for that: a deleted file would keep its blocks, a device
        // would still be busy.
        let submitter = self.ring.submitter();
        if self.fixed_files {
            let _ = submitter.unregister_files();
        }
        if self.slots_per_buffer > 0 {
            let _ = submitter.unregister_buffers();
        }
    }
}

impl std::fmt::Debug for Uring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Uring")
            .field("in_flight", &self.slots.count())
            .field("fixed_files", &self.fixed_files)
            .field("slots_per_buffer", &self.slots_per_buffer)
            .finish_non_exhaustive()
    }
}
