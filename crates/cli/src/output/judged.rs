//! `--junit`, and annotations of GitHub: the outcome of each judged limit for CI systems.
//!
//! One flag with one meaning in every command that judges: `run --assert`, `check`, `limit` and
//! `compare --fail-if-worse`. Each limit is one case; an undecided one is skipped, with its reason.
//! What throws doubt on the figures stands beside a limit that was kept, too: a machine reads no
//! table.
//!
//! A command that failed before it could judge is one case, an error, in both forms.

use super::OutputError;
use super::command_failure::CommandFailure;
use super::file::{self, Existing};
use crate::cli_error::CliError;
use crate::terminal::screen::{warn, warn_line};
use crate::terminal::stdout::note_failed_file;
use clap::{Args, ValueHint};
use fathom_analysis::RowOutcome;
use fathom_report::{FileLine, JUNIT_HEAD, JudgedCase, JudgedSuite, junit};
use fathom_text::text;
use fathom_vocab::printable;
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
            let why = text!("--junit writes the outcome of {source}; give {source} as well");
            return Err(CliError::usage(why));
        }
        file::check(path, is_ours, Existing::KeepForeign)
            .map_err(|why| OutputError::NothingMeasured(Box::new(why)).into())
    }

    /// Prints annotations in GitHub's actions, and writes the requested file; returns whether it is
    /// written.
    pub fn tell(&self, suite: &JudgedSuite) -> bool {
        HAS_CASES.store(true, Ordering::Relaxed);
        annotate(suite);
        self.junit.as_deref().is_none_or(|path| write(path, &junit(suite)))
    }
}

/// The suite of a run that was stopped, by `signal` if one did it: what it could not judge is an
/// error, as a pipeline that was cancelled must not look like one whose evidence did not suffice.
pub fn after_stop(mut suite: JudgedSuite, signal: Option<&str>) -> JudgedSuite {
    let by = signal.map_or("before its end".to_owned(), |signal| format!("by {signal}"));
    let undecided = |case: &&mut JudgedCase| case.outcome == RowOutcome::Undecided;
    for case in suite.cases.iter_mut().filter(undecided).filter(|case| !case.is_error) {
        case.is_error = true;
        case.sentence = format!("stopped {by}; {}", case.sentence);
    }
    suite
}

/// Whether this process has written cases, which no later failure replaces.
static HAS_CASES: AtomicBool = AtomicBool::new(false);

/// Writes the failure of a `command` that judges as one case.
pub(super) fn write_failure(words: &[&str], command: &str, failure: &CommandFailure) {
    if HAS_CASES.load(Ordering::Relaxed) {
        return;
    }
    let suite = failed_suite(command, failure);
    annotate(&suite);
    if let Some(path) = junit_path(words) {
        replace(path, &suite);
    }
}

/// The same of a run that has only begun, which is no annotation.
pub(super) fn write_unfinished(words: &[&str], command: &str, failure: &CommandFailure) {
    if let Some(path) = junit_path(words).filter(|path| file::is_replaceable(path)) {
        replace(path, &failed_suite(command, failure));
    }
}

/// Writes a failure over what an earlier run left. The command has failed, and its own error is
/// what is said of it.
fn replace(path: &Path, suite: &JudgedSuite) {
    let _ = file::write(path, &junit(suite), is_ours, Existing::KeepForeign);
}

fn failed_suite(command: &str, failure: &CommandFailure) -> JudgedSuite {
    let case = JudgedCase {
        name: command.to_owned(),
        is_error: true,
        sentence: failure.why.to_string(),
        place: failure.place.clone(),
        ..JudgedCase::default()
    };
    JudgedSuite { name: command.to_owned(), cases: vec![case], ..JudgedSuite::default() }
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

/// Warnings that are annotations; more would hide the limits among them.
const MOST_WARNINGS: usize = 3;

/// Prints annotations in GitHub's actions: in English, as the file, because a text whose characters
/// are escaped could be translated in part only.
fn annotate(suite: &JudgedSuite) {
    if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
        annotations(suite).for_each(|line| warn(&format!("{}\n", printable::line(&line))));
    }
}

/// Those of the limits that were not kept, then those of the warnings.
fn annotations(suite: &JudgedSuite) -> impl Iterator<Item = String> + '_ {
    let warning = |text: &String| workflow_command("warning", suite.place.as_ref(), "fathom", text);
    let warnings = suite.warnings.iter().take(MOST_WARNINGS).map(warning);
    suite.cases.iter().filter_map(annotation).chain(warnings)
}

