//! The gate of `--fail-if-worse` in words, and the gate of recordings; `volume_gate.rs` has that of
//! volumes, and `fathom_analysis::GateFigure` decides a figure.
//!
//! A figure that only the first recording has is undecided: a phase that failed must not pass a
//! gate.
//!
//! An undecided gate says how many rounds or runs would decide it, if they scatter as those that
//! were seen; beyond [`MOST_ADVISED`], to look for what makes them scatter.

use super::contrast::{Contrast, RunsDocument};
use crate::test_title::test_title;
use fathom_analysis::{
    Comparison, GateFigure, GateOutcome, GateResult, MOST_ADVISED, RowOutcome, Unjudged,
};
use fathom_message::{Message, Tell};

/// Beyond this a figure is unstable, and how much worse it may be tells nothing.
const UNSTABLE_PERCENT: f64 = 100.0;
/// How many figures could be judged.
fn counted(id: &'static str, gate: &GateResult) -> Message {
    Message::new(id).with("judged", gate.judged as u64).with("of", gate.of)
}

/// Why not all figures could be judged. Where some were, it is no reason for those.
fn because(gate: &GateResult, why: Option<Message>) -> Message {
    let id = if gate.judged == 0 { "gate-why" } else { "gate-why-others" };
    why.map_or_else(|| Message::verbatim(""), |why| Message::new(id).part("why", why))
}

/// Compares all figures of `document` with "worse by `allowed_percent` at most".
fn gate(document: &RunsDocument, allowed_percent: f64) -> GateResult {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let gone: usize = document.pairs.iter().map(|pair| pair.only_before.len()).sum();
    let rows = all().map(|contrast| contrast.outcome(allowed_percent));
    let rows = rows.chain(std::iter::repeat_n(RowOutcome::Undecided, gone));
    GateResult::of(rows, || Some(reason(document, allowed_percent)?.whole().to_string()))
}

/// The gate as the last line of the output, in any language: `gate: FAIL (2 of 16 figures)`.
pub(super) fn line(gate: &GateResult, reason: impl FnOnce() -> Option<GateReason>) -> Message {
    match gate.outcome {
        GateOutcome::Pass => Message::new("gate-line-pass"),
        GateOutcome::Fail => {
            Message::new("gate-line-fail").with("failed", gate.failed).with("of", gate.of)
        }
        GateOutcome::Undecided => counted("gate-line-undecided", gate)
            .part("why", because(gate, reason().map(GateReason::whole))),
    }
}

/// The gate as the first sentence: its outcome, and what it rests on; `worst` is what failed by
/// most.
pub(super) fn claim(
    gate: &GateResult,
    allowed_percent: f64,
    worst: impl FnOnce() -> Message,
    reason: impl FnOnce() -> Option<GateReason>,
) -> Message {
    let claim = match gate.outcome {
        GateOutcome::Pass => Message::new("summary-gate-pass").with("of", gate.of as u64),
        GateOutcome::Fail => Message::new("summary-gate-fail")
            .with("failed", gate.failed as u64)
            .with("of", gate.of)
            .part("worst", worst()),
        GateOutcome::Undecided => {
            let why = reason().map(|reason| reason.why);
            return counted("summary-gate-undecided", gate).part("why", because(gate, why));
        }
    };
    claim.with("allowed", allowed_percent)
}

/// `TITLE CHANGE`, of the figure that failed by most.
pub(super) fn worst(title: Message, figure: &GateFigure<'_>) -> Message {
    Message::new("summary-gate-worst")
        .part("figure", title)
        .part("change", figure.change().unwrap_or_else(|| Message::verbatim("")))
}

/// Why a gate is undecided, and what would decide it.
pub(super) struct GateReason {
    why: Message,
    advice: Option<Message>,
}

impl GateReason {
    pub(super) fn new(why: Message) -> GateReason {
        GateReason { why, advice: None }
    }

    fn of(why: &'static str, advice: &'static str) -> GateReason {
        GateReason { why: Message::new(why), advice: Some(Message::new(advice)) }
    }

    pub(super) fn whole(self) -> Message {
        match self.advice {
            Some(advice) => {
                Message::new("gate-advised").part("why", self.why).part("advice", advice)
            }
            None => self.why,
        }
    }
}

impl RunsDocument {
    /// The same with a gate: no figure may be worse by more than `percent`.
    #[must_use]
    pub fn with_gate(mut self, percent: f64) -> RunsDocument {
        self.gate = Some(gate(&self, percent));
        self.fail_if_worse_percent = Some(percent);
        self
    }

    /// The gate as the last line of the output, in any language: `gate: FAIL (2 of 16 figures)`.
    pub fn gate_line(&self) -> Option<Message> {
        Some(line(self.gate.as_ref()?, || self.gate_reason()))
    }

    /// The gate as the first sentence: its outcome, and what it rests on.
    pub(crate) fn gate_claim(&self) -> Option<Message> {
        let (gate, allowed) = (self.gate.as_ref()?, self.fail_if_worse_percent?);
        Some(claim(gate, allowed, || self.worst(allowed), || self.gate_reason()))
    }

    fn gate_reason(&self) -> Option<GateReason> {
        reason(self, self.fail_if_worse_percent?)
    }

    /// The figure that fails by most, with its change.
    fn worst(&self, allowed_percent: f64) -> Message {
        let all = self.pairs.iter().flat_map(|pair| &pair.contrasts);
        let failed = all.filter(|of| of.outcome(allowed_percent) == RowOutcome::Fail);
        let near = |of: &Contrast| of.worse_ends_percent().map_or(0.0, |(near, _)| near);
        let Some(found) = failed.max_by(|a, b| near(a).total_cmp(&near(b))) else {
            return Message::verbatim("");
        };
        worst(found.title(), &found.gate_figure())
    }
}

