//! The first sentence of each run in a list: what it found, in the reader's language.
//!
//! It is made of the whole document, which may be large, so what was made once is kept: a document
//! does not change any more once its run has ended.

use fathom_message::Lang;
use fathom_report::summary_of;
use fathom_store::{HistoryEntry, HistoryOutcome, Id, Store};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Sentences that are kept; with more, all are forgotten and made again as they are asked for.
const MOST_KEPT: usize = 10_000;

/// What runs found, in a sentence each.
#[derive(Debug, Default)]
pub(crate) struct Summaries(Mutex<HashMap<(Id, Lang), Option<String>>>);

impl Summaries {
    /// The sentence of a run; none where its document has none or cannot be read.
    pub(crate) fn of(&self, store: &Store, entry: &HistoryEntry, lang: Lang) -> Option<String> {
        let key = (entry.id.clone(), lang);
        if let Some(known) = self.known().get(&key) {
            return known.clone();
        }
        let made = store.document(&entry.id).ok().and_then(|text| summary_of(&text, lang));
        if entry.run.outcome != HistoryOutcome::Running {
            let mut known = self.known();
            if known.len() >= MOST_KEPT {
                known.clear();
            }
            known.insert(key, made.clone());
        }
        made
    }

    fn known(&self) -> MutexGuard<'_, HashMap<(Id, Lang), Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
