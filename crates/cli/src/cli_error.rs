//! Why a command could not do what it was asked: what went wrong with what to do, and the exit code
//! that says of which kind it is.

use std::fmt;

/// Exit code of a command line that asks for what cannot be, as clap's own.
const USAGE: u8 = 2;

/// A command that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CliError {
    message: String,
    code: u8,
}

impl CliError {
    /// The command line itself is wrong: nothing was looked at or tried.
    pub fn usage(message: impl Into<String>) -> CliError {
        CliError { message: message.into(), code: USAGE }
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Something that was tried and failed.
impl From<String> for CliError {
    fn from(message: String) -> CliError {
        CliError { message, code: 1 }
    }
}
