//! What is said of a run's steadiness.

use super::{Steadiness, SteadyRule, SteadyState, SteadyWindow};
use crate::Tone;
use crate::quantity::{percent, stretch};
use std::fmt;

impl Steadiness {
    /// Good where the run is steady to its end, a note where it is too short to tell, else a
    /// warning.
    pub fn tone(&self) -> Tone {
        match self.state {
            SteadyState::Attained { .. } => Tone::Good,
            SteadyState::NotEnough { .. } => Tone::Note,
            SteadyState::Left { .. } | SteadyState::NotAttained { .. } => Tone::Warning,
        }
    }
}

impl fmt::Display for Steadiness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = &self.rule;
        match &self.state {
            SteadyState::Attained { window } => {
                let at = stretch(window.end_s);
                write!(f, "steady state was reached after {at}: {}", held(window, rule))
            }
            SteadyState::Left { window, last } => {
                let at = stretch(window.end_s);
                write!(f, "steady state was reached after {at} and left again: at the end, ")?;
                write!(f, "{}, and their mean is ", held(last, rule))?;
                write!(f, "{} of that of the steady rounds", percent(last.mean / window.mean * 1e2))
            }
            SteadyState::NotAttained { last } if last.mean > 0.0 => {
                write!(f, "steady state was not reached: at the end, {}", held(last, rule))
            }
            SteadyState::NotAttained { .. } => {
                write!(f, "steady state was not reached: nothing was done at the end")
            }
            SteadyState::NotEnough { rounds, needed } => {
                write!(f, "whether the run is steady cannot be told: it takes {needed} rounds, ")?;
                write!(f, "not {rounds}")
            }
        }
    }
}

/// What a window did, beside what is allowed.
fn held(window: &SteadyWindow, rule: &SteadyRule) -> String {
    format!(
        "{} rounds of {} range over {} of their mean ({} allowed) and drift by {} ({} allowed)",
        window.rounds,
        stretch(window.round_s),
        percent(window.range_percent),
        percent(rule.range_percent),
        percent(window.slope_percent),
        percent(rule.slope_percent),
    )
}
