//! Arguments for the output formats of every command with a result: JSON, CSV and Markdown, each on
//! standard output or in a file, and a report.
//!
//! Decided here, for all commands alike:
//!
//! - `--json`, `--csv` and `--markdown` replace the tables on standard output, so at most one of
//!   them may be given; with `=FILE` they are written in addition to the tables, in any number.
//! - `--json` prints a command's document; the crate `report` makes the other formats from it, as
//!   `fathom report` does for runs of the history. `--json-summary` is the document without its
//!   results, which are most of it.

use super::OutputError;
use super::failure::{note_printed, note_written};
use super::file::{self, Existing};
use super::form::{Form, HEADING, is_document};
use super::plan::PlanDocument;
use super::show;
use crate::cli_error::CliError;
use crate::invalid_value::InvalidValue;
use crate::language::word;
use crate::terminal::screen::{self, say_line, warn_line};
use crate::terminal::stdout;
use clap::{Args, ValueHint};
use fathom_report::Input;
use fathom_text::text;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// The flags.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
    /// One JSON document, on standard output in place of the tables, or in FILE
    #[arg(long, help_heading = HEADING,
          value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub json: Option<PathBuf>,

    /// The same without histograms and intervals, for scripts: figures and verdicts only
    #[arg(long, help_heading = HEADING,
          value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub json_summary: Option<PathBuf>,

    /// The data with commas between, on standard output in place of the tables, or in FILE
    #[arg(long, help_heading = HEADING,
          value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub csv: Option<PathBuf>,

    /// Tables in Markdown, on standard output in place of the others, or in FILE
    #[arg(long, help_heading = HEADING,
          value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,

    /// Write a report to FILE as well, in the form that its ending names; see `fathom report`
    #[arg(long, help_heading = HEADING, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Refused by name: each form has a flag of its own
    #[arg(long, help_heading = HEADING,
          short, hide = true, value_name = "FILE", value_parser = no_output)]
    pub output: Option<String>,
}

/// What `--output` would be is said by the flags of the forms.
fn no_output(path: &str) -> Result<String, InvalidValue> {
    Err(InvalidValue::OtherOption(format!(
        "--report {path} for a report in the form that its ending names, or --json={path}, \
         --csv={path} or --markdown={path}"
    )))
}

impl OutputArgs {
    /// Refuses, before anything is measured, what cannot be written in the end: two forms on
    /// standard output, a file whose ending names no form, one that is something else.
    ///
    /// # Errors
    /// Says which of them, and what to name instead.
    pub fn check(&self) -> Result<(), CliError> {
        let forms = [&self.json, &self.json_summary, &self.csv, &self.markdown];
        check_printed_forms(forms.into_iter().flatten().filter(|path| is_stdout(path)).count())?;
        let documents = [&self.json, &self.json_summary].into_iter().flatten();
        for path in documents.filter(|path| !is_stdout(path)) {
            check_file(path, is_document)?;
        }
        for (path, form) in self.files()? {
            check_file(path, |old| form.is_ours(old))?;
        }
        Ok(())
    }

    /// Whether standard output is for a program, so that a plan goes elsewhere.
    pub fn for_programs(&self) -> bool {
        self.json_is_printed() || self.printed().is_some()
    }

    /// Prints the outcome of a gate. Output for programs must remain parseable, so that it goes to
    /// standard error there.
    pub fn say_outcome(&self, line: impl Display) {
        match self.for_programs() {
            true => warn_line(line),
            false => say_line(line),
        }
    }

    /// Whether the document itself is wanted on standard output.
    pub fn json_is_printed(&self) -> bool {
        [&self.json, &self.json_summary].into_iter().flatten().any(|path| is_stdout(path))
    }

    /// What `--dry-run` prints: the plan for programs with `--json`, else for people.
    ///
    /// # Errors
    /// Where the plan cannot be written.
    pub fn dry_run(
        &self,
        plan: impl FnOnce() -> PlanDocument,
        opening: impl FnOnce() -> String,
    ) -> Result<String, OutputError> {
        note_printed();
        note_written();
        match self.json.as_ref().or(self.json_summary.as_ref()) {
            None => Ok(opening()),
            Some(path) if is_stdout(path) => plan().text(),
            Some(path) => {
                let text = plan().text()?;
                file::write(path, &text, is_document, Existing::KeepForeign)?;
                Ok(opening())
            }
        }
    }

    /// The other form that is wanted there.
    fn printed(&self) -> Option<Form> {
        match (&self.csv, &self.markdown) {
            (Some(path), _) if is_stdout(path) => Some(Form::Csv),
            (_, Some(path)) if is_stdout(path) => Some(Form::Markdown),
            _ => None,
        }
    }

