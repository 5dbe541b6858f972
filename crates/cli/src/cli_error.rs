//! Why a command failed: the reason, the exit code, and the line of a job file that has the
//! mistake.
//!
//! Any error can be the reason, so that this file knows none of the commands: `?` makes a failure
//! of it, and who knows better than that says so, by [`CliError::usage`] or [`CliError::at`].

use fathom_report::FileLine;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Exit code of wrong usage, the same as clap's.
pub const USAGE: u8 = 2;

/// Exit code of a failure.
const FAILED: u8 = 1;

/// Why a command or a library refused or failed, with the sentence that it gives.
type Cause = Box<dyn Error + Send + Sync>;

/// A command that failed.
///
/// It is no `Error` itself, so that every error can become one.
#[derive(Debug)]
pub struct CliError {
    cause: Cause,
    code: u8,
    place: Option<FileLine>,
}

impl<E: Error + Send + Sync + 'static> From<E> for CliError {
    fn from(cause: E) -> CliError {
        CliError { cause: cause.into(), code: FAILED, place: None }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(to)
    }
}

impl CliError {
    /// The command line itself is wrong: nothing was looked at or tried.
    pub fn usage(why: impl Into<Cause>) -> CliError {
        CliError { cause: why.into(), code: USAGE, place: None }
    }

    /// The error for a failed `action` on the file or folder `path`.
    pub fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> CliError {
        let path = path.to_owned();
        move |source| CommonError::File { action, path: path.clone(), source }.into()
    }

    /// The same error, with the line of a job file that has the mistake.
    pub fn at(self, place: Option<FileLine>) -> CliError {
        CliError { place, ..self }
    }

    /// The line of a job file that has the mistake.
    pub fn place(&self) -> Option<FileLine> {
        self.place.clone()
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// The reason, if it is of this type.
    pub fn cause<E: Error + 'static>(&self) -> Option<&E> {
        self.cause.downcast_ref()
    }
}

/// Failures that several commands share.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum CommonError {
    /// Signals cannot be listened for.
    #[error("cannot listen for signals: {0}")]
    Signals(#[source] io::Error),
    /// A file that an option names cannot be read.
    #[error("{option}: {source}")]
    NamedFile { option: &'static str, source: fathom_files::InputError },
    /// A file or folder that is named cannot be used.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// The action that failed: `read`, `write`, `make`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        source: io::Error,
    },
    /// Where test files are registered is not known.
    #[error("no home is known; set HOME or FATHOM_HOME, or name a DIR")]
    NoHome,
}

impl CommonError {
    /// The error for a file that `option` names and that cannot be read.
    pub fn named_file(option: &'static str) -> impl Fn(fathom_files::InputError) -> CommonError {
        move |source| CommonError::NamedFile { option, source }
    }
}