fn is_ours(old: &str) -> bool {
    old.starts_with(JUNIT_HEAD)
}

/// The annotation of a limit that was not kept.
fn annotation(case: &JudgedCase) -> Option<String> {
    let level = match case.outcome {
        RowOutcome::Pass => return None,
        RowOutcome::Fail => "error",
        RowOutcome::Undecided if case.is_error => "error",
        RowOutcome::Undecided => "warning",
    };
    let subject = match case.subject.as_str() {
        "" => String::new(),
        subject => format!("{subject}: "),
    };
    let text = format!("{subject}{}", case.sentence);
    Some(workflow_command(level, case.place.as_ref(), &format!("fathom {}", case.name), &text))
}

/// A workflow command of GitHub, which shows `text` in the summary of the workflow, and beside the
/// line of a change. Characters that end a command or a property are escaped as in GitHub's
/// toolkit.
fn workflow_command(level: &str, place: Option<&FileLine>, title: &str, text: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    let place = place.map(|of| format!("file={},line={},", property(&of.file), of.line));
    let place = place.unwrap_or_default();
    format!("::{level} {place}title={}::{}", property(title), data(text))
}

fn write(path: &Path, text: &str) -> bool {
    let written = file::write(path, text, is_ours, Existing::KeepForeign);
    match &written {
        Ok(()) => warn_line(text!("JUnit: {}", path.display())),
        Err(why) => {
            warn_line(format_args!("fathom: {why}"));
            note_failed_file();
        }
    }
    written.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_found_in_any_command_line() {
        let found = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            junit_path(&words).and_then(Path::to_str).map(str::to_owned)
        };
        let file = |name: &str| Some(name.to_owned());
        assert_eq!(found("check /d --junit j.xml --wrong"), file("j.xml"));
        assert_eq!(found("--lang ko run a.fio --junit=j.xml"), file("j.xml"));
        assert_eq!(found("compare a b --junit"), None);
        assert_eq!(found("limit /d -- --junit j.xml"), None);
    }

    #[test]
    fn what_missed_is_an_annotation_on_one_line() {
        let case = |outcome| JudgedCase {
            subject: "a:b\n::error::x".to_owned(),
            name: "p99<1ms".to_owned(),
            outcome,
            sentence: "measured 1.4 ms".to_owned(),
            ..JudgedCase::default()
        };
        assert_eq!(annotation(&case(RowOutcome::Pass)), None);
        let missed = annotation(&case(RowOutcome::Fail)).unwrap();
        assert_eq!(missed, "::error title=fathom p99<1ms::a:b%0A::error::x: measured 1.4 ms");
        let place = Some(FileLine { file: "ci/a,b:c.fio".to_owned(), line: 7 });
        let missed = annotation(&JudgedCase { place, ..case(RowOutcome::Undecided) }).unwrap();
        let place = "file=ci/a%2Cb%3Ac.fio,line=7,";
        assert!(
            missed.starts_with(&format!("::warning {place}title=fathom p99<1ms::")),
            "{missed}"
        );
    }

    #[test]
    fn what_a_signal_left_unjudged_is_an_error() {
        let case = |outcome| JudgedCase {
            name: "p99<1ms".to_owned(),
            outcome,
            sentence: "it was not run".to_owned(),
            ..JudgedCase::default()
        };
        let cases = [RowOutcome::Undecided, RowOutcome::Pass].map(case).to_vec();
        let suite = JudgedSuite { cases, ..JudgedSuite::default() };
        let unknown = &after_stop(suite.clone(), None).cases[0];
        assert_eq!(unknown.sentence, "stopped before its end; it was not run");
        let stopped = after_stop(suite, Some("SIGTERM")).cases;
        assert_eq!([stopped[0].is_error, stopped[1].is_error], [true, false]);
        assert_eq!(stopped[0].sentence, "stopped by SIGTERM; it was not run");
        let shown = annotation(&stopped[0]).unwrap();
        assert!(shown.starts_with("::error "), "{shown}");
    }

    #[test]
    fn three_warnings_at_most_are_annotations() {
        let suite = JudgedSuite {
            warnings: ["cached", "busy: 90 %", "c", "d"].map(str::to_owned).to_vec(),
            place: Some(FileLine { file: "a.fio".to_owned(), line: 1 }),
            ..JudgedSuite::default()
        };
        let expected = ["cached", "busy: 90 %25", "c"]
            .map(|text| format!("::warning file=a.fio,line=1,title=fathom::{text}"));
        assert_eq!(annotations(&suite).collect::<Vec<String>>(), expected);
    }
}
