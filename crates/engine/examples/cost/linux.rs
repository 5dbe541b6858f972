//! The contestants and their rounds.

use fathom_engine::{
    Clock, ClockSource, Completion, Engine, EngineConfig, Queued, Request, Visitor, with_engine,
};
use fathom_vocab::{IoEngine, Op};
use io_uring::{IoUring, opcode, types};
use std::fs::File;
use std::os::fd::AsRawFd;

const BLOCK: u32 = 4096;
const BLOCKS: u64 = 16_384;
const ROUNDS: usize = 7;

/// Cheap pseudo-random offsets, the same for every contestant.
struct Offsets(u64);

impl Offsets {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % BLOCKS * u64::from(BLOCK)
    }
}

/// Keeps `depth` I/Os in flight until `count` are done: ns an I/O.
struct Loop {
    depth: u32,
    count: u64,
    clock: Clock,
}

impl Visitor for Loop {
    type Out = f64;

    fn visit<E: Engine>(self, mut engine: E, notes: Vec<String>) -> f64 {
        assert!(notes.is_empty(), "{notes:?}");
        let mut offsets = Offsets(1);
        let mut free: Vec<u32> = (0..self.depth).collect();
        let mut done: Vec<Completion> = Vec::with_capacity(self.depth as usize);
        let mut finished = 0u64;
        let begin = self.clock.now_ns();
        while finished < self.count {
            while let Some(slot) = free.pop() {
                let offset = offsets.next();
                let request = Request { op: Op::Read, file: 0, offset, len: BLOCK, at: 0, slot };
                match engine.queue(&request) {
                    Queued::Done(result) => {
                        assert_eq!(result, BLOCK as i32);
                        finished += 1;
                        free.push(slot);
                        if E::SYNC && finished >= self.count {
                            break;
                        }
                    }
                    Queued::Pending => {}
                    Queued::Busy => {
                        free.push(slot);
                        break;
                    }
                }
            }
            engine.commit().expect("commits");
            if !E::SYNC {
                engine.reap(1, self.depth, None, &mut done).expect("reaps");
                for completion in done.drain(..) {
                    assert_eq!(completion.result, BLOCK as i32);
                    free.push(completion.slot);
                    finished += 1;
                }
            }
        }
        (self.clock.now_ns() - begin) as f64 / finished as f64
    }
}

fn engine(path: &str, engine: IoEngine, depth: u32, count: u64, clock: Clock) -> f64 {
    let file = File::open(path).expect("opens");
    let mut config = EngineConfig::new(engine, depth, BLOCK as usize, vec![file]);
    config.writable = false;
    with_engine(config, Loop { depth, count, clock }).expect("builds")
}

/// A bare loop of pread.
fn bare_pread(path: &str, count: u64, clock: Clock) -> f64 {
    let file = File::open(path).expect("opens");
    let (mut buffer, mut offsets) = (vec![0u8; BLOCK as usize], Offsets(1));
    let begin = clock.now_ns();
    for _ in 0..count {
        let offset = offsets.next() as libc::off_t;
        // SAFETY: the buffer is as long as is asked for.
        let result = unsafe {
            libc::pread(file.as_raw_fd(), buffer.as_mut_ptr().cast(), BLOCK as usize, offset)
        };
        assert_eq!(result, BLOCK as isize);
    }
    (clock.now_ns() - begin) as f64 / count as f64
}

/// A bare ring with everything registered.
fn bare_ring(path: &str, depth: u32, count: u64, clock: Clock) -> f64 {
    let file = File::open(path).expect("opens");
    let mut ring: IoUring = IoUring::builder()
        .setup_single_issuer()
        .setup_defer_taskrun()
        .build(depth)
        .expect("a ring");
    ring.submitter().register_files(&[file.as_raw_fd()]).expect("registers");
    let mut memory = vec![0u8; (depth * BLOCK) as usize + 4096];
    let base = memory.as_mut_ptr().wrapping_add(memory.as_ptr().align_offset(4096));
    let vector = libc::iovec { iov_base: base.cast(), iov_len: (depth * BLOCK) as usize };
    // SAFETY: the memory outlives the ring, which is dropped at the end of this function.
    unsafe { ring.submitter().register_buffers(&[vector]) }.expect("registers");
    let (mut offsets, mut finished, mut in_flight) = (Offsets(1), 0u64, 0u32);
    let mut free: Vec<u32> = (0..depth).collect();
    let begin = clock.now_ns();
    while finished < count {
        while let Some(slot) = free.pop() {
            let ptr = base.wrapping_add((slot * BLOCK) as usize);
            let entry = opcode::ReadFixed::new(types::Fixed(0), ptr, BLOCK, 0)
                .offset(offsets.next())
                .build()
                .user_data(slot.into());
            // SAFETY: the buffer is part of the registered memory.
            unsafe { ring.submission().push(&entry) }.expect("room");
            in_flight += 1;
        }
        ring.submit_and_wait(1).expect("submits");
        for event in ring.completion() {
            assert_eq!(event.result(), BLOCK as i32);
            free.push(event.user_data() as u32);
            finished += 1;
            in_flight -= 1;
        }
    }
    while in_flight > 0 {
        ring.submit_and_wait(1).expect("waits");
        in_flight -= ring.completion().count() as u32;
    }
    (clock.now_ns() - begin) as f64 / finished as f64
}

