//! `cargo xtask size`: the lines of code of the product and of its tests, for each crate.
//!
//! A line counts if a token stands on it, or a part of a string that goes over several lines. Blank
//! lines and comments do not count. Code of tests is what `SourceFile::is_test` calls so.

use crate::source::SourceFile;
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// Lines of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CodeSize {
    files: usize,
    product: usize,
    tests: usize,
}

impl CodeSize {
    fn of(source: &SourceFile) -> CodeSize {
        let lines = code_lines(&source.text);
        let tests = lines.iter().filter(|line| source.is_test(**line)).count();
        CodeSize { files: 1, product: lines.len() - tests, tests }
    }
}

impl AddAssign for CodeSize {
    fn add_assign(&mut self, other: CodeSize) {
        self.files += other.files;
        self.product += other.product;
        self.tests += other.tests;
    }
}

/// A table of the crates, the largest first, and their sum.
pub fn table(sources: &[SourceFile]) -> String {
    let mut crates: BTreeMap<&str, CodeSize> = BTreeMap::new();
    let mut all = CodeSize::default();
    for source in sources {
        let size = CodeSize::of(source);
        *crates.entry(source.room().unwrap_or("fuzz")).or_default() += size;
        all += size;
    }
    let mut rows: Vec<_> = crates.into_iter().collect();
    rows.sort_by_key(|(name, size)| (std::cmp::Reverse(size.product), *name));
    let mut text = format!("{:<10} {:>6} {:>8} {:>8}\n", "crate", "files", "product", "tests");
    for (name, size) in rows.into_iter().chain([("all", all)]) {
        let CodeSize { files, product, tests } = size;
        text += &format!("{name:<10} {files:>6} {product:>8} {tests:>8}\n");
    }
    text
}

/// The lines, from 1, on which code stands.
fn code_lines(text: &str) -> BTreeSet<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = BTreeSet::new();
    if let Ok(stream) = text.parse() {
        mark(stream, &lines, &mut found);
    }
    found
}

fn mark(stream: TokenStream, lines: &[&str], found: &mut BTreeSet<usize>) {
    for token in stream {
        // A comment of documentation is an attribute in the list of tokens.
        if is_comment(token.span().start(), lines) {
            continue;
        }
        match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                found.extend([group.span_open(), group.span_close()].map(|span| span.start().line));
                mark(group.stream(), lines, found);
            }
            TokenTree::Group(group) => mark(group.stream(), lines, found),
            token => found.extend(filled_lines(token.span(), lines)),
        }
    }
}

fn is_comment(begin: LineColumn, lines: &[&str]) -> bool {
    let line = lines.get(begin.line - 1).copied().unwrap_or_default();
    let rest: String = line.chars().skip(begin.column).take(2).collect();
    rest == "//" || rest == "/*"
}

fn filled_lines(span: Span, lines: &[&str]) -> Vec<usize> {
    let is_filled = |line: &usize| lines.get(line - 1).is_some_and(|text| !text.trim().is_empty());
    (span.start().line..=span.end().line).filter(is_filled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn comments_and_blank_lines_do_not_count() {
        let text = "//! Head.\n\n/// Doc.\n/** More. */\n#[test] // why\nfn f() {\n    // no\n    \
                    g(\n        \"a\n\n b\",\n    );\n\n}\n";
        let lines: Vec<usize> = code_lines(text).into_iter().collect();
        assert_eq!(lines, [5, 6, 8, 9, 11, 12, 14]);
    }

    #[test]
    fn code_of_tests_is_counted_by_itself() {
        let source =
            |path: &str, text: &str| SourceFile::parse(Path::new(path), text.to_owned()).unwrap();
        let sources = [
            source("crates/a/src/lib.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n}\n"),
            source("crates/a/tests/t.rs", "fn t() {}\n"),
            source("fuzz/b.rs", "fn b() {}\n"),
        ];
        let rows: Vec<Vec<String>> = table(&sources)
            .lines()
            .map(|line| line.split_whitespace().map(str::to_owned).collect())
            .collect();
        assert_eq!(rows[1], ["a", "2", "1", "4"]);
        assert_eq!(rows[3], ["all", "3", "1", "5"]);
    }
}
