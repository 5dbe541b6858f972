//! Exit codes of answers, the same in every command.
//!
//! 0 is a pass and 1 a failure to run. Each of these codes means that the command ran, and states
//! its answer.

use fathom_analysis::{GateOutcome, GateResult};

/// A promise, or every rate that a limit tried, missed its limit.
pub const MISSED: u8 = 3;
/// A figure is worse than the gate allows.
pub const WORSE: u8 = 4;
/// `doctor --strict` has warnings.
pub const WARNED: u8 = 4;
/// No limit was missed, but some could not be judged.
pub const UNDECIDED: u8 = 5;

/// The exit code of a command that judges: 1 if something was not measured, else that of its gate.
pub fn of(is_whole: bool, gate: Option<&GateResult>, failed: u8) -> u8 {
    match gate {
        _ if !is_whole => 1,
        Some(gate) => of_gate(gate, failed),
        None => 0,
    }
}

/// The exit code of a gate; `failed` is that of its FAIL.
pub fn of_gate(gate: &GateResult, failed: u8) -> u8 {
    match gate.outcome {
        GateOutcome::Pass => 0,
        GateOutcome::Fail => failed,
        GateOutcome::Undecided => UNDECIDED,
    }
}
