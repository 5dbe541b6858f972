//! Whether two sides differ, are equal, or neither can be said yet.
//!
//! There is one test, on the logarithms of figures, since ratios are what is judged. Its result is
//! one of three answers:
//! - different: the interval of the ratio excludes 1. Figures that are judged together share one
//!   probability of error, [`FAMILY_MISS`], in equal parts (Bonferroni): of 100 whole comparisons
//!   of equal sides at most one names any difference.
//! - equal within a margin: two one-sided tests (Schuirmann 1987) at [`EQUAL_MISS`] exclude a ratio
//!   beyond the margin. Sides that surely differ by less than the margin are equal, too. All tests
//!   of a pair must be equal for the pair to be called so, so that this needs no correction.
//! - open: neither. The number of rounds that would decide follows from the spread.
//!
//! Data that are looked at before the end are judged at each look with a part of both
//! probabilities ([`JudgeRule::looks`]; Bonferroni again), so that a comparison may stop as soon as
//! it decides. The simulations of `tests/calibration.rs` hold all of this.
//!
//! The figures of a side are its typical ones (`typical.rs`), and the ratio is that of the figures
//! that are shown.

mod better;
mod bounds;
mod change;
mod difference;
mod log_ratio;
mod rounds;
mod rule;
mod text;

use crate::spread::{Basis, Estimate, NoEstimate};
pub use better::Better;
pub use bounds::RatioBounds;
pub use change::{ChangeText, change, lead};
pub use difference::{Difference, Lack};
use log_ratio::LogRatio;
pub use rounds::SharedRounds;
pub use rule::{EQUAL_MISS, FAMILY_MISS, JudgeRule, MARGIN_PERCENT, MOST_ADVISED};
use serde::{Deserialize, Serialize};

/// One of the sides that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// What it is called in sentences.
    pub name: String,
    /// Its typical figure, and how well that is known, or why it is not.
    pub estimate: Result<Estimate, NoEstimate>,
}

impl Side {
    /// A side that was measured by whole runs: one figure for each.
    pub fn of_repeats(name: impl Into<String>, values: &[f64]) -> Side {
        Side { name: name.into(), estimate: Estimate::typical(values, Basis::Repeats) }
    }

    /// A side that was measured by one command in several rounds: one figure for each.
    pub fn of_rounds(name: impl Into<String>, values: &[f64]) -> Side {
        Side { name: name.into(), estimate: Estimate::typical(values, Basis::Rounds) }
    }

    /// A side that is one run; other runs of its kind show its possible error.
    ///
    /// `own` is the spread of its rounds, if it has any; the wider of both counts.
    pub fn of_one_among(
        name: impl Into<String>,
        value: f64,
        own: Option<&Estimate>,
        others: &[f64],
    ) -> Side {
        Side { name: name.into(), estimate: Estimate::of_one_among(value, own, others) }
    }

    /// A side that a limit of this host held to a figure: that is known, and every run would show
    /// it.
    pub fn held(name: impl Into<String>, limit: f64) -> Side {
        Side { name: name.into(), estimate: Ok(Estimate::exact(limit)) }
    }

    /// The same with `n` repeats or rounds that scatter as its own do.
    fn projected(&self, n: u64) -> Option<Side> {
        let estimate = Ok(self.estimate.as_ref().ok()?.projected(n)?);
        Some(Side { name: self.name.clone(), estimate })
    }
}

/// Whether a side is one run that borrows the spread of others.
fn is_one_among(side: &Side) -> bool {
    side.estimate.as_ref().is_ok_and(Estimate::is_one_among)
}

/// How the sides were measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// Each by itself: Welch's t-test.
    Apart,
    /// In rounds, each with both sides: the paired t-test.
    Paired {
        /// How many rounds.
        rounds: u64,
        /// The standard error of the logarithm of the ratio; 0 in documents from before it was
        /// held.
        #[serde(default)]
        log_std_err: f64,
    },
}

/// Two sides and what is known of their ratio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The side that is the measure.
    pub a: Side,
    /// The side that is compared with it.
    pub b: Side,
    /// Which figure is the better one.
    pub better: Better,
    /// How they were measured.
    pub design: Design,
    /// How sure it had to be.
    #[serde(flatten)]
    pub rule: JudgeRule,
    /// What came of it.
    pub difference: Difference,
}

impl Comparison {
    /// Compares sides that were measured each by itself (Welch 1947).
    pub fn apart(a: Side, b: Side, better: Better, rule: JudgeRule) -> Comparison {
        let difference = between(&a, &b, &rule);
        Comparison { a, b, better, design: Design::Apart, rule, difference }
    }

    /// What would be known of the ratio from `n` repeats or rounds a side that scatter as these do;
    /// of a run beside a baseline, from a baseline of `n` runs. None where more of them would tell
    /// nothing.
    pub fn projected(&self, n: u64) -> Option<Difference> {
        match self.design {
            Design::Apart => {
                Some(between(&self.a.projected(n)?, &self.b.projected(n)?, &self.rule))
            }
            Design::Paired { rounds, log_std_err } => {
                let of = LogRatio {
                    mean: self.difference.bounds()?.ratio.ln(),
                    std_err: log_std_err * (rounds as f64 / n as f64).sqrt(),
                    degrees_of_freedom: n as f64 - 1.0,
                };
                (log_std_err > 0.0).then(|| of.judged(&self.rule))
            }
        }
    }

    /// Whether a side is one run that borrows the spread of a baseline.
    pub fn is_against_baseline(&self) -> bool {
        is_one_among(&self.a) || is_one_among(&self.b)
    }

    /// How many values the larger side rests on; of a baseline, how many runs it has.
    pub fn count(&self) -> u64 {
        let of = |side: &Side| side.estimate.as_ref().map_or(0, |of| of.n);
        match self.design {
            Design::Paired { rounds, .. } => rounds,
            Design::Apart => of(&self.a).max(of(&self.b)),
        }
    }

    /// How many rounds or runs in all, at most `most`, would decide what is open, by the spread
    /// that was seen.
    pub fn deciding_count(&self, most: u64) -> Option<u64> {
        let decides = |n: &u64| self.projected(*n).is_some_and(|of| of.is_decided());
        (self.count() + 1..=most).find(decides)
    }

    /// The same sides, not judged, because both are one disk.
    #[must_use]
    pub fn of_one_disk(self) -> Comparison {
        Comparison { difference: Difference::NotEnough { lack: Lack::OneDisk }, ..self }
    }

    /// Whether both sides are one disk.
    pub fn is_of_one_disk(&self) -> bool {
        matches!(self.difference, Difference::NotEnough { lack: Lack::OneDisk })
    }
}

/// The finding on b/a.
fn between(a: &Side, b: &Side, rule: &JudgeRule) -> Difference {
    match (&a.estimate, &b.estimate) {
        (Ok(of_a), Ok(of_b)) => LogRatio::apart(of_a, of_b).judged(rule),
        (Err(why), _) => unknown(a, why),
        (_, Err(why)) => unknown(b, why),
    }
}

fn unknown(side: &Side, why: &NoEstimate) -> Difference {
    let lack = Lack::Estimate { side: side.name.clone(), why: why.clone() };
    Difference::NotEnough { lack }
}

#[cfg(test)]
mod tests;
