//! What the tests share: a file to work on, skipping with a reason, and a driver that pushes
//! requests through any engine and sees that each completes exactly once.

use fathom_engine::{
    Completion, Engine, EngineConfig, OpenHow, Queued, Request, Visitor, open, with_engine,
};
use fathom_vocab::{ErrorNumber, IoEngine, Op};
use std::fs::File;
use std::path::Path;

/// Opens a file for reading and writing as an engine needs it, making it where it is not there.
pub fn open_for(engine: IoEngine, path: &Path) -> File {
    let overlapped = !engine.is_sync();
    let how = OpenHow { read: true, write: true, create: true, overlapped, ..OpenHow::default() };
    open(path, &how).expect("opens the test file")
}

/// Engines of this system that move data.
pub fn moving() -> impl Iterator<Item = IoEngine> {
    IoEngine::here().filter(|engine| !matches!(engine, IoEngine::Null | IoEngine::Nfs))
}

/// Those of some engines that this system has.
pub fn here<const N: usize>(engines: [IoEngine; N]) -> impl Iterator<Item = IoEngine> {
    engines.into_iter().filter(|engine| engine.is_here())
}

/// The result that says that error.
pub fn failure(name: &str) -> i32 {
    -ErrorNumber::named(name).expect("an error of this name").get()
}

/// A visitor that is a closure over any engine is not to be had; this one calls a function of
/// the type-erased engine.
pub struct With<F>(pub F);

impl<T, F: FnOnce(&mut dyn Drive, Vec<String>) -> T> Visitor for With<F> {
    type Out = T;
    fn visit<E: Engine>(self, mut engine: E, notes: Vec<String>) -> T {
        (self.0)(&mut engine, notes)
    }
}

/// Builds the engine and runs `body` with it.
pub fn run<T>(config: EngineConfig, body: impl FnOnce(&mut dyn Drive, Vec<String>) -> T) -> T {
    with_engine(config, With(body)).expect("the engine is built")
}

/// An engine, without its type.
pub trait Drive {
    /// Pushes all requests through slots of which `depth` exist; `before` sees the buffer of each
    /// before it is queued, `after` its result and buffer. Slots of the requests are ignored.
    fn drive(
        &mut self,
        depth: u32,
        requests: &[Request],
        before: &mut dyn FnMut(usize, &mut [u8]),
        after: &mut dyn FnMut(usize, i32, &mut [u8]),
    );

    /// As `Engine::open_file`.
    fn open(&mut self, index: u32, file: File) -> std::io::Result<()>;

    /// As `Engine::close_file`.
    fn close(&mut self, index: u32);
}

impl<E: Engine> Drive for E {
    fn open(&mut self, index: u32, file: File) -> std::io::Result<()> {
        self.open_file(index, file.into())
    }

    fn close(&mut self, index: u32) {
        self.close_file(index);
    }

    fn drive(
        &mut self,
        depth: u32,
        requests: &[Request],
        before: &mut dyn FnMut(usize, &mut [u8]),
        after: &mut dyn FnMut(usize, i32, &mut [u8]),
    ) {
        let mut free: Vec<u32> = (0..depth).rev().collect();
        let mut holds: Vec<Option<usize>> = vec![None; depth as usize];
        let mut done: Vec<Completion> = Vec::new();
        let mut next = 0;
        let mut finished = 0;
        while finished < requests.len() {
            while let Some(&slot) = free.last()
                && next < requests.len()
            {
                before(next, self.buffer(slot));
                match self.queue(&Request { slot, ..requests[next] }) {
                    Queued::Done(result) => {
                        after(next, result, self.buffer(slot));
                        finished += 1;
                    }
                    Queued::Pending => {
                        assert!(!E::SYNC, "a synchronous engine left an I/O pending");
                        assert!(holds[slot as usize].replace(next).is_none());
                        free.pop();
                    }
                    Queued::Busy => break,
                }
                next += 1;
            }
            self.commit().expect("commits");
            let in_flight = depth - free.len() as u32;
            self.reap(in_flight.min(1), depth, None, &mut done).expect("reaps");
            assert!(in_flight == 0 || !done.is_empty(), "reap came back with nothing");
            for Completion { slot, result } in done.drain(..) {
                let index = holds[slot as usize].take().expect("a completion of a slot in flight");
                after(index, result, self.buffer(slot));
                free.push(slot);
                finished += 1;
            }
        }
        self.reap(0, depth, None, &mut done).expect("reaps");
        assert!(done.is_empty(), "a completion that nobody asked for");
    }
}

/// A folder for files that O_DIRECT and all else should work on: beside the build, on a disk.
pub fn disk_folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder beside the build")
}

/// A request of `op` for `len` bytes at `offset` of the first file.
pub fn request(op: Op, offset: u64, len: u32) -> Request {
    Request { op, file: 0, offset, len, at: 0, slot: 0 }
}

/// The results of requests, driven through an engine with buffers filled with `fill`.
pub fn results(config: EngineConfig, requests: &[Request], fill: u8) -> Vec<i32> {
    let depth = config.depth;
    run(config, |engine, _| {
        let mut results = vec![0; requests.len()];
        let mut after = |index: usize, result: i32, _: &mut [u8]| results[index] = result;
        engine.drive(depth, requests, &mut |_, buffer| buffer.fill(fill), &mut after);
        results
    })
}
