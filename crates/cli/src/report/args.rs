//! Arguments of `fathom report`.

use crate::cli_error::CliError;
use crate::output::{Form, check_printed_forms, is_stdout};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// The command line of `fathom report`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct ReportCommand {
    /// Runs of the history (the beginnings of their names, latest, latest~1, previous, tags),
    /// files of results of Fathom's or fio's, or - for standard input; several are compared with
    /// the first [default: latest]
    #[arg(value_name = "RUN|FILE", value_hint = ValueHint::AnyPath)]
    pub runs: Vec<PathBuf>,

    /// Where to write; its ending says in what form [default: report.html in this folder]
    #[arg(long, short, visible_alias = "report", value_name = "FILE",
          value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Tables in Markdown, on standard output unless FILE or -o says where
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub markdown: Option<PathBuf>,

    /// The data, a line for each figure, with commas between, as --markdown
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub csv: Option<PathBuf>,

    /// Everything that a page would show, as one JSON document, as --markdown
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub json: Option<PathBuf>,

    /// Each chart as a file in DIR
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath,
          conflicts_with_all = ["output", "json", "csv", "markdown"])]
    pub svg: Option<PathBuf>,

    /// Show the written file in the browser, or in the program that the system has for it
    #[arg(long, conflicts_with = "svg")]
    pub open: bool,

    /// Write over a file that is no report
    #[arg(long)]
    pub force: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fathom report                                 the latest run
  fathom report 1kyx9q4c -o disk.html           a run of the history
  fathom report before.json after.json          what changed between two results
  fathom report --open                          the latest run, in the browser
  fio --output-format=json job.fio | fathom report - --markdown

A report is written whole or not at all. One that is there is replaced; any other file is left as it
is, unless --force says otherwise.

Exit codes: 0 it was written, 1 something could not be read or written, 2 usage.";

impl ReportCommand {
    /// The one form that was asked for by name without a file.
    ///
    /// # Errors
    /// Where there are several: standard output holds one.
    pub fn form(&self) -> Result<Option<Form>, CliError> {
        let named: Vec<Form> =
            self.forms().filter(|(_, path)| is_stdout(path)).map(|(form, _)| form).collect();
        check_printed_forms(named.len())?;
        Ok(named.first().copied())
    }

    /// The files that were named with their form.
    pub fn files(&self) -> impl Iterator<Item = (Form, &Path)> {
        self.forms().filter(|(_, path)| !is_stdout(path))
    }

    fn forms(&self) -> impl Iterator<Item = (Form, &Path)> {
        let all =
            [(Form::Markdown, &self.markdown), (Form::Csv, &self.csv), (Form::Json, &self.json)];
        all.into_iter().filter_map(|(form, path)| Some((form, path.as_deref()?)))
    }
}
