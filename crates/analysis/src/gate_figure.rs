//! What decides a figure of the gate of `--fail-if-worse`: whether it got worse by more than the
//! allowed change, and whether the comparison could show that.
//!
//! A figure fails if the near end of its interval lies beyond the allowed change: even the smallest
//! possible change is too large, 99 % sure of all figures together. It passes if a change much
//! worse than allowed is excluded with 95 %: one beyond [`BLIND`] times the allowed one, or
//! [`BLIND_LEAST_PERCENT`]. All figures must pass for the gate to pass, so that this needs no
//! correction for their number. Anything between is undecided.

use crate::comparison::MOST_ADVISED;
use crate::{Better, Comparison, Difference, Judged, Lack, RowOutcome};
use fathom_message::Message;

/// A passing figure's interval may reach this multiple of the allowed change.
const BLIND: f64 = 2.0;
/// The minimum of that, if the allowed change is small or zero.
const BLIND_LEAST_PERCENT: f64 = 10.0;

/// A figure that a gate judges: of two recordings, or of a volume beside the first.
#[derive(Clone, Copy, Debug)]
pub struct GateFigure<'d> {
    /// The test.
    pub name: &'d str,
    /// Which figure.
    pub judged: Judged,
    /// What is known of the ratio; none where it is not judged.
    pub comparison: Option<&'d Comparison>,
    /// Whether the mean of a side is so little known that it fails no gate: the interval of the
    /// ratio is that of runs, of which the one that is judged may have been disturbed.
    pub is_uncertain: bool,
}

impl GateFigure<'_> {
    /// What is missing for any judgement of it, if so.
    pub fn lack(&self) -> Option<&Lack> {
        match &self.comparison?.difference {
            Difference::NotEnough { lack } => Some(lack),
            _ => None,
        }
    }

    /// Its outcome for "worse by this many percent at most".
    pub fn outcome(&self, allowed_percent: f64) -> RowOutcome {
        match outcome_of(self.worse_ends_percent(), allowed_percent) {
            RowOutcome::Fail if self.is_uncertain => RowOutcome::Undecided,
            outcome => outcome,
        }
    }

    /// By how many percent it is worse at least and at most; below 0 it is better.
    pub fn worse_ends_percent(&self) -> Option<(f64, f64)> {
        self.worse_ends(&self.comparison?.difference)
    }

    /// The same of any difference in this figure.
    fn worse_ends(&self, difference: &Difference) -> Option<(f64, f64)> {
        let of = difference.bounds()?;
        let [likely_low, likely_high] = of.likely.unwrap_or([of.low, of.high]);
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        Some(match self.judged.better() {
            Better::Higher => (-percent(of.high), -percent(likely_low)),
            Better::Lower => (percent(of.low), percent(likely_high)),
        })
    }

    /// How it changed, if that is known: `20 % less`.
    pub fn change(&self) -> Option<Message> {
        let text = self.comparison?.difference.change()?;
        Some(text.change(self.judged.better()))
    }

    /// How many rounds or runs a side would decide it; none if [`MOST_ADVISED`] would not.
    pub fn deciding_count(&self, allowed_percent: f64) -> Option<u64> {
        let comparison = self.comparison?;
        let decides = |count: &u64| {
            let ends = comparison.projected(*count).and_then(|of| self.worse_ends(&of));
            outcome_of(ends, allowed_percent) != RowOutcome::Undecided
        };
        (comparison.count() + 1..=MOST_ADVISED).find(decides)
    }
}

fn outcome_of(worse_ends_percent: Option<(f64, f64)>, allowed_percent: f64) -> RowOutcome {
    let blind_percent = (allowed_percent * BLIND).max(BLIND_LEAST_PERCENT);
    match worse_ends_percent {
        Some((near, _)) if near > allowed_percent => RowOutcome::Fail,
        Some((_, far)) if far <= blind_percent => RowOutcome::Pass,
        _ => RowOutcome::Undecided,
    }
}
