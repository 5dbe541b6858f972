//! The findings of a comparison of volumes, phase by phase: each volume's mean with its error over
//! the rounds, its ratio to the first volume from pairs of rounds, and with three or more a
//! ranking.
//!
//! All ratios of a comparison share one probability of error, and so do all rankings: of 100
//! comparisons of equal volumes at most one names any difference. Volumes that are one disk are not
//! judged: what rounds show between two files of one disk is where they lie, or I/O of others.

use super::document::CompareDocument;
use fathom_analysis::CaseFigures;
use fathom_analysis::Judged;
use fathom_analysis::{Comparison, Ranking, Side};
use fathom_analysis::{PhaseFinding, VolumeStanding};
use fathom_message::Message;

/// The findings from a document's runs.
pub fn findings(document: &CompareDocument) -> Vec<PhaseFinding> {
    let all = (0..document.plan.phases.len()).map(|phase| finding(document, phase));
    all.filter(|finding| finding.standings.len() > 1).collect()
}

fn finding(document: &CompareDocument, phase: usize) -> PhaseFinding {
    let info = &document.plan.phases[phase];
    let judged = info.judged;
    let ran = |volume: &usize| {
        document.whole_runs().any(|run| run.phase == phase && run.volume == *volume)
    };
    let mut standings: Vec<VolumeStanding> = (0..document.volumes.len())
        .filter(ran)
        .map(|volume| standing(document, phase, volume, judged))
        .collect();
    if let Some((first, others)) = standings.split_first_mut() {
        for other in others {
            let comparison = paired(first, other, judged, document.ratios());
            other.over_first = Some(match document.shares_disk(first.volume, other.volume) {
                true => comparison.of_one_disk(),
                false => comparison,
            });
        }
    }
    let several = standings.len() > 2 && !document.is_one_disk();
    let ranking = several.then(|| {
        let sides = standings.iter().map(|standing| standing.side.clone()).collect();
        Ranking::among(sides, judged.better(), Some(document.plan.phases.len() as u64))
    });
    let sentences = Vec::new();
    let mut found =
        PhaseFinding { phase, title: info.title.clone(), judged, standings, ranking, sentences };
    found.sentences = found.messages().iter().map(Message::to_string).collect();
    found
}

fn standing(
    document: &CompareDocument,
    phase: usize,
    volume: usize,
    judged: Judged,
) -> VolumeStanding {
    let mut values = vec![None; document.plan.rounds as usize];
    let mut figures: Vec<&CaseFigures> = Vec::new();
    let own = document.whole_runs().filter(|run| run.phase == phase && run.volume == volume);
    for run in own {
        let Some(of) = &run.figures else { continue };
        if let Some(value) = values.get_mut(run.round as usize) {
            *value = Some(judged.value(&of.total));
        }
        figures.push(of);
    }
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    // A rate counts by the time that it was held for.
    let run_ms: f64 = figures.iter().map(|of| of.total.runtime_ms as f64).sum();
    let done: f64 =
        figures.iter().map(|of| judged.value(&of.total) * of.total.runtime_ms as f64).sum();
    // Each I/O counts alike, so the rounds count by their I/Os.
    let ios: f64 = figures.iter().map(|of| of.total.ios as f64).sum();
    let waited: f64 = figures.iter().map(|of| of.total.mean_ns * of.total.ios as f64).sum();
    VolumeStanding {
        volume,
        side: Side::of_repeats(&document.volumes[volume].place.volume.name, &known),
        values,
        merged: match judged {
            Judged::MeanLatencyNs => (ios > 0.0).then(|| waited / ios),
            Judged::Iops | Judged::BytesPerS => (run_ms > 0.0).then(|| done / run_ms),
        },
        mean_latency_ns: waited / ios.max(1.0),
        over_first: None,
    }
}

fn paired(
    first: &VolumeStanding,
    other: &VolumeStanding,
    judged: Judged,
    ratios: u64,
) -> Comparison {
    let rounds: Vec<(f64, f64)> =
        first.values.iter().zip(&other.values).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let names = [first, other].map(|standing| standing.side.name.clone());
    Comparison::paired_among(names, &rounds, judged.better(), Some(ratios))
}
