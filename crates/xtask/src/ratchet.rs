//! The ratchet: rules that the code does not meet everywhere yet. A committed file records how
//! often each is broken, and the numbers may only fall.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use crate::{circles, names};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A function over this many lines is long; the hard limit is in shape.rs.
const LONG: usize = 40;

/// The file of the record.
const FILE: &str = "crates/xtask/ratchet.txt";

/// The first lines of that file.
const HEAD: &str = "# How often each rule is broken outside tests. Numbers only go down: \
                    `cargo xtask ratchet` lowers them.\n";

/// Finds every breach of a rule.
type Check = fn(&[SourceFile]) -> Vec<TidyFinding>;

/// The rules, each with the name that its number has in the record.
const RULES: &[(&str, Check)] = &[
    ("long_functions", long_functions),
    ("circles", circles::of_files),
    ("modules_in_circles", circles::of_modules),
    ("repeated_types", names::repeated_types),
    ("string_errors", names::string_errors),
    ("participles", names::participles),
];

/// How often each rule was broken when it was last recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record(BTreeMap<String, usize>);

impl Record {
    /// Reads the committed record.
    ///
    /// # Errors
    /// If it cannot be read, or lacks the number of a rule.
    pub fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
        let mut numbers = BTreeMap::new();
        for (rule, _) in RULES {
            let value = text.lines().find_map(|line| line.strip_prefix(&format!("{rule} = ")));
            let number = value.and_then(|value| value.trim().parse().ok());
            let number = number.with_context(|| format!("{FILE} has no line `{rule} = NUMBER`"))?;
            numbers.insert((*rule).to_owned(), number);
        }
        Ok(Record(numbers))
    }

    fn write(&self, root: &Path) -> Result<()> {
        let lines = RULES.iter().map(|(rule, _)| format!("{rule} = {}\n", self.0[*rule]));
        fs::write(root.join(FILE), HEAD.to_owned() + &lines.collect::<String>()).context(FILE)
    }
}

/// Violations beyond the record: every violation of such a rule, because any may be the new one;
/// and a note for each rule that is broken less often than recorded.
pub fn check(record: &Record, sources: &[SourceFile]) -> (Vec<TidyFinding>, Vec<String>) {
    let (mut findings, mut notes) = (Vec::new(), Vec::new());
    for (rule, check) in RULES {
        let (breaches, most) = (check(sources), record.0[*rule]);
        let count = breaches.len();
        if count < most {
            notes.push(format!("{rule}: {count}, the record is {most}: `cargo xtask ratchet`"));
        } else if count > most {
            let beyond = |finding: TidyFinding| TidyFinding {
                instead: format!("{} ({count} of these, the record is {most})", finding.instead),
                ..finding
            };
            findings.extend(breaches.into_iter().map(beyond));
        }
    }
    (findings, notes)
}

/// Lowers the record to the present counts; returns it.
///
/// # Errors
/// If a number would have to rise.
pub fn lower(root: &Path, sources: &[SourceFile]) -> Result<Vec<String>> {
    let mut record = Record::read(root)?;
    for (rule, check) in RULES {
        let (count, most) = (check(sources).len(), record.0[*rule]);
        if count > most {
            bail!("{rule} is broken {count} times and the record is {most}: it only goes down");
        }
        record.0.insert((*rule).to_owned(), count);
    }
    record.write(root)?;
    Ok(record.0.iter().map(|(rule, count)| format!("{rule} = {count}")).collect())
}

/// Functions over [`LONG`] lines outside tests, the longest first.
fn long_functions(sources: &[SourceFile]) -> Vec<TidyFinding> {
    let mut long = Vec::new();
    for source in sources {
        let functions = source.functions.iter().filter(|function| function.length() > LONG);
        let counted = functions.filter(|function| !source.is_test(*function.lines.start()));
        long.extend(counted.map(|function| (function.length(), source, function)));
    }
    long.sort_by_key(|(length, ..)| std::cmp::Reverse(*length));
    let finding = |(length, source, function): (usize, &SourceFile, &crate::source::Function)| {
        let instead = format!("`{}` has {length} lines, over {LONG}: shorten it", function.name);
        TidyFinding::new(&source.path, *function.lines.start(), "ratchet", instead)
    };
    long.into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Vec<SourceFile> {
        let parse = |text: &&str| SourceFile::parse(Path::new("a.rs"), text.to_string()).unwrap();
        texts.iter().map(parse).collect()
    }

    fn record(long: usize) -> Record {
        let mut record = Record(RULES.iter().map(|(rule, _)| ((*rule).to_owned(), 0)).collect());
        record.0.insert("long_functions".to_owned(), long);
        record
    }

    #[test]
    fn only_long_functions_outside_tests_count() {
        let of = |lines: usize| format!("fn f() {{\n{}}}\n", "\n".repeat(lines - 2));
        let test = format!("#[test]\n{}", of(60));
        let sources = parse(&[&of(40), &of(41), &test, &of(60)]);
        let texts: Vec<String> = long_functions(&sources).into_iter().map(|f| f.instead).collect();
        assert!(texts[0].contains("60 lines") && texts[1].contains("41 lines"), "{texts:?}");
        assert_eq!(texts.len(), 2);
        assert_eq!(check(&record(2), &sources), (Vec::new(), Vec::new()));
        let (findings, _) = check(&record(1), &sources);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].instead.contains("the record is 1"));
        let (findings, notes) = check(&record(3), &sources);
        assert!(findings.is_empty() && notes[0].contains("long_functions: 2"), "{notes:?}");
    }

    #[test]
    fn the_record_comes_back_only_lower_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("crates/xtask")).unwrap();
        record(7).write(folder.path()).unwrap();
        assert_eq!(Record::read(folder.path()).unwrap(), record(7));
        let long = format!("fn f() {{\n{}}}\n", "\n".repeat(60));
        lower(folder.path(), &parse(&[&long])).unwrap();
        assert_eq!(Record::read(folder.path()).unwrap(), record(1));
        assert!(lower(folder.path(), &parse(&[&long, &long])).is_err());
        fs::write(folder.path().join(FILE), "long_functions = many\n").unwrap();
        let error = Record::read(folder.path()).unwrap_err();
        assert!(format!("{error:#}").contains(FILE));
    }
}
