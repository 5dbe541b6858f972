//! The changes between recordings. The outcome of a gate is a separate line in every format.

use super::{DocumentSummary, about, summary_in};
use crate::compare::{ContrastVerdict, Contrasts, RunsDocument};
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
    about(&pair.after, claim.with("worse", worse).with("better", better), None)
}
