//! Bare loops: the least code that drives a file, for finding the limit.
//!
//! Public for the benchmark (`crates/bench`) only: no job uses these. They take random offsets from
//! a prepared table, have no statistics, and read the clock once in thousands of I/Os. The
//! difference to an engine in the full loop is the cost of Fathom.
//!
//! The table has a power of two of entries and covers the whole range as evenly as the product's
//! permutation, because a loop over a few blocks would find them in the processor's cache and set
//! an unreachable limit. Calls are made raw, without the C library's wrappers: those support thread
//! cancellation, which costs time as soon as a process has a second thread.

use crate::arena::Arena;
use crate::linux::aio_ring::{CMD_PREAD, CMD_PWRITE, IoEvent, Iocb};
use crate::linux::libaio::AioContext;
use crate::linux::uring_enter::RegisteredRing;
use fathom_vocab::SplitMix;
use io_uring::{IoUring, opcode, squeue, types};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// The target and the duration of a bare loop.
#[derive(Clone, Copy, Debug)]
pub struct BareLoop<'a> {
    /// The file or device; opened as the loop shall use it (`O_DIRECT` or not).
    pub file: &'a File,
    /// Write instead of read: the same bytes each time.
    pub write: bool,
    /// The content of writes.
    pub content: WriteContent,
    /// Bytes of each I/O.
    pub block_bytes: u32,
    /// Offsets are below this, at multiples of the block.
    pub range_bytes: u64,
    /// I/Os in flight; the synchronous loop always has one.
    pub depth: u32,
    /// When it is over.
    pub until: Until,
}

/// The content of a bare loop's writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WriteContent {
    /// Bytes that no device can compress.
    #[default]
    Random,
    /// Zeros, of which a device of compressed memory stores almost nothing.
    Zeros,
}

/// When a bare loop is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this many I/Os, exactly.
    Ios(u64),
    /// After this time, which is checked once in some thousand I/Os.
    Elapsed(Duration),
}

/// The result of a bare loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BareCount {
    /// I/Os that completed, each in full.
    pub ios: u64,
    /// From the first submission to the last completion.
    pub elapsed: Duration,
}

/// Entries of the table of offsets. Indexed by a `u16`, so that no check is needed.
const TABLE: usize = 1 << 16;
/// I/Os between two readings of the clock. I/Os in flight complete before each, so there must be
/// many of them to maintain the depth.
const BETWEEN_LOOKS: u64 = 4096;

/// `pread` or `pwrite`, one after another.
///
/// # Errors
/// The kernel's error, or `UnexpectedEof` for a short transfer, and `InvalidInput` for a range
/// without a whole block.
pub fn synchronous(shape: &BareLoop) -> io::Result<BareCount> {
    let mut arena = shape.arena(1)?;
    let mut offsets = Offsets::of(shape)?;
    let buffer = &mut arena.slot(0)[..shape.block_bytes as usize];
    let file = shape.file;
    shape.timed(|budget| {
        for _ in 0..budget {
            let offset = offsets.next();
            let moved = if shape.write {
                rustix::io::pwrite(file, &*buffer, offset)?
            } else {
                rustix::io::pread(file, &mut *buffer, offset)?
            };
            if moved != buffer.len() {
                return Err(cut_short());
            }
        }
        Ok(budget)
    })
}

/// `io_submit` of all free slots, then completions from the shared ring, or from `io_getevents` if
/// it is empty.
///
/// # Errors
/// As [`synchronous`]; also if the kernel has no room for another context.
pub fn aio(shape: &BareLoop) -> io::Result<BareCount> {
    let depth = shape.depth.max(1);
    let arena = shape.arena(depth)?;
    let mut offsets = Offsets::of(shape)?;
    // After the arena, so that it is dropped before it.
    let mut context = AioContext::new(depth)?;
    let mut blocks: Vec<Iocb> = (0..depth).map(|slot| shape.block(&arena, slot)).collect();
    let mut free: Vec<*mut Iocb> = blocks.iter_mut().map(std::ptr::from_mut).collect();
    let base = blocks.as_mut_ptr();
    let mut events = vec![IoEvent::default(); depth as usize];
    let mut done: Vec<u32> = Vec::with_capacity(depth as usize);
    shape.timed(|budget| {
        let (mut to_submit, mut finished) = (budget, 0);
        while finished < budget {
            let count = free.len().min(to_submit as usize);
            let batch = free.len() - count;
            for block in &free[batch..] {
                // SAFETY: an address of an element of `blocks`, which never moves and of which
                // no reference is held.
                unsafe { (**block).offset = offsets.next() as i64 };
            }
            submit(context.id, &mut free[batch..])?;
            free.truncate(batch);
            to_submit -= count as u64;
            harvest(&mut context, shape.block_bytes, &mut events, &mut done)?;
            finished += done.len() as u64;
            // SAFETY: the slots are those the blocks were made with.
            free.extend(done.drain(..).map(|slot| unsafe { base.add(slot as usize) }));
        }
        Ok(finished)
    })
}

