//! Translations whose key is the English text, as in gettext: a line of English, below it `= ` with
//! the other language. For texts that are written in data or in code, not in the catalogue.
//!
//! Decided here: notes of the catalogue of promises are here and not in the terminal's phrasebook,
//! since reports and pages show them too, and stored documents contain them in English. A note that
//! was reworded is found by its former English too, which earlier documents contain.

use crate::{Lang, particles};
use fathom_vocab::printable;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The texts of the catalogue of promises in Korean.
const NOTES: &str = include_str!("../catalogue/ko/notes.txt");
/// Former English texts of that catalogue, each with that of today.
const FORMER: &str = include_str!("../catalogue/ko/former.txt");

/// The keys of a file with their translations.
pub fn entries(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut english = None;
    text.lines().filter_map(move |line| match line.strip_prefix("= ") {
        Some(translation) => Some((english.take()?, translation)),
        None => {
            english = Some(line).filter(|line| !line.is_empty() && !line.starts_with("# "));
            None
        }
    })
}

/// `english` in `lang`; without a translation it stays English, as notes in a user's own file.
pub(crate) fn text(lang: Lang, english: &str) -> String {
    match korean().get(english).filter(|_| lang == Lang::Ko) {
        Some(korean) => particles::resolved(korean),
        None => Cow::into_owned(printable::line(english)),
    }
}

fn korean() -> &'static HashMap<&'static str, &'static str> {
    static KOREAN: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    KOREAN.get_or_init(|| {
        let mut korean: HashMap<&str, &str> = entries(NOTES).collect();
        for (was, is) in entries(FORMER) {
            if let Some(text) = korean.get(is).copied() {
                korean.insert(was, text);
            }
        }
        korean
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_earlier_documents_have_the_korean_of_their_present_wording() {
        let today: HashMap<&str, &str> = entries(NOTES).collect();
        assert!(entries(FORMER).count() > 40);
        for (was, is) in entries(FORMER) {
            assert!(!today.contains_key(was), "{was}: still in use");
            assert!(today.contains_key(is), "{was}: {is} is not in notes.txt");
            assert_eq!(text(Lang::Ko, was), text(Lang::Ko, is), "{was}");
            assert_eq!(text(Lang::En, was), was);
        }
    }
}
