//! The sentences on a run's steadiness.

use super::{Steadiness, SteadyRule, SteadyState, SteadyWindow};
use crate::Tone;
use crate::quantity::stretch;
use crate::shown::share;
use fathom_message::{Message, Tell, shown_as_told};

/// The shortest test that has a whole window of SNIA's, five rounds of a minute.
const LEAST_S: f64 = 300.0;

impl Steadiness {
    /// Seconds that a test should run if it was not steady at its end: a window of SNIA's, or twice
    /// as long.
    pub fn enough_s(&self) -> f64 {
        match &self.state {
            SteadyState::Left { last, .. } | SteadyState::NotAttained { last } => {
                LEAST_S.max(2.0 * last.end_s)
            }
            SteadyState::Attained { .. } | SteadyState::NotEnough { .. } => LEAST_S,
        }
    }

    /// Good if the run is steady to its end, a note if it is too short, otherwise a warning.
    pub fn tone(&self) -> Tone {
        match self.state {
            SteadyState::Attained { .. } => Tone::Good,
            SteadyState::NotEnough { .. } => Tone::Note,
            SteadyState::Left { .. } | SteadyState::NotAttained { .. } => Tone::Warning,
        }
    }
}

impl Tell for Steadiness {
    fn tell(&self) -> Message {
        let held = |id, window| Message::new(id).part("held", held(window, &self.rule));
        match &self.state {
            SteadyState::Attained { window } => {
                held("steady-attained", window).with("at", stretch(window.end_s))
            }
            SteadyState::Left { window, last } => held("steady-left", last)
                .with("at", stretch(window.end_s))
                .part("share", share(last.mean / window.mean * 1e2)),
            SteadyState::NotAttained { last } if last.mean > 0.0 => {
                held("steady-not-attained", last)
            }
            SteadyState::NotAttained { .. } => Message::new("steady-nothing-done"),
            SteadyState::NotEnough { rounds, needed } => {
                Message::new("steady-not-enough").with("needed", needed).with("rounds", rounds)
            }
        }
    }
}

shown_as_told!(Steadiness);

/// The figures of a window, beside the allowed ones.
fn held(window: &SteadyWindow, rule: &SteadyRule) -> Message {
    Message::new("steady-held")
        .with("rounds", window.rounds)
        .with("round", stretch(window.round_s))
        .part("range", share(window.range_percent))
        .part("range-allowed", share(rule.range_percent))
        .part("slope", share(window.slope_percent))
        .part("slope-allowed", share(rule.slope_percent))
}
