//! What decides a figure of the gate of `--fail-if-worse`: whether it got worse by more than the
//! allowed change, and whether the comparison could show that.
//!
//! A figure fails if the near end of its interval lies beyond the allowed change: even the smallest
//! possible change is too large, 99 % sure of all figures together. It passes if the change that
//! was seen is allowed, and one that is not allowed is excluded with 95 %; where less than
//! [`FINEST_PERCENT`] is allowed, one beyond that. All figures must pass for the gate to pass, so
//! that this needs no correction for their number. Anything between is undecided.

use crate::comparison::MOST_ADVISED;
use crate::{Better, Comparison, Difference, Judged, Lack, RowOutcome};
use fathom_message::Message;

/// A passing figure's interval may reach this, if less is allowed: rounds of seconds rarely tell
/// smaller changes.
const FINEST_PERCENT: f64 = 10.0;

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
        let difference = self.comparison.map(|comparison| &comparison.difference);
        match self.outcome_of(difference, allowed_percent) {
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
        Some(match self.judged.better() {
            Better::Higher => (self.worse_percent(of.high), self.worse_percent(likely_low)),
            Better::Lower => (self.worse_percent(of.low), self.worse_percent(likely_high)),
        })
    }

    /// By how many percent the figure is worse at this ratio.
    fn worse_percent(&self, ratio: f64) -> f64 {
        match self.judged.better() {
            Better::Higher => (1.0 - ratio) * 100.0,
            Better::Lower => (ratio - 1.0) * 100.0,
        }
    }

    fn outcome_of(&self, difference: Option<&Difference>, allowed_percent: f64) -> RowOutcome {
        let Some((of, (near, far))) =
            difference.and_then(|of| Some((of.bounds()?, self.worse_ends(of)?)))
        else {
            return RowOutcome::Undecided;
        };
        let is_allowed = self.worse_percent(of.ratio) <= allowed_percent;
        match () {
            () if near > allowed_percent => RowOutcome::Fail,
            () if is_allowed && far <= allowed_percent.max(FINEST_PERCENT) => RowOutcome::Pass,
            () => RowOutcome::Undecided,
        }
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
            let projected = comparison.projected(*count);
            self.outcome_of(projected.as_ref(), allowed_percent) != RowOutcome::Undecided
        };
        (comparison.count() + 1..=MOST_ADVISED).find(decides)
    }
}
