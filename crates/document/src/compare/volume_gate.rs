//! The gate of `--fail-if-worse` between volumes that are measured side by side: no figure of a
//! volume may be worse than that of the first by more than the allowed change.
//!
//! A test that a volume did not end is undecided, as one that a recording lacks.

use super::contrast::figure_title;
use super::document::CompareDocument;
use super::gate::{self, GateReason};
use crate::test_title::test_title;
use fathom_analysis::{Difference, GateFigure, GateResult, Lack, RowOutcome};
use fathom_analysis::{PhaseFinding, VolumeStanding};
use fathom_message::Message;

/// A figure of a volume beside that of the first.
#[derive(Clone, Copy, Debug)]
pub struct VolumeFigure<'d> {
    /// Which phase of the plan, from 0.
    pub phase: usize,
    /// Which volume, from 0.
    pub volume: usize,
    /// Which figure, and how it stands to the first volume's.
    pub figure: GateFigure<'d>,
    /// The ratio to the first volume over all rounds, and the least and greatest of a round, where
    /// no difference is shown though each round lies on one side.
    pub of_rounds: Option<[f64; 3]>,
}

impl CompareDocument {
    /// The same with a gate: no volume may be worse than the first by more than `percent`.
    #[must_use]
    pub fn with_gate(mut self, percent: f64) -> CompareDocument {
        let rows: Vec<RowOutcome> =
            self.gate_figures().map(|of| of.figure.outcome(percent)).collect();
        let reason = || Some(self.undecided(percent)?.whole().to_string());
        self.gate = Some(GateResult::of(rows, reason));
        self.fail_if_worse_percent = Some(percent);
        self
    }

    /// Each test on each volume but the first.
    pub fn gate_figures(&self) -> impl Iterator<Item = VolumeFigure<'_>> {
        let tests = self.plan.phases.iter().enumerate();
        tests.flat_map(move |(at, phase)| {
            self.heads().skip(1).map(move |volume| {
                let found = self.over_first(at, volume);
                let comparison = found.and_then(|(_, standing)| standing.over_first.as_ref());
                let of_rounds = found.and_then(|(finding, of)| finding.one_sided(of));
                // The interval is that of rounds, which scatter as far as each is uncertain.
                let is_uncertain = false;
                let (name, judged) = (&phase.title, phase.judged);
                let figure = GateFigure { name, judged, comparison, is_uncertain };
                VolumeFigure { phase: at, volume, figure, of_rounds }
            })
        })
    }

    /// The phases of which more rounds may show more: what its gate needs is undecided, or without
    /// a gate whether volumes differ.
    pub fn open_phases(&self) -> Vec<usize> {
        if let Some(allowed) = self.fail_if_worse_percent {
            let is_open = |of: &VolumeFigure<'_>| {
                let judged = of.figure.comparison.filter(|of| !of.is_of_one_disk());
                judged.is_some() && of.figure.outcome(allowed) == RowOutcome::Undecided
            };
            return self.gate_figures().filter(is_open).map(|of| of.phase).collect();
        }
        let is_open = |of: &Difference| {
            !of.is_decided() && !matches!(of, Difference::NotEnough { lack: Lack::OneDisk })
        };
        let open = self.findings.iter().filter(|finding| finding.differences().any(is_open));
        open.map(|finding| finding.phase).collect()
    }

    /// How a volume stands to the first in a phase; none where one of them did not end it.
    fn over_first(&self, phase: usize, volume: usize) -> Option<(&PhaseFinding, &VolumeStanding)> {
        let finding = self.findings.iter().find(|finding| finding.phase == phase)?;
        let standing = finding.standings.iter().find(|standing| standing.volume == volume)?;
        Some((finding, standing))
    }

    /// The gate as the last line of the output, in any language: `gate: FAIL (2 of 6 figures)`.
    pub fn gate_line(&self) -> Option<Message> {
        let (gate, allowed) = (self.gate.as_ref()?, self.fail_if_worse_percent?);
        Some(gate::line(gate, || self.undecided(allowed)))
    }

    /// The gate as the first sentence.
    pub(crate) fn gate_claim(&self) -> Option<Message> {
        let (gate, allowed) = (self.gate.as_ref()?, self.fail_if_worse_percent?);
        Some(gate::claim(gate, allowed, || self.worst(allowed), || self.undecided(allowed)))
    }

    /// Why figures are undecided.
    fn undecided(&self, allowed_percent: f64) -> Option<GateReason> {
        if self.is_one_disk() {
            return Some(GateReason::new(Message::new("lack-one-disk")));
        }
        if let Some(unmeasured) = self.gate_figures().find(|of| of.figure.comparison.is_none()) {
            let name = test_title(unmeasured.figure.name);
            return Some(GateReason::new(Message::new("gate-unmeasured").part("name", name)));
        }
        let advice = |widest: &GateFigure<'_>, count| {
            gate::advised(widest, count, ["gate-more-repeats", "gate-uneven-repeats"])
        };
        gate::undecided(self.gate_figures().map(|of| of.figure), allowed_percent, advice)
    }

    /// The figure that fails by most, with its change; with its volume where there are several.
    fn worst(&self, allowed_percent: f64) -> Message {
        let near = |of: &VolumeFigure<'_>| of.figure.worse_ends_percent().map_or(0.0, |of| of.0);
        let failed =
            self.gate_figures().filter(|of| of.figure.outcome(allowed_percent) == RowOutcome::Fail);
        let Some(worst) = failed.max_by(|a, b| near(a).total_cmp(&near(b))) else {
            return Message::verbatim("");
        };
        gate::worst(self.figure_title(&worst), &worst.figure)
    }

    /// `b: 4 KiB random read, QD 32: IOPS`; without the volume where it is the only one.
    fn figure_title(&self, of: &VolumeFigure<'_>) -> Message {
        let title = figure_title(of.figure.name, of.figure.judged);
        match self.sides().len() {
            0..=2 => title,
            _ => Message::new("contrast-title")
                .with("name", self.short_name(of.volume))
                .part("figure", title),
        }
    }
}