/// A bare loop of io_submit and io_getevents; `struct iocb` and `struct io_event` as words.
fn bare_aio(path: &str, depth: u32, count: u64, clock: Clock) -> f64 {
    let file = File::open(path).expect("opens");
    let mut memory = vec![0u8; (depth * BLOCK) as usize + 4096];
    let base = memory.as_mut_ptr().wrapping_add(memory.as_ptr().align_offset(4096));
    let (mut context, mut blocks) = (0u64, vec![[0u64; 8]; depth as usize]);
    // SAFETY: the handle is written to `context`.
    assert_eq!(unsafe { libc::syscall(libc::SYS_io_setup, depth, &raw mut context) }, 0);
    let (mut events, mut batch) = (vec![[0u64; 4]; depth as usize], Vec::new());
    let mut free: Vec<u32> = (0..depth).collect();
    let (mut offsets, mut finished) = (Offsets(1), 0u64);
    let begin = clock.now_ns();
    while finished < count {
        batch.clear();
        while let Some(slot) = free.pop() {
            let buffer = base.wrapping_add((slot * BLOCK) as usize) as u64;
            let fd = (file.as_raw_fd() as u64) << 32;
            let block = &mut blocks[slot as usize];
            *block = [slot.into(), 0, fd, buffer, BLOCK.into(), offsets.next(), 0, 0];
            batch.push(&raw mut *block);
        }
        let (call, len) = (libc::SYS_io_submit, batch.len());
        // SAFETY: blocks and buffers outlive the context, which is destroyed below.
        let taken = unsafe { libc::syscall(call, context, len, batch.as_mut_ptr()) };
        assert_eq!(taken, len as i64);
        let (call, none) = (libc::SYS_io_getevents, std::ptr::null::<libc::timespec>());
        // SAFETY: there is room for `depth` events.
        let got = unsafe {
            libc::syscall(call, context, 1i64, i64::from(depth), events.as_mut_ptr(), none)
        };
        for event in &events[..got as usize] {
            assert_eq!(event[2], u64::from(BLOCK));
            free.push(event[0] as u32);
        }
        finished += got as u64;
    }
    let each = (clock.now_ns() - begin) as f64 / finished as f64;
    // SAFETY: waits for what is in flight; the handle is not used again.
    unsafe { libc::syscall(libc::SYS_io_destroy, context) };
    each
}

pub fn main() {
    let begun = std::time::Instant::now();
    let clock = Clock::new(ClockSource::Auto);
    println!("clock: {} after {:?}", clock.source(), begun.elapsed());
    let path = std::env::args().nth(1).unwrap_or_else(|| {
        let path = std::env::temp_dir().join("fathom-cost.data");
        std::fs::write(&path, vec![1u8; (BLOCKS * u64::from(BLOCK)) as usize]).expect("writes");
        path.to_str().expect("a plain path").to_string()
    });
    let path = path.as_str();
    type Contestant<'a> = (&'static str, Box<dyn Fn() -> f64 + 'a>);
    let run = |kind, depth, count| {
        Box::new(move || engine(path, kind, depth, count, clock)) as Box<dyn Fn() -> f64>
    };
    let contestants: Vec<Contestant> = vec![
        ("null, depth 1", run(IoEngine::Null, 1, 20_000_000)),
        ("null, depth 32", run(IoEngine::Null, 32, 20_000_000)),
        ("bare pread", Box::new(move || bare_pread(path, 300_000, clock))),
        ("psync", run(IoEngine::Psync, 1, 300_000)),
        ("sync", run(IoEngine::Sync, 1, 300_000)),
        ("pvsync2", run(IoEngine::Pvsync2, 1, 300_000)),
        ("mmap", run(IoEngine::Mmap, 1, 300_000)),
        ("bare aio, depth 16", Box::new(move || bare_aio(path, 16, 300_000, clock))),
        ("libaio, depth 16", run(IoEngine::Libaio, 16, 300_000)),
        ("bare ring, depth 16", Box::new(move || bare_ring(path, 16, 300_000, clock))),
        ("io_uring, depth 16", run(IoEngine::IoUring, 16, 300_000)),
        ("bare ring, depth 1", Box::new(move || bare_ring(path, 1, 300_000, clock))),
        ("io_uring, depth 1", run(IoEngine::IoUring, 1, 300_000)),
        ("posixaio, depth 16", run(IoEngine::Posixaio, 16, 20_000)),
    ];
    let mut best = vec![f64::INFINITY; contestants.len()];
    for _ in 0..ROUNDS {
        for (best, contestant) in best.iter_mut().zip(&contestants) {
            *best = best.min((contestant.1)());
        }
    }
    for (best, (name, _)) in best.iter().zip(&contestants) {
        println!("{name:<22} {best:>9.1} ns an I/O");
    }
    let begin = clock.now_ns();
    for _ in 0..1_000_000 {
        std::hint::black_box(clock.now_ns());
    }
    let each = (clock.now_ns() - begin) as f64 / 1e6;
    println!("{:<22} {each:>9.1} ns a reading", "clock");
}
