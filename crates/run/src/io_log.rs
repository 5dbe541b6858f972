//! What a job does, as fio's trace of version 3 (`write_iolog`), for a replay.
//!
//! The lines of each clone are appended to the file many at a time, so that clones can share it and
//! a run that is killed leaves what it did up to its last tick. As in fio, an I/O is a line when it
//! is taken up, with the microseconds since its job began.

use crate::error::RunError;
use crate::plan::ClonePlan;
use fathom_vocab::{Direction, Op};
use fathom_workload::Io;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Bytes that are appended at a time, about.
const PART_BYTES: usize = 64 << 10;

/// Of several clones, one writes the first line of a file.
static OPENING: Mutex<()> = Mutex::new(());

/// The trace of one clone.
pub(crate) struct IoLog<'a> {
    path: PathBuf,
    file: File,
    names: &'a [String],
    pending: RefCell<Pending>,
}

/// Lines that are not in the file yet.
#[derive(Default)]
struct Pending {
    lines: String,
    error: Option<io::Error>,
}

impl std::fmt::Debug for IoLog<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IoLog").field("path", &self.path).finish_non_exhaustive()
    }
}

impl<'a> IoLog<'a> {
    /// The trace of a clone whose files have these names, if one is wanted.
    pub fn of(plan: &ClonePlan, names: &'a [String]) -> Result<Option<IoLog<'a>>, RunError> {
        let Some(path) = &plan.job.measure.logs.io else { return Ok(None) };
        let file = open(path).map_err(|error| {
            RunError::job(&plan.job, format!("write_iolog={}: {error}", path.display()))
        })?;
        let log = IoLog { path: path.clone(), file, names, pending: RefCell::default() };
        log.each_file("add");
        log.each_file("open");
        Ok(Some(log))
    }

    fn each_file(&self, what: &str) {
        for name in self.names {
            self.add(format_args!("0 {name} {what}"));
        }
    }

    /// An I/O is taken up so long after the job began.
    pub fn io(&self, io: &Io, since_ns: u64) {
        let what = match io.dir {
            Direction::Read => "read",
            Direction::Write => "write",
            Direction::Trim => "trim",
        };
        let Io { offset, len, .. } = io;
        self.step(since_ns, io.file, format_args!("{what} {offset} {len}"));
    }

    /// A file is flushed so long after the job began.
    pub fn flush(&self, op: Op, file: u32, since_ns: u64) {
        let what = if op == Op::Fdatasync { "datasync" } else { "sync" };
        self.step(since_ns, file, format_args!("{what} 0 0"));
    }

    fn step(&self, since_ns: u64, file: u32, what: std::fmt::Arguments<'_>) {
        let name = self.names.get(file as usize).map_or("?", String::as_str);
        self.add(format_args!("{} {name} {what}", since_ns / 1000));
    }

    fn add(&self, line: std::fmt::Arguments<'_>) {
        let is_full = {
            let mut pending = self.pending.borrow_mut();
            // Writing to memory does not fail.
            let _ = writeln!(pending.lines, "{line}");
            pending.lines.len() >= PART_BYTES
        };
        if is_full {
            self.append();
        }
    }

    /// Appends what is left.
    pub fn append(&self) {
        let pending = &mut *self.pending.borrow_mut();
        if pending.error.is_none() {
            pending.error = (&self.file).write_all(pending.lines.as_bytes()).err();
        }
        pending.lines.clear();
    }

    /// The job is over: the remark about what could not be written, if that was so.
    pub fn end(&self, since_ns: u64) -> Option<String> {
        for name in self.names {
            self.add(format_args!("{} {name} close", since_ns / 1000));
        }
        self.append();
        let error = self.pending.borrow_mut().error.take()?;
        Some(format!("write_iolog={} is incomplete: {error}.", self.path.display()))
    }
}

/// Opens a trace at its end, and begins it if it is empty.
fn open(path: &Path) -> io::Result<File> {
    let _one = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if file.metadata()?.len() == 0 {
        file.write_all(b"fio version 3 iolog\n")?;
    }
    Ok(file)
}
