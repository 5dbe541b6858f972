//! The confidence of a mean: from repeats of a whole test, or from one run's intervals.
//!
//! Intervals of one run are autocorrelated; treated as independent they would make a mean look far
//! more certain than it is. Usual batch means join them until neighbouring batches seem
//! uncorrelated. With the few hundred intervals of a run that test has little power, and it misses
//! a slow wave under the noise of single intervals: of pairs of equal sides, 12 in 100 were called
//! different. So for every batch length the error is calculated as if its batches were a
//! first-order autoregressive process, and the widest result counts (`tests/calibration.rs`). One
//! run cannot show how the next run would differ: repeats can.

mod summary;
mod text;

pub use text::NOT_STABLE_PERCENT;

use crate::autocorrelation::{lag1, mean, unbiased, variance, variance_factor};
use crate::student::critical_t;
use crate::typical::LogMean;
use serde::{Deserialize, Serialize};
pub(crate) use text::evidence;

/// Probability that a confidence interval misses the true value.
pub(crate) const MISS_PROBABILITY: f64 = 0.05;

/// Minimum repeats.
const LEAST_REPEATS: usize = 2;

/// Minimum rounds, or runs of a baseline, for a statement on how a run differs from the next.
pub const LEAST_ROUNDS: usize = 3;

/// Minimum intervals of one run.
const LEAST_INTERVALS: usize = 10;

/// Minimum batches of a length: with fewer, their autocorrelation is a guess.
const LEAST_BATCHES: usize = 20;

/// Minimum equivalent number of independent intervals of a run, as with repeats. A higher minimum
/// would select runs that seem less slow than they are.
const LEAST_EFFECTIVE: f64 = 2.0;

/// Values beyond this are taken for broken, as their fourth powers could overflow.
const GREATEST: f64 = 1e60;

/// A mean, and how well it is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean, in the unit of the values.
    pub mean: f64,
    /// Standard error of the mean, in the same unit.
    pub std_err: f64,
    /// The true mean lies within this of `mean` with 95 % confidence.
    pub half_width: f64,
    /// How many values it rests on.
    pub n: u64,
    /// How many independent values would tell as much.
    pub effective_n: f64,
    /// Degrees of freedom of the standard error.
    pub degrees_of_freedom: f64,
    /// What the values were.
    pub basis: Basis,
}

/// What an estimate rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Repeats of a whole test.
    Repeats,
    /// Rounds of one command. They share the state that the disk is in meanwhile, so that many of
    /// them tell how far rounds scatter, and not where the next command would lie.
    Rounds,
    /// One run, by how far other runs of its kind lie apart.
    OneAmong {
        /// How many others.
        runs: u64,
    },
    /// Intervals of one run, joined to batches.
    Intervals {
        /// How many batches.
        batches: u32,
        /// Intervals in each.
        intervals_each: u32,
        /// Autocorrelation of the batches' means at lag 1, freed of bias and not below 0.
        lag1: f64,
    },
}

/// Why the spread of a mean is not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoEstimate {
    /// Too few repeats.
    FewRepeats {
        /// There were.
        n: u64,
        /// There must be.
        needed: u64,
    },
    /// Too few rounds of a command.
    FewRounds {
        /// There were.
        n: u64,
        /// There must be.
        needed: u64,
    },
    /// Too few intervals.
    FewIntervals {
        /// There were.
        n: u64,
        /// There must be.
        needed: u64,
    },
    /// The figure swings or drifts so slowly that the run shows too little of it.
    TooSlow {
        /// Intervals that there were.
        n: u64,
        /// Independent ones that they are worth.
        effective_n: f64,
    },
}

impl Estimate {
    /// From the results of whole tests, each independent of the others.
    ///
    /// mean ± t(n - 1) s / sqrt(n), Student 1908. Values that are not finite are left out.
    ///
    /// # Errors
    /// [`NoEstimate::FewRepeats`] for fewer than two.
    pub fn of_repeats(values: &[f64]) -> Result<Estimate, NoEstimate> {
        let values = usable(values);
        let n = values.len();
        if n < LEAST_REPEATS {
            return Err(NoEstimate::FewRepeats { n: n as u64, needed: LEAST_REPEATS as u64 });
        }
        let freedom = n as f64 - 1.0;
        let squared = variance(&values) / n as f64;
        Ok(estimate(&values, squared, n as f64, freedom, Basis::Repeats))
    }

