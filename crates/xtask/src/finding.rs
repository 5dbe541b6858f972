//! A finding of a check: a position, the rule, and advice.

use std::fmt;
use std::path::{Path, PathBuf};

/// One violation of a rule, in display order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TidyFinding {
    /// The file, from the repository's root.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The rule's name.
    pub rule: &'static str,
    /// Advice.
    pub instead: String,
}

impl TidyFinding {
    /// A finding at a place.
    pub fn new(file: &Path, line: usize, rule: &'static str, instead: impl Into<String>) -> Self {
        TidyFinding { file: file.to_owned(), line, rule, instead: instead.into() }
    }
}

impl fmt::Display for TidyFinding {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}: {}: {}", self.file.display(), self.line, self.rule, self.instead)
    }
}
