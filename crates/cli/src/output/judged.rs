//! `--junit`, and annotations of GitHub: the outcome of each judged limit for CI systems.
//!
//! One flag with one meaning in every command that judges: `run --assert`, `check`, `limit` and
//! `compare --fail-if-worse`. Each limit is one case; an undecided one is skipped, with its reason.

use super::OutputError;
use super::file::{self, Existing};
use crate::cli_error::CliError;
use crate::terminal::screen::warn_line;
use crate::terminal::stdout::note_failed_file;
use clap::{Args, ValueHint};
use fathom_analysis::RowOutcome;
use fathom_report::{JUNIT_HEAD, JudgedCase, junit};
use std::path::{Path, PathBuf};

/// The flag.
#[derive(Clone, Debug, Default, Args)]
pub struct JunitArgs {
    /// Write the outcome of each limit to FILE, as JUnit's XML
    #[arg(long, help_heading = super::form::HEADING,
          value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,
}

impl JunitArgs {
    /// Refuses the flag before any I/O if there will be no limit (`source` is what gives one), or
    /// if the file cannot be written.
    ///
    /// # Errors
    /// Says what to give instead.
    pub fn check(&self, source: &str, has_limits: bool) -> Result<(), CliError> {
        let Some(path) = &self.junit else { return Ok(()) };
        if !has_limits {
            let why = format!("--junit writes the outcome of {source}; give {source} as well");
            return Err(CliError::usage(why));
        }
        file::check(path, is_ours, Existing::KeepForeign)
            .map_err(|why| OutputError::NothingMeasured(Box::new(why)).into())
    }

    /// Prints annotations in GitHub's actions, and writes the requested file, a suite called
    /// `name` that took `seconds`; returns whether it is written.
    pub fn tell(&self, name: &str, cases: &[JudgedCase], seconds: f64) -> bool {
        if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
            cases.iter().filter_map(annotation).for_each(|line| warn_line(&line));
        }
        self.junit.as_deref().is_none_or(|path| write(path, &junit(name, cases, seconds)))
    }
}

fn is_ours(old: &str) -> bool {
    old.starts_with(JUNIT_HEAD)
}

/// A workflow command of GitHub, which shows the line beside the change. Characters that end a
/// command or a property are escaped as in GitHub's toolkit.
fn annotation(case: &JudgedCase) -> Option<String> {
    let level = match case.outcome {
        RowOutcome::Pass => return None,
        RowOutcome::Fail => "error",
        RowOutcome::Undecided if case.is_error => "error",
        RowOutcome::Undecided => "warning",
    };
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = data(&case.name).replace(':', "%3A").replace(',', "%2C");
    let subject = match case.subject.as_str() {
        "" => String::new(),
        subject => format!("{subject}: "),
    };
    let text = data(&format!("{subject}{}", case.sentence));
    Some(format!("::{level} title=fathom {title}::{text}"))
}

fn write(path: &Path, text: &str) -> bool {
    let written = file::write(path, text, is_ours, Existing::KeepForeign);
    match &written {
        Ok(()) => warn_line(&format!("JUnit: {}", path.display())),
        Err(why) => {
            warn_line(&format!("fathom: {why}"));
            note_failed_file();
        }
    }
    written.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_missed_is_an_annotation_on_one_line() {
        let case = |outcome| JudgedCase {
            subject: "a:b\n::error::x".to_owned(),
            name: "p99<1ms".to_owned(),
            outcome,
            is_error: false,
            sentence: "measured 1.4 ms".to_owned(),
        };
        assert_eq!(annotation(&case(RowOutcome::Pass)), None);
        let missed = annotation(&case(RowOutcome::Fail)).unwrap();
        assert_eq!(missed, "::error title=fathom p99<1ms::a:b%0A::error::x: measured 1.4 ms");
    }
}
