//! A mean without its intervals: only their number and their deviation are known, as in fio's JSON.

use super::{Basis, Estimate, LEAST_INTERVALS, NoEstimate};
use crate::spread::MISS_PROBABILITY;
use crate::student::critical_t;

/// Assumed autocorrelation at lag 1 if the order of intervals is unknown. Treated as independent
/// they would make a mean look more certain than it is. The value is that of half-second rates of
/// devices with a garbage collector or a shared backend; a run that drifts more slowly still looks
/// too certain.
const ASSUMED_LAG1: f64 = 0.5;

impl Estimate {
    /// From the mean and the standard deviation of `n` intervals of one run in unknown order. The
    /// error is that of a first-order autoregressive process of lag-1 autocorrelation 0.5: s
    /// sqrt((1 + 0.5) / (1 - 0.5) / n), with n/3 - 1 degrees of freedom.
    ///
    /// # Errors
    /// [`NoEstimate::FewIntervals`] for fewer than ten, or if a figure is not finite.
    pub fn of_summary(mean: f64, std_dev: f64, n: u64) -> Result<Estimate, NoEstimate> {
        let needed = LEAST_INTERVALS as u64;
        if n < needed || !mean.is_finite() || !std_dev.is_finite() {
            return Err(NoEstimate::FewIntervals { n, needed });
        }
        let effective_n = n as f64 * (1.0 - ASSUMED_LAG1) / (1.0 + ASSUMED_LAG1);
        let std_err = std_dev / effective_n.sqrt();
        let degrees_of_freedom = effective_n - 1.0;
        Ok(Estimate {
            mean,
            std_err,
            half_width: critical_t(MISS_PROBABILITY, degrees_of_freedom) * std_err,
            n,
            effective_n,
            degrees_of_freedom,
            basis: Basis::Intervals {
                batches: u32::try_from(n).unwrap_or(u32::MAX),
                intervals_each: 1,
                lag1: ASSUMED_LAG1,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_trusted_less_than_its_intervals_would_be() {
        let values: Vec<f64> = (0..30).map(|at| 100.0 + f64::from(at * 7 % 11)).collect();
        let independent = Estimate::of_repeats(&values).unwrap();
        let std_dev = independent.std_err * 30f64.sqrt();
        let summary = Estimate::of_summary(independent.mean, std_dev, 30).unwrap();
        assert_eq!((summary.n, summary.effective_n), (30, 10.0));
        assert!((summary.std_err / independent.std_err - 3f64.sqrt()).abs() < 1e-9);
        assert!(summary.half_width > independent.half_width * 3f64.sqrt());
    }

    #[test]
    fn few_intervals_say_nothing() {
        for (mean, std_dev, n) in [(1.0, 0.1, 9), (f64::NAN, 0.1, 20), (1.0, f64::INFINITY, 20)] {
            assert!(Estimate::of_summary(mean, std_dev, n).is_err(), "{mean} {std_dev} {n}");
        }
    }
}
