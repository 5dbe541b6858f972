//! A goal of the plan in one line, and whether it was met.

use crate::digits::spread;
use crate::document::GoalResult;

/// Whether a goal was met, in a word.
pub fn verdict(goal: &GoalResult) -> &'static str {
    match goal.met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "",
    }
}

/// A goal in one line, for reading along.
pub fn line(goal: &GoalResult) -> String {
    let line = format!("{:<34} {:<24}", goal.words(), spread(&goal.spread));
    format!("{line} {:<15} {}", goal.wanted(), verdict(goal)).trim_end().to_owned()
}