impl Contrast {
    /// As a gate judges it.
    pub(super) fn gate_figure(&self) -> GateFigure<'_> {
        let comparison = self.comparison.as_ref();
        let is_uncertain = self.is_uncertain();
        GateFigure { name: &self.name, judged: self.judged, comparison, is_uncertain }
    }

    /// Its outcome for "worse by this many percent at most".
    pub fn outcome(&self, allowed_percent: f64) -> RowOutcome {
        self.gate_figure().outcome(allowed_percent)
    }

    /// Whether the mean of a run is so little known that the figure fails no gate.
    pub fn is_uncertain(&self) -> bool {
        self.before.is_uncertain_run() || self.after.is_uncertain_run()
    }

    /// By how many percent it is worse at least and at most; below 0 it is better.
    pub fn worse_ends_percent(&self) -> Option<(f64, f64)> {
        self.gate_figure().worse_ends_percent()
    }
}

fn reason(document: &RunsDocument, allowed_percent: f64) -> Option<GateReason> {
    let all = || document.pairs.iter().flat_map(|pair| &pair.contrasts);
    let unjudged: Vec<Unjudged> = all().filter_map(|contrast| contrast.unjudged).collect();
    if unjudged.contains(&Unjudged::OneRun) {
        return Some(GateReason::of("gate-one-run", "gate-use-rounds"));
    }
    if unjudged.contains(&Unjudged::Unknown) {
        return Some(GateReason::new(Message::new("change-unjudged-unknown")));
    }
    if let Some(Unjudged::Few { n, needed }) = unjudged.first() {
        let GateReason { why, advice } = GateReason::of("gate-few", "gate-use-more-rounds");
        let with_needed = |of: Message| of.with("needed", needed);
        return Some(GateReason {
            why: with_needed(why).with("n", n),
            advice: advice.map(with_needed),
        });
    }
    let figures = all().map(Contrast::gate_figure);
    if let Some(reason) = undecided(figures, allowed_percent, recordings_advice) {
        return Some(reason);
    }
    let gone = document.pairs.iter().find_map(|pair| Some((pair, pair.only_before.first()?)));
    gone.map(|(pair, name)| {
        let why = Message::new("gate-gone").part("name", test_title(name));
        GateReason { why: why.with("before", &pair.before), advice: None }
    })
}

/// Why figures are undecided, by the one that may be worst, and what would decide them; `advice`
/// words a number of rounds or runs as of that figure.
pub(super) fn undecided<'d>(
    figures: impl Iterator<Item = GateFigure<'d>>,
    allowed_percent: f64,
    advice: impl FnOnce(&GateFigure<'_>, Option<u64>) -> Message,
) -> Option<GateReason> {
    let undecided = figures.filter(|of| of.outcome(allowed_percent) == RowOutcome::Undecided);
    let undecided: Vec<GateFigure<'_>> = undecided.collect();
    let far = |of: &GateFigure<'_>| of.worse_ends_percent().map_or(f64::INFINITY, |(_, far)| far);
    let widest = undecided.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
    let counts: Option<Vec<u64>> =
        undecided.iter().map(|of| of.deciding_count(allowed_percent)).collect();
    let count = counts.and_then(|counts| counts.into_iter().max());
    let why = undecided_figure(widest, far(widest));
    // A lack says by itself what to do, and the row of the figure has the same reason.
    if widest.lack().is_some() {
        return Some(GateReason { why, advice: None });
    }
    // More runs beside it do not make the mean of one run better known.
    let advice = match widest.is_uncertain {
        true => Message::new("gate-uncertain-advice"),
        false => advice(widest, count),
    };
    Some(GateReason { why, advice: Some(advice) })
}

/// A figure that may be worse by so many percent.
fn undecided_figure(figure: &GateFigure<'_>, far_percent: f64) -> Message {
    if let Some(lack) = figure.lack() {
        let why = Message::new("gate-lack").part("name", test_title(figure.name));
        return why.part("figure", figure.judged.title()).part("lack", lack.tell());
    }
    let why = match far_percent {
        _ if figure.is_uncertain => Message::new("gate-uncertain"),
        far if far > UNSTABLE_PERCENT => Message::new("gate-unstable"),
        far => Message::new("gate-perhaps-worse").with("far", format!("{far:.0}")),
    };
    why.part("name", test_title(figure.name)).part("figure", figure.judged.title())
}

/// How to decide figures such as this one, which `count` rounds or runs would.
fn recordings_advice(widest: &GateFigure<'_>, count: Option<u64>) -> Message {
    let is_baseline = widest.comparison.is_some_and(Comparison::is_against_baseline);
    let ids = match is_baseline {
        false => ["gate-more-rounds", "gate-uneven-rounds"],
        true => ["gate-more-runs", "gate-uneven-runs"],
    };
    advised(widest, count, ids)
}

/// The first of two messages with the number that would decide, or the second with one that would
/// not.
pub(super) fn advised(
    widest: &GateFigure<'_>,
    count: Option<u64>,
    [more, uneven]: [&'static str; 2],
) -> Message {
    let seen = widest.comparison.map_or(0, Comparison::count);
    let id = if count.is_some() { more } else { uneven };
    Message::new(id).with("count", count.unwrap_or(MOST_ADVISED.max(seen)))
}
