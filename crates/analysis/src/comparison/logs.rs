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
//! Of a single run beside a baseline, whose spread it borrows, the first test alone errs in 7 to 10
//! of 100 where noise multiplies. There the logarithms must show each difference, with the whole
//! probability of error. A figure of 0 has none: then the first test stands alone.

use super::ratio::{RESOLUTION, Ratio, detectable_errors, freedom};
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
        LogRatio {
            mean: of_b.mean - of_a.mean,
            squared_error: squared_a + squared_b,
            degrees_of_freedom: freedom((squared_a, squared_b), [of_a, of_b]),
            of_means,
        }
    }

    /// The ratio, if this shows that it is not 1 at half of `miss`.
    pub fn shown(&self, miss: f64) -> Option<Ratio> {
        let of = self.at(miss / 2.0)?;
        // It errs with half of `miss`, so its probability is stated twofold.
        of.differs().then(|| Ratio { p_value: (2.0 * of.p_value).min(1.0), ..of })
    }

    /// The ratio with its interval at `miss`; none where one of its figures is no number.
    pub fn at(&self, miss: f64) -> Option<Ratio> {
        let error = self.squared_error.sqrt();
        let t = critical_t(miss, self.degrees_of_freedom);
        let [low, high] = [self.mean - t * error, self.mean + t * error].map(f64::exp);
        // The ratio of the figures that stand beside it, if that is within the interval.
        let is_within = (low..=high).contains(&self.of_means);
        let ratio = if is_within { self.of_means } else { self.mean.exp() };
        let p_value = two_sided_p(self.mean / error, self.degrees_of_freedom);
        let detectable = (detectable_errors(t, self.degrees_of_freedom) * error).exp_m1();
        let smallest_detectable_percent = 100.0 * detectable;
        let is_sound = low > 0.0 && high.is_finite() && smallest_detectable_percent.is_finite();
        is_sound.then_some(Ratio { ratio, low, high, p_value, smallest_detectable_percent })
    }
}
