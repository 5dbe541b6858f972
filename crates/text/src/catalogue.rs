//! The catalogue: texts by their key, in each language. A file is a topic:
//!
//! ```text
//! cannot write {path}                         a text that stands in English in code or in data
//! = {path}을(를) 쓸 수 없습니다                 its Korean, in the line below
//! count-runs = {count|1=1 run|{count} runs}   a sentence that code calls by its id
//! = {count}회 실행
//! # a remark
//! ```
//!
//! Decided here: a note of the catalogue of promises that was reworded is found by its former
//! English too, which earlier documents contain.

use crate::Lang;
use std::collections::HashMap;
use std::iter;
use std::sync::OnceLock;

macro_rules! topics {
    ($($name:literal)*) => { &[$(include_str!(concat!("../catalogue/", $name, ".txt"))),*] };
}

const TOPICS: &[&str] = topics![
    "campaign" "charts" "cluster" "doctor" "errors" "help" "jobs" "notes" "page" "promises" "report"
    "summary" "terminal" "verdicts"
];
/// Former English texts of the catalogue of promises, each with that of today.
const FORMER: &str = include_str!("../catalogue/former.txt");

/// An entry of a file.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry<'f> {
    /// Its line, from 1.
    pub line: usize,
    /// The text in English, or the id of a sentence.
    pub key: &'f str,
    /// Its text in English.
    pub english: &'f str,
    /// Its translation, if there is one.
    pub korean: Option<&'f str>,
}

impl CatalogueEntry<'_> {
    /// Whether code calls it by an id.
    pub fn is_sentence(&self) -> bool {
        self.key != self.english
    }
}

/// The entries of a file.
pub fn entries(file: &str) -> impl Iterator<Item = CatalogueEntry<'_>> {
    let is_entry = |(text, _): &(&str, usize)| !text.is_empty() && !text.starts_with("# ");
    let is_id = |text: &str| text.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-'));
    let mut lines = file.lines().zip(1..).filter(is_entry).peekable();
    iter::from_fn(move || {
        let (text, line) = lines.next()?;
        let sentence = text.split_once(" = ").filter(|(id, _)| is_id(id));
        let (key, english) = sentence.unwrap_or((text, text));
        let below = lines.next_if(|(text, _)| text.starts_with("= "));
        let korean = below.and_then(|(text, _)| text.strip_prefix("= "));
        Some(CatalogueEntry { line, key, english, korean })
    })
}

/// The text in `lang` that the catalogue has for a key. A missing translation is the English text.
pub fn translation(lang: Lang, key: &str) -> Option<&'static str> {
    static TEXTS: OnceLock<HashMap<&str, [&str; Lang::ALL.len()]>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| {
        let all = TOPICS.iter().flat_map(|file| entries(file));
        let texts = all.map(|of| (of.key, [of.english, of.korean.unwrap_or(of.english)]));
        let mut texts: HashMap<_, _> = texts.collect();
        let former = entries(FORMER).filter_map(|of| {
            let [_, korean] = *texts.get(of.korean?)?;
            Some((of.key, [of.key, korean]))
        });
        let former: Vec<_> = former.collect();
        texts.extend(former);
        texts
    });
    texts.get(key).map(|texts| texts[lang as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn notes_of_earlier_documents_have_the_korean_of_their_present_wording() {
        let today: BTreeSet<_> =
            TOPICS.iter().flat_map(|file| entries(file)).map(|of| of.key).collect();
        assert!(entries(FORMER).count() > 40);
        for (was, is) in entries(FORMER).map(|of| (of.key, of.korean.unwrap())) {
            assert!(!today.contains(was), "{was}: still in use");
            assert!(today.contains(is), "{was}: {is} has no Korean");
            assert_eq!(translation(Lang::Ko, was), translation(Lang::Ko, is), "{was}");
        }
    }

    /// The names of a text's quantities.
    fn quantities(text: &str) -> BTreeSet<String> {
        let plain = text.replace("{{", "");
        let parts = plain.split('{').skip(1).filter_map(|part| part.split(['}', ':', '|']).next());
        let mut next = 0..;
        let name = |part: &str| match part {
            "" => next.next().unwrap_or(0usize).to_string(),
            name => name.to_owned(),
        };
        parts.map(name).collect()
    }

    #[test]
    fn every_translation_has_the_quantities_of_its_english_and_every_key_stands_once() {
        let mut seen = BTreeSet::new();
        for entry in TOPICS.iter().flat_map(|file| entries(file)) {
            assert!(seen.insert(entry.key), "{}: stands twice", entry.key);
            let CatalogueEntry { english, korean: Some(korean), .. } = entry else { continue };
            let [own, all] = [quantities(korean), quantities(english)];
            let is_lacking = |name: &String| {
                entry.is_sentence()
                    && english.contains(&format!("{{{name}}}"))
                    && !own.contains(name)
            };
            assert!(own.is_subset(&all), "{english}\n= {korean}");
            assert!(!all.iter().any(is_lacking), "{english}\n= {korean}");
        }
    }
}
