//! The ratio of two means, its interval, and whether it differs from 1.
//!
//! One construction serves independent sides and paired rounds: Fieller's interval contains every
//! ratio r at which "b is r times a" passes a t-test. At r = 1 that test is Welch's (or the paired)
//! t-test exactly, so the interval and the p-value never contradict each other.

use crate::spread::Estimate;
use crate::student::{critical_t, two_sided_p};

/// Minimum relative standard error of any mean, whatever its spread.
///
/// Rounds end at the I/O that crosses their edge, and clocks round: two runs of one device with
/// equal intervals still differ in the last digit, which is no difference of devices.
pub(super) const RESOLUTION: f64 = 0.0005;

/// Power at which a difference is called detectable: found in four of five such comparisons.
const MISSED: f64 = 0.2;

/// Two means with the variances of both, and their covariance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    a: f64,
    /// Mean of b.
    pub b: f64,
    variance_a: f64,
    variance_b: f64,
    covariance: f64,
    degrees_of_freedom: f64,
}

/// The ratio b/a with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratio {
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
    pub p_value: f64,
    pub smallest_detectable_percent: f64,
}

impl Ratio {
    /// Whether the interval leaves out 1.
    pub fn differs(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }
}

impl Means {
    /// Of sides that know nothing of each other, with the degrees of freedom of Welch 1947.
    pub fn independent(a: &Estimate, b: &Estimate) -> Means {
        let (variance_a, variance_b) = (floored(a.std_err, a.mean), floored(b.std_err, b.mean));
        let degrees_of_freedom = freedom((variance_a, variance_b), [a, b]);
        Means { a: a.mean, b: b.mean, variance_a, variance_b, covariance: 0.0, degrees_of_freedom }
    }

    /// From rounds in which both sides were measured one after the other, at least two.
    ///
    /// A disturbance of a whole round is common to both sides and cancels in their difference.
    pub fn paired(rounds: &[(f64, f64)]) -> Means {
        let n = rounds.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| rounds.iter().map(of).sum::<f64>() / n;
        let (a, b) = (mean(|round| round.0), mean(|round| round.1));
        let of_means = |products: f64| products / (n - 1.0) / n;
        let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
        for round in rounds {
            let (from_a, from_b) = (round.0 - a, round.1 - b);
            aa += from_a * from_a;
            bb += from_b * from_b;
            ab += from_a * from_b;
        }
        // The floor is added to both, so that it also applies if both move alike.
        Means {
            a,
            b,
            variance_a: of_means(aa) + (RESOLUTION * a).powi(2),
            variance_b: of_means(bb) + (RESOLUTION * b).powi(2),
            covariance: of_means(ab),
            degrees_of_freedom: n - 1.0,
        }
    }

    /// The ratio, its interval at `miss` (0.05 for 95 %) and the p-value of "it is 1".
    ///
    /// `None` if a is so near to 0 that no ratio can be ruled out, or a mean is negative.
    /// Fieller 1954.
    pub fn ratio(&self, miss: f64) -> Option<Ratio> {
        let t = critical_t(miss, self.degrees_of_freedom);
        let squared = t * t;
        // (b - r a)² = t² (vb - 2 r cov + r² va), solved for r.
        let leading = self.a * self.a - squared * self.variance_a;
        let middle = self.a * self.b - squared * self.covariance;
        let last = self.b * self.b - squared * self.variance_b;
        if self.a.is_nan() || self.a <= 0.0 || self.b < 0.0 || leading.is_nan() || leading <= 0.0 {
            return None;
        }
        let root = (middle * middle - leading * last).max(0.0).sqrt();
        let ratio = Ratio {
            ratio: self.b / self.a,
            low: ((middle - root) / leading).max(0.0),
            high: (middle + root) / leading,
            p_value: two_sided_p(self.statistic(), self.degrees_of_freedom),
            smallest_detectable_percent: 100.0 * self.detectable(t),
        };
        [ratio.ratio, ratio.high].iter().all(|value| value.is_finite()).then_some(ratio)
    }

    /// The t statistic of "both means are equal".
    fn statistic(&self) -> f64 {
        let error = (self.variance_a + self.variance_b - 2.0 * self.covariance).sqrt();
        (self.b - self.a) / error
    }

    /// The relative difference that would be found in four of five comparisons like this one:
    /// (t for the miss + t for the power) standard errors of the ratio at 1.
    fn detectable(&self, t: f64) -> f64 {
        let relative = (self.variance_a + self.variance_b - 2.0 * self.covariance).sqrt() / self.a;
        detectable_errors(t, self.degrees_of_freedom) * relative
    }
}

/// The difference that would be found in four of five comparisons, in its standard errors; `t` is
/// that of the miss.
pub(super) fn detectable_errors(t: f64, degrees_of_freedom: f64) -> f64 {
    // One tail: MISSED is the probability on one side.
    t + critical_t(2.0 * MISSED, degrees_of_freedom)
}

/// Degrees of freedom of the difference of two means with these variances:
/// (va + vb)² / (va²/na + vb²/nb), Welch 1947.
pub(super) fn freedom(variances: (f64, f64), [a, b]: [&Estimate; 2]) -> f64 {
    let (of_a, of_b) = (a.degrees_of_freedom, b.degrees_of_freedom);
    let each = variances.0.powi(2) / of_a + variances.1.powi(2) / of_b;
    let welch = (variances.0 + variances.1).powi(2) / each;
    // A spread that is borrowed from the other side is known no better for being used twice.
    match a.is_one_among() || b.is_one_among() {
        true => welch.min(of_a).min(of_b),
        false => welch,
    }
}

/// Square of a standard error, not below the resolution of a mean.
fn floored(std_err: f64, mean: f64) -> f64 {
    std_err.max(RESOLUTION * mean.abs()).powi(2)
}

#[cfg(test)]
mod tests;