    /// The files that are wanted beside the document's own, each in its form.
    fn files(&self) -> Result<Vec<(&PathBuf, Form)>, CliError> {
        let named = [(&self.csv, Form::Csv), (&self.markdown, Form::Markdown)];
        let named = named.into_iter().filter_map(|(path, form)| Some((path.as_ref()?, form)));
        let mut files: Vec<(&PathBuf, Form)> = named.filter(|(path, _)| !is_stdout(path)).collect();
        if let Some(path) = &self.report {
            files.push((path, Form::of_path(path).map_err(CliError::usage)?));
        }
        Ok(files)
    }

    /// What stands on standard output: the document, a form for programs where one is wanted there,
    /// else the tables, which also stand in for a form that could not be made. `name` is what was
    /// measured.
    ///
    /// # Errors
    /// Where the document cannot be written.
    pub fn text(
        &self,
        name: &str,
        document: &impl Serialize,
        tables: impl FnOnce() -> String,
    ) -> Result<String, OutputError> {
        note_printed();
        if self.json.as_deref().is_some_and(is_stdout) {
            return show::json(document);
        }
        if self.json_is_printed() {
            return show::json_summary(document);
        }
        let Some(form) = self.printed() else { return Ok(tables()) };
        let inputs = [Input::new(name, show::json(document)?)];
        Ok(warned(form.of_inputs(&inputs, screen::lang())).unwrap_or_else(tables))
    }

    /// Writes the files that were asked for; `document` gives what was measured, called `name`.
    /// Gives whether all of them are written; else it was said why not.
    pub fn write(&self, name: &str, document: &str) -> bool {
        let of_document = [Input::new(name, document)];
        self.write_of(name, document, |form| form.of_inputs(&of_document, screen::lang()))
    }

    /// The same, where `report` gives the text of the report, which is not of the document alone.
    pub fn write_of(
        &self,
        name: &str,
        document: &str,
        report: impl Fn(Form) -> Result<String, OutputError>,
    ) -> bool {
        note_written();
        let mut whole = true;
        for (path, is_summary) in [(&self.json, false), (&self.json_summary, true)] {
            if let Some(path) = path.as_ref().filter(|path| !is_stdout(path)) {
                whole &= warned(put_document(document, path, is_summary)).is_some();
            }
        }
        // Checked before anything was measured.
        for (path, form) in self.files().unwrap_or_default() {
            let text = match self.report.as_ref() == Some(path) {
                true => report(form),
                false => form.of_inputs(&[Input::new(name, document)], screen::lang()),
            };
            whole &= warned(text.and_then(|text| put(&text, form, path))).is_some();
        }
        whole
    }
}

/// Says on standard error what could not be done; a form that fails costs no measurement.
fn warned<T>(done: Result<T, OutputError>) -> Option<T> {
    let tell = |why: OutputError| {
        warn_line(text!("fathom: no report is written: {why}"));
        stdout::note_failed_file();
    };
    done.map_err(tell).ok()
}

/// Refuses several forms on standard output, which holds one.
///
/// # Errors
/// A usage error that says what to give instead.
pub fn check_printed_forms(forms: usize) -> Result<(), CliError> {
    match forms {
        0 | 1 => Ok(()),
        _ => Err(CliError::usage(text!(
            "--json, --csv and --markdown cannot be used with each other on standard output; \
             give all but one a file, as --csv=FILE"
        ))),
    }
}

/// Whether a path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Before anything is measured, so that no measurement waits for a file that never comes.
fn check_file(path: &Path, is_ours: impl Fn(&str) -> bool) -> Result<(), OutputError> {
    file::check(path, is_ours, Existing::KeepForeign)
        .map_err(|why| OutputError::NothingMeasured(Box::new(why)))
}

fn put(text: &str, form: Form, path: &Path) -> Result<(), OutputError> {
    file::write(path, text, |old| form.is_ours(old), Existing::KeepForeign)?;
    warn_line(format_args!("{}: {}", word(form.title()), path.display()));
    Ok(())
}

fn put_document(document: &str, path: &Path, is_summary: bool) -> Result<(), OutputError> {
    let value: Value = serde_json::from_str(document).map_err(OutputError::Json)?;
    let text = match is_summary {
        true => show::json_summary(&value)?,
        false => show::json(&value)?,
    };
    file::write(path, &text, is_document, Existing::KeepForeign)?;
    warn_line(text!("JSON: {}", path.display()));
    Ok(())
}
