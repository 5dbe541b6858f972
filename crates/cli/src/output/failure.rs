//! What a command that failed leaves in the outputs that its command line names: its error, in
//! place of what an earlier run left there.
//!
//! Otherwise a later step of a pipeline takes an old file for the answer of this run, or the
//! summary that standard output is appended to says nothing. The command line may be wrong, so that
//! the flags are looked for in its words.

use super::command_failure::{
    CSV_COLUMNS, CommandFailure, FAILURE_SCHEMA, FailedGate, FailureDocument,
};
use super::file::{self, Existing};
use super::form::{Form, is_document};
use super::{OutputError, document_text, judged};
use crate::terminal::screen::{self, say};
use fathom_message::{Lang, Message};
use fathom_report::Report;
use fathom_report::model::{Column, Table, TableCell};
use fathom_text::Text;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Commands that write results where their flags say so.
pub(super) const COMMANDS: [&str; 11] = [
    "measure",
    "run",
    "check",
    "sweep",
    "compare",
    "limit",
    "kube measure",
    "kube run",
    "kube check",
    "kube sweep",
    "kube compare",
];

/// Those of them that judge, and have `--junit`.
const JUDGING: [&str; 7] =
    ["run", "check", "limit", "compare", "kube run", "kube check", "kube compare"];

/// Whether this process has printed its result: no later failure is printed after it.
static IS_PRINTED: AtomicBool = AtomicBool::new(false);
/// Whether it has written its files, which no later failure replaces.
static IS_WRITTEN: AtomicBool = AtomicBool::new(false);

/// Notes that the result is about to be printed.
pub(super) fn note_printed() {
    IS_PRINTED.store(true, Ordering::Relaxed);
}

/// Notes that the files of the result are about to be written.
pub(super) fn note_written() {
    IS_WRITTEN.store(true, Ordering::Relaxed);
}

/// Writes the failure of the command line `words` to every output that it names, and that the
/// command itself has not written.
pub fn write_failure(words: &[OsString], failure: &CommandFailure) {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let Some(command) = FailedCommand::of(&words) else { return };
    if command.judges {
        judged::write_failure(&words, command.name, failure);
    }
    write_results(&words, command, failure);
}

/// Writes to the files that the command line `words` names that the run has not ended: one that is
/// killed cannot, and an old PASS would stay.
pub fn write_unfinished(words: &[OsString]) {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let Some(command) = FailedCommand::of(&words) else { return };
    let failure = CommandFailure { why: Text::of(UNFINISHED), place: None, code: 1 };
    if command.judges {
        judged::write_unfinished(&words, command.name, &failure);
    }
    let is_file = |path: &str| path != "-" && file::is_replaceable(Path::new(path));
    let files = outputs(&words).into_iter().filter(|(_, path)| is_file(path));
    files.for_each(|(content, path)| content.replace(path, command, &failure));
}

/// What stands in these files until the run has ended.
const UNFINISHED: &str = "the run has not ended: it goes on, or it was killed";

/// A command whose flags name outputs.
#[derive(Clone, Copy)]
struct FailedCommand {
    name: &'static str,
    /// Whether it judges. `measure` does with `--for`, by a program's limit.
    judges: bool,
}

impl FailedCommand {
    /// The command of this command line, if it is such a command.
    fn of(words: &[&str]) -> Option<FailedCommand> {
        let name = command_of(words)?;
        let is_flag = |word: &&str| *word == "--for" || word.starts_with("--for=");
        let is_measure = ["measure", "kube measure"].contains(&name);
        let judges = JUDGING.contains(&name) || is_measure && words.iter().any(is_flag);
        Some(FailedCommand { name, judges })
    }
}

fn write_results(words: &[&str], command: FailedCommand, failure: &CommandFailure) {
    let outputs = outputs(words);
    if !IS_WRITTEN.load(Ordering::Relaxed) {
        for (content, path) in outputs.iter().filter(|(_, path)| *path != "-") {
            content.replace(path, command, failure);
        }
    }
    // Standard output holds one form.
    let printed = outputs.iter().find(|(_, path)| *path == "-");
    if let Some((content, _)) = printed.filter(|_| !IS_PRINTED.load(Ordering::Relaxed)) {
        let _ = content.text(command, failure).map(|text| say(&text));
    }
}

