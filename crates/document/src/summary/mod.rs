//! The first sentence of every result: the target from the root of its file system, what it gives
//! or what holds it, and what a promise comes to.
//!
//! Decided here:
//! - There is one sentence, made of the document alone, so that the terminal, JSON, Markdown,
//!   reports, pages and the history say the same. The document holds it in English (`summary`);
//!   other languages are made of the data.
//! - A figure that says nothing of the volume is in no claim: where all are such, the sentence says
//!   so in place of figures.
//! - A claim has at most about twelve words and two or three digits. The table has the rest.

mod caps;
mod check;
mod compare;
mod durable;
mod limit;
mod measure;
mod quantities;
mod runs;
mod sweep;

use crate::check::CheckDocument;
use crate::compare::{CompareDocument, RunsDocument};
use crate::durable::DurableDocument;
use crate::json_document::JsonDocument;
use crate::limit::LimitDocument;
use crate::measure::Document;
use crate::sweep::SweepDocument;
use fathom_message::{Lang, Message, list};
use serde::Deserialize;

/// A document that says in one sentence what it shows.
pub trait DocumentSummary: Sized {
    /// The sentence, made of what the document holds: one for each volume, where there are several.
    fn sentences(&self) -> Vec<Message>;

    /// Where the document holds it in English.
    fn field(&mut self) -> &mut String;

    /// The sentence that the document holds; empty in documents from before there was one.
    fn recorded_summary(&self) -> &str;

    /// The sentence in `lang`: English as the document holds it, other languages from the data.
    fn summary(&self, lang: Lang) -> String {
        match (lang, self.recorded_summary()) {
            (Lang::En, recorded) if !recorded.is_empty() => recorded.to_owned(),
            _ => list::sentences(self.sentences()).text(lang),
        }
    }

    /// The same document with its sentence.
    #[must_use]
    fn with_summary(mut self) -> Self {
        let text = list::sentences(self.sentences()).text(Lang::En);
        *self.field() = text;
        self
    }
}

/// The sentence of a document of any kind; none where it has none, or is no document.
pub fn summary_of(document: &str, lang: Lang) -> Option<String> {
    #[derive(Deserialize)]
    struct SummaryHead {
        kind: String,
        #[serde(default)]
        summary: String,
    }
    let head: SummaryHead = serde_json::from_str(document).ok()?;
    if lang == Lang::En && !head.summary.is_empty() {
        return Some(head.summary);
    }
    match head.kind.as_str() {
        "fathom-measure" => made::<Document>(document, lang),
        "fathom-compare" => made::<CompareDocument>(document, lang),
        "fathom-compare-runs" => made::<RunsDocument>(document, lang),
        "fathom-check" => made::<CheckDocument>(document, lang),
        "fathom-limit" => made::<LimitDocument>(document, lang),
        "fathom-sweep" => made::<SweepDocument>(document, lang),
        "fathom-durable" => made::<DurableDocument>(document, lang),
        _ => None,
    }
}

fn made<D: DocumentSummary + JsonDocument>(document: &str, lang: Lang) -> Option<String> {
    D::from_json(document).ok().map(|document| document.summary(lang))
}

/// Where the sentence of a document stands.
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

/// `/mnt/data: … .`, with sentences of their own after it.
fn about(target: &str, claim: Message, more: impl IntoIterator<Item = Message>) -> Message {
    let claim = Message::new("summary-about").with("target", target).part("claim", claim);
    list::sentences(std::iter::once(claim).chain(more))
}

/// That nothing came of it, and why.
fn failed(why: &str) -> Message {
    Message::new("summary-failed").with("why", why.trim_end_matches('.'))
}

#[cfg(test)]
mod tests;
