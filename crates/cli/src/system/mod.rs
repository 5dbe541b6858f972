//! What differs between the systems that this binary runs on, as far as the binary itself meets it:
//! signals, the console, the user's folders. Nowhere else in this crate is it asked which system it
//! is (`cargo xtask tidy`); what the machine and its files are like is the room `host`.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::*;

use std::io;

/// What a signal asks of a command that measures.
#[cfg_attr(windows, expect(dead_code, reason = "a console of Windows only asks to end"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// To end.
    End,
    /// To end, because the time on the processors is used up; it comes again and again.
    CpuTime,
    /// To say how far it is.
    Status,
    /// To know that it was stopped and goes on.
    Continue,
}

/// Where a user's folders are, if no `FATHOM_HOME` says it.
#[derive(Clone, Copy, Debug)]
pub struct UserFolder {
    /// The variable that names it.
    pub variable: &'static str,
    /// The variable that names the folder above, where that one is not set.
    pub home: &'static str,
    /// Where it is in that.
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
