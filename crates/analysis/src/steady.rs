//! Whether and when a run reached steady state, by the rules of SNIA.
//!
//! Solid State Storage Performance Test Specification (PTS) 2.0.2, definition of "steady state":
//! within a window of five rounds, (a) greatest less smallest is at most 20 % of the average, and
//! (b) the best-fit line rises or falls by at most 10 % of the average from the first round to the
//! last. PTS rounds last a minute. A run that is too short for five of them is divided into five
//! equal rounds instead, so that it is judged as a whole, and the finding states the length of a
//! round. PTS ends a test at the first steady window; a run that goes on may leave the level again
//! (a spent burst credit, a full write cache), which is a separate finding.

mod text;

use crate::autocorrelation::mean;
use crate::spread::is_usable;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// What counts as steady.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyRule {
    /// Rounds in a window; at least 2.
    pub window: u32,
    /// Length of a round in seconds, where the run is long enough; infinite: a window's share of
    /// the whole run.
    pub round_s: f64,
    /// Greatest range within the window, in percent of its mean.
    pub range_percent: f64,
    /// Greatest rise or fall of the best-fit line over the window, in percent of its mean.
    pub slope_percent: f64,
}

impl Default for SteadyRule {
    /// SNIA PTS: five rounds of a minute, 20 % and 10 %.
    fn default() -> SteadyRule {
        SteadyRule { window: 5, round_s: 60.0, range_percent: 20.0, slope_percent: 10.0 }
    }
}

/// A window of rounds, and how still it held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyWindow {
    /// Length of a round in seconds.
    pub round_s: f64,
    /// How many rounds.
    pub rounds: u32,
    /// Seconds from the beginning of what was judged to the window's beginning.
    pub start_s: f64,
    /// Seconds from the beginning of what was judged to the window's end.
    pub end_s: f64,
    /// Mean of the rounds, in the unit of the values.
    pub mean: f64,
    /// Greatest less smallest round, in percent of the mean.
    pub range_percent: f64,
    /// Rise (or fall, below 0) of the best-fit line from the first round to the last, in percent
    /// of the mean.
    pub slope_percent: f64,
}

/// Whether a run reached steady state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Steadiness {
    /// What was asked of it.
    pub rule: SteadyRule,
    /// What came of it.
    pub state: SteadyState,
}

/// How a run stands to steady state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum SteadyState {
    /// It was reached, and the run ended on the same level.
    Attained {
        /// The first window that holds; at its end the state was reached.
        window: SteadyWindow,
    },
    /// It was reached, but the run did not end so.
    Left {
        /// The first window that holds.
        window: SteadyWindow,
        /// The last window of the run.
        last: SteadyWindow,
    },
    /// No window holds.
    NotAttained {
        /// The last window of the run.
        last: SteadyWindow,
    },
    /// There are too few rounds for a window.
    NotEnough {
        /// There were.
        rounds: u32,
        /// There must be.
        needed: u32,
    },
}

impl Steadiness {
    /// Judges a run by the values of its intervals, each `interval_s` seconds long, such as
    /// [`Rates::iops`](crate::Rates::iops).
    ///
    /// Rounds have the length of the rule, without an incomplete last one; a run that is too short
    /// for a window of them is divided into as many equal rounds as a window has. Values that are
    /// negative or not finite are left out.
    pub fn of(values: &[f64], interval_s: f64, rule: SteadyRule) -> Steadiness {
        let values: Vec<f64> = values.iter().copied().filter(is_figure).collect();
        let (rounds, round_s) = rounds(&values, interval_s, &rule);
        let mut watch = SteadyWatch::new(SteadyRule { round_s, ..rule });
        for round in rounds {
            watch.push(round);
        }
        // JSON has no infinity, so an unlimited length becomes the actual one.
        let rule = if rule.round_s.is_finite() { rule } else { SteadyRule { round_s, ..rule } };
        Steadiness { rule, ..watch.finding() }
    }

    /// Seconds from the beginning of the judged part until the state was reached.
    pub fn attained_at_s(&self) -> Option<f64> {
        match &self.state {
            SteadyState::Attained { window } | SteadyState::Left { window, .. } => {
                Some(window.end_s)
            }
            SteadyState::NotAttained { .. } | SteadyState::NotEnough { .. } => None,
        }
    }
}

/// Observes rounds as they end, so that a run can stop when it is steady.
#[derive(Clone, Debug)]
pub struct SteadyWatch {
    rule: SteadyRule,
    latest: VecDeque<f64>,
    rounds: u32,
    attained: Option<SteadyWindow>,
    last: Option<SteadyWindow>,
}

