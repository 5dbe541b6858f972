//! The gate of `--fail-if-worse`: whether any figure got worse by more than the allowed change, and
//! whether the comparison could show that.
//!
//! A figure fails if the near end of its interval lies beyond the allowed change: even the smallest
//! possible change is too large. It passes if the far end excludes a change much worse than that:
//! beyond [`BLIND`] times the allowed one, or [`BLIND_LEAST_PERCENT`]. Anything between is unclear.
//! A figure that only the first recording has is unclear, too: a phase that failed must not pass a
//! gate.

use super::contrast::{Contrast, RunsDocument};
use super::recording::Unjudged;
use fathom_analysis::{Better, GateResult, RowOutcome};

/// A passing figure's interval may reach this multiple of the allowed change.
const BLIND: f64 = 2.0;
/// The minimum of that, if the allowed change is small or zero.
const BLIND_LEAST_PERCENT: f64 = 10.0;
/// Beyond this a figure is unstable, and how much worse it may be tells nothing.
const UNSTABLE_PERCENT: f64 = 100.0;
/// Figures of each entry: a rate and a latency.
const FIGURES_EACH: usize = 2;

/// Compares all figures of `document` with "worse by `allowed_percent` at most".
fn gate(document: &RunsDocument, allowed_percent: f64) -> GateResult {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let gone: usize = document.pairs.iter().map(|pair| pair.only_before.len()).sum();
    let rows = all().map(|contrast| contrast.outcome(allowed_percent));
    let rows = rows.chain(std::iter::repeat_n(RowOutcome::Unclear, gone * FIGURES_EACH));
    GateResult::of(rows, || reason(document, allowed_percent))
}

impl RunsDocument {
    /// The same with a gate: no figure may be worse by more than `percent`.
    #[must_use]
    pub fn with_gate(mut self, percent: f64) -> RunsDocument {
        self.gate = Some(gate(&self, percent));
        self
    }
}

impl Contrast {
    /// Its outcome for "worse by this many percent at most".
    pub fn outcome(&self, allowed_percent: f64) -> RowOutcome {
        let blind_percent = (allowed_percent * BLIND).max(BLIND_LEAST_PERCENT);
        match self.worse_ends_percent() {
            Some((near, _)) if near > allowed_percent => RowOutcome::Fail,
            Some((_, far)) if far <= blind_percent => RowOutcome::Pass,
            _ => RowOutcome::Unclear,
        }
    }

    /// By how many percent it is worse at least and at most; below 0 it is better.
    pub fn worse_ends_percent(&self) -> Option<(f64, f64)> {
        let (low, high) = self.change_ends_percent()?;
        Some(match self.judged.better() {
            Better::Higher => (-high, -low),
            Better::Lower => (low, high),
        })
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
    let widest = all()
        .filter(|contrast| contrast.outcome(allowed_percent) == RowOutcome::Unclear)
        .filter_map(|contrast| Some((contrast.worse_ends_percent()?.1, contrast)))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((far, contrast)) = widest {
        let far = match far {
            far if far > UNSTABLE_PERCENT => "is unstable".to_owned(),
            far => format!("may be up to {far:.0} % worse"),
        };
        return Some(format!(
            "{}, {} {far}; use more rounds (`measure --repeat 5`), longer ones, or more runs in \
             --baseline",
            contrast.name,
            contrast.judged.name()
        ));
    }
    let gone = document.pairs.iter().find_map(|pair| Some((pair, pair.only_before.first()?)));
    gone.map(|(pair, name)| format!("{name} is in {} only", pair.before))
}
