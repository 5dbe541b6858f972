//! Errors of reading earlier results for a comparison.

use fathom_analysis::LEAST_ROUNDS;
use fathom_campaign::compare::Contrasts;
use fathom_document::test_title;
use fathom_files::InputError;
use fathom_text::{Text, text};
use std::path::PathBuf;

/// Why earlier results cannot be compared.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum RecordedError {
    /// No file, folder or run has that name.
    #[error(
        "{} does not exist; name folders or devices to measure them, or runs of `fathom history` \
         or files of results to compare these",
        .0.display()
    )]
    Missing(PathBuf),
    /// A baseline that is to be measured.
    #[error(
        "{0} is no run: --baseline takes runs of `fathom history`, files of results, or tag:NAME"
    )]
    NoRun(String),
    /// A tag that no run has, while others are in use: most likely it is misspelt.
    #[error("no run has the tag {tag:?}; the history has the tags {}", known.join(", "))]
    UnknownTag {
        /// The tag.
        tag: String,
        /// All tags of the history.
        known: Vec<String>,
    },
    /// Too few runs to show their spread.
    #[error(
        "--baseline takes {LEAST_ROUNDS} runs or more, and {found} {found|1=was|were} found; \
         measure again with --tag, or give --any-target if runs of other targets, commands or \
         loads may count"
    )]
    TooFew {
        /// Runs that there are.
        found: usize,
    },
    /// Too few runs like the compared one.
    #[error(
        "--baseline takes {LEAST_ROUNDS} runs or more like {like}, and {found} {found|1=was|were} \
         found; measure again with --tag, or give --any-target if runs of other targets, commands \
         or loads may count"
    )]
    TooFewAlike {
        /// The compared run: `1m8d (a measure of /a)`.
        like: String,
        /// Runs that there are.
        found: usize,
    },
    /// A tag with enough runs, of which none is like the compared one: most likely that is another
    /// run than was meant.
    #[error(
        "{compared}; none of the {tagged} runs with the tag {tag:?} is of that command, with those \
         targets and loads (the last is {last}). Name the run to compare by its id or its tag; if \
         it is the right one, measure again with --tag, or give --any-target"
    )]
    NoneAlike {
        /// The compared run: `1m8d is a compare of /a and /b`.
        compared: String,
        tag: String,
        /// Whole runs that have it.
        tagged: usize,
        /// The last of them.
        last: String,
    },
    /// A file is too large to be one of results.
    #[error("{0}; to measure a file, name it to `fathom measure`")]
    TooLarge(#[source] InputError),
    /// A file cannot be read.
    #[error(transparent)]
    File(InputError),
    /// No figure of one is a figure of the other.
    #[error(
        "no test of {before} is a test of {after}: the first has {}, the other {}. Name runs with \
         the same tests, cases or jobs; `fathom history` lists runs",
        first_of(only_before),
        first_of(only_after)
    )]
    NothingInCommon {
        before: String,
        after: String,
        /// Figures of the first.
        only_before: Vec<String>,
        /// Figures of the other.
        only_after: Vec<String>,
    },
}

impl RecordedError {
    /// Whether the baseline has too few runs to judge by.
    pub fn is_too_few(&self) -> bool {
        matches!(self, RecordedError::TooFew { .. } | RecordedError::TooFewAlike { .. })
    }

    /// No figure of one side of `pair` is a figure of the other.
    pub fn nothing_in_common(pair: &Contrasts) -> RecordedError {
        RecordedError::NothingInCommon {
            before: pair.before.clone(),
            after: pair.after.clone(),
            only_before: pair.only_before.clone(),
            only_after: pair.only_after.clone(),
        }
    }
}

/// The first name, and the number of the others.
fn first_of(names: &[String]) -> Text {
    match names {
        [] => "none".into(),
        [only] => text!("'{}'", test_title(only)),
        [first, others @ ..] => {
            text!("'{}' and {} more", test_title(first), others.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_named_by_the_first_and_the_number_of_the_others() {
        let names: Vec<String> = (1..=24).map(|number| format!("phase {number}")).collect();
        assert_eq!(first_of(&names).to_string(), "'phase 1' and 23 more");
        assert_eq!(first_of(&names[..1]).to_string(), "'phase 1'");
        assert_eq!(first_of(&[]).to_string(), "none");
    }
}