/// Submits a batch, which the kernel must take whole.
#[inline(always)]
fn submit(context: libc::c_ulong, batch: &mut [*mut Iocb]) -> io::Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let (call, count, first) = (libc::SYS_io_submit, batch.len(), batch.as_mut_ptr());
    // SAFETY: `count` pointers to blocks whose buffers outlive the context.
    let taken = unsafe { libc::syscall(call, context, count, first) };
    match taken {
        ..0 => Err(io::Error::last_os_error()),
        _ if taken as usize == count => Ok(()),
        _ => Err(io::Error::other("the kernel took a part of a batch")),
    }
}

/// Slots of all available completions; waits for one if there is none.
#[inline(always)]
fn harvest(
    context: &mut AioContext,
    block_bytes: u32,
    events: &mut [IoEvent],
    done: &mut Vec<u32>,
) -> io::Result<()> {
    let mut whole = true;
    let mut note = |done: &mut Vec<u32>, event: &IoEvent| {
        whole &= event.res == i64::from(block_bytes);
        done.push(event.data as u32);
    };
    if let Some(ring) = &mut context.ring {
        ring.take(events.len() as u32, |event| note(done, event));
    }
    if done.is_empty() {
        let (call, max, none) = (libc::SYS_io_getevents, events.len(), std::ptr::null::<u8>());
        // SAFETY: the kernel writes up to `max` events to a buffer that holds as many.
        let got =
            unsafe { libc::syscall(call, context.id, 1i64, max as i64, events.as_mut_ptr(), none) };
        let got = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
        for event in &events[..got] {
            note(done, event);
        }
    }
    if whole { Ok(()) } else { Err(cut_short()) }
}

/// An io_uring with its file, its buffers and itself registered; one call submits a batch.
///
/// # Errors
/// As [`synchronous`]; also if the kernel lacks io_uring or one of the flags (Linux 6.1).
pub fn ring(shape: &BareLoop) -> io::Result<BareCount> {
    let depth = shape.depth.max(1);
    let arena = shape.arena(depth)?;
    let mut offsets = Offsets::of(shape)?;
    // After the arena, so that it is dropped before it.
    let mut ring = shape.make_ring(&arena, depth)?;
    let door = RegisteredRing::new(&ring);
    let mut entries: Vec<squeue::Entry> = Vec::with_capacity(depth as usize);
    let mut free: Vec<u32> = (0..depth).rev().collect();
    shape.timed(|budget| {
        let (mut to_submit, mut finished) = (budget, 0);
        while finished < budget {
            let count = free.len().min(to_submit as usize);
            let batch = free.len() - count;
            for slot in free.drain(batch..) {
                entries.push(shape.entry(&arena, slot, offsets.next()));
            }
            // SAFETY: the buffers are registered and outlive the ring; no slot is used twice.
            let pushed = unsafe { ring.submission().push_multiple(&entries) };
            pushed.map_err(io::Error::other)?;
            entries.clear();
            to_submit -= count as u64;
            // Nothing in the ring after the call means that the device has yet to answer.
            if count > 0 && door.submit(count as u32)? != count as u32 {
                return Err(io::Error::other("the kernel took a part of a batch"));
            }
            if ring.completion().is_empty() {
                door.wait(1, None)?;
            }
            finished += collect(&mut ring, shape.block_bytes, &mut free)?;
        }
        Ok(finished)
    })
}

