//! Great factors between sides that vary much.
//!
//! Fieller's interval needs a mean that is far from 0 by its own error. Of a volume whose rounds
//! vary by half their mean it tells nothing, not even beside one that is thirty times slower in
//! each round. Such noise multiplies, so the logarithms are tested instead: of sides in rounds the
//! logarithm of each round's ratio, of sides that were measured apart the means of both sides'
//! logarithms (Welch). The test runs only where the first one tells nothing, and shows a difference
//! or adds nothing. It has half the probability of error: of equal sides both together then stay
//! within the promised one at any noise (`tests/calibration.rs`), as the first hardly errs where
//! figures vary so much.
//!
//! A single run that borrows the spread of other runs has no logarithms of its own: with them such
//! pairs erred in 9 of 100.

use super::ratio::{RESOLUTION, welch};
use crate::spread::Estimate;
use crate::student::{critical_t, two_sided_p};

/// The logarithm of b/a, and how well it is known.
pub(super) struct LogRatio {
    mean: f64,
    squared_error: f64,
    degrees_of_freedom: f64,
    /// b/a by the means of the figures.
    of_means: f64,
}

/// A ratio that is shown not to be 1, with its interval.
pub(super) struct ShownRatio {
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
    /// Of both tests together.
    pub p_value: f64,
}

impl LogRatio {
    /// Of rounds with a figure of each side; none with fewer than two, or with a figure of 0.
    pub fn of_rounds(rounds: &[(f64, f64)]) -> Option<LogRatio> {
        let is_positive = |(a, b): &(f64, f64)| *a > 0.0 && *b > 0.0;
        if !rounds.iter().all(is_positive) {
            return None;
        }
        let logs: Vec<f64> = rounds.iter().map(|(a, b)| (b / a).ln()).collect();
        let of = Estimate::of_repeats(&logs).ok()?;
        let sums = rounds.iter().fold((0.0, 0.0), |(a, b), round| (a + round.0, b + round.1));
        Some(LogRatio {
            mean: of.mean,
            // The resolution is that of both sides.
            squared_error: of.std_err.powi(2) + 2.0 * RESOLUTION.powi(2),
            degrees_of_freedom: of.degrees_of_freedom,
            of_means: sums.1 / sums.0,
        })
    }

    /// Of sides that were measured apart, by the means of their logarithms; `of_means` is b/a by
    /// the means of their figures.
    pub fn of_sides([of_a, of_b]: [&Estimate; 2], of_means: f64) -> LogRatio {
        let squared = |of: &Estimate| of.std_err.powi(2) + RESOLUTION.powi(2);
        let (squared_a, squared_b) = (squared(of_a), squared(of_b));
        let freedoms = (of_a.degrees_of_freedom, of_b.degrees_of_freedom);
        LogRatio {
            mean: of_b.mean - of_a.mean,
            squared_error: squared_a + squared_b,
            degrees_of_freedom: welch((squared_a, squared_b), freedoms),
            of_means,
        }
    }

    /// The ratio, if this shows that it is not 1 at half of `miss`.
    pub fn shown(&self, miss: f64) -> Option<ShownRatio> {
        let error = self.squared_error.sqrt();
        let half = critical_t(miss / 2.0, self.degrees_of_freedom) * error;
        let [low, high] = [self.mean - half, self.mean + half].map(f64::exp);
        // The ratio of the figures that stand beside it, if that is within the interval.
        let is_within = (low..=high).contains(&self.of_means);
        let ratio = if is_within { self.of_means } else { self.mean.exp() };
        // It errs with half of `miss`, so its probability is stated twofold.
        let p_value = (2.0 * two_sided_p(self.mean / error, self.degrees_of_freedom)).min(1.0);
        let is_sound = low > 0.0 && high.is_finite() && (low > 1.0 || high < 1.0);
        is_sound.then_some(ShownRatio { ratio, low, high, p_value })
    }
}
