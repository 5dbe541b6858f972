//! Standard output of this process: every command writes through this module.
//!
//! Failed writes are recorded here and decide the exit code at the end of `main`, so that a full
//! disk never looks like success. Decided here:
//!
//! - A closed reader (`| head`) is not a failure.
//! - A measurement continues after a failure. Its result is then in the history; otherwise its
//!   document is saved in the folder for temporary files. The message names the place. With
//!   `--no-record` it is saved only if standard output did not take it.

use crate::terminal::paint::Frame;
use crate::terminal::screen::warn;
use crate::terminal::stream;
use std::io::{self, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The place of the result of this process's measurement.
#[derive(Debug)]
pub enum ResultPlace {
    /// In the history, under this short name.
    History(String),
    /// Only in memory.
    Memory {
        /// The command that measured.
        kind: String,
        /// The whole JSON document.
        document: String,
        /// Whether the user asked to keep nothing.
        is_unwanted: bool,
    },
}

/// The state of the output so far.
#[derive(Debug)]
struct Output {
    failure: Option<io::Error>,
    file_failed: bool,
    result: Option<ResultPlace>,
}

static OUTPUT: Mutex<Output> =
    Mutex::new(Output { failure: None, file_failed: false, result: None });

fn output() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Standard output itself, for writing in pieces.
///
/// # Errors
/// If it was closed when the process started.
pub fn lock() -> io::Result<StdoutLock<'static>> {
    match fathom_engine::stdout_was_closed() {
        true => Err(io::Error::other("it is closed")),
        false => Ok(io::stdout().lock()),
    }
}

/// Writes all of `text` now. Unprintable characters are escaped, so a JSON document must pass
/// [`printable::json`](fathom_vocab::printable::json) first.
///
/// # Errors
/// The system's error.
pub fn write(text: &str) -> io::Result<()> {
    write_after(&Frame::default(), text)
}

/// The same, after a frame that moves the cursor.
///
/// # Errors
/// The system's error.
pub fn write_after(frame: &Frame, text: &str) -> io::Result<()> {
    let mut out = lock()?;
    let text = stream::safe(text, out.is_terminal());
    out.write_all(frame.as_bytes())?;
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// Writes `text`; a failure decides the exit code in the end.
pub fn say(text: &str) {
    note(write(text));
}

/// Takes note of a failure to write.
pub fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        output().failure.get_or_insert(error);
    }
}

/// Records that an output file could not be written. The reason was already printed.
pub fn note_failed_file() {
    output().file_failed = true;
}

/// Records the place of the result.
pub fn note_result(place: ResultPlace) {
    output().result = Some(place);
}

/// The exit code of the process; prints which output could not be written, and where the result is.
pub fn finish(code: ExitCode) -> ExitCode {
    let (failure, file_failed, result) = {
        let mut output = output();
        (output.failure.take(), output.file_failed, output.result.take())
    };
    if let Some(error) = &failure {
        warn(&localized!("fathom: cannot write to standard output: {error}\n"));
    }
    if failure.is_some() || file_failed {
        result.iter().for_each(|result| say_where(result, failure.is_none()));
    }
    match failure {
        Some(_) if code == ExitCode::SUCCESS => ExitCode::FAILURE,
        _ => code,
    }
}

/// Says where the result is, which `is_printed` or not. What the user wants kept nowhere is saved
/// only if it was not printed either.
fn say_where(result: &ResultPlace, is_printed: bool) {
    let text = match result {
        ResultPlace::History(id) => {
            localized!("fathom: the result is in the history: fathom history show {id}\n")
        }
        ResultPlace::Memory { is_unwanted: true, .. } if is_printed => {
            localized!("fathom: the result is on standard output alone, as --no-record asks\n")
        }
        ResultPlace::Memory { kind, document, .. } => match save(kind, document) {
            Ok(path) => localized!(
                "fathom: the result is not in the history; its JSON document is in {}\n",
                path.display()
            ),
            Err(error) => localized!(
                "fathom: the result is lost: it is not in the history, and cannot be saved in {}: \
                 {error}\n",
                std::env::temp_dir().display()
            ),
        },
    };
    warn(&text);
}

/// Saves a document where only this user can read it.
fn save(kind: &str, document: &str) -> io::Result<PathBuf> {
    let mut file = tempfile::Builder::new()
        .prefix(&format!("fathom-{kind}-"))
        .suffix(".json")
        .tempfile_in(std::env::temp_dir())?;
    file.write_all(document.as_bytes())?;
    file.as_file().sync_all()?;
    file.keep().map(|(_, path)| path).map_err(|error| error.error)
}
