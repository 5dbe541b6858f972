//! Great factors between sides that vary much.
//!
//! Fieller's interval needs a mean that is far from 0 by its own error. Of a volume whose rounds
//! vary by half their mean it tells nothing, not even beside one that is thirty times slower in
//! each round. Such noise multiplies: the logarithm of the ratio of each round is tested instead.
//! It is asked only where the first test tells nothing, and shows a difference or adds nothing. It
//! has half the probability of error: of equal sides both together then stay within the promised
//! one at any noise (`tests/calibration.rs`), as the first hardly errs where figures vary so much.

use super::Difference;
use super::ratio::RESOLUTION;
use crate::student::{critical_t, two_sided_p};

/// The difference, if the geometric mean of the rounds' ratios shows one at half of `miss`.
pub(super) fn shown(rounds: &[(f64, f64)], miss: f64) -> Option<Difference> {
    let is_positive = |(a, b): &(f64, f64)| *a > 0.0 && *b > 0.0;
    if rounds.len() < 2 || !rounds.iter().all(is_positive) {
        return None;
    }
    let n = rounds.len() as f64;
    let logs: Vec<f64> = rounds.iter().map(|(a, b)| (b / a).ln()).collect();
    let mean = logs.iter().sum::<f64>() / n;
    let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
    // Of both sides.
    let floor = 2.0 * RESOLUTION.powi(2);
    let error = (squares / (n - 1.0) / n + floor).sqrt();
    let half = critical_t(miss / 2.0, n - 1.0) * error;
    let [low, high] = [mean - half, mean + half].map(f64::exp);
    let sums = rounds.iter().fold((0.0, 0.0), |(a, b), round| (a + round.0, b + round.1));
    // The ratio of the figures that stand beside it, if that is within the interval.
    let of_means = sums.1 / sums.0;
    let ratio = if (low..=high).contains(&of_means) { of_means } else { mean.exp() };
    // It errs with half of `miss`, so its probability is stated twofold.
    let p_value = (2.0 * two_sided_p(mean / error, n - 1.0)).min(1.0);
    let is_sound = low > 0.0 && high.is_finite() && (low > 1.0 || high < 1.0);
    is_sound.then_some(Difference::Shown { ratio, low, high, p_value })
}