impl SteadyWatch {
    /// A watch over rounds of `rule.round_s` seconds.
    pub fn new(rule: SteadyRule) -> SteadyWatch {
        let rule = SteadyRule { window: rule.window.max(2), ..rule };
        SteadyWatch { rule, latest: VecDeque::new(), rounds: 0, attained: None, last: None }
    }

    /// Adds the figure of one round and returns the first steady window, once there is one.
    ///
    /// A figure that is negative or not finite is no round.
    pub fn push(&mut self, round: f64) -> Option<&SteadyWindow> {
        if is_figure(&round) {
            self.rounds += 1;
            self.latest.push_back(round);
            if self.latest.len() > self.rule.window as usize {
                self.latest.pop_front();
            }
            if self.latest.len() == self.rule.window as usize {
                let window = self.window();
                if self.attained.is_none() && window.holds(&self.rule) {
                    self.attained = Some(window.clone());
                }
                self.last = Some(window);
            }
        }
        self.attained.as_ref()
    }

    /// The finding after the rounds so far.
    pub fn finding(&self) -> Steadiness {
        let state = match (self.attained.clone(), self.last.clone()) {
            (_, None) => SteadyState::NotEnough { rounds: self.rounds, needed: self.rule.window },
            (None, Some(last)) => SteadyState::NotAttained { last },
            (Some(window), Some(last)) if last.keeps_level_of(&window, &self.rule) => {
                SteadyState::Attained { window }
            }
            (Some(window), Some(last)) => SteadyState::Left { window, last },
        };
        Steadiness { rule: self.rule, state }
    }

    /// The latest rounds, which fill a window.
    fn window(&self) -> SteadyWindow {
        let rounds: Vec<f64> = self.latest.iter().copied().collect();
        let mean = mean(&rounds);
        let of_mean = |value: f64| if mean > 0.0 { 100.0 * value / mean } else { 0.0 };
        let greatest = rounds.iter().copied().fold(0.0, f64::max);
        let smallest = rounds.iter().copied().fold(f64::INFINITY, f64::min);
        let round_s = self.rule.round_s;
        SteadyWindow {
            round_s,
            rounds: self.rule.window,
            start_s: f64::from(self.rounds - self.rule.window) * round_s,
            end_s: f64::from(self.rounds) * round_s,
            mean,
            range_percent: of_mean(greatest - smallest),
            slope_percent: of_mean(line_excursion(&rounds)),
        }
    }
}

impl SteadyWindow {
    /// Whether it is steady by both criteria; without activity, it is not.
    pub fn holds(&self, rule: &SteadyRule) -> bool {
        self.mean > 0.0
            && self.range_percent <= rule.range_percent
            && self.slope_percent.abs() <= rule.slope_percent
    }

    /// Whether it is steady, and between the lines that PTS draws around the mean of `first`: half
    /// the allowed range above and below.
    fn keeps_level_of(&self, first: &SteadyWindow, rule: &SteadyRule) -> bool {
        let moved_percent = 100.0 * (self.mean / first.mean - 1.0);
        self.holds(rule) && moved_percent.abs() <= rule.range_percent / 2.0
    }
}

/// Rise of the line of least squares from the first value to the last.
fn line_excursion(values: &[f64]) -> f64 {
    let last = values.len().saturating_sub(1) as f64;
    let from_middle = |at: usize| at as f64 - last / 2.0;
    let squares: f64 = (0..values.len()).map(|at| from_middle(at).powi(2)).sum();
    let products: f64 = values.iter().enumerate().map(|(at, value)| from_middle(at) * value).sum();
    if squares > 0.0 { products / squares * last } else { 0.0 }
}

/// A figure that a round can have.
fn is_figure(value: &f64) -> bool {
    *value >= 0.0 && is_usable(value)
}

/// Means of the rounds that the intervals make, and the length of a round in seconds.
fn rounds(values: &[f64], interval_s: f64, rule: &SteadyRule) -> (Vec<f64>, f64) {
    let window = rule.window.max(2) as usize;
    if !interval_s.is_finite() || interval_s <= 0.0 {
        return (Vec::new(), 0.0);
    }
    if values.len() < window {
        return (values.to_vec(), interval_s);
    }
    // `as` converts NaN and negative values to 0, and too large ones to the largest.
    let each = ((rule.round_s / interval_s).round() as usize).max(1);
    if values.len() / each >= window {
        let rounds = values.chunks_exact(each).map(mean).collect();
        return (rounds, each as f64 * interval_s);
    }
    let edge = |at: usize| at * values.len() / window;
    let rounds = (0..window).map(|at| mean(&values[edge(at)..edge(at + 1)])).collect();
    (rounds, values.len() as f64 * interval_s / window as f64)
}

#[cfg(test)]
mod tests;
