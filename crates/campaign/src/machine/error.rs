//! Why a machine did not do what it was asked, as kind and fields, so that it can cross a wire.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineErrorKind {
    /// The path cannot be a target.
    Target,
    /// The test file cannot be made.
    TestFile,
    /// Somebody uses the file or device.
    InUse,
    /// The jobs could not be begun.
    Run,
    /// No engine reaches the target.
    NoEngine,
    /// A stop was asked for before anything was measured.
    Stopped,
    /// The machine cannot be reached, or does not understand.
    Connection,
}

/// Why a machine did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct MachineError {
    /// What kind of thing went wrong.
    pub kind: MachineErrorKind,
    /// What went wrong, where, and what to do, in a sentence.
    pub message: String,
}

impl MachineError {
    /// An error of `kind` in words.
    pub fn new(kind: MachineErrorKind, message: impl Into<String>) -> MachineError {
        MachineError { kind, message: message.into() }
    }

    /// A run that could not be, or failed, for the reason that `why` gives.
    pub fn of_run(why: impl ToString) -> MachineError {
        MachineError::new(MachineErrorKind::Run, why.to_string())
    }
}
