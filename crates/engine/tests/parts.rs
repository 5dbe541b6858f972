//! What the tests share: a file to work on, skipping with a reason, and a driver that pushes
//! requests through any engine and sees that each completes exactly once.

use fathom_engine::{Completion, Engine, EngineConfig, Queued, Request, Visitor, with_engine};
use fathom_vocab::Op;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Prints why a test does not run here; an error where skipping is not allowed.
pub fn skip(reason: &str) {
    let required = std::env::var("FATHOM_TESTS_REQUIRE").is_ok_and(|value| value == "1");
    assert!(!required, "skipping is not allowed: {reason}");
    println!("SKIP: {reason}");
}

/// Opens a file for reading and writing, making it where it is not there.
pub fn open_rw(path: &Path) -> File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path).expect("opens the test file")
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
}

impl<E: Engine> Drive for E {
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

/// What a program printed, trimmed; the reason where it failed or is not there.
pub fn output_of(program: &str, args: &[&str]) -> Result<String, String> {
    let output = std::process::Command::new(program).args(args).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} {}: {}", args.join(" "), text.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// A loop device over a file of its own.
pub struct LoopDevice {
    pub path: PathBuf,
    pub backing: PathBuf,
    _folder: tempfile::TempDir,
}

impl LoopDevice {
    /// Attaches a device of `size` bytes; the reason where this machine cannot.
    pub fn new(size: u64) -> Result<LoopDevice, String> {
        let folder = disk_folder();
        let backing = folder.path().join("backing");
        open_rw(&backing).set_len(size).map_err(|error| error.to_string())?;
        let file = backing.to_str().expect("a plain path");
        let path = output_of("losetup", &["--find", "--show", file])?.into();
        Ok(LoopDevice { path, backing, _folder: folder })
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = output_of("losetup", &["-d", &self.path.to_string_lossy()]);
    }
}

/// A tmpfs of its own, which goes when this does: it is taken out of the tree as soon as it is
/// open, so that not even a killed test leaves it behind.
pub struct SmallTmpfs {
    root: File,
}

impl SmallTmpfs {
    /// Mounts one of `size` bytes; the reason where this machine cannot.
    pub fn new(size: u64) -> Result<SmallTmpfs, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (option, at) = (format!("size={size}"), folder.path().to_string_lossy());
        output_of("mount", &["-t", "tmpfs", "-o", &option, "fathom-test", &at])?;
        let root = File::open(folder.path()).map_err(|error| error.to_string());
        output_of("umount", &["--lazy", &at])?;
        Ok(SmallTmpfs { root: root? })
    }

    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.root.as_raw_fd()).into()
    }
}

/// A request of `op` for `len` bytes at `offset` of the first file.
pub fn request(op: Op, offset: u64, len: u32) -> Request {
    Request { op, file: 0, offset, len, slot: 0 }
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
