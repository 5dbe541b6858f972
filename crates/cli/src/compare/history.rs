//! The history entry of a comparison: a title, an outcome, and each volume's mean in each phase.

use crate::history_writer::{named, outcome_of_gate};
use fathom_campaign::compare::{CompareDocument, Judged, PhaseFinding, VolumeStanding};
use fathom_campaign::test_title;
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
use fathom_text::{Text, text};
use fathom_vocab::Target;

/// `b faster in 3 of 6 tests; 2 volumes, 6 tests in 5 rounds`. A list shows the part before the
/// semicolon.
pub fn title(document: &CompareDocument) -> Text {
    let plan = &document.plan;
    let phases = match plan.phases.as_slice() {
        [only] => Text::of(test_title(&only.title)),
        phases => text!("{} tests", phases.len()),
    };
    let (essence, volumes, rounds) = (document.essence(), document.volumes.len(), plan.rounds);
    text!("{essence}; {volumes} volumes, {phases} in {rounds} rounds")
}

/// How it ended.
pub fn outcome(document: &CompareDocument) -> HistoryOutcome {
    match (document.interrupted, document.is_whole()) {
        (true, _) => HistoryOutcome::Interrupted,
        (false, true) => outcome_of_gate(document.gate.as_ref().map(|gate| gate.outcome)),
        (false, false) => HistoryOutcome::Failed,
    }
}

/// The figures of all volumes, phase after phase, so that a list shows them beside each other.
pub fn headline(targets: &[Target], document: &CompareDocument) -> Vec<HistoryFigure> {
    let of = |finding: &PhaseFinding| -> Vec<HistoryFigure> {
        finding.standings.iter().map(|standing| figure(targets, finding, standing)).collect()
    };
    document.findings.iter().flat_map(of).collect()
}

fn figure(targets: &[Target], finding: &PhaseFinding, standing: &VolumeStanding) -> HistoryFigure {
    let mean = Some(standing.mean());
    let only = |judged: Judged| mean.filter(|_| finding.judged == judged);
    HistoryFigure {
        label: finding.title.clone(),
        target: named(targets, standing.volume),
        key: match finding.judged {
            Judged::Iops => Key::Iops,
            Judged::BytesPerS => Key::BytesPerS,
            Judged::MeanLatencyNs => Key::Latency,
        },
        iops: only(Judged::Iops),
        bytes_per_s: only(Judged::BytesPerS),
        mean_ns: Some(standing.mean_latency_ns),
        ..HistoryFigure::default()
    }
}
