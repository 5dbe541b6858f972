//! Exit codes of answers, the same in every command: what a script can tell apart.
//!
//! 0 is a pass and 1 a failure to run. Each of these says that the command ran and what it found.

use fathom_analysis::{GateOutcome, GateResult};

/// A promise, or every rate that a limit tried, missed its limit.
pub const MISSED: u8 = 3;
/// A figure is worse than the gate allows.
pub const WORSE: u8 = 4;
/// It could not be told: no limit was missed, and not all could be judged.
pub const UNDECIDED: u8 = 5;

/// The exit code of a gate; `failed` is that of its FAIL.
pub fn of_gate(gate: &GateResult, failed: u8) -> u8 {
    match gate.outcome {
        GateOutcome::Pass => 0,
        GateOutcome::Fail => failed,
        GateOutcome::Undecided => UNDECIDED,
    }
}
