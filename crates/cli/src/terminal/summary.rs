//! The first sentence of a result on a terminal: one for each volume, each on its own lines.

use super::screen::{Screen, wrapped};
use fathom_campaign::DocumentSummary;

/// The sentences, each on its own lines.
pub fn sentences(document: &impl DocumentSummary, screen: &Screen) -> String {
    let all = document.sentences().into_iter();
    all.map(|one| wrapped(&one.text(screen.lang), screen.width, "", "  ")).collect()
}
