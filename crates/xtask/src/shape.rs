//! The form of a file: its head, the width of its lines, the length of its functions, and the names
//! of its modules.

use crate::finding::TidyFinding;
use crate::source::SourceFile;

/// Maximum columns of a line; as in rustfmt.toml, which cannot break strings and comments.
const COLUMNS: usize = 100;

/// Lines that any function may have.
const FUNCTION_LINES: usize = 70;

/// Names without meaning, which attract unrelated code.
const EMPTY_NAMES: &[&str] = &["util", "utils", "helper", "helpers", "misc"];

/// All findings of this group in one file.
pub fn check(source: &SourceFile) -> Vec<TidyFinding> {
    let mut findings = Vec::new();
    if !source.text.starts_with("//!") {
        let instead = "open with a `//!` paragraph: what the file is for and what was decided here";
        findings.push(TidyFinding::new(&source.path, 1, "head", instead));
    }
    findings.extend(wide_lines(source));
    findings.extend(long_functions(source));
    findings.extend(empty_names(source));
    findings
}

/// An address cannot be broken, so a line with one may be wider.
fn wide_lines(source: &SourceFile) -> Vec<TidyFinding> {
    let width = |line: &str| line.chars().count();
    let lines = source.text.lines().enumerate();
    // Literals of tests stay whole: a text that is compared should be read as it is printed.
    let wide = lines.filter(|(at, line)| {
        width(line) > COLUMNS && !line.contains("://") && !source.is_test(at + 1)
    });
    wide.map(|(at, line)| {
        let instead = format!("{} columns; break it before {COLUMNS}", width(line));
        TidyFinding::new(&source.path, at + 1, "width", instead)
    })
    .collect()
}

fn long_functions(source: &SourceFile) -> Vec<TidyFinding> {
    let long = source.functions.iter().filter(|function| function.length() > FUNCTION_LINES);
    long.map(|function| {
        let instead = format!(
            "`{}` has {} lines of at most {FUNCTION_LINES}; give a step of it a name of its own",
            function.name,
            function.length()
        );
        TidyFinding::new(&source.path, *function.lines.start(), "length", instead)
    })
    .collect()
}

fn empty_names(source: &SourceFile) -> Vec<TidyFinding> {
    let empty = source.modules.iter().filter(|m| EMPTY_NAMES.contains(&m.name.as_str()));
    empty
        .map(|module| {
            let instead = format!("`{}` names nothing; name it after what it does", module.name);
            TidyFinding::new(&source.path, module.line, "name", instead)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The rules broken by `text`, with the line of each.
    fn rules(text: &str) -> Vec<(&'static str, usize)> {
        let source = SourceFile::parse(Path::new("crates/x/src/a.rs"), text.to_owned()).unwrap();
        check(&source).into_iter().map(|finding| (finding.rule, finding.line)).collect()
    }

    #[test]
    fn a_file_opens_with_what_it_is_for() {
        assert_eq!(rules("//! Head.\n"), []);
        assert_eq!(rules("// Head.\n"), [("head", 1)]);
        assert_eq!(rules(""), [("head", 1)]);
    }

    #[test]
    fn lines_end_at_the_margin() {
        let line = |width: usize| format!("//! Head.\n//{}\n", "ä".repeat(width - 2));
        assert_eq!(rules(&line(100)), []);
        assert_eq!(rules(&line(101)), [("width", 2)]);
        assert_eq!(rules(&format!("//! Head.\n// https://{}\n", "a".repeat(100))), []);
    }

    #[test]
    fn functions_end_within_the_limit() {
        let function =
            |lines: usize| format!("//! Head.\nfn f() {{\n{}}}\n", "\n".repeat(lines - 2));
        assert_eq!(rules(&function(70)), []);
        assert_eq!(rules(&function(71)), [("length", 2)]);
        let nested = format!("//! Head.\nimpl A {{\nfn f() {{\n{}}}\n}}\n", "\n".repeat(69));
        assert_eq!(rules(&nested), [("length", 3)]);
    }

    #[test]
    fn modules_are_named_after_what_they_do() {
        assert_eq!(rules("//! Head.\nmod utils;\n"), [("name", 2)]);
        assert_eq!(rules("//! Head.\nmod utilisation;\n"), []);
    }
}
