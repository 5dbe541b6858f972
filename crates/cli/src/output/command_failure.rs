//! How a command failed, as data for its outputs.

use crate::exit_code;
use fathom_report::FileLine;
use fathom_text::Text;
use serde::Serialize;

/// How a command failed.
#[derive(Clone, Debug)]
pub struct CommandFailure {
    /// The problem.
    pub why: Text,
    /// The line of a job file that caused it.
    pub place: Option<FileLine>,
    /// The exit code.
    pub code: u8,
}

impl CommandFailure {
    /// Whether it could not judge, which fails nothing.
    pub(super) fn is_undecided(&self) -> bool {
        self.code == exit_code::UNDECIDED
    }
}

/// Version of the form of [`FailureDocument`].
pub const FAILURE_SCHEMA: u32 = 1;

/// The failure of a command, in place of the document of its result.
#[derive(Clone, Debug, Serialize)]
pub struct FailureDocument<'f> {
    /// `fathom-failure`.
    pub kind: &'static str,
    /// Version of its form.
    pub schema: u32,
    /// The version of Fathom.
    pub fathom_version: &'static str,
    /// The failure as the first sentence, in English.
    pub summary: String,
    pub command: &'static str,
    /// The problem, in English.
    pub error: &'f str,
    pub exit_code: u8,
    /// What a command that judges came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<FailedGate<'f>>,
}

/// The gate of a command that could not judge.
#[derive(Clone, Debug, Serialize)]
pub struct FailedGate<'f> {
    /// `error`, or `undecided` where only the evidence was missing.
    pub outcome: &'static str,
    /// The problem again, where the reason of another outcome stands.
    pub reason: &'f str,
}

/// The columns of a failure as CSV.
pub(super) const CSV_COLUMNS: [&str; 2] = ["error", "exit_code"];
