//! The sentences on a mean and its error.

use super::{Basis, Estimate, NoEstimate};
use crate::Tone;
use crate::shown::share;
use fathom_message::{Message, Tell, shown_as_told};

/// Up to this half-width, in percent of the mean, the mean is well known.
const WELL_KNOWN_PERCENT: f64 = 5.0;

/// Beyond this half-width, in percent of the mean, the mean is hardly known.
const HARDLY_KNOWN_PERCENT: f64 = 20.0;

/// Beyond this half-width, in percent of the mean, its number is meaningless: the figure is called
/// not stable.
pub const NOT_STABLE_PERCENT: f64 = 50.0;

/// Where the rate swings too slowly for the run, one this many times as long is advised.
const SWING_FACTOR: u64 = 4;
/// No greater factor is advised: beyond it the noise is what is to be mended.
const GREATEST_FACTOR: u64 = 20;

impl Estimate {
    /// How many times as long a run must be for the error to fall to 20 % of the mean: it falls
    /// with the square root of the time. None where so long a run is no advice: a quiet host is.
    pub fn longer_factor(&self) -> Option<u64> {
        let percent = self.half_width_percent().unwrap_or(f64::INFINITY);
        let factor = (percent / HARDLY_KNOWN_PERCENT).powi(2).ceil();
        Some(factor.max(2.0) as u64).filter(|factor| *factor <= GREATEST_FACTOR)
    }

    /// Good up to 5 % of the mean on either side, a warning beyond 20 %.
    pub fn tone(&self) -> Tone {
        match self.half_width_percent() {
            Some(percent) if percent <= WELL_KNOWN_PERCENT => Tone::Good,
            Some(percent) if percent <= HARDLY_KNOWN_PERCENT => Tone::Note,
            _ => Tone::Warning,
        }
    }
}

impl Tell for Estimate {
    fn tell(&self) -> Message {
        let worth = self.effective_n.round();
        let worth = match self.basis {
            Basis::Intervals { .. } if worth >= 2.0 && worth < self.n as f64 => Some(worth),
            _ => None,
        };
        let half_width = self.half_width_percent();
        if half_width.is_some_and(|percent| percent > NOT_STABLE_PERCENT) {
            let told = match self.longer_factor() {
                Some(factor) => Message::new("spread-not-stable").with("factor", factor),
                None => Message::new("spread-far-from-stable"),
            };
            return told.part("evidence", evidence(self.n, &self.basis));
        }
        let told = Message::new(match (half_width, worth) {
            (Some(_), None) => "spread-known",
            (Some(_), Some(_)) => "spread-known-worth",
            (None, None) => "spread-near-zero",
            (None, Some(_)) => "spread-near-zero-worth",
        });
        let told = told.part("evidence", evidence(self.n, &self.basis));
        let told =
            half_width.into_iter().fold(told, |told, half| told.part("half-width", share(half)));
        worth.into_iter().fold(told, |told, worth| told.with("worth", worth))
    }
}

/// The basis of an estimate: `5 runs`, `300 intervals of one run`.
pub(crate) fn evidence(n: u64, basis: &Basis) -> Message {
    match basis {
        Basis::Repeats => Message::new("count-runs").with("count", n),
        Basis::Rounds => Message::new("spread-of-rounds")
            .part("rounds", Message::new("count-rounds").with("count", n)),
        Basis::OneAmong { .. } => Message::new("count-runs").with("count", 1),
        Basis::Intervals { .. } => {
            Message::new("spread-of-one-run").part("intervals", intervals(n))
        }
    }
}

fn intervals(n: u64) -> Message {
    Message::new("count-intervals").with("count", n)
}

impl NoEstimate {
    /// How many times as long a run must be.
    pub fn longer_factor(&self) -> u64 {
        SWING_FACTOR
    }

    /// Whether the figure itself swings. Otherwise there are only too few runs, or too short ones,
    /// which is no fault of their figures.
    pub fn is_of_a_swing(&self) -> bool {
        matches!(self, NoEstimate::TooSlow { .. })
    }
}

impl Tell for NoEstimate {
    fn tell(&self) -> Message {
        match self {
            NoEstimate::FewRepeats { n, needed } => {
                Message::new("spread-few-runs").with("needed", needed).with("n", n)
            }
            NoEstimate::FewRounds { n, needed } => {
                Message::new("spread-few-rounds").with("needed", needed).with("n", n)
            }
            NoEstimate::FewIntervals { n, needed } => {
                Message::new("spread-few-intervals").with("needed", needed).with("n", n)
            }
            NoEstimate::TooSlow { .. } => {
                Message::new("spread-too-slow").with("factor", self.longer_factor())
            }
        }
    }
}

shown_as_told!(Estimate, NoEstimate);
