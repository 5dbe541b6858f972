//! One figure of a recording, and its confidence.
//!
//! There are two measures. The confidence of this recording's figure follows from its intervals or
//! its rounds ([`Known::half_width`]). The expected difference to the next recording follows only
//! from rounds or from other runs, and differences are judged by it.

use crate::{Basis, Estimate, LEAST_ROUNDS, NoEstimate, Side, Tone};
use serde::{Deserialize, Serialize};

/// A mean, and its error where that can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The mean over all I/Os; in comparisons the typical figure of rounds or runs.
    pub mean: f64,
    /// How well it is known; none where the recording holds nothing of its spread.
    pub estimate: Option<Result<Estimate, NoEstimate>>,
    /// What it was in each round or run; empty where there was one.
    #[serde(default, skip_serializing_if = "Repeats::is_single")]
    pub repeats: Repeats,
}

/// How often a figure was measured, and what came of it each time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", content = "values", rename_all = "snake_case")]
pub enum Repeats {
    /// Once.
    #[default]
    Single,
    /// In rounds of one command.
    Rounds(Vec<f64>),
    /// By runs of their own.
    Runs(Vec<f64>),
}

impl Repeats {
    fn is_single(&self) -> bool {
        *self == Repeats::Single
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Repeats::Single => 1,
            Repeats::Rounds(values) | Repeats::Runs(values) => values.len(),
        }
    }
}

impl Known {
    /// A figure with only a mean.
    pub fn bare(mean: f64) -> Known {
        Known { mean, estimate: None, repeats: Repeats::Single }
    }

    /// From the judgement of its intervals; the error is kept in proportion to `mean`, which weighs
    /// all I/Os equally while intervals weigh all seconds equally.
    pub fn judged(mean: f64, estimate: Result<Estimate, NoEstimate>) -> Known {
        let scaled = estimate.map(|mut of| {
            let factor = if of.mean > 0.0 { mean / of.mean } else { 1.0 };
            of.mean = mean;
            of.std_err *= factor;
            of.half_width *= factor;
            of
        });
        Known { mean, estimate: Some(scaled), repeats: Repeats::Single }
    }

    /// From rounds of one command: the figure over all their I/Os, and that of each round.
    pub fn of_rounds(mean: f64, values: Vec<f64>) -> Known {
        let estimate = Some(Estimate::of_repeats(&values));
        Known { mean, estimate, repeats: Repeats::Rounds(values) }
    }

    /// From separate runs, with the figure of each.
    pub fn of_runs(values: Vec<f64>) -> Known {
        let mean = values.first().copied().unwrap_or(f64::NAN);
        Known { mean, estimate: None, repeats: Repeats::Runs(values) }.typical()
    }

    /// The typical figure of rounds or runs, by which they are compared; a single one as it is.
    #[must_use]
    pub fn typical(self) -> Known {
        match &self.repeats {
            Repeats::Single => self,
            Repeats::Rounds(values) | Repeats::Runs(values) => {
                let estimate = Estimate::typical(values, Basis::Repeats);
                let mean = estimate.as_ref().map_or(self.mean, |of| of.mean);
                Known { mean, estimate: Some(estimate), ..self }
            }
        }
    }

    /// Both as sides of a comparison, by the spread of their rounds or runs; one that a limit held
    /// to a figure needs none.
    ///
    /// # Errors
    /// [`Unjudged`] if that is not known of a side.
    pub fn sides(
        &self,
        other: &Known,
        names: [&str; 2],
        held: [Option<f64>; 2],
    ) -> Result<[Side; 2], Unjudged> {
        let side = |of: &Known, other, at: usize| match held[at] {
            Some(limit) => Ok(Side::held(names[at], limit)),
            None => of.side(other, names[at]),
        };
        Ok([side(self, other, 0)?, side(other, self, 1)?])
    }

    fn side(&self, other: &Known, name: &str) -> Result<Side, Unjudged> {
        let enough = |values: &[f64]| values.len() >= LEAST_ROUNDS;
        match (&self.repeats, &other.repeats) {
            _ if !self.mean.is_finite() => Err(Unjudged::Unknown),
            (Repeats::Runs(own), _) if enough(own) => Ok(Side::of_repeats(name, own)),
            // The spread of runs includes the spread of rounds.
            (repeats, Repeats::Runs(others)) if enough(others) => {
                let own = match repeats {
                    Repeats::Rounds(rounds) => Estimate::typical(rounds, Basis::Rounds).ok(),
                    _ => None,
                };
                Ok(Side::of_one_among(name, self.mean, own.as_ref(), others))
            }
            (Repeats::Rounds(rounds), _) if enough(rounds) => Ok(Side::of_rounds(name, rounds)),
            (Repeats::Single, _) => Err(Unjudged::OneRun),
            (repeats, _) => Err(Unjudged::Few { n: repeats.count(), needed: LEAST_ROUNDS }),
        }
    }

    /// Whether the mean is so little known that the verdicts on it caution.
    pub fn is_uncertain(&self) -> bool {
        match &self.estimate {
            Some(Ok(estimate)) => estimate.tone() >= Tone::Warning,
            Some(Err(why)) => why.is_of_a_swing(),
            None => false,
        }
    }

    /// The same of a single run: the intervals of others do not count that it was disturbed.
    pub fn is_uncertain_run(&self) -> bool {
        self.repeats.is_single() && self.is_uncertain()
    }

    /// Half the width of the 95 % interval in percent of the figure, if known.
    pub fn half_width_percent(&self) -> Option<f64> {
        self.estimate.as_ref()?.as_ref().ok()?.half_width_percent()
    }

    /// Half the width of the 95 % interval around the figure, if known.
    pub fn half_width(&self) -> Option<f64> {
        self.half_width_percent().map(|percent| percent / 100.0 * self.mean)
    }
}

/// Why two figures are shown and not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Unjudged {
    /// A side is a single run, which does not show how the next would differ.
    OneRun,
    /// A side has too few rounds or runs.
    Few {
        /// There are.
        n: usize,
        /// There must be.
        needed: usize,
    },
    /// A side has no such figure: its percentiles are not known, or are those of too few I/Os.
    Unknown,
}
