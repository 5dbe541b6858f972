//! The catalogue beside the code: what code calls and the catalogue lacks, and the reverse.
//!
//! A text or sentence without Korean is a note: nobody needs Korean to add one. The id of no
//! sentence is a finding, and so is an entry that no code has, as it says nothing any more.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use anyhow::{Context, Result};
use fathom_text::{CatalogueEntry, entries};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const CATALOGUE: &str = "crates/text/catalogue";

/// What stands before a text: macros, the attribute of an error, a function.
const OPENERS: [&str; 4] = ["text!", "localized!", "error", "word"];
/// How a text begins that only `fathom fio` prints, as fio does.
const FIO: &str = "fio:";

/// The literals of code.
#[derive(Default)]
struct CodeLiterals {
    /// Texts, which stand behind an opener.
    texts: BTreeSet<String>,
    /// Ids of sentences where they are called, with the line.
    ids: Vec<(String, usize)>,
    all: BTreeSet<String>,
}

/// Findings, and a note on texts without Korean.
///
/// # Errors
/// If the catalogue cannot be read.
pub fn check(root: &Path, sources: &[SourceFile]) -> Result<(Vec<TidyFinding>, Option<String>)> {
    let (mut code, mut findings) = (CodeLiterals::default(), Vec::new());
    let files = files(root)?;
    let all = || files.iter().flat_map(|(file, text)| entries(text).map(move |of| (file, of)));
    let keys: BTreeSet<&str> = all().map(|(_, entry)| entry.key).collect();
    for source in sources.iter().filter(|source| !source.all_tests) {
        code.collect(source.text.parse().unwrap_or_default());
        for (id, line) in code.ids.drain(..).filter(|(_, line)| !source.is_test(*line)) {
            if !keys.contains(id.as_str()) {
                let instead = format!("no sentence {id:?}; write it in {CATALOGUE}");
                findings.push(TidyFinding::new(&source.path, line, "text", instead));
            }
        }
    }
    let unused = all().filter(|(file, entry)| code.lacks(entry) && !file.ends_with("help.txt"));
    findings.extend(unused.map(|(file, entry)| {
        TidyFinding::new(file, entry.line, "text", "no code has this key; remove it")
    }));
    let texts = code.texts.iter().map(String::as_str);
    let sentences = all().filter(|(_, entry)| entry.is_sentence() && entry.korean.is_none());
    let missing: Vec<&str> = texts
        .filter(|text| has_words(text) && !keys.contains(text))
        .chain(sentences.map(|(_, entry)| entry.key))
        .collect();
    let note = missing.first().map(|first| {
        format!("{} texts have no Korean in {CATALOGUE}, as {first:?}", missing.len())
    });
    Ok((findings, note))
}

/// The files of the catalogue with their text.
fn files(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let files = fs::read_dir(root.join(CATALOGUE)).context(CATALOGUE)?;
    let read = |file: io::Result<fs::DirEntry>| {
        let file = Path::new(CATALOGUE).join(file?.file_name());
        let text = fs::read_to_string(root.join(&file)).context(CATALOGUE)?;
        Ok((file, text))
    };
    files.map(read).collect()
}

/// Whether a text has words of Fathom's own.
fn has_words(text: &str) -> bool {
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    let mut words = parts.flat_map(str::split_whitespace);
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    words.any(is_word) && !text.starts_with(FIO)
}

impl CodeLiterals {
    /// Whether nothing calls an entry. Texts without quantities may stand in data.
    fn lacks(&self, entry: &CatalogueEntry<'_>) -> bool {
        match entry.is_sentence() {
            true => !self.all.contains(entry.key),
            false => entry.key.contains('{') && !self.texts.contains(entry.key),
        }
    }

    /// Adds those of a stream and of all groups in it.
    fn collect(&mut self, stream: TokenStream) {
        let trees: Vec<TokenTree> = stream.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            self.all.extend(literal(tree));
            let TokenTree::Group(group) = tree else { continue };
            let opener: String = match &trees[at.saturating_sub(4)..at] {
                [owner, _, _, name] if owner.to_string() == "Message" => format!("Message::{name}"),
                [.., name, TokenTree::Punct(mark)] => format!("{name}{mark}"),
                [.., name] => name.to_string(),
                [] => String::new(),
            };
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let first = inner.first().and_then(literal);
            // The table of options has words of fio's, each with what it means.
            if OPENERS.contains(&opener.as_str()) && (opener != "word" || inner.len() == 1) {
                self.texts.extend(first.map(|text| text.trim_matches('\n').to_owned()));
            }
            let id = match opener.as_str() {
                "Message::new" => inner.first(),
                "words" => inner.get(1..).and_then(<[TokenTree]>::last),
                _ => None,
            };
            self.ids.extend(id.and_then(|id| Some((literal(id)?, id.span().start().line))));
            self.collect(group.stream());
        }
    }
}

/// The text of a literal.
fn literal(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    Some(syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?.value())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_ids_are_found() {
        let code = r#"#[error("no {what}: {0}")] enum E {} fn f() { g(text!("\na {x}\n", x = 1));
            text("tag"); kind::word("rand", "at random"); word("jobs"); word(name, "none");
            Message::new("cap-held"); words(lang, "page-note"); told("cap-set") }"#;
        let mut found = CodeLiterals::default();
        found.collect(code.parse().unwrap());
        assert_eq!(found.texts.iter().collect::<Vec<_>>(), ["a {x}", "jobs", "no {what}: {0}"]);
        assert_eq!(found.ids, [("cap-held".to_owned(), 3), ("page-note".to_owned(), 3)]);
        assert!(found.all.contains("cap-set"));
        assert!(has_words("no job") && !has_words("fio: no job") && !has_words("{name}"));
    }
}
