//! The catalogue is complete: every language has every sentence, with the same arguments.

use super::*;
use crate::catalogue::TOPICS;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::parser;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

type Sentences = BTreeMap<String, BTreeSet<String>>;

/// The messages of a file, with the names of their quantities.
fn sentences(topic: &str, text: &'static str) -> Sentences {
    let resource = parser::parse(text).unwrap_or_else(|(_, why)| panic!("{topic}: {why:?}"));
    let mut sentences = Sentences::new();
    for entry in resource.body {
        if let Entry::Message(message) = entry {
            let mut names = BTreeSet::new();
            quantities(message.value.as_ref().unwrap(), &mut names);
            let twice = sentences.insert(message.id.name.to_owned(), names);
            assert!(twice.is_none(), "{topic}: {} stands twice", message.id.name);
        }
    }
    sentences
}

fn quantities(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        let inline = match expression {
            Expression::Inline(inline) => inline,
            Expression::Select { selector, variants } => {
                variants.iter().for_each(|variant| quantities(&variant.value, names));
                selector
            }
        };
        if let InlineExpression::VariableReference { id } = inline {
            names.insert(id.name.to_owned());
        }
    }
}

fn catalogue(lang: Lang) -> Sentences {
    let mut all = Sentences::new();
    for topic in TOPICS {
        for (id, names) in sentences(topic.name, topic.texts[lang as usize]) {
            assert!(all.insert(id.clone(), names).is_none(), "{id} stands in two topics");
        }
    }
    all
}

#[test]
fn every_language_has_every_sentence_with_the_same_quantities() {
    let english = catalogue(Lang::En);
    for lang in Lang::ALL {
        assert_eq!(catalogue(lang), english, "{lang:?} beside English");
    }
}

/// Every `.rs` file of the workspace but this one.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" {
            sources(&path, found);
        } else if name.ends_with(".rs") && !path.ends_with("message/src/tests.rs") {
            found.push(path);
        }
    }
}

/// The texts in quotes of a line that could be the name of a message.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').filter(|part| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    })
}

#[test]
fn every_sentence_is_said_somewhere_and_every_name_that_is_said_is_there() {
    let english = catalogue(Lang::En);
    let mut files = Vec::new();
    sources(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap(), &mut files);
    let mut named = BTreeSet::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        named.extend(quoted(&text).filter(|id| english.contains_key(*id)).map(str::to_owned));
        for call in ["Message::new(\"", "words(lang, \""] {
            for said in text.split(call).skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(english.contains_key(said), "{}: no sentence {said:?}", file.display());
            }
        }
    }
    let silent: Vec<&String> = english.keys().filter(|id| !named.contains(*id)).collect();
    assert!(silent.is_empty(), "in the catalogue and said nowhere: {silent:?}");
}

#[test]
fn the_reader_chooses_the_language_and_counts_agree() {
    assert_eq!(Lang::of_locale("ko_KR.UTF-8"), Lang::Ko);
    assert_eq!(Lang::of_locale("C.UTF-8"), Lang::En);
    assert_eq!(Lang::of_header("de;q=0.9, en;q=0.3, ko-KR;q=0.8"), Lang::Ko);
    assert_eq!(Lang::of_header("ko;q=0, en"), Lang::En);
    assert_eq!(Lang::of_header("\u{0};;q=,"), Lang::En);
    assert!("fr".parse::<Lang>().unwrap_err().to_string().contains("en (English)"));
    assert_eq!(words(Lang::En, "no-such-sentence"), "no-such-sentence");
    assert_eq!(Message::verbatim("{ $x }").text(Lang::Ko), "{ $x }");
}

#[test]
fn notes_are_found_by_their_english_and_unknown_ones_stay() {
    let note = "The data is lost when the instance stops.";
    assert_eq!(Message::from_english(note).text(Lang::En), note);
    assert_eq!(
        Message::from_english(note).text(Lang::Ko),
        "인스턴스를 중지하면 데이터가 사라집니다."
    );
    assert_eq!(Message::from_english("Our own note.\u{7}").text(Lang::Ko), "Our own note.\\x07");
}

#[test]
fn lists_read_as_a_sentence_in_each_language() {
    let of = |n: usize| ["a", "b", "c", "d"][..n].iter().map(|name| Message::verbatim(*name));
    let english = |n| [list::clauses(of(n)), list::names(of(n))].map(|list| list.to_string());
    assert_eq!(english(0), ["", ""]);
    assert_eq!(english(1), ["a", "a"]);
    assert_eq!(english(2), ["a and b", "a and b"]);
    assert_eq!(english(4), ["a; b; c; and d", "a, b, c and d"]);
    assert_eq!(list::choices(of(3)).to_string(), "a, b or c");
    assert_eq!(list::all_of(of(3)).to_string(), "a and b and c");
    assert_eq!(list::commas(of(3)).to_string(), "a, b, c");
    assert_eq!(list::semicolons(of(3)).to_string(), "a; b; c");
    assert_eq!(list::sentences(of(3)).to_string(), "a b c");
    assert_eq!(list::names(of(3)).text(Lang::Ko), "a, b, c");
    assert_eq!(list::choices(of(3)).text(Lang::Ko), "a, b 또는 c");
}

#[test]
fn messages_that_differ_in_numbers_alone_are_one_with_both_ends() {
    let told = |busy: &str, name: &str| {
        let part = Message::verbatim(busy);
        Message::new("report-of-class").with("class", name).part("volume", part)
    };
    let spanning = |all: [Message; 2]| Message::spanning(&all.each_ref());
    let range = spanning([told("62 %", "a"), told("1,000 %", "a")]).unwrap();
    assert_ne!(range.text(Lang::En), told("62 %", "a").text(Lang::En));
    assert_eq!(quantity_range(&["1,000 us", "62 us"]).unwrap().text(Lang::En), "62 to 1,000 us");
    // Other units and digits in names are no numbers of one kind.
    for texts in [["62 us", "1 ms"], ["4 KiB random read, QD 1", "8 KiB random read, QD 1"]] {
        assert_eq!(quantity_range(&texts), None);
    }
    assert_eq!(spanning([told("1 %", "a"), told("2 %", "b")]), None);
    assert_eq!(spanning([told("1 %", "a"), Message::new("report-range")]), None);
}
