//! How sure a comparison has to be before it decides.

use crate::spread::Estimate;
use crate::student::critical_t;
use serde::{Deserialize, Serialize};

/// Probability that figures of equal sides that are judged together show any difference.
pub const FAMILY_MISS: f64 = 0.01;

/// Probability that a figure of sides that differ by the margin is called equal.
pub const EQUAL_MISS: f64 = 0.05;

/// Sides are equal within so many percent, unless a user says otherwise.
pub const MARGIN_PERCENT: f64 = 5.0;

/// Most rounds or runs a side that are advised: where more are needed, the noise is what is to be
/// mended.
pub const MOST_ADVISED: u64 = 60;

/// How sure a comparison has to be before it decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgeRule {
    /// How many comparisons share one probability of a false difference.
    #[serde(default = "one")]
    pub together: u64,
    /// How often the figures are judged before the end, the end included. Each look has an equal
    /// part of both probabilities.
    #[serde(default = "one")]
    pub looks: u64,
    /// Sides are equal within so many percent.
    #[serde(default = "usual_margin")]
    pub margin_percent: f64,
    /// Figures are only known in steps of so many percent, so that every interval is this much
    /// wider.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub grain_percent: f64,
}

impl JudgeRule {
    /// For so many comparisons, which are judged once.
    pub fn among(together: u64) -> JudgeRule {
        JudgeRule { together, looks: 1, margin_percent: MARGIN_PERCENT, grain_percent: 0.0 }
    }

    /// For every pair of so many sides in so many tests, which are judged once.
    pub fn among_pairs(tests: usize, sides: usize) -> JudgeRule {
        JudgeRule::among((tests * sides * sides.saturating_sub(1) / 2) as u64)
    }

    /// The two-sided probability of error of one comparison at one look.
    pub(super) fn miss(&self) -> f64 {
        FAMILY_MISS / (self.together.max(1) * self.looks.max(1)) as f64
    }

    /// The probability at each end of the interval by which sides are equal.
    pub(super) fn equal_miss(&self) -> f64 {
        EQUAL_MISS / self.looks.max(1) as f64
    }

    /// The same for figures that are known in steps of so many percent.
    #[must_use]
    pub fn in_steps(self, grain_percent: f64) -> JudgeRule {
        JudgeRule { grain_percent, ..self }
    }

    /// By how much the logarithm of a ratio may be wrong because of the steps.
    pub(super) fn log_grain(&self) -> f64 {
        (self.grain_percent / 100.0).ln_1p()
    }

    /// The margin as a factor.
    pub fn margin(&self) -> f64 {
        1.0 + self.margin_percent / 100.0
    }
}

impl Estimate {
    /// The same, as sure at one of so many looks at data that grow as it is at one look: each has
    /// an equal part of the probability of error, as of comparisons.
    #[must_use]
    pub fn among_looks(self, looks: u64) -> Estimate {
        let rule = JudgeRule { looks, ..JudgeRule::among(1) };
        let factor = critical_t(rule.equal_miss(), self.degrees_of_freedom);
        Estimate { half_width: self.half_width.max(factor * self.std_err), ..self }
    }
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn one() -> u64 {
    1
}

fn usual_margin() -> f64 {
    MARGIN_PERCENT
}
