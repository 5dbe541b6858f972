//! Whether a limit was met: the outcome of one limit, and that of all of them together.
//!
//! This is one of two scales, and they are never mixed. An outcome says whether a limit was met;
//! [`Tone`](crate::Tone) says how far a figure can be trusted. A limit that was missed in a clean
//! run is FAIL, and its figure is as reliable as any.
//!
//! A gate without data never passes: it passes only if every figure could be judged.

use fathom_text::text;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What became of one figure beside its limit.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum RowOutcome {
    /// It kept the limit.
    Pass,
    /// It cannot be told. Documents from before it had the word of a gate call it `unclear`.
    #[default]
    #[serde(alias = "unclear")]
    Undecided,
    /// It missed the limit.
    Fail,
}

impl RowOutcome {
    /// `PASS`, `UNDECIDED`, `FAIL`: the same in every language.
    pub fn name(self) -> &'static str {
        match self {
            RowOutcome::Pass => "PASS",
            RowOutcome::Undecided => "UNDECIDED",
            RowOutcome::Fail => "FAIL",
        }
    }
}

/// What all figures come to together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateOutcome {
    /// Every figure kept its limit.
    Pass,
    /// At least one figure missed its limit.
    Fail,
    /// None missed its limit, and not all could be judged: also where there is no limit.
    Undecided,
}

impl GateOutcome {
    /// `PASS`, `FAIL`, `UNDECIDED`: the same in every language, for scripts to search for.
    pub fn name(self) -> &'static str {
        match self {
            GateOutcome::Pass => "PASS",
            GateOutcome::Fail => "FAIL",
            GateOutcome::Undecided => "UNDECIDED",
        }
    }

    /// The same, of a gate as one case among others.
    pub fn row(self) -> RowOutcome {
        match self {
            GateOutcome::Pass => RowOutcome::Pass,
            GateOutcome::Fail => RowOutcome::Fail,
            GateOutcome::Undecided => RowOutcome::Undecided,
        }
    }
}

/// An outcome with what it rests on; its `Display` is the last line of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateResult {
    /// What it comes to.
    pub outcome: GateOutcome,
    /// Figures that could be judged.
    pub judged: usize,
    /// Of these, figures that missed their limit.
    pub failed: usize,
    /// Figures in all.
    pub of: usize,
    /// Why it is undecided and what to do, in English; of a check also why a figure that looks
    /// good missed its limit. Else none.
    pub reason: Option<String>,
}

impl GateResult {
    /// The common outcome of `rows`; `reason` is called if it is undecided.
    pub fn of(
        rows: impl IntoIterator<Item = RowOutcome>,
        reason: impl FnOnce() -> Option<String>,
    ) -> GateResult {
        let (mut judged, mut failed, mut of) = (0, 0, 0);
        for row in rows {
            of += 1;
            judged += usize::from(row != RowOutcome::Undecided);
            failed += usize::from(row == RowOutcome::Fail);
        }
        let outcome = match (failed, judged) {
            (1.., _) => GateOutcome::Fail,
            (0, judged) if judged == of && of > 0 => GateOutcome::Pass,
            _ => GateOutcome::Undecided,
        };
        let reason = (outcome == GateOutcome::Undecided).then(reason).flatten();
        GateResult { outcome, judged, failed, of, reason }
    }
}

/// `PASS`, `FAIL (2 of 16 figures)`, `UNDECIDED (0 of 16 figures could be judged: …)`.
impl fmt::Display for GateResult {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GateResult { outcome, judged, failed, of, reason } = self;
        let text = match (outcome, reason) {
            (GateOutcome::Pass, _) => text!("PASS"),
            (GateOutcome::Fail, _) => text!("FAIL ({failed} of {of} figures)"),
            (GateOutcome::Undecided, None) => {
                text!("UNDECIDED ({judged} of {of} figures could be judged)")
            }
            (GateOutcome::Undecided, Some(reason)) => {
                text!("UNDECIDED ({judged} of {of} figures could be judged{judged|0=:|;} {reason})")
            }
        };
        text.fmt(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RowOutcome::{Fail, Pass, Undecided};

    #[test]
    fn a_gate_that_saw_nothing_is_never_green() {
        let gate = |rows: &[RowOutcome]| {
            GateResult::of(rows.iter().copied(), || Some("run longer".to_owned())).to_string()
        };
        assert_eq!(gate(&[Pass, Pass]), "PASS");
        assert_eq!(gate(&[Pass, Fail, Undecided, Fail]), "FAIL (2 of 4 figures)");
        let undecided = "UNDECIDED (1 of 2 figures could be judged; run longer)";
        assert_eq!(gate(&[Pass, Undecided]), undecided);
        assert_eq!(gate(&[]), "UNDECIDED (0 of 0 figures could be judged: run longer)");
        assert_eq!(GateResult::of([Pass], || Some(String::new())).reason, None);
    }

    #[test]
    fn rows_and_gates_have_one_word_for_undecided_and_documents_with_another_are_read() {
        assert_eq!(serde_json::to_string(&Undecided).unwrap(), "\"undecided\"");
        assert_eq!(serde_json::to_string(&GateOutcome::Undecided).unwrap(), "\"undecided\"");
        assert_eq!(serde_json::from_str::<RowOutcome>("\"unclear\"").unwrap(), Undecided);
    }
}
