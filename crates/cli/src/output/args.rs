//! What every command that measures can be told about reports of its own result.

use super::file::{self, Existing};
use super::form::Form;
use super::show;
use crate::terminal::screen::{self, warn_line};
use crate::terminal::stdout;
use clap::{ArgGroup, Args, ValueHint};
use fathom_report::{Input, Report};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A file at the end of a command.
#[derive(Clone, Debug, Default, Args)]
pub struct ReportFile {
    /// Write a report to FILE as well, in the form that its ending names; see `fathom report`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,
}

/// The same, and forms in place of the tables that the command itself makes.
#[derive(Clone, Debug, Default, Args)]
#[command(group = ArgGroup::new("shown").args(["json", "csv", "markdown"]))]
pub struct FormArgs {
    #[command(flatten)]
    pub file: ReportFile,

    /// A line for each run or figure, with commas between
    #[arg(long)]
    pub csv: bool,

    /// Tables in Markdown
    #[arg(long)]
    pub markdown: bool,
}

/// The same, and forms for other programs in place of the tables.
#[derive(Clone, Debug, Default, Args)]
pub struct ReportArgs {
    #[command(flatten)]
    pub file: ReportFile,

    /// The data with commas between, on standard output in place of the tables, or in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub csv: Option<PathBuf>,

    /// Tables in Markdown, on standard output in place of the others, or in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,
}

fn report(inputs: &[Input]) -> Result<Report, String> {
    fathom_report::read(inputs, screen::lang()).map_err(|why| why.to_string())
}

/// Says on standard error what could not be done; a report that fails costs no measurement.
fn warned<T>(done: Result<T, String>) -> Option<T> {
    let tell = |why| {
        warn_line(&format!("fathom: no report is written: {why}"));
        stdout::note_failed_file();
    };
    done.map_err(tell).ok()
}

impl ReportFile {
    /// Refuses, before anything is measured, a file whose ending names no form, and one that could
    /// not be written in the end.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self) -> Result<(), String> {
        let Some(path) = &self.report else { return Ok(()) };
        check_file(path, Form::of_path(path)?)
    }

    /// Writes what was asked for; `document` gives what was measured, called `name`. Gives whether
    /// all that was asked for is written; else it was said why not.
    pub fn write(&self, name: &str, document: &str) -> bool {
        self.write_all(&[Input::new(name, document)])
    }

    /// The same of several that are compared.
    pub fn write_all(&self, inputs: &[Input]) -> bool {
        let Some(path) = &self.report else { return true };
        let done = Form::of_path(path).and_then(|form| put(&report(inputs)?, form, path));
        warned(done).is_some()
    }
}

impl FormArgs {
    /// Whether standard output is for a program, so that a plan goes elsewhere; `json` is, too.
    pub fn for_programs(&self, json: bool) -> bool {
        json || self.csv || self.markdown
    }
}

impl ReportArgs {
    /// Whether standard output is for a program, so that a plan goes elsewhere; `json` is, too.
    pub fn for_programs(&self, json: bool) -> bool {
        json || self.printed().is_some()
    }

    /// The form that is wanted on standard output.
    fn printed(&self) -> Option<Form> {
        match (&self.csv, &self.markdown) {
            (Some(path), _) if is_stdout(path) => Some(Form::Csv),
            (_, Some(path)) if is_stdout(path) => Some(Form::Markdown),
            _ => None,
        }
    }

    /// As [`ReportFile::check`], and that standard output has one thing to hold; `json` is it, too.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self, json: bool) -> Result<(), String> {
        let forms = [&self.csv, &self.markdown].into_iter().flatten();
        let wanted = forms.filter(|path| is_stdout(path)).count() + usize::from(json);
        match wanted > 1 {
            true => Err("--json, --csv and --markdown cannot be used with each other on standard \
                         output; give all but one a file, as --csv=FILE"
                .to_owned()),
            false => {
                self.files().into_iter().try_for_each(|(path, form)| check_file(path, form))?;
                self.file.check()
            }
        }
    }

    /// The files that are wanted, each in its form.
    fn files(&self) -> Vec<(&PathBuf, Form)> {
        let files = [(&self.csv, Form::Csv), (&self.markdown, Form::Markdown)];
        let named = files.into_iter().filter_map(|(path, form)| Some((path.as_ref()?, form)));
        named.filter(|(path, _)| !is_stdout(path)).collect()
    }

    /// What stands on standard output: the document with `json`, a form for programs where one is
    /// wanted there, else the tables, which also stand in for a form that could not be made.
    ///
    /// # Errors
    /// Where the document cannot be written.
    pub fn text(
        &self,
        json: bool,
        name: &str,
        document: &impl Serialize,
        tables: impl FnOnce() -> String,
    ) -> Result<String, String> {
        let form = match (json, self.printed()) {
            (true, _) => return show::json(document),
            (false, None) => return Ok(tables()),
            (false, Some(form)) => form,
        };
        let inputs = [Input::new(name, show::json(document)?)];
        let made = warned(report(&inputs).and_then(|report| form.text(&report)));
        Ok(made.unwrap_or_else(tables))
    }

    /// As [`ReportFile::write`].
    pub fn write(&self, name: &str, document: &str) -> bool {
        let files = self.files();
        let mut whole = self.file.write(name, document);
        if !files.is_empty() {
            let inputs = [Input::new(name, document)];
            let done = report(&inputs).and_then(|report| {
                files.iter().try_for_each(|(path, form)| put(&report, *form, path))
            });
            whole &= warned(done).is_some();
        }
        whole
    }
}

fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Before anything is measured, so that no measurement waits for a file that never comes.
fn check_file(path: &Path, form: Form) -> Result<(), String> {
    file::check(path, |old| form.may_be_ours(old), Existing::KeepForeign)
        .map_err(|why| format!("{why}. Nothing was measured"))
}

fn put(report: &Report, form: Form, path: &Path) -> Result<(), String> {
    let text = form.text(report)?;
    file::write(path, &text, |old| form.is_ours(old, &text), Existing::KeepForeign)?;
    warn_line(&format!("Report: {}", path.display()));
    Ok(())
}
