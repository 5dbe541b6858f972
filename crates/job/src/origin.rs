//! The source of a word of a job, so that every error can point to it.

use std::fmt;
use std::path::PathBuf;

/// The source of an option or a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line (from 1) of a job file; standard input is called `-`.
    File {
        /// The job file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
    },
    /// The command line; the argument as typed.
    CommandLine(String),
    /// Made by Fathom itself.
    Builtin,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::CommandLine(arg) => write!(f, "command line: {arg}"),
            Origin::Builtin => write!(f, "built-in job"),
        }
    }
}