/// Frees the slots of all completions in the ring: how many.
#[inline(always)]
fn collect(ring: &mut IoUring, block_bytes: u32, free: &mut Vec<u32>) -> io::Result<u64> {
    let (mut count, mut whole) = (0, true);
    for event in ring.completion() {
        whole &= event.result() == block_bytes as i32;
        free.push(event.user_data() as u32);
        count += 1;
    }
    if whole { Ok(count) } else { Err(cut_short()) }
}

fn cut_short() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "an I/O failed or was cut short")
}

impl BareLoop<'_> {
    /// Buffers filled with the content to write.
    fn arena(&self, slots: u32) -> io::Result<Arena> {
        let mut arena = Arena::new(slots, self.block_bytes as usize, 0, true)?;
        if self.content == WriteContent::Zeros {
            (0..slots).for_each(|slot| arena.slot(slot).fill(0));
            return Ok(arena);
        }
        let mut random = SplitMix::new(7);
        for slot in 0..slots {
            for word in arena.slot(slot).chunks_mut(8) {
                word.copy_from_slice(&random.draw().to_le_bytes()[..word.len()]);
            }
        }
        Ok(arena)
    }

    /// A control block of a slot; its offset is still to be set.
    fn block(&self, arena: &Arena, slot: u32) -> Iocb {
        Iocb {
            data: slot.into(),
            opcode: if self.write { CMD_PWRITE } else { CMD_PREAD },
            fd: self.file.as_raw_fd() as u32,
            buf: arena.ptr(slot, self.block_bytes) as u64,
            nbytes: self.block_bytes.into(),
            ..Iocb::default()
        }
    }

    /// A request of a slot.
    #[inline(always)]
    fn entry(&self, arena: &Arena, slot: u32, offset: u64) -> squeue::Entry {
        let (file, len) = (types::Fixed(0), self.block_bytes);
        let ptr = arena.ptr(slot, len);
        let entry = if self.write {
            opcode::WriteFixed::new(file, ptr, len, 0).offset(offset).build()
        } else {
            opcode::ReadFixed::new(file, ptr, len, 0).offset(offset).build()
        };
        entry.user_data(slot.into())
    }

    fn make_ring(&self, arena: &Arena, depth: u32) -> io::Result<IoUring> {
        let ring = IoUring::builder().setup_single_issuer().setup_defer_taskrun().build(depth)?;
        ring.submitter().register_files(&[self.file.as_raw_fd()])?;
        let (base, len, _) = arena.span();
        let whole = libc::iovec { iov_base: base.cast(), iov_len: len };
        // SAFETY: the arena outlives the ring (the caller drops them in this order).
        unsafe { ring.submitter().register_buffers(&[whole])? };
        Ok(ring)
    }

    /// Runs `some`, which does the given number of I/Os, until the time or the I/Os are over.
    #[inline(always)]
    fn timed(&self, mut some: impl FnMut(u64) -> io::Result<u64>) -> io::Result<BareCount> {
        let mut ios = 0;
        let begun = Instant::now();
        loop {
            let budget = match self.until {
                Until::Ios(wanted) => (wanted - ios).min(BETWEEN_LOOKS),
                Until::Elapsed(limit) if begun.elapsed() >= limit => 0,
                Until::Elapsed(_) => BETWEEN_LOOKS,
            };
            if budget == 0 {
                return Ok(BareCount { ios, elapsed: begun.elapsed() });
            }
            ios += some(budget)?;
        }
    }
}

/// Random offsets, made beforehand.
struct Offsets {
    table: Box<[u32; TABLE]>,
    at: u16,
    block_bytes: u64,
}

