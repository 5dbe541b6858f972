//! The gate of `--fail-if-worse`: whether any figure got worse by more than the allowed change, and
//! whether the comparison could show that.
//!
//! A figure fails if the near end of its interval lies beyond the allowed change: even the smallest
//! possible change is too large. It passes if the far end excludes a change much worse than that:
//! beyond [`BLIND`] times the allowed one, or [`BLIND_LEAST_PERCENT`]. Anything between is
//! undecided. A figure that only the first recording has is undecided, too: a phase that failed
//! must not pass a gate.
//!
//! An undecided gate says how many rounds or runs would decide it, if they scatter as those that
//! were seen.

use super::contrast::{Contrast, RunsDocument, change_ends_percent};
use super::recording::Unjudged;
use fathom_analysis::{Better, Comparison, Difference, GateResult, RowOutcome};

/// A passing figure's interval may reach this multiple of the allowed change.
const BLIND: f64 = 2.0;
/// The minimum of that, if the allowed change is small or zero.
const BLIND_LEAST_PERCENT: f64 = 10.0;
/// Beyond this a figure is unstable, and how much worse it may be tells nothing.
const UNSTABLE_PERCENT: f64 = 100.0;
/// Most rounds or runs a side that are advised.
const MOST_ADVISED: u64 = 100;
/// Figures of each entry: a rate and a latency.
const FIGURES_EACH: usize = 2;

/// Compares all figures of `document` with "worse by `allowed_percent` at most".
fn gate(document: &RunsDocument, allowed_percent: f64) -> GateResult {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let gone: usize = document.pairs.iter().map(|pair| pair.only_before.len()).sum();
    let rows = all().map(|contrast| contrast.outcome(allowed_percent));
    let rows = rows.chain(std::iter::repeat_n(RowOutcome::Undecided, gone * FIGURES_EACH));
    GateResult::of(rows, || reason(document, allowed_percent))
}

impl RunsDocument {
    /// The same with a gate: no figure may be worse by more than `percent`.
    #[must_use]
    pub fn with_gate(mut self, percent: f64) -> RunsDocument {
        self.gate = Some(gate(&self, percent));
        self.fail_if_worse_percent = Some(percent);
        self
    }
}

impl Contrast {
    /// Its outcome for "worse by this many percent at most".
    pub fn outcome(&self, allowed_percent: f64) -> RowOutcome {
        outcome_of(self.worse_ends_percent(), allowed_percent)
    }

    /// By how many percent it is worse at least and at most; below 0 it is better.
    pub fn worse_ends_percent(&self) -> Option<(f64, f64)> {
        self.worse_ends(&self.comparison.as_ref()?.difference)
    }

    /// The same of any difference in this figure.
    fn worse_ends(&self, difference: &Difference) -> Option<(f64, f64)> {
        let (low, high) = change_ends_percent(difference)?;
        Some(match self.judged.better() {
            Better::Higher => (-high, -low),
            Better::Lower => (low, high),
        })
    }

    /// How many rounds or runs a side would decide it; none if [`MOST_ADVISED`] would not.
    fn deciding_count(&self, allowed_percent: f64) -> Option<u64> {
        let comparison = self.comparison.as_ref()?;
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

/// Why a gate is undecided, and advice.
fn reason(document: &RunsDocument, allowed_percent: f64) -> Option<String> {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let unjudged: Vec<Unjudged> = all().filter_map(|contrast| contrast.unjudged).collect();
    if unjudged.contains(&Unjudged::OneRun) {
        return Some("one run a side; use `measure --repeat 3` or --baseline".to_owned());
    }
    if let Some(Unjudged::Few { n, needed }) = unjudged.first() {
        return Some(format!(
            "it takes {needed} rounds or runs a side, not {n}; use `measure \
             --repeat {needed}` or --baseline"
        ));
    }
    let undecided: Vec<&Contrast> =
        all().filter(|of| of.outcome(allowed_percent) == RowOutcome::Undecided).collect();
    let far = |of: &Contrast| of.worse_ends_percent().map_or(f64::INFINITY, |(_, far)| far);
    if let Some(widest) = undecided.iter().max_by(|a, b| far(a).total_cmp(&far(b))) {
        let far = match far(widest) {
            far if far > UNSTABLE_PERCENT => "is unstable".to_owned(),
            far => format!("may be up to {far:.0} % worse"),
        };
        let counts: Option<Vec<u64>> =
            undecided.iter().map(|of| of.deciding_count(allowed_percent)).collect();
        let advice = advice(widest, counts.and_then(|counts| counts.into_iter().max()));
        return Some(format!("{}, {} {far}; {advice}", widest.name, widest.judged.name()));
    }
    let gone = document.pairs.iter().find_map(|pair| Some((pair, pair.only_before.first()?)));
    gone.map(|(pair, name)| format!("{name} is in {} only", pair.before))
}

/// How to decide figures such as this one, which `count` rounds or runs would.
fn advice(widest: &Contrast, count: Option<u64>) -> String {
    let is_baseline = widest.comparison.as_ref().is_some_and(Comparison::is_against_baseline);
    match (count, is_baseline) {
        (Some(count), false) => format!(
            "by the scatter seen, about {count} rounds a side would decide (`measure \
             --repeat {count}`)"
        ),
        (Some(count), true) => {
            format!("by the scatter seen, about {count} runs in the baseline would decide")
        }
        (None, false) => {
            format!(
                "{MOST_ADVISED} rounds a side would not decide; use longer rounds (`measure \
                 --time`)"
            )
        }
        (None, true) => {
            format!("{MOST_ADVISED} runs in the baseline would not decide; use longer runs")
        }
    }
}
