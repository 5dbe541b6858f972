//! Lines about each I/O, for `--debug=io`.
//!
//! A job's thread makes them and hands over many at a time. It goes on when they are printed, so
//! that they take little memory however slowly they are read.

use crate::record::FinishedIo;
use fathom_job::DebugSubject;
use std::cell::RefCell;
use std::fmt::Write;

/// Bytes that are handed over at a time.
const PART_BYTES: usize = 32 << 10;

/// The lines of one clone.
pub(crate) struct IoTrace<'a> {
    /// Prints lines, and returns when that is done.
    print: &'a dyn Fn(String),
    lines: RefCell<String>,
}

impl std::fmt::Debug for IoTrace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IoTrace").finish_non_exhaustive()
    }
}

impl<'a> IoTrace<'a> {
    pub fn new(print: &'a dyn Fn(String)) -> IoTrace<'a> {
        IoTrace { print, lines: RefCell::default() }
    }

    /// Adds a line in fio's form about a completed I/O, as `complete: io_u: off=0x1000,len=…`.
    pub fn completed(&self, io: &FinishedIo, file: &str) {
        let FinishedIo { offset, bytes, dir, .. } = io;
        let number = dir.index();
        let text =
            format!("complete: io_u: off={offset:#x},len={bytes:#x},ddir={number},file={file}");
        let mut lines = self.lines.borrow_mut();
        // Writing to memory does not fail.
        let _ = writeln!(lines, "{}", DebugSubject::Io.line(&text));
        if lines.len() >= PART_BYTES {
            (self.print)(std::mem::take(&mut *lines));
        }
    }

    /// Prints what is left.
    pub fn flush(&self) {
        let lines = self.lines.take();
        if !lines.is_empty() {
            (self.print)(lines);
        }
    }
}