/// The command, if it is one whose flags name outputs.
pub(super) fn command_of(words: &[&str]) -> Option<&'static str> {
    let is_value = |at: usize| at > 0 && words[at - 1] == "--lang";
    let at = (0..words.len()).find(|at| !words[*at].starts_with('-') && !is_value(*at))?;
    let is_named = |name: &&str| match name.strip_prefix("kube ") {
        // The words of kube's flags may stand before its command.
        Some(name) => words[at] == "kube" && words[at..].contains(&name),
        None => words[at] == *name,
    };
    COMMANDS.into_iter().find(is_named)
}

/// What an output holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OutputContent {
    /// The document of a command.
    Document,
    /// A report.
    Report(Form),
}

impl OutputContent {
    /// Writes a failure over what an earlier run left. The command has failed, and its own error is
    /// what is said of it.
    fn replace(self, path: &str, command: FailedCommand, failure: &CommandFailure) {
        let _ = self.text(command, failure).and_then(|text| {
            let is_ours = |old: &str| self.was_ours(old);
            file::write(Path::new(path), &text, is_ours, Existing::KeepForeign)
        });
    }

    fn text(self, command: FailedCommand, failure: &CommandFailure) -> Result<String, OutputError> {
        match self {
            OutputContent::Document => document_text::json(&document(command, failure)),
            OutputContent::Report(form) => form.text(&report(form, command.name, failure)),
        }
    }

    /// Whether an old file is a result of ours.
    fn was_ours(self, old: &str) -> bool {
        match self {
            OutputContent::Document => is_document(old),
            OutputContent::Report(form) => form.is_ours(old),
        }
    }
}

/// The outputs that are named, each with its file or `-` for standard output.
fn outputs<'w>(words: &[&'w str]) -> Vec<(OutputContent, &'w str)> {
    let mut found = Vec::new();
    let mut words = words.iter().copied().take_while(|word| *word != "--");
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
        let content = match flag {
            "--json" | "--json-summary" => OutputContent::Document,
            "--csv" => OutputContent::Report(Form::Csv),
            "--markdown" => OutputContent::Report(Form::Markdown),
            "--report" => {
                let Some(path) = value.or_else(|| words.next()) else { continue };
                let form = Form::of_path(Path::new(path)).ok();
                found.extend(form.map(|form| (OutputContent::Report(form), path)));
                continue;
            }
            _ => continue,
        };
        found.push((content, value.unwrap_or("-")));
    }
    found
}

fn document(command: FailedCommand, failure: &CommandFailure) -> FailureDocument<'_> {
    let outcome = if failure.is_undecided() { "undecided" } else { "error" };
    let why = failure.why.text(Lang::En);
    let gate = FailedGate { outcome, reason: why };
    FailureDocument {
        kind: "fathom-failure",
        schema: FAILURE_SCHEMA,
        fathom_version: env!("FATHOM_VERSION"),
        summary: summary(failure).text(Lang::En),
        command: command.name,
        error: why,
        exit_code: failure.code,
        gate: command.judges.then_some(gate),
    }
}

/// The first sentence of a failure.
fn summary(failure: &CommandFailure) -> Message {
    let id = if failure.is_undecided() { "summary-undecided" } else { "summary-failed" };
    Message::new(id).part("why", failure.why.clone().into())
}

