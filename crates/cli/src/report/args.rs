//! What `fathom report` may be asked.

use crate::output::Form;
use clap::{ArgGroup, Args, ValueHint};
use std::path::PathBuf;

/// The command line of `fathom report`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(group = ArgGroup::new("form").args(["markdown", "csv", "json", "svg"]))]
pub struct ReportCommand {
    /// Runs of the history by the beginnings of their names, files of results of Fathom's or
    /// fio's, or - for standard input; several are compared with the first [default: latest]
    #[arg(value_name = "RUN|FILE", value_hint = ValueHint::AnyPath)]
    pub runs: Vec<PathBuf>,

    /// Where to write; its ending says in what form [default: report.html in this folder]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Tables in Markdown, on standard output unless -o names a file
    #[arg(long)]
    pub markdown: bool,

    /// The data, a line for each figure, with commas between
    #[arg(long)]
    pub csv: bool,

    /// Everything that a page would show, as one JSON document
    #[arg(long)]
    pub json: bool,

    /// Each chart as a file in DIR
    #[arg(long, value_name = "DIR", conflicts_with = "output", value_hint = ValueHint::DirPath)]
    pub svg: Option<PathBuf>,

    /// Write over a file that is no report
    #[arg(long)]
    pub force: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fathom report                                 the latest run
  fathom report 1kyx -o disk.html               a run of the history
  fathom report before.json after.json          what changed between two results
  fio --output-format=json job.fio | fathom report - --markdown

A report is written whole or not at all. One that is there is replaced; any other file is left as it
is, unless --force says otherwise.

Exit codes: 0 it was written, 1 something could not be read or written, 2 usage.";

impl ReportCommand {
    /// The form that was asked for by name.
    pub fn form(&self) -> Option<Form> {
        match (self.markdown, self.csv, self.json) {
            (true, ..) => Some(Form::Markdown),
            (_, true, _) => Some(Form::Csv),
            (.., true) => Some(Form::Json),
            _ => None,
        }
    }
}