impl Offsets {
    /// Each block of the range equally often, or, if the range has more blocks than the table
    /// entries, evenly drawn.
    fn of(shape: &BareLoop) -> io::Result<Offsets> {
        let blocks = shape.range_bytes / u64::from(shape.block_bytes.max(1));
        let blocks = blocks.min(u32::MAX.into());
        if blocks == 0 || shape.block_bytes == 0 {
            let text = "the range is smaller than a block";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let mut random = SplitMix::new(1);
        let mut table: Box<[u32; TABLE]> =
            vec![0; TABLE].try_into().map_err(|_| io::Error::other("a table of another size"))?;
        for (at, entry) in table.iter_mut().enumerate() {
            let number = if blocks > TABLE as u64 { random.draw() } else { at as u64 };
            *entry = (number % blocks) as u32;
        }
        for at in (1..TABLE).rev() {
            table.swap(at, (random.draw() % (at as u64 + 1)) as usize);
        }
        Ok(Offsets { table, at: 0, block_bytes: shape.block_bytes.into() })
    }

    #[inline(always)]
    fn next(&mut self) -> u64 {
        let block = self.table[usize::from(self.at)];
        self.at = self.at.wrapping_add(1);
        u64::from(block) * self.block_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = 4096;
    type Driver = fn(&BareLoop) -> io::Result<BareCount>;
    const DRIVERS: [Driver; 3] = [synchronous, aio, ring];

    fn file(blocks: u64) -> File {
        let file = tempfile::tempfile().expect("a file");
        file.set_len(blocks * u64::from(BLOCK)).expect("its size");
        file
    }

    fn shape(file: &File, write: bool, range_blocks: u64, ios: u64) -> BareLoop<'_> {
        let range_bytes = range_blocks * u64::from(BLOCK);
        let until = Until::Ios(ios);
        let content = WriteContent::Random;
        BareLoop { file, write, content, block_bytes: BLOCK, range_bytes, depth: 16, until }
    }

    /// Not every kernel lets every user make a ring.
    fn can(driver: Driver) -> bool {
        let file = file(1);
        let answer = driver(&shape(&file, false, 1, 1));
        let refusals = [libc::ENOSYS, libc::EPERM, libc::EINVAL];
        !answer.is_err_and(|error| refusals.iter().any(|no| error.raw_os_error() == Some(*no)))
    }

    #[test]
    fn each_does_the_ios_it_is_told() {
        let file = file(64);
        for driver in DRIVERS.into_iter().filter(|driver| can(*driver)) {
            for ios in [0, 1, 15, 17, 4096, 5001] {
                let counted = driver(&shape(&file, false, 64, ios)).expect("reads");
                assert_eq!(counted.ios, ios);
            }
        }
    }

    #[test]
    fn each_ends_in_time() {
        let file = file(64);
        for driver in DRIVERS.into_iter().filter(|driver| can(*driver)) {
            let limit = Duration::from_millis(5);
            let until = Until::Elapsed(limit);
            let counted = driver(&BareLoop { until, ..shape(&file, false, 64, 0) }).expect("reads");
            assert!(counted.ios > 0 && counted.elapsed >= limit);
        }
    }

    #[test]
    fn writes_reach_every_block_of_the_range_and_none_beyond() {
        use std::os::unix::fs::FileExt;
        for driver in DRIVERS.into_iter().filter(|driver| can(*driver)) {
            let file = file(40);
            driver(&shape(&file, true, 32, TABLE as u64)).expect("writes");
            for block in 0..40 {
                let mut content = [0u8; BLOCK as usize];
                file.read_exact_at(&mut content, block * u64::from(BLOCK)).expect("is there");
                assert_eq!(content != [0; BLOCK as usize], block < 32, "block {block}");
            }
        }
    }

    #[test]
    fn zeros_are_written_where_they_are_asked_for() {
        use std::os::unix::fs::FileExt;
        for driver in DRIVERS.into_iter().filter(|driver| can(*driver)) {
            let file = file(8);
            driver(&shape(&file, true, 8, TABLE as u64)).expect("writes");
            let zeros =
                BareLoop { content: WriteContent::Zeros, ..shape(&file, true, 8, TABLE as u64) };
            driver(&zeros).expect("writes");
            let mut all = [7u8; 8 * BLOCK as usize];
            file.read_exact_at(&mut all, 0).expect("is there");
            assert!(all.iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn what_is_cut_short_is_an_error() {
        let file = file(2);
        for driver in DRIVERS.into_iter().filter(|driver| can(*driver)) {
            let error = driver(&shape(&file, false, 64, 1000)).expect_err("beyond the end");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
            assert!(driver(&shape(&file, false, 0, 1)).is_err());
        }
    }

    #[test]
    fn a_large_range_is_covered_evenly() {
        let file = file(1);
        let blocks = 1u64 << 24;
        let mut offsets = Offsets::of(&shape(&file, false, blocks, 1)).expect("a table");
        let half = blocks / 2 * u64::from(BLOCK);
        let low = (0..TABLE).filter(|_| offsets.next() < half).count();
        // Five standard deviations of a fair coin.
        assert!(low.abs_diff(TABLE / 2) < 5 * 128);
    }
}
