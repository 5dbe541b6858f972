//! `--assert` and `--junit`: assertions on a run, reported to users, CI systems and GitHub.

use super::RunArgs;
use crate::cli_error::CliError;
use crate::exit_code;
use crate::output::OutputError;
use crate::output::file::{self, Existing};
use crate::terminal::screen::{Screen, say_line, warn_line, wrapped};
use crate::terminal::stdout::note_failed_file;
use fathom_analysis::RowOutcome;
use fathom_document::run::RunDocument;
use fathom_document::{AssertionRow, gate_of};
use fathom_report::{JUNIT_HEAD, junit};
use fathom_stats::RunResult;
use std::path::Path;

/// # Errors
/// If `--junit` has no assertions, or its file is another file; checked before any I/O.
pub fn check(args: &RunArgs) -> Result<(), CliError> {
    let Some(path) = &args.junit else { return Ok(()) };
    if args.assertions.is_empty() {
        return Err(CliError::usage("--junit writes what became of --assert; give one"));
    }
    file::check(path, is_ours, Existing::KeepForeign)
        .map_err(|why| OutputError::NothingMeasured(Box::new(why)).into())
}

fn is_ours(old: &str) -> bool {
    old.starts_with(JUNIT_HEAD)
}

/// The outcome of each assertion.
pub fn judge(args: &RunArgs, result: &RunResult) -> Vec<AssertionRow> {
    args.assertions.iter().flat_map(|assertion| assertion.judge(result)).collect()
}

/// A line each, under the tables.
pub fn text(rows: &[AssertionRow], screen: &Screen) -> String {
    let line = |row: &AssertionRow| {
        let jobs = if row.jobs.is_empty() { String::new() } else { format!("{}: ", row.jobs) };
        let text = format!("{} {jobs}{}: {}", row.outcome.name(), row.assertion, row.sentence());
        wrapped(&text, screen.width, "", "  ")
    };
    let lines: String = rows.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// Prints the outcome and writes the requested file; returns the exit code.
pub fn conclude(args: &RunArgs, name: &str, document: &RunDocument) -> u8 {
    let rows = &document.assertions;
    if rows.is_empty() {
        return 0;
    }
    let gate = gate_of(rows);
    match args.report.for_programs() {
        true => warn_line(&format!("assertions: {gate}")),
        false => say_line(&format!("assertions: {gate}")),
    }
    if std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true") {
        rows.iter().filter_map(annotation).for_each(|line| warn_line(&line));
    }
    let written = args.junit.as_deref().is_none_or(|path| write(path, name, document));
    exit_code::of_gate(&gate, exit_code::MISSED).max(u8::from(!written))
}

/// A workflow command of GitHub, which shows the line beside the change. Characters that end a
/// command or a property are escaped as in GitHub's toolkit.
fn annotation(row: &AssertionRow) -> Option<String> {
    let level = match row.outcome {
        RowOutcome::Pass => return None,
        RowOutcome::Fail => "error",
        RowOutcome::Unclear => "warning",
    };
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let title = data(&row.assertion).replace(':', "%3A").replace(',', "%2C");
    let jobs = if row.jobs.is_empty() { String::new() } else { format!("{}: ", row.jobs) };
    Some(format!("::{level} title=fathom {title}::{}", data(&format!("{jobs}{}", row.sentence()))))
}

fn write(path: &Path, name: &str, document: &RunDocument) -> bool {
    let longest_ms = document.result.jobs.iter().map(|job| job.elapsed_ms).max().unwrap_or(0);
    let text = junit(name, &document.assertions, longest_ms as f64 / 1e3);
    let written = file::write(path, &text, is_ours, Existing::KeepForeign);
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
        let row = |outcome| AssertionRow {
            assertion: "p99<1ms".to_owned(),
            jobs: "a:b\n::error::x".to_owned(),
            measured: "1.4 ms".to_owned(),
            outcome,
            reason: None,
        };
        assert_eq!(annotation(&row(RowOutcome::Pass)), None);
        let missed = annotation(&row(RowOutcome::Fail)).unwrap();
        assert_eq!(missed, "::error title=fathom p99<1ms::a:b%0A::error::x: measured 1.4 ms");
    }
}
