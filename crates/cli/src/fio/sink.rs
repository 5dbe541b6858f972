//! Where the output of the drop-in goes: stdout as it comes, or a file.
//!
//! A file is written beside its place and moved there whole when the run has ended, and at every
//! report in between, so that nobody ever reads half a document and a killed run leaves the last
//! whole report. What is no regular file (a pipe, `/dev/stdout`) is written straight away.

use crate::stdout;
use std::fs::{self, File, OpenOptions};
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
        match fs::metadata(path) {
            Ok(meta) if !meta.is_file() => {
                Ok(Sink::Stream(OpenOptions::new().write(true).open(path)?))
            }
            _ => {
                let sink = Sink::Whole { path: path.to_owned(), text: String::new() };
                // Shows that the folder is there and takes files.
                OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
                Ok(sink)
            }
        }
    }

    /// Whether a person may be looking at it as it comes.
    pub fn is_stdout(&self) -> bool {
        matches!(self, Sink::Stdout)
    }

    /// Adds text.
    pub fn put(&mut self, more: &str) -> io::Result<()> {
        match self {
            Sink::Stdout => stdout::write(more),
            Sink::Stream(file) => file.write_all(more.as_bytes()),
            Sink::Whole { text, .. } => {
                text.push_str(more);
                Ok(())
            }
        }
    }

    /// Makes what was added so far lasting.
    pub fn commit(&mut self) -> io::Result<()> {
        match self {
            Sink::Whole { path, text } => replace(path, text),
            Sink::Stdout | Sink::Stream(_) => Ok(()),
        }
    }
}

/// Puts `text` at `path` in one step.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = File::create(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The half-written file is of no use to anyone.
        let _ = fs::remove_file(&beside);
    }
    written
}
