//! Names of types, and errors of fallible functions: a public type's name identifies it everywhere
//! in the workspace, so that it exists once; an error is a type, so that a caller can distinguish
//! failures.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use std::collections::BTreeMap;
use std::path::Path;

/// Whether both are in system folders of one crate.
fn are_counterparts(one: &Path, other: &Path) -> bool {
    let systems = ["linux", "unix", "windows"];
    let parts = |path: &Path| -> Vec<String> {
        path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (one, other) = (parts(one), parts(other));
    let differs = one.iter().zip(&other).position(|(a, b)| a != b);
    differs.is_some_and(|at| {
        at > 2 && [&one[at], &other[at]].iter().all(|part| systems.contains(&part.as_str()))
    })
}

/// Public types that share their name with another public type: all but the first of each name. A
/// type and its counterpart in the folder of another system are one name for one thing.
pub fn repeated_types(sources: &[SourceFile]) -> Vec<TidyFinding> {
    let mut first: BTreeMap<&str, &SourceFile> = BTreeMap::new();
    let mut findings = Vec::new();
    for source in sources {
        for (name, line) in public_types(source) {
            match first.get(name) {
                None => _ = first.insert(name, source),
                Some(other) if are_counterparts(&source.path, &other.path) => {}
                Some(other) => {
                    let instead = format!(
                        "`{name}` is a type in {} as well; give one of them another name",
                        other.path.display()
                    );
                    findings.push(TidyFinding::new(&source.path, line, "repeated type", instead));
                }
            }
        }
    }
    findings
}

/// Everyday words for an event and not for a thing.
const PARTICIPLES: &[&str] = &["asked", "kept", "said", "seen", "told", "weighed"];

/// Public types and modules named by a participle: a name should say what a thing is.
pub fn participles(sources: &[SourceFile]) -> Vec<TidyFinding> {
    let mut findings = Vec::new();
    for source in sources {
        for (name, line) in public_types(source).into_iter().chain(modules(source)) {
            if let Some(word) = words_of(name).into_iter().find(|w| PARTICIPLES.contains(&&**w)) {
                let instead = format!("`{name}` has \"{word}\" in it; name what the thing is");
                findings.push(TidyFinding::new(&source.path, line, "participle", instead));
            }
        }
    }
    findings
}

/// The words of `CamelCase` or `snake_case`, in small letters.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        if letter.is_uppercase() || letter == '_' {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter != '_', words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

/// Names of modules that files declare, outside tests.
fn modules(source: &SourceFile) -> Vec<(&str, usize)> {
    let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
    let is_module = |at: &usize| text(*at) == "mod" && [";", "{"].contains(&text(at + 2));
    let found = (0..source.tokens.len()).filter(is_module);
    let found = found.map(|at| (text(at + 1), source.tokens[at].line));
    found.filter(|(_, line)| !source.is_test(*line)).collect()
}

/// Names after `pub struct`, `pub enum`, `pub trait`, `pub type` and restricted visibilities,
/// outside tests.
fn public_types(source: &SourceFile) -> Vec<(&str, usize)> {
    let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
    let is_type = |at: usize| ["struct", "enum", "trait", "type", "union"].contains(&text(at));
    let mut found = Vec::new();
    for at in (0..source.tokens.len()).filter(|at| text(*at) == "pub") {
        // `pub(crate)` is four tokens, `pub` one.
        let keyword = if text(at + 1) == "(" { at + 4 } else { at + 1 };
        if is_type(keyword) && !source.is_test(source.tokens[at].line) {
            found.push((text(keyword + 1), source.tokens[at].line));
        }
    }
    found
}

/// Results whose error is a string, outside tests.
pub fn string_errors(sources: &[SourceFile]) -> Vec<TidyFinding> {
    let instead = "`Result<_, String>` tells no failure from another; give an error type, or \
                   anyhow in the binary";
    let mut findings = Vec::new();
    for source in sources {
        let ends = source.find(&[",", "String", ">"]).into_iter();
        for line in ends.filter(|line| !source.is_test(*line) && is_result(source, *line)) {
            findings.push(TidyFinding::new(&source.path, line, "string error", instead));
        }
    }
    findings
}

/// Whether the `, String >` of that line closes a `Result<`.
fn is_result(source: &SourceFile, line: usize) -> bool {
    let text = |at: usize| source.tokens[at].text.as_str();
    let ends = (2..source.tokens.len()).filter(|at| {
        source.tokens[at - 2].line == line
            && (text(at - 2), text(at - 1), text(*at)) == (",", "String", ">")
    });
    ends.into_iter().any(|end| {
        let mut depth = 0;
        for at in (1..=end).rev() {
            match text(at) {
                ">" if text(at - 1) != "-" => depth += 1,
                "<" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return text(at - 1) == "Result";
            }
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn parse(path: &str, text: &str) -> SourceFile {
        SourceFile::parse(Path::new(path), text.to_owned()).unwrap()
    }

    #[test]
    fn participles_are_found_in_types_and_modules_and_nowhere_else() {
        let text = "pub struct JobAsked;\npub struct Basket;\nmod told;\nmod asked_for { }\n\
                    fn seen() {}\nstruct Kept;\n";
        let source = parse("crates/a/src/lib.rs", text);
        let found: Vec<usize> = participles(&[source]).iter().map(|f| f.line).collect();
        assert_eq!(found, [1, 3, 4]);
    }

    #[test]
    fn a_public_type_is_named_once() {
        let sources = [
            parse("crates/a/src/a.rs", "pub struct Plan; struct Own; pub(crate) enum Way { A }"),
            parse("crates/b/src/b.rs", "struct Plan; pub(super) trait Way {} pub enum Other {}"),
            parse("crates/c/src/c.rs", "#[cfg(test)]\nmod t { pub struct Plan; }"),
        ];
        let found: Vec<String> = repeated_types(&sources).iter().map(ToString::to_string).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("crates/b/src/b.rs:1") && found[0].contains("`Way`"));
    }

    #[test]
    fn an_error_is_a_type() {
        let text = "fn a() -> Result<Vec<u8>, String> { todo() }\n\
                    fn b() -> Result<(), Error> { todo() }\n\
                    fn c() -> Result<\n    HashMap<u8, String>,\n    Error> { todo() }\n\
                    fn d() -> io::Result<()> { todo() }\n\
                    #[test]\nfn e() -> Result<(), String> { todo() }\n\
                    fn f(g: impl Fn(u8) -> Result<u8, String>) {}\n";
        let lines: Vec<usize> =
            string_errors(&[parse("a.rs", text)]).into_iter().map(|f| f.line).collect();
        assert_eq!(lines, [1, 9]);
    }
}
