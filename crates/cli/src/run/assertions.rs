//! `--assert` and `--junit`: assertions on a run, reported to users, CI systems and GitHub.

use super::job_place::line_of;
use super::{RunArgs, RunRefusal, table};
use crate::cli_error::CliError;
use crate::language::word;
use crate::terminal::notes::JudgedUnit;
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::verdicts;
use fathom_analysis::{GateResult, RowOutcome};
use fathom_document::run::RunDocument;
use fathom_document::verdicts::{Answer, Verdict};
use fathom_document::{Assertion, AssertionRow};
use fathom_job::{JobSpec, Origin};
use fathom_message::Lang;
use fathom_report::{FileLine, JudgedCase, JudgedSuite};
use fathom_vocab::{Direction, PerDirection};

/// # Errors
/// If `--junit` has no assertions, or its file is another file; checked before any I/O.
pub fn check(args: &RunArgs) -> Result<(), CliError> {
    args.junit.check("--assert", !args.assertions.is_empty())
}

/// # Errors
/// If an assertion is about a job that does not exist, or about I/Os that its jobs do not make.
pub fn check_jobs(args: &RunArgs, jobs: &[JobSpec]) -> Result<(), RunRefusal> {
    for assertion in &args.assertions {
        let is_meant = |job: &&JobSpec| assertion.job().is_none_or(|name| job.name == name);
        let meant: Vec<&JobSpec> = jobs.iter().filter(is_meant).collect();
        if let Some(name) = assertion.job().filter(|_| meant.is_empty()) {
            let mut names: Vec<String> = jobs.iter().map(|job| job.name.clone()).collect();
            names.dedup();
            return Err(RunRefusal::AssertedJob { job: name.to_owned(), names });
        }
        check_direction(assertion, &meant)?;
    }
    Ok(())
}

/// # Errors
/// If none of `jobs` makes the I/Os that the assertion is about: it could never hold.
fn check_direction(assertion: &Assertion, jobs: &[&JobSpec]) -> Result<(), RunRefusal> {
    let makes = |job: &&JobSpec, way: Direction| {
        let rw = job.pattern.rw;
        PerDirection { read: rw.read, write: rw.write, trim: rw.trim }[way]
    };
    let any_makes = |way: &Direction| jobs.iter().any(|job| makes(job, *way));
    let Some(asserted) = assertion.direction().filter(|way| !any_makes(way)) else {
        return Ok(());
    };
    let made = Direction::ALL.into_iter().filter(any_makes);
    let mut named: Vec<String> = jobs.iter().map(|job| named(job)).collect();
    named.dedup();
    Err(RunRefusal::AssertedDirection {
        assertion: assertion.text().to_owned(),
        asserted,
        jobs: named,
        made: made.map(|way| format!("{}.", way.name())).collect(),
    })
}

/// A job's name, with its place in a job file.
fn named(job: &JobSpec) -> String {
    match &job.origin {
        origin @ Origin::File { .. } => format!("{} ({origin})", job.name),
        _ => job.name.clone(),
    }
}

/// The outcome of each assertion.
pub fn judge(args: &RunArgs, document: &RunDocument) -> Vec<AssertionRow> {
    let judge = |assertion: &Assertion| assertion.judge(&document.result, &document.groups);
    args.assertions.iter().flat_map(judge).collect()
}

