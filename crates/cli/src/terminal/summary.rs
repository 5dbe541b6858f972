//! The first sentence of a result on a terminal: one for each volume, on lines of their own.

use super::screen::{Screen, wrapped};
use fathom_campaign::DocumentSummary;

/// The sentences, each on lines of its own.
pub fn sentences(document: &impl DocumentSummary, screen: &Screen) -> String {
    let all = document.sentences().into_iter();
    all.map(|one| wrapped(&one.text(screen.lang), screen.width, "", "  ")).collect()
}
