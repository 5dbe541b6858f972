//! Where the output of the drop-in goes: stdout as it comes, or a file.
//!
//! A file is replaced as a whole when the run has ended, and at every report in between, so that
//! nobody ever reads half a document and a killed run leaves the last whole report. What is no
//! regular file (a pipe, `/dev/stdout`) is written straight away.

use crate::terminal::stdout;
use fathom_vocab::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Takes the output.
pub enum Sink {
    /// Standard output.
    Stdout,
    /// A file that is replaced as a whole.
    Whole {
        /// Its place.
        path: PathBuf,
        /// What it shall hold.
        text: String,
    },
    /// Something that takes what it is given.
    Stream(File),
}

impl Sink {
    /// Opens the output, and fails now rather than after the run when that cannot be done.
    pub fn open(path: Option<&Path>) -> io::Result<Sink> {
        let Some(path) = path else { return Ok(Sink::Stdout) };
        if let Some(stream) = fathom_files::open_stream(path)? {
            return Ok(Sink::Stream(stream));
        }
        fathom_files::can_replace(path)?;
        Ok(Sink::Whole { path: path.to_owned(), text: String::new() })
    }

    /// Whether a person may be looking at it as it comes.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Sink::Stdout)
    }

    /// Adds text, in which all that is unprintable is escaped.
    pub fn put(&mut self, more: &str) -> io::Result<()> {
        let more = printable::lines(more);
        match self {
            Sink::Stdout => stdout::write(&more),
            Sink::Stream(file) => file.write_all(more.as_bytes()),
            Sink::Whole { text, .. } => {
                text.push_str(&more);
                Ok(())
            }
        }
    }

    /// Makes what was added so far lasting.
    pub fn commit(&mut self) -> io::Result<()> {
        match self {
            Sink::Whole { path, text } => fathom_files::replace(path, text.as_bytes()),
            Sink::Stdout | Sink::Stream(_) => Ok(()),
        }
    }
}
