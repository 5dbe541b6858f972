//! The translations of texts that stand in English in code or in data: a line of English, below it
//! `= ` with the other language.
//!
//! Decided here: a note of the catalogue of promises that was reworded is found by its former
//! English too, which earlier documents contain.

use crate::Lang;
use std::collections::HashMap;
use std::sync::OnceLock;

macro_rules! topics {
    ($($name:literal),* $(,)?) => {
        &[$(include_str!(concat!("../ko/", $name, ".txt"))),*]
    };
}

/// The Korean texts; a topic is a file.
const KOREAN: &[&str] = topics!["cluster", "doctor", "errors", "help", "jobs", "notes", "terminal"];
/// Former English texts of the catalogue of promises, each with that of today.
const FORMER: &str = include_str!("../ko/former.txt");

/// The keys of a file with their translations.
fn entries(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut english = None;
    text.lines().filter_map(move |line| match line.strip_prefix("= ") {
        Some(translation) => Some((english.take()?, translation)),
        None => {
            english = Some(line).filter(|line| !line.is_empty() && !line.starts_with("# "));
            None
        }
    })
}

/// The text in `lang` that the catalogue has for the key `english`.
pub fn translation(lang: Lang, english: &str) -> Option<&'static str> {
    if lang == Lang::En {
        return None;
    }
    static TEXTS: OnceLock<HashMap<&str, &str>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| {
        let mut texts: HashMap<&str, &str> = KOREAN.iter().flat_map(|text| entries(text)).collect();
        let former = entries(FORMER).filter_map(|(was, is)| Some((was, *texts.get(is)?)));
        let former: Vec<(&str, &str)> = former.collect();
        texts.extend(former);
        texts
    });
    texts.get(english).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn notes_of_earlier_documents_have_the_korean_of_their_present_wording() {
        let today: HashMap<&str, &str> = KOREAN.iter().flat_map(|text| entries(text)).collect();
        assert!(entries(FORMER).count() > 40);
        for (was, is) in entries(FORMER) {
            assert!(!today.contains_key(was), "{was}: still in use");
            assert!(today.contains_key(is), "{was}: {is} has no Korean");
            assert_eq!(translation(Lang::Ko, was), translation(Lang::Ko, is), "{was}");
        }
    }

    /// The names of a text's quantities.
    fn quantities(text: &str) -> BTreeSet<String> {
        let plain = text.replace("{{", "").replace("}}", "");
        let parts = plain.split('{').skip(1).filter_map(|part| part.split(['}', ':']).next());
        let mut next = 0..;
        let name = |part: &str| match part {
            "" => next.next().unwrap_or(0usize).to_string(),
            name => name.to_owned(),
        };
        parts.map(name).collect()
    }

    #[test]
    fn every_translation_has_the_quantities_of_its_key_and_stands_once() {
        let mut seen = BTreeSet::new();
        for (english, korean) in KOREAN.iter().flat_map(|text| entries(text)) {
            assert!(seen.insert(english), "{english}: stands twice");
            let of = [quantities(korean), quantities(english)];
            assert!(of[0].is_subset(&of[1]), "{english}\n= {korean}");
        }
    }
}
