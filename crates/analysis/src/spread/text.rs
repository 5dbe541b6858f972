//! What is said of a mean and its spread.

use super::{Basis, Estimate, NoEstimate};
use crate::Tone;
use crate::quantity::percent;
use crate::shown::counted;
use std::fmt;

/// Up to this half-width, in percent of the mean, the mean is well known.
const WELL_KNOWN_PERCENT: f64 = 5.0;

/// Beyond this half-width, in percent of the mean, the mean hardly says anything.
const HARDLY_KNOWN_PERCENT: f64 = 20.0;

impl Estimate {
    /// Good up to 5 % of the mean on either side, a warning beyond 20 %.
    pub fn tone(&self) -> Tone {
        match self.half_width_percent() {
            Some(percent) if percent <= WELL_KNOWN_PERCENT => Tone::Good,
            Some(percent) if percent <= HARDLY_KNOWN_PERCENT => Tone::Note,
            _ => Tone::Warning,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.half_width_percent() {
            Some(half_width) => write!(f, "the mean is known to ± {}", percent(half_width))?,
            None => write!(f, "the mean cannot be told apart from 0")?,
        }
        write!(f, " (95 % sure, from {}", evidence(self.n, &self.basis))?;
        let worth = self.effective_n.round();
        match self.basis {
            Basis::Intervals { .. } if worth < self.n as f64 => {
                write!(f, ", worth {worth} independent ones)")
            }
            _ => write!(f, ")"),
        }
    }
}

/// What an estimate rests on: `5 runs`, `300 intervals of one run`.
pub(crate) fn evidence(n: u64, basis: &Basis) -> String {
    match basis {
        Basis::Repeats => counted(n, "run"),
        Basis::Intervals { .. } => format!("{} of one run", counted(n, "interval")),
    }
}

impl NoEstimate {
    /// A mean without a known spread may mislead.
    pub fn tone(&self) -> Tone {
        Tone::Warning
    }
}

impl fmt::Display for NoEstimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "how well the mean is known cannot be told: ")?;
        match self {
            NoEstimate::FewRepeats { n, needed } => {
                write!(f, "it takes {needed} runs or more, not {n}")
            }
            NoEstimate::FewIntervals { n, needed } => {
                write!(f, "it takes {needed} intervals or more, not {n}")
            }
            NoEstimate::TooSlow { n, effective_n } => write!(
                f,
                "the figure changes so slowly that {} are worth {effective_n:.1} independent \
                 ones; run longer, or repeat the run",
                counted(*n, "interval"),
            ),
        }
    }
}
