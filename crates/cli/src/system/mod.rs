//! Differences between the systems that this binary runs on, as far as they concern the binary
//! itself: signals, the console, the user's folders. No other code in this crate depends on the
//! system (`cargo xtask tidy`); the crate `host` describes the machine and its files.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

use std::io;

/// The meaning of a signal for a command that measures.
#[cfg_attr(windows, expect(dead_code, reason = "a console of Windows only asks to end"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// End the run.
    End,
    /// End the run, because the CPU time limit is reached; the signal repeats.
    CpuTime,
    /// Print the status.
    Status,
    /// The process was stopped and continues.
    Continue,
}

/// A user's folders, if `FATHOM_HOME` is not set.
#[derive(Clone, Copy, Debug)]
pub struct UserFolder {
    /// The variable that names it.
    pub variable: &'static str,
    /// The variable with the parent folder, if that one is not set.
    pub home: &'static str,
    /// Its path in that folder.
    pub usual: &'static str,
}

/// Columns and lines of the terminal on standard output.
pub fn stdout_size() -> Option<(usize, usize)> {
    size(terminal_size::terminal_size_of(io::stdout()))
}

/// Columns and lines of the terminal on standard error.
pub fn stderr_size() -> Option<(usize, usize)> {
    size(terminal_size::terminal_size_of(io::stderr()))
}

fn size(found: Option<(terminal_size::Width, terminal_size::Height)>) -> Option<(usize, usize)> {
    found.map(|(width, height)| (usize::from(width.0), usize::from(height.0)))
}
