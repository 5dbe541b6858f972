//! The history entry of a comparison: a title, an outcome, and each volume's mean in each phase.

use crate::course::HistorySummary;
use crate::history_writer::{named, outcome_of};
use fathom_campaign::compare::{CompareDocument, Judged, PhaseFinding, VolumeStanding};
use fathom_campaign::test_title;
use fathom_store::{HistoryFigure, Key};
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
    let (essence, volumes) = (document.essence(), document.volumes.len());
    // Fewer than were planned where all was told before.
    let rounds = document.runs.iter().map(|run| run.round + 1).max().unwrap_or(plan.rounds);
    text!("{essence}; {volumes} volumes, {phases} in {rounds} rounds")
}

/// Its figures are those of all volumes, phase after phase, so that a list shows them beside each
/// other.
pub fn summary(targets: &[Target], document: &CompareDocument) -> HistorySummary {
    let of = |finding: &PhaseFinding| -> Vec<HistoryFigure> {
        finding.standings.iter().map(|standing| figure(targets, finding, standing)).collect()
    };
    HistorySummary {
        title: title(document).to_string(),
        headline: document.findings.iter().flat_map(of).collect(),
        outcome: outcome_of(document.is_whole(), document.gate.as_ref().map(|gate| gate.outcome)),
    }
}

fn figure(targets: &[Target], finding: &PhaseFinding, standing: &VolumeStanding) -> HistoryFigure {
    let figure = Some(standing.figure());
    let only = |judged: Judged| figure.filter(|_| finding.judged == judged);
    HistoryFigure {
        label: finding.title.clone(),
        target: named(targets, standing.volume),
        key: match finding.judged {
            Judged::Iops => Key::Iops,
            Judged::BytesPerS => Key::BytesPerS,
            Judged::MeanLatencyNs | Judged::P99LatencyNs => Key::Latency,
        },
        iops: only(Judged::Iops),
        bytes_per_s: only(Judged::BytesPerS),
        // A mean beside a change of p99 would be taken for what was judged.
        mean_ns: Some(standing.mean_latency_ns).filter(|_| finding.judged != Judged::P99LatencyNs),
        p99_ns: only(Judged::P99LatencyNs),
        ..HistoryFigure::default()
    }
}
