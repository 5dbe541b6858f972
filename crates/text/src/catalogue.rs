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

/// A text in the order of [`Lang::ALL`].
type Texts = [&'static str; Lang::ALL.len()];

/// The keys of a file with their texts; a missing translation is the English text.
fn entries(file: &'static str) -> impl Iterator<Item = (&'static str, Texts)> {
    let is_entry = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    let mut lines = file.lines().filter(is_entry).peekable();
    iter::from_fn(move || {
        let line = lines.next()?;
        let sentence = line.split_once(" = ").filter(|(id, _)| is_id(id));
        let (key, english) = sentence.unwrap_or((line, line));
        let korean = lines.next_if(|line| line.starts_with("= "));
        Some((key, [english, korean.map_or(english, |line| &line["= ".len()..])]))
    })
}

fn is_id(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

/// The text in `lang` that the catalogue has for a key.
pub fn translation(lang: Lang, key: &str) -> Option<&'static str> {
    static TEXTS: OnceLock<HashMap<&str, Texts>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| {
        let mut texts: HashMap<_, _> = TOPICS.iter().flat_map(|file| entries(file)).collect();
        let former = entries(FORMER).filter_map(|(was, [_, is])| {
            let [_, korean] = *texts.get(is)?;
            Some((was, [was, korean]))
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
        let today: HashMap<_, _> = TOPICS.iter().flat_map(|file| entries(file)).collect();
        assert!(entries(FORMER).count() > 40);
        for (was, [_, is]) in entries(FORMER) {
            assert!(!today.contains_key(was), "{was}: still in use");
            assert!(today.contains_key(is), "{was}: {is} has no Korean");
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
        for (key, [english, korean]) in TOPICS.iter().flat_map(|file| entries(file)) {
            assert!(seen.insert(key), "{key}: stands twice");
            let [own, all] = [quantities(korean), quantities(english)];
            let is_lacking = |name: &String| {
                is_id(key) && english.contains(&format!("{{{name}}}")) && !own.contains(name)
            };
            assert!(own.is_subset(&all), "{english}\n= {korean}");
            assert!(!all.iter().any(is_lacking), "{english}\n= {korean}");
        }
    }
}
