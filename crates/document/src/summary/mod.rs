//! The first sentence of every result: the absolute path of the target, its speed or cap, and the
//! outcome of a promise.
//!
//! Decided here:
//! - There is one sentence, made from the document alone, so that the terminal, JSON, Markdown,
//!   reports, pages and the history agree. The document contains it in English (`summary`); other
//!   languages are made from the data.
//! - A figure that says nothing about the volume is in no claim: if all are such, the sentence says
//!   so instead of figures.
//! - A claim has at most about twelve words and two or three digits. The table has the details.

mod caps;
mod check;
mod compare;
mod durable;
mod interruption;
mod leaders;
mod limit;
mod measure;
mod network;
mod quantities;
mod run;
mod runs;
mod served;
mod sweep;

pub(crate) use measure::is_of_something_else;
pub use measure::{is_doubted, is_left_out};
pub(crate) use quantities::brief_latency;

use crate::document_runs::DocumentRuns;
use fathom_message::{Lang, Message, list};
use std::collections::BTreeSet;

/// A document with a summary in one sentence.
pub trait DocumentSummary: DocumentRuns {
    /// What the figures come to, made from the document's data. Of several volumes: one sentence
    /// for all, and one for each volume whose figures would mislead without it.
    fn claims(&self) -> Vec<Message>;

    /// The claims, the network's share, what interrupted the runs, and the machines that figures
    /// are without.
    fn sentences(&self) -> Vec<Message> {
        let runs = self.runs();
        let hosts: BTreeSet<&str> = runs
            .iter()
            .flat_map(|run| run.result.missing_clients.iter().map(String::as_str))
            .collect();
        let hosts: Vec<&str> = hosts.into_iter().collect();
        let missing = (!hosts.is_empty())
            .then(|| Message::new("summary-missing-clients").with("hosts", hosts.join(", ")));
        let interrupted = interruption::told(&runs);
        let network = network::told(&runs, self.volumes());
        self.claims().into_iter().chain(network).chain(interrupted).chain(missing).collect()
    }

    /// The document's field for it, in English.
    fn field(&mut self) -> &mut String;

    /// The stored sentence; empty in documents of older versions.
    fn recorded_summary(&self) -> &str;

    /// The sentence in `lang`: English as stored, other languages from the data.
    fn summary(&self, lang: Lang) -> String {
        match (lang, self.recorded_summary()) {
            (Lang::En, recorded) if !recorded.is_empty() => recorded.to_owned(),
            _ => list::sentences(self.sentences()).text(lang),
        }
    }

    /// The same document with its sentence.
    #[must_use]
    fn with_summary(mut self) -> Self
    where
        Self: Sized,
    {
        let text = list::sentences(self.sentences()).text(Lang::En);
        *self.field() = text;
        self
    }
}

/// Implements access to the field of the sentence.
macro_rules! summary_in {
    ($($field:ident).+) => {
        fn field(&mut self) -> &mut String {
            &mut self.$($field).+
        }

        fn recorded_summary(&self) -> &str {
            &self.$($field).+
        }
    };
}
pub(crate) use summary_in;

/// A claim as a sentence of its own.
fn claim_sentence(claim: Message) -> Message {
    Message::new("summary-sentence").part("claim", claim)
}

/// `/mnt/data: … .`, with further sentences after it.
fn about(target: &str, claim: Message, more: impl IntoIterator<Item = Message>) -> Message {
    let claim = Message::new("summary-about").with("target", target).part("claim", claim);
    list::sentences(std::iter::once(claim).chain(more))
}

/// A failure without a result, and why.
fn failed(why: &str) -> Message {
    Message::new("summary-failed").with("why", why.trim_end_matches('.'))
}

#[cfg(test)]
pub(crate) mod tests;