    /// The typical figure of repeats, or of rounds of one command, by their logarithms; figures
    /// that are not above 0 are left out.
    ///
    /// Effects that last for a whole command affect all its rounds, so the standard error of rounds
    /// is that of a single one, however many there are: more of them only make it better known.
    ///
    /// # Errors
    /// [`NoEstimate::FewRepeats`] for fewer than two repeats, [`NoEstimate::FewRounds`] for fewer
    /// than three rounds.
    pub fn typical(values: &[f64], basis: Basis) -> Result<Estimate, NoEstimate> {
        let logs = logs(values);
        let n = logs.len();
        let of = LogMean::of_values(&logs);
        match (basis, of) {
            (Basis::Rounds, Some(of)) if n >= LEAST_ROUNDS => {
                let std_err = of.std_err * (n as f64).sqrt();
                let of_rounds = Estimate::of_logs(&LogMean { std_err, ..of }, Basis::Rounds);
                Ok(Estimate { effective_n: 1.0, ..of_rounds })
            }
            (Basis::Rounds, _) => {
                Err(NoEstimate::FewRounds { n: n as u64, needed: LEAST_ROUNDS as u64 })
            }
            (basis, Some(of)) => Ok(Estimate::of_logs(&of, basis)),
            (_, None) => Err(NoEstimate::FewRepeats { n: n as u64, needed: LEAST_REPEATS as u64 }),
        }
    }

    /// The figure whose logarithm is known so well.
    pub(crate) fn of_logs(of: &LogMean, basis: Basis) -> Estimate {
        let mean = of.mean.exp();
        let std_err = mean * of.std_err;
        Estimate {
            mean,
            std_err,
            half_width: critical_t(MISS_PROBABILITY, of.degrees_of_freedom) * std_err,
            n: of.n,
            effective_n: of.n as f64,
            degrees_of_freedom: of.degrees_of_freedom,
            basis,
        }
    }

    /// For one run with the figure `value`: its error is the spread of `others`, runs of its kind,
    /// or of its `own` rounds, if that is larger.
    ///
    /// # Errors
    /// [`NoEstimate::FewRepeats`] for fewer than three others, or if the figure is not above 0.
    pub fn of_one_among(
        value: f64,
        own: Option<&Estimate>,
        others: &[f64],
    ) -> Result<Estimate, NoEstimate> {
        let others = logs(others);
        let runs = others.len() as u64;
        let few = NoEstimate::FewRepeats { n: runs, needed: LEAST_ROUNDS as u64 };
        let (of, log) = match (LogMean::of_values(&others), logs(&[value]).first()) {
            (Some(of), Some(log)) if others.len() >= LEAST_ROUNDS => (of, *log),
            _ => return Err(few),
        };
        let apart = of.std_err * (runs as f64).sqrt();
        let std_err = own.map_or(apart, |own| apart.max(own.std_err / own.mean));
        let one = LogMean { mean: log, std_err, n: 1, ..of };
        Ok(Estimate::of_logs(&one, Basis::OneAmong { runs }))
    }

    /// From the intervals of one run, in their order.
    ///
    /// Batch means (Law & Kelton, Simulation Modeling and Analysis, section 9.5.3) with batches of
    /// 1, 2, 4 … intervals, as long as there are 20 of them. The error of each length is widened
    /// by the autocorrelation that is left between its batches; the widest is taken. Values that
    /// are not finite are left out.
    ///
    /// # Errors
    /// [`NoEstimate::FewIntervals`] for fewer than ten, [`NoEstimate::TooSlow`] if they are
    /// worth fewer than two independent ones.
    pub fn of_intervals(values: &[f64]) -> Result<Estimate, NoEstimate> {
        let values = usable(values);
        let n = values.len();
        if n < LEAST_INTERVALS {
            return Err(NoEstimate::FewIntervals { n: n as u64, needed: LEAST_INTERVALS as u64 });
        }
        let batches = Batches::widest(&values);
        let effective_n = match variance(&values) / batches.squared_error {
            ratio if ratio.is_finite() => ratio.min(n as f64),
            _ => n as f64,
        };
        let shown = effective_n.min(batches.effective);
        if shown < LEAST_EFFECTIVE {
            return Err(NoEstimate::TooSlow { n: n as u64, effective_n: shown });
        }
        let squared = batches.squared_error;
        Ok(estimate(&values, squared, effective_n, shown - 1.0, batches.basis()))
    }

    /// A figure that is known, whatever a run of it shows.
    pub(crate) fn exact(mean: f64) -> Estimate {
        Estimate {
            mean,
            std_err: 0.0,
            half_width: 0.0,
            n: 1,
            effective_n: 1.0,
            degrees_of_freedom: KNOWN_FREEDOM,
            basis: Basis::Repeats,
        }
    }

