//! The logarithm of a ratio, and the answer that it gives.

use super::bounds::RatioBounds;
use super::difference::Difference;
use super::rule::JudgeRule;
use crate::spread::Estimate;
use crate::student::critical_t;

/// Minimum relative standard error of any figure, whatever its spread.
///
/// Rounds end at the I/O that crosses their edge, and clocks round: two runs of one device with
/// equal intervals still differ in the last digit, which is no difference of devices.
const RESOLUTION: f64 = 0.0005;

/// Ends of intervals beyond this factor are cut, so that JSON can hold them.
const GREATEST_LOG: f64 = 30.0;

/// The logarithm of b/a, and how well it is known.
pub(super) struct LogRatio {
    pub mean: f64,
    pub std_err: f64,
    pub degrees_of_freedom: f64,
}

impl LogRatio {
    /// Of sides that know nothing of each other, with the degrees of freedom of Welch 1947.
    pub fn apart(a: &Estimate, b: &Estimate) -> LogRatio {
        let squared = |of: &Estimate| (of.std_err / of.mean).max(RESOLUTION).powi(2);
        let (of_a, of_b) = (squared(a), squared(b));
        LogRatio {
            mean: (b.mean / a.mean).ln(),
            std_err: (of_a + of_b).sqrt(),
            degrees_of_freedom: freedom((of_a, of_b), [a, b]),
        }
    }

    /// Of rounds with both sides, by the mean logarithm of the rounds' ratios and its error.
    pub fn of_rounds(mean: f64, std_err: f64, degrees_of_freedom: f64) -> LogRatio {
        // The resolution is that of both sides.
        LogRatio { mean, std_err: std_err.hypot(RESOLUTION * 2f64.sqrt()), degrees_of_freedom }
    }

    /// The answer that it gives under a rule.
    pub fn judged(&self, rule: &JudgeRule) -> Difference {
        let ends = |miss: f64| {
            let half = critical_t(miss, self.degrees_of_freedom) * self.std_err + rule.log_grain();
            [self.mean - half, self.mean + half]
                .map(|end| end.clamp(-GREATEST_LOG, GREATEST_LOG).exp())
        };
        let [low, high] = ends(rule.miss());
        let ratio = self.mean.clamp(-GREATEST_LOG, GREATEST_LOG).exp();
        let likely = Some(ends(2.0 * rule.equal_miss()));
        let bounds = RatioBounds { ratio, low, high, likely };
        match (bounds.is_within(rule.margin()), bounds.excludes_one()) {
            (true, _) => Difference::Equal(bounds),
            (false, true) => Difference::Shown(bounds),
            (false, false) => Difference::Open(bounds),
        }
    }
}

/// Degrees of freedom of the difference of two means with these variances:
/// (va + vb)² / (va²/na + vb²/nb), Welch 1947.
fn freedom(variances: (f64, f64), [a, b]: [&Estimate; 2]) -> f64 {
    let (of_a, of_b) = (a.degrees_of_freedom, b.degrees_of_freedom);
    let each = variances.0.powi(2) / of_a + variances.1.powi(2) / of_b;
    let welch = (variances.0 + variances.1).powi(2) / each;
    // A spread that is borrowed from the other side is known no better for being used twice.
    match a.is_one_among() || b.is_one_among() {
        true => welch.min(of_a).min(of_b),
        false => welch,
    }
}
