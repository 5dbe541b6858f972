//! The page's own texts, for its template and its scripts.

use fathom_analysis::RowOutcome;
use fathom_document::direction_name;
use fathom_message::{Lang, words};
use fathom_vocab::Direction;
use std::collections::BTreeMap;

const PREFIX: &str = "page-";

/// Every word of the page, as the catalogue names it.
const WORDS: &[&str] = &[
    "page-verdicts",
    "page-answers",
    "page-each-step",
    "page-good",
    "page-note",
    "page-warning",
    "page-bad",
    "page-charts",
    "page-chart",
    "page-legend",
    "page-save-svg",
    "page-save-png",
    "page-data",
    "page-tables",
    "page-sort",
    "page-repeat",
    "page-copy",
    "page-copied",
    "page-facts",
    "page-terms",
    "page-theme",
    "page-theme-auto",
    "page-theme-light",
    "page-theme-dark",
    "page-least",
    "page-pass",
    "page-fail",
    "page-undecided",
    "page-limit",
    "page-times-better",
    "page-times-over",
    "page-not-stable",
    "page-no-data",
    "page-no-script",
    "page-failed",
    "page-offline",
    "page-skip",
];

/// The word for an outcome in the catalogue.
pub(crate) fn of_outcome(outcome: RowOutcome) -> &'static str {
    match outcome {
        RowOutcome::Pass => "page-pass",
        RowOutcome::Undecided => "page-undecided",
        RowOutcome::Fail => "page-fail",
    }
}

/// A direction as a word: `read`.
pub fn direction_word(direction: Direction, lang: Lang) -> String {
    direction_name(direction).text(lang)
}

/// Words by their short names: `save_svg` for `page-save-svg`.
pub type Words = BTreeMap<String, String>;

/// The words in `lang`.
pub fn page(lang: Lang) -> Words {
    let short = |id: &str| id.trim_start_matches(PREFIX).replace('-', "_");
    WORDS.iter().map(|id| (short(id), words(lang, id))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_the_catalogue() {
        for lang in Lang::ALL {
            for (name, text) in page(lang) {
                assert!(!text.starts_with(PREFIX), "{name} in {lang:?}");
            }
        }
    }
}
