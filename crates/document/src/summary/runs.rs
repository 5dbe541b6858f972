//! The outcome of a gate, where there is one, and the changes between recordings.

use super::{DocumentSummary, about, claim_sentence, summary_in};
use crate::compare::{Contrast, ContrastVerdict, Contrasts, RecordingDifference, RunsDocument};
use fathom_analysis::change;
use fathom_message::Message;

impl DocumentSummary for RunsDocument {
    summary_in!(summary);

    fn sentences(&self) -> Vec<Message> {
        let gate = self.gate_claim().map(claim_sentence);
        // That nothing could be judged is what an undecided gate says.
        let tells = |of: &&Contrasts| gate.is_none() || judged(of) > 0;
        let pairs: Vec<Message> = self.pairs.iter().filter(tells).map(pair).collect();
        gate.into_iter().chain(pairs).collect()
    }
}

/// How many figures of a pair could be judged.
fn judged(pair: &Contrasts) -> usize {
    pair.contrasts.iter().filter(|of| of.verdict != ContrastVerdict::Unknown).count()
}

fn pair(pair: &Contrasts) -> Message {
    let count =
        |verdict: ContrastVerdict| pair.contrasts.iter().filter(|of| of.verdict == verdict).count();
    let (worse, better) = (count(ContrastVerdict::Worse), count(ContrastVerdict::Better));
    let (same, of) = (count(ContrastVerdict::NoDifference), pair.contrasts.len());
    let id = match (worse, better, same) {
        (0, 0, 0) => "summary-runs-untold",
        (0, 0, _) => "summary-runs-same",
        _ => "summary-runs-changed",
    };
    let claim = Message::new(id).with("other", &pair.before).with("of", of).with("same", same);
    let claim = match greatest_change(pair).filter(|_| id == "summary-runs-untold") {
        Some(contrast) => claim.part(
            "most",
            Message::new("summary-runs-most")
                .part("change", change(ratio(contrast), contrast.judged.better()))
                .part("figure", contrast.title()),
        ),
        None => claim.with("most", ""),
    };
    about(&pair.after, claim.with("worse", worse).with("better", better), None)
}

/// after/before.
fn ratio(contrast: &Contrast) -> f64 {
    1.0 + contrast.change_percent / 100.0
}

/// From this factor on, either way, a change is told although nothing is judged.
const GREAT: f64 = 2.0;

/// The figure that changed most, if by a great factor. Means that are little known do not count,
/// nor do figures of folders of one file system, whose storage is the same.
fn greatest_change(pair: &Contrasts) -> Option<&Contrast> {
    if pair.unlike.iter().any(RecordingDifference::is_of_folders) {
        return None;
    }
    let factor = |of: &Contrast| ratio(of).max(1.0 / ratio(of));
    let known = |of: &&Contrast| !of.before.is_uncertain() && !of.after.is_uncertain();
    let known = pair.contrasts.iter().filter(known);
    let great = known.filter(|of| factor(of).is_finite() && factor(of) >= GREAT);
    // Of a rate and its latency, the rate, which stands first.
    great.rev().max_by(|a, b| factor(a).total_cmp(&factor(b)))
}