/// The failure as a page, or as a table where the form is one.
fn report(form: Form, command: &str, failure: &CommandFailure) -> Report {
    let lang = screen::lang();
    let column = |key: &str| Column { key: key.to_owned(), name: String::new(), unit: None };
    let table = || Table {
        id: "failure".to_owned(),
        title: String::new(),
        columns: CSV_COLUMNS.map(column).to_vec(),
        rows: vec![vec![
            TableCell::Text(failure.why.text(Lang::En).to_owned()),
            TableCell::Number(f64::from(failure.code)),
        ]],
    };
    Report {
        lang,
        title: format!("fathom {command}"),
        answers: vec![summary(failure).text(lang)],
        tables: if form == Form::Csv { vec![table()] } else { Vec::new() },
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit_code;

    fn failure() -> CommandFailure {
        CommandFailure { why: Text::of("no folder, \"no\" run"), place: None, code: 1 }
    }

    #[test]
    fn the_command_and_its_outputs_are_found_in_any_command_line() {
        let found = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let outputs = outputs(&words).into_iter().map(|(of, path)| (of, path.to_owned()));
            (command_of(&words), outputs.collect::<Vec<_>>())
        };
        let of = |form: Form, path: &str| (OutputContent::Report(form), path.to_owned());
        let json = |path: &str| (OutputContent::Document, path.to_owned());
        assert_eq!(found("run a.fio --json=o.json"), (Some("run"), vec![json("o.json")]));
        assert_eq!(
            found("--lang ko check /d --markdown --csv=x.csv --wrong"),
            (Some("check"), vec![of(Form::Markdown, "-"), of(Form::Csv, "x.csv")])
        );
        assert_eq!(
            found("measure /d --report r.html --report=r.md --json"),
            (
                Some("measure"),
                vec![of(Form::Html, "r.html"), of(Form::Markdown, "r.md"), json("-")]
            )
        );
        assert_eq!(found("kube --context c run -f x").0, Some("kube run"));
        assert_eq!(found("limit /d -- --json=o.json"), (Some("limit"), Vec::new()));
        assert_eq!(found("measure /d --report r.txt --report").1, Vec::new());
        assert_eq!(found("kube cleanup").0, None);
        assert_eq!(found("history list --json").0, None);
    }

    #[test]
    fn a_failure_replaces_results_in_every_form_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, old: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, old).unwrap();
            let flag = match name.rsplit('.').next() {
                Some("json") => "--json",
                Some("csv") => "--csv",
                Some("md") => "--markdown",
                _ => "--report",
            };
            let word = format!("{flag}={}", path.display());
            let words = ["run", &word];
            write_results(&words, FailedCommand::of(&words).unwrap(), &failure());
            std::fs::read_to_string(&path).unwrap()
        };
        let document: serde_json::Value =
            serde_json::from_str(&write("a.json", "{\"kind\":\"fathom-run\"}")).unwrap();
        assert_eq!(document["gate"]["outcome"], "error");
        assert_eq!(document["summary"], format!("FAILED: {}", failure().why.text(Lang::En)));
        assert_eq!(
            (&document["error"], &document["exit_code"]),
            (&failure().why.text(Lang::En).into(), &1.into())
        );
        let page = write("a.md", "<!-- a report by Fathom -->\n# old\nPASS\n");
        assert!(page.contains("- **FAILED: no folder, \"no\" run**\n"), "{page}");
        let page = write("a.html", "<title>old · Fathom</title>");
        assert!(page.contains("FAILED: no folder"), "{page}");
        let failed = "error,exit_code\n\"no folder, \"\"no\"\" run\",1\n";
        let headings =
            ["name,iops,host,began", "run,p99_us,host,began", "name,figure,verdict", failed];
        for heading in headings {
            assert_eq!(write("a.csv", &format!("{heading}\nold\n")), failed);
        }
        for (name, foreign) in
            [("b.json", "{}"), ("b.md", "# mine\n"), ("b.csv", "a,b\n1,2\n"), ("b.html", "<p>")]
        {
            assert_eq!(write(name, foreign), foreign);
        }
    }

    #[test]
    fn a_command_that_judges_nothing_has_no_gate() {
        let outcome = |line: &str, failure: &CommandFailure| {
            let words: Vec<&str> = line.split(' ').collect();
            let gate = document(FailedCommand::of(&words).unwrap(), failure).gate;
            gate.map(|gate| gate.outcome)
        };
        assert_eq!(outcome("measure .", &failure()), None);
        assert_eq!(outcome("measure . --for etcd", &failure()), Some("error"));
        assert_eq!(outcome("limit .", &failure()), Some("error"));
        assert_eq!(outcome("kube check -s gp3", &failure()), Some("error"));
        let undecided = CommandFailure { code: exit_code::UNDECIDED, ..failure() };
        assert_eq!(outcome("compare a b", &undecided), Some("undecided"));
        let page = report(Form::Markdown, "compare", &undecided);
        assert_eq!(page.answers, ["UNDECIDED: no folder, \"no\" run"]);
    }
}
