//! The destination of the drop-in's output: stdout, or a file.
//!
//! A file is replaced as a whole at the end of the run and at every report before it, so that
//! nobody reads half a document and a killed run leaves the last whole report. Special files (a
//! pipe, `/dev/stdout`) are written immediately.

use crate::terminal::stdout;
use fathom_vocab::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Takes the output.
pub enum Sink {
    Stdout,
    /// A file that is replaced as a whole.
    Whole {
        path: PathBuf,
        /// The file's text so far.
        text: String,
    },
    /// A special file, written immediately.
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

    /// Whether a person may read the output as it is written.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Sink::Stdout)
    }

    /// Adds text, with unprintable characters escaped.
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

    /// Writes the text added so far to the file.
    pub fn commit(&mut self) -> io::Result<()> {
        match self {
            Sink::Whole { path, text } => fathom_files::replace(path, text.as_bytes()),
            Sink::Stdout | Sink::Stream(_) => Ok(()),
        }
    }
}