/// A line each, under the tables.
pub fn text(rows: &[AssertionRow], screen: &Screen) -> String {
    let line = |row: &AssertionRow| {
        let jobs = if row.jobs.is_empty() { String::new() } else { format!("{}: ", row.jobs) };
        let outcome = word(row.outcome.name());
        let text = format!("{outcome} {jobs}{}: {}", row.assertion, row.text().text(screen.lang));
        wrapped(text, screen.width, "", "  ")
    };
    let lines: String = rows.iter().map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The outcome of all assertions in a line, if there are any.
pub fn gate_line(document: &RunDocument) -> Option<String> {
    let gate = document.gate.as_ref()?;
    Some(localized!("assertions: {}", in_short(gate, document)))
}

/// The gate, with the name alone of a job whose error was told.
fn in_short(gate: &GateResult, document: &RunDocument) -> GateResult {
    let failures = document.job_failures().into_iter();
    let named = failures.filter(|(_, why)| Some(why) == gate.reason.as_ref());
    let reason = named.map(|(job, _)| format!("job {job} failed")).next();
    GateResult { reason: reason.or_else(|| gate.reason.clone()), ..gate.clone() }
}

/// The assertions on `jobs` and the jobs that failed, with what throws doubt on the figures.
pub fn suite(name: &str, jobs: &[JobSpec], document: &RunDocument) -> JudgedSuite {
    let cases = document.assertions.iter().map(|row| case(row, document));
    let mut cases: Vec<JudgedCase> = cases.collect();
    let is_told = |why: &String| cases.iter().any(|case| case.is_error && case.sentence == *why);
    let untold = document.job_failures().into_iter().filter(|(_, why)| !is_told(why));
    cases.extend(untold.map(failed_job).collect::<Vec<JudgedCase>>());
    for case in &mut cases {
        case.place = place_of(&case.subject, jobs);
    }
    let notes = table::notes(&document.result, Lang::En);
    JudgedSuite {
        name: name.to_owned(),
        cases,
        warnings: verdicts::warnings(notes, &document.named_groups(), JudgedUnit::Test),
        place: place_of("", jobs),
        ..JudgedSuite::default()
    }
}

/// A job that failed, as a case of its own.
fn failed_job((job, sentence): (String, String)) -> JudgedCase {
    JudgedCase {
        subject: job,
        name: "job".to_owned(),
        is_error: true,
        sentence,
        ..JudgedCase::default()
    }
}

/// The line of a job's section, or for several jobs the first line of their file; none if they were
/// typed.
fn place_of(name: &str, jobs: &[JobSpec]) -> Option<FileLine> {
    let section = |job: &JobSpec| line_of(&job.origin);
    match jobs.iter().find(|job| job.name == name) {
        Some(job) => section(job),
        None => jobs.iter().find_map(section).map(|first| FileLine { line: 1, ..first }),
    }
}

fn case(row: &AssertionRow, document: &RunDocument) -> JudgedCase {
    let failure = failure_of(row, document).filter(|_| row.outcome == RowOutcome::Undecided);
    JudgedCase {
        subject: row.jobs.clone(),
        name: row.assertion.clone(),
        outcome: row.outcome,
        is_error: failure.is_some(),
        sentence: failure.unwrap_or_else(|| row.sentence()),
        warnings: warnings_on(row, document),
        ..JudgedCase::default()
    }
}

/// Why a job of the assertion failed, if one did.
fn failure_of(row: &AssertionRow, document: &RunDocument) -> Option<String> {
    let is_own = |job: &String| row.jobs.is_empty() || row.jobs.split(", ").any(|own| own == job);
    let failed = document.job_failures().into_iter().find(|(job, _)| is_own(job));
    failed.map(|(_, why)| why)
}

/// The warnings on the jobs of an assertion and on what ran beside them; none if it is about all
/// jobs, so that those of the suite count.
fn warnings_on(row: &AssertionRow, document: &RunDocument) -> Option<Vec<String>> {
    let own: Vec<&str> = row.jobs.split(", ").collect();
    let is_own = |name: &str| name == row.jobs || name.split(", ").any(|job| own.contains(&job));
    let made = |way: Direction| {
        let mut jobs = document.result.jobs.iter().filter(|job| is_own(&job.name));
        jobs.any(|job| job.dirs[way].total_ios > 0)
    };
    // A cache that served reads says nothing of a job that writes beside them.
    let is_about = |verdict: &&Verdict| match &verdict.answer {
        Answer::Cached(finding) => made(finding.direction),
        _ => true,
    };
    let groups = document.named_groups().into_iter();
    let groups = groups.filter(|(name, _)| name.is_empty() || is_own(name));
    let groups: Vec<(String, Vec<Verdict>)> = groups
        .map(|(name, verdicts)| (name, verdicts.iter().filter(is_about).cloned().collect()))
        .collect();
    let groups: Vec<(String, &[Verdict])> =
        groups.iter().map(|(name, of)| (name.clone(), of.as_slice())).collect();
    let mut notes = table::notes(&document.result, Lang::En);
    let others = || document.result.jobs.iter().filter(|job| !is_own(&job.name));
    notes.retain(|note| !others().any(|job| note.text.starts_with(&format!("{}: ", job.name))));
    (!row.jobs.is_empty()).then(|| verdicts::warnings(notes, &groups, JudgedUnit::Test))
}
