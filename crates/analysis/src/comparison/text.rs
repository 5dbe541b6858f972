//! What is said of two sides and their ratio.

use super::{Better, Comparison, Design, Difference, Lack, Side};
use crate::Tone;
use crate::quantity::percent;
use crate::shown::counted;
use crate::spread::{Estimate, evidence};
use std::fmt;

/// Digits after the point that a ratio is shown with at most.
const MOST_DIGITS: usize = 5;

impl Better {
    /// What a side does with its figure: it gives a rate, and takes a time.
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Better::Higher => "gives",
            Better::Lower => "takes",
        }
    }
}

impl Comparison {
    /// Good where a difference is shown by repeats, a note where by single runs or not at all, a
    /// warning where there is too little.
    pub fn tone(&self) -> Tone {
        match self.difference {
            Difference::Shown { .. } if !self.rests_on_one_run() => Tone::Good,
            Difference::Shown { .. } | Difference::NotShown { .. } => Tone::Note,
            Difference::NotEnough { .. } => Tone::Warning,
        }
    }

    /// Whether a side was measured by one run only, which does not show how runs differ.
    fn rests_on_one_run(&self) -> bool {
        let of_one_run = |side: &Side| side.estimate.as_ref().is_ok_and(Estimate::is_of_one_run);
        of_one_run(&self.a) || of_one_run(&self.b)
    }

    fn evidence(&self) -> String {
        if let Design::Paired { rounds } = self.design {
            return counted(rounds, "round");
        }
        let of = |side: &Side| match &side.estimate {
            Ok(estimate) => evidence(estimate.n, &estimate.basis),
            Err(_) => "nothing".to_owned(),
        };
        let (a, b) = (of(&self.a), of(&self.b));
        match a == b {
            true => format!("{a} each"),
            false => format!("{a} against {b}"),
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b, evidence) = (&self.a.name, &self.b.name, self.evidence());
        match &self.difference {
            Difference::Shown { ratio, low, high, .. } => {
                let [ratio, low, high] = ratio_and_ends(*ratio, *low, *high);
                let verb = self.better.verb();
                write!(f, "{b} {verb} {ratio} x {a} (95 % sure it is between {low} and {high}, ")?;
                write!(f, "from {evidence})")
            }
            Difference::NotShown { smallest_detectable_percent: smallest, .. } => {
                let smallest = percent(*smallest);
                write!(f, "no difference shown between {a} and {b} (a difference under ")?;
                write!(f, "{smallest} would often not show in {evidence})")
            }
            Difference::NotEnough { lack } => {
                write!(f, "{a} and {b} cannot be compared: {lack}")
            }
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Estimate { side, why } => write!(f, "of {side}, {why}"),
            Lack::NearZero { side } => {
                write!(f, "the mean of {side} cannot be told apart from 0")
            }
            Lack::Rounds { rounds, needed } => {
                write!(f, "it takes {needed} rounds or more, not {rounds}")
            }
        }
    }
}

/// A ratio and the ends of its interval, with as many digits as the interval's width is worth,
/// and so many that an end beside 1 does not become 1.
pub fn ratio_and_ends(ratio: f64, low: f64, high: f64) -> [String; 3] {
    let worth = -(high - low).max(1e-9).log10().floor();
    let least = if ratio < 9.95 { 2 } else { 0 };
    let mut digits = (worth.max(0.0) as usize).clamp(least, MOST_DIGITS);
    let one = |digits: usize| format!("{:.digits$}", 1.0);
    let shown = |value: f64, digits: usize| format!("{value:.digits$}");
    while digits < MOST_DIGITS
        && [low, high].iter().any(|end| *end != 1.0 && shown(*end, digits) == one(digits))
    {
        digits += 1;
    }
    [ratio, low, high].map(|value| shown(value, digits))
}
