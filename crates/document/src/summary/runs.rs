//! The changes between recordings. The outcome of a gate is a separate line in every format.

use super::{DocumentSummary, about, summary_in};
use crate::compare::{Contrast, ContrastVerdict, Contrasts, RunsDocument};
use fathom_analysis::change;
use fathom_message::Message;

impl DocumentSummary for RunsDocument {
    summary_in!(summary);

    fn sentences(&self) -> Vec<Message> {
        self.pairs.iter().map(pair).collect()
    }
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
    let claim = Message::new(id)
        .with("other", &pair.before)
        .with("of", of)
        .with("same", same)
        .with("judged", 0);
    let claim = match greatest_change(pair).filter(|_| id == "summary-runs-untold") {
        Some(contrast) => claim.part(
            "most",
            Message::new("summary-runs-most")
                .with("change", change(1.0 + contrast.change_percent / 100.0))
                .with("figure", format!("{}: {}", contrast.name, contrast.judged.name())),
        ),
        None => claim.with("most", ""),
    };
    about(&pair.after, claim.with("worse", worse).with("better", better), None)
}

/// From this factor on, either way, a change is told although nothing is judged.
const GREAT: f64 = 2.0;

/// The figure that changed most, if by a great factor.
fn greatest_change(pair: &Contrasts) -> Option<&Contrast> {
    let factor = |of: &Contrast| {
        let ratio = 1.0 + of.change_percent / 100.0;
        ratio.max(1.0 / ratio)
    };
    let great = pair.contrasts.iter().filter(|of| factor(of).is_finite() && factor(of) >= GREAT);
    // Of a rate and its latency, the rate, which stands first.
    great.rev().max_by(|a, b| factor(a).total_cmp(&factor(b)))
}