    /// What `n` repeats, rounds or other runs would give that scatter as these do; none of
    /// intervals, which show nothing of other runs.
    pub(crate) fn projected(&self, n: u64) -> Option<Estimate> {
        let degrees_of_freedom = n.checked_sub(1).filter(|freedom| *freedom > 0)? as f64;
        let (shrunk, basis) = match self.basis {
            Basis::Repeats => ((self.n as f64 / n as f64).sqrt(), Basis::Repeats),
            Basis::Rounds => (1.0, Basis::Rounds),
            Basis::OneAmong { .. } => (1.0, Basis::OneAmong { runs: n }),
            Basis::Intervals { .. } => return None,
        };
        let std_err = self.std_err * shrunk;
        let half_width = critical_t(MISS_PROBABILITY, degrees_of_freedom) * std_err;
        let n = if self.is_one_among() { self.n } else { n };
        Some(Estimate { std_err, half_width, n, degrees_of_freedom, basis, ..self.clone() })
    }

    /// Whether its spread is that of other runs.
    pub(crate) fn is_one_among(&self) -> bool {
        matches!(self.basis, Basis::OneAmong { .. })
    }

    /// The same, with an interval wide enough to contain the displayed figure, which covers the
    /// whole run, with a last part that is in no complete interval.
    #[must_use]
    pub fn holding(mut self, shown: f64) -> Estimate {
        let off = (shown - self.mean).abs();
        if off.is_finite() {
            self.half_width = self.half_width.max(off);
        }
        self
    }

    /// The half-width of the 95 % interval in percent of the mean; `None` if the mean is 0 and
    /// the half-width is not.
    pub fn half_width_percent(&self) -> Option<f64> {
        match (self.half_width, self.mean.abs()) {
            (0.0, _) => Some(0.0),
            (half_width, mean) => Some(100.0 * half_width / mean).filter(|p| p.is_finite()),
        }
    }
}

/// Degrees of freedom of what is known: t is then normal.
const KNOWN_FREEDOM: f64 = 1e6;

fn estimate(
    values: &[f64],
    squared_error: f64,
    effective_n: f64,
    degrees_of_freedom: f64,
    basis: Basis,
) -> Estimate {
    let std_err = squared_error.sqrt();
    Estimate {
        mean: mean(values),
        std_err,
        half_width: critical_t(MISS_PROBABILITY, degrees_of_freedom) * std_err,
        n: values.len() as u64,
        effective_n,
        degrees_of_freedom,
        basis,
    }
}

/// Intervals joined to batches of equal length, taken for a first-order autoregressive process.
struct Batches {
    count: usize,
    intervals_each: usize,
    /// Autocorrelation at lag 1, freed of bias.
    phi: f64,
    /// Square of the standard error of the mean.
    squared_error: f64,
    /// How many independent batches they are worth.
    effective: f64,
}

impl Batches {
    /// The batch length with the largest error of the mean.
    fn widest(values: &[f64]) -> Batches {
        let longest = (values.len() / LEAST_BATCHES).max(1);
        let mut widest = Batches::of(values, 1);
        let mut each = 2;
        while each <= longest {
            let batches = Batches::of(values, each);
            if batches.squared_error > widest.squared_error {
                widest = batches;
            }
            each *= 2;
        }
        widest
    }

    /// A remainder at the beginning is left out.
    fn of(values: &[f64], intervals_each: usize) -> Batches {
        let left_over = values.len() % intervals_each;
        let means: Vec<f64> = values[left_over..].chunks_exact(intervals_each).map(mean).collect();
        let count = means.len() as f64;
        let phi = lag1(&means).map_or(0.0, |lag1| unbiased(lag1, means.len()));
        let factor = variance_factor(phi, means.len()).clamp(1.0, count);
        // Within n values a slow process shows only (n - factor)/(n - 1) of its variance.
        let shown = ((count - factor) / (count - 1.0)).max(1.0 / count);
        Batches {
            count: means.len(),
            intervals_each,
            phi,
            squared_error: variance(&means) / shown * factor / count,
            effective: count / factor,
        }
    }

    fn basis(&self) -> Basis {
        Basis::Intervals {
            batches: self.count as u32,
            intervals_each: self.intervals_each as u32,
            lag1: self.phi,
        }
    }
}

/// Whether a value can be reckoned with.
pub(crate) fn is_usable(value: &f64) -> bool {
    value.abs() < GREATEST
}

/// The logarithms of the values that have one.
fn logs(values: &[f64]) -> Vec<f64> {
    usable(values).into_iter().filter(|of| *of > 0.0).map(f64::ln).collect()
}

fn usable(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(is_usable).collect()
}

#[cfg(test)]
mod tests;
