//! Why a machine failed to carry out a call, as kind and fields, so that it can be sent.

use fathom_text::Text;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use thiserror::Error;

/// The kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineErrorKind {
    /// The path cannot be a target.
    Target,
    /// The test file cannot be made.
    TestFile,
    /// The file or device is in use.
    InUse,
    /// The jobs could not be begun.
    Run,
    /// No engine reaches the target.
    NoEngine,
    /// A stop was requested before anything was measured.
    Stopped,
    /// The machine cannot be reached, or does not understand.
    Connection,
}

/// Why a machine failed to carry out a call.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct MachineError {
    /// The kind of failure.
    pub kind: MachineErrorKind,
    /// The problem, its location, and advice, in a sentence.
    pub message: Text,
}

impl MachineError {
    /// An error of `kind` with a message.
    pub fn new(kind: MachineErrorKind, message: impl Into<Text>) -> MachineError {
        MachineError { kind, message: message.into() }
    }

    /// A run that could not be, or failed, for the reason that `why` gives.
    pub fn of_run(why: impl Display) -> MachineError {
        MachineError::new(MachineErrorKind::Run, Text::of(why))
    }
}
