//! `--junit`, and annotations of GitHub: the outcome of each judged limit for CI systems.
//!
//! One flag with one meaning in every command that judges: `run --assert`, `check`, `limit` and
//! `compare --fail-if-worse`. Each limit is one case; an undecided one is skipped, with its reason.
//!
//! A command that failed before it could judge is one case, an error, in both forms: otherwise a
//! pipeline shows the file of an earlier run, or nothing. The command line may be wrong then, so
//! that the flag is looked for in its words.

use super::OutputError;
use super::file::{self, Existing};
use crate::cli_error::CliError;
use crate::terminal::screen::warn_line;
use crate::terminal::stdout::note_failed_file;
use clap::{Args, ValueHint};
use fathom_analysis::RowOutcome;
use fathom_report::{JUNIT_HEAD, JudgedCase, junit};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

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
        HAS_CASES.store(true, Ordering::Relaxed);
        annotate(cases);
        self.junit.as_deref().is_none_or(|path| write(path, &junit(name, cases, seconds)))
    }
}

/// Whether this process has written cases, which no later failure replaces.
static HAS_CASES: AtomicBool = AtomicBool::new(false);

/// Writes a failure of the command line `words` as one case, if the command is one that judges.
pub fn write_failure(words: &[OsString], why: &str) {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let Some(command) = judging(&words).filter(|_| !HAS_CASES.load(Ordering::Relaxed)) else {
        return;
    };
    let case = JudgedCase {
        subject: String::new(),
        name: command.to_owned(),
        outcome: RowOutcome::Undecided,
        is_error: true,
        sentence: why.to_owned(),
    };
    annotate(std::slice::from_ref(&case));
    if let Some(path) = junit_path(&words) {
        // The command has failed, and its own error is what is said of it.
        let _ = file::write(path, &junit(command, &[case], 0.0), is_ours, Existing::KeepForeign);
    }
}

/// The command, if it is one that judges.
fn judging(words: &[&str]) -> Option<&'static str> {
    let is_value = |at: usize| at > 0 && words[at - 1] == "--lang";
    let at = (0..words.len()).find(|at| !words[*at].starts_with('-') && !is_value(*at))?;
    // The words of kube's flags may stand before its command.
    match (words[at], words[at..].contains(&"run")) {
        ("kube", true) => Some("kube run"),
        (word, _) => ["run", "check", "limit", "compare"].into_iter().find(|name| *name == word),
    }
}

/// The file that `--junit` names.
fn junit_path<'w>(words: &[&'w str]) -> Option<&'w Path> {
    let mut words = words.iter().take_while(|word| **word != "--");
    let path = words.find_map(|word| match word.strip_prefix("--junit") {
        Some("") => Some(None),
        Some(value) => Some(Some(value.strip_prefix('=')?)),
        None => None,
    })?;
    path.or_else(|| words.next().copied()).map(Path::new)
}

/// Prints annotations in GitHub's actions.
fn annotate(cases: &[JudgedCase]) {
    if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
        cases.iter().filter_map(annotation).for_each(|line| warn_line(&line));
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
    fn a_command_that_judges_and_its_file_are_found_in_any_command_line() {
        let found = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let path = junit_path(&words).and_then(Path::to_str).map(str::to_owned);
            (judging(&words), path)
        };
        let file = |name: &str| Some(name.to_owned());
        assert_eq!(found("check /d --junit j.xml --wrong"), (Some("check"), file("j.xml")));
        assert_eq!(found("--lang ko run a.fio --junit=j.xml"), (Some("run"), file("j.xml")));
        assert_eq!(found("kube --context c run -f x --junit j"), (Some("kube run"), file("j")));
        assert_eq!(found("compare a b --junit"), (Some("compare"), None));
        assert_eq!(found("limit /d -- --junit j.xml"), (Some("limit"), None));
        assert_eq!(found("measure /d --junit j.xml"), (None, file("j.xml")));
        assert_eq!(found("kube measure --junit j.xml").0, None);
    }

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
