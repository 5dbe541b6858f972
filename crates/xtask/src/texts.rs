//! Texts and their translations: which texts have no Korean, and which Korean no text has.
//!
//! A text without Korean is a note: nobody needs Korean to add an error message. A translation that
//! no text has is a finding, as it says nothing any more.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The translations, with quantities and without.
const CATALOGUE: &str = "crates/text/ko";

/// What stands before a text: macros, the attribute of an error, a function.
const OPENERS: [&str; 4] = ["text!", "localized!", "error", "word"];
/// How a text begins that only `fathom fio` prints, as fio does.
const FIO: &str = "fio:";

/// Notes on texts without Korean, and findings on translations of no text.
///
/// # Errors
/// If the catalogue cannot be read.
pub fn check(root: &Path, sources: &[SourceFile]) -> Result<(Vec<TidyFinding>, Option<String>)> {
    let mut texts = BTreeSet::new();
    for source in sources.iter().filter(|source| !source.all_tests) {
        let stream: TokenStream = source.text.parse().unwrap_or_default();
        collect(stream, &mut texts);
    }
    let (mut findings, mut known) = (Vec::new(), BTreeSet::new());
    for entry in fs::read_dir(root.join(CATALOGUE)).context(CATALOGUE)? {
        let name = entry?.file_name();
        let path = Path::new(CATALOGUE).join(name);
        let file = fs::read_to_string(root.join(&path)).context(CATALOGUE)?;
        let lines: Vec<&str> = file.lines().collect();
        for (at, pair) in lines.windows(2).enumerate().filter(|(_, of)| of[1].starts_with("= ")) {
            known.insert(pair[0].to_owned());
            // Those without quantities may stand in data, and those of the help in its definition.
            if !path.ends_with("help.txt")
                && pair[0].contains('{')
                && !texts.iter().any(|text| is_key(text, pair[0]))
            {
                let instead = "no text has this key; remove it";
                findings.push(TidyFinding::new(&path, at + 1, "text", instead));
            }
        }
    }
    let missing: Vec<&String> = texts.iter().filter(|text| is_said(text, &known)).collect();
    let note = missing.first().map(|first| {
        format!("{} texts have no Korean in {CATALOGUE}, as {first:?}", missing.len())
    });
    Ok((findings, note))
}

/// Whether `key` is that of `text`, or of `text` with one of its values.
fn is_key(text: &str, key: &str) -> bool {
    let of_value = |(at, _): (usize, &str)| {
        let end = text[at..].find('}').map_or(text.len(), |end| at + end + 1);
        key.len() > at + text.len() - end
            && key.starts_with(&text[..at])
            && key.ends_with(&text[end..])
    };
    text == key || text.match_indices('{').any(of_value)
}

/// Whether a text of Fathom's own has words, and no key.
fn is_said(text: &str, known: &BTreeSet<String>) -> bool {
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let has_words = parts
        .flat_map(str::split_whitespace)
        .any(|word| word.len() > 1 && word.chars().all(|letter| letter.is_ascii_lowercase()));
    has_words && !text.starts_with(FIO) && !known.iter().any(|key| is_key(text, key))
}

/// The literals behind the openers in a stream and in all groups of it.
fn collect(stream: TokenStream, texts: &mut BTreeSet<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let opener: String = match &trees[at.saturating_sub(2)..at] {
            [name, TokenTree::Punct(mark)] => format!("{name}{mark}"),
            [.., name] => name.to_string(),
            [] => String::new(),
        };
        let mut inner = group.stream().into_iter();
        let first = inner.next().filter(|_| OPENERS.contains(&opener.as_str()));
        // The table of options has words of fio's, each with what it means.
        if opener != "word" || inner.next().is_none() {
            let literal =
                first.and_then(|first| syn::parse_str::<syn::LitStr>(&first.to_string()).ok());
            texts.extend(literal.map(|literal| literal.value().trim_matches('\n').to_owned()));
        }
        collect(group.stream(), texts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_and_keys_may_have_a_value() {
        let code = r#"#[error("no {what}: {0}")] enum E {} fn f() { g(text!("\na {x}\n", x = 1));
            text("tag"); kind::word("rand", "at random"); word("jobs"); word(name, "none") }"#;
        let mut texts = BTreeSet::new();
        collect(code.parse().unwrap(), &mut texts);
        assert_eq!(texts.iter().collect::<Vec<_>>(), ["a {x}", "jobs", "no {what}: {0}"]);
        assert!(is_said("no job", &BTreeSet::new()) && !is_said("fio: no job", &BTreeSet::new()));
        assert!(is_key("no {what}: {0}", "no folder: {0}"));
        assert!(!is_key("no {what}: {0}", "a folder: {0}"));
    }
}
