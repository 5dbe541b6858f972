//! The ratchet: how many functions are longer than they should be. The record is in a committed
//! file and only goes down, so that the house gets no worse while nobody is looking.

use crate::finding::Finding;
use crate::source::Source;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// A function over this many lines is long; the hard limit is in shape.rs.
pub const LONG: usize = 40;

/// Where the record is kept.
const FILE: &str = "crates/xtask/ratchet.txt";

/// What was reached before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Functions over [`LONG`] lines outside tests.
    pub long_functions: usize,
}

/// A long function.
pub struct LongFunction {
    file: PathBuf,
    line: usize,
    name: String,
    length: usize,
}

impl Record {
    /// Reads the committed record.
    pub fn read(root: &Path) -> Result<Self> {
        let text = fs::read_to_string(root.join(FILE)).context(FILE)?;
        let value = text.lines().find_map(|line| line.strip_prefix("long_functions = "));
        let long_functions = value.and_then(|value| value.trim().parse().ok());
        let long_functions = long_functions
            .with_context(|| format!("{FILE} has no line `long_functions = NUMBER`"))?;
        Ok(Record { long_functions })
    }

    /// Writes the record.
    pub fn write(self, root: &Path) -> Result<()> {
        let text = format!(
            "# Functions over {LONG} lines outside tests. Only goes down: `cargo xtask ratchet`.\n\
             long_functions = {}\n",
            self.long_functions
        );
        fs::write(root.join(FILE), text).context(FILE)
    }
}

/// The long functions outside tests, the longest first.
pub fn long_functions(sources: &[Source]) -> Vec<LongFunction> {
    let mut long = Vec::new();
    for source in sources {
        let functions = source.functions.iter().filter(|function| function.length() > LONG);
        let counted = functions.filter(|function| !source.is_test(*function.lines.start()));
        long.extend(counted.map(|function| LongFunction {
            file: source.path.clone(),
            line: *function.lines.start(),
            name: function.name.clone(),
            length: function.length(),
        }));
    }
    long.sort_by_key(|function| std::cmp::Reverse(function.length));
    long
}

/// If there are more than the record, all of them: any may be the one to shorten.
pub fn check(record: Record, long: &[LongFunction]) -> Vec<Finding> {
    if long.len() <= record.long_functions {
        return Vec::new();
    }
    let complain = |function: &LongFunction| {
        let instead = format!(
            "`{}` has {} lines; {} functions are over {LONG} and the record is {}: shorten one",
            function.name,
            function.length,
            long.len(),
            record.long_functions
        );
        Finding::new(&function.file, function.line, "ratchet", instead)
    };
    long.iter().map(complain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(texts: &[&str]) -> Vec<LongFunction> {
        let parse = |text: &&str| Source::parse(Path::new("a.rs"), text.to_string()).unwrap();
        long_functions(&texts.iter().map(parse).collect::<Vec<_>>())
    }

    #[test]
    fn only_long_functions_outside_tests_count() {
        let of = |lines: usize| format!("fn f() {{\n{}}}\n", "\n".repeat(lines - 2));
        let test = format!("#[test]\n{}", of(60));
        let found = long(&[&of(40), &of(41), &test, &of(60)]);
        assert_eq!(found.iter().map(|f| f.length).collect::<Vec<_>>(), [60, 41]);
        assert_eq!(check(Record { long_functions: 2 }, &found), []);
        let findings = check(Record { long_functions: 1 }, &found);
        assert_eq!(findings.len(), 2);
        assert!(findings[0].instead.contains("the record is 1"));
    }

    #[test]
    fn the_record_comes_back_and_a_broken_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("crates/xtask")).unwrap();
        let record = Record { long_functions: 7 };
        record.write(folder.path()).unwrap();
        assert_eq!(Record::read(folder.path()).unwrap(), record);
        fs::write(folder.path().join(FILE), "long_functions = many\n").unwrap();
        let error = Record::read(folder.path()).unwrap_err();
        assert!(format!("{error:#}").contains(FILE));
    }
}
