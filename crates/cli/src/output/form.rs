//! The formats of a report: one arm for each writer.

use super::OutputError;
use super::command_failure::CSV_COLUMNS;
use fathom_message::Lang;
use fathom_report::{Input, Report};
use serde_json::Value;
use std::path::Path;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One page with charts that opens without a network.
    Html,
    /// A page for an issue or a wiki.
    Markdown,
    /// The data for a spreadsheet.
    Csv,
    Json,
}

/// The heading of the flags of formats in `--help`.
pub const HEADING: &str = "Output";

/// The end of the title of every page of ours.
const HTML_MARK: &str = " · Fathom</title>";
/// The first line of a page of ours, so that a later one may replace it.
const MARKDOWN_MARK: &str = "<!-- a report by Fathom -->\n";

impl Form {
    const ALL: [Form; 4] = [Form::Html, Form::Markdown, Form::Csv, Form::Json];

    /// The default format.
    pub const DEFAULT: Form = Form::Html;

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Form::Html => "html",
            Form::Markdown => "md",
            Form::Csv => "csv",
            Form::Json => "json",
        }
    }

    /// The name of the format in the message about a written file.
    pub fn title(self) -> &'static str {
        match self {
            Form::Html => "Report",
            Form::Markdown => "Markdown",
            Form::Csv => "CSV",
            Form::Json => "JSON",
        }
    }

    /// The form that a file's ending names.
    ///
    /// # Errors
    /// Names the endings that there are.
    pub fn of_path(path: &Path) -> Result<Form, OutputError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let found = Form::ALL.into_iter().find(|form| form.extension() == ending);
        found.ok_or_else(|| OutputError::Ending {
            path: path.to_owned(),
            endings: Form::ALL.iter().map(|form| format!(".{}", form.extension())).collect(),
        })
    }

    /// `inputs` in this format. CSV is for programs, and so in English.
    ///
    /// # Errors
    /// If it cannot be read or written so.
    pub fn of_inputs(self, inputs: &[Input], lang: Lang) -> Result<String, OutputError> {
        self.text(&match self {
            Form::Csv => fathom_report::read_data(inputs, Lang::En)?,
            Form::Html | Form::Markdown | Form::Json => fathom_report::read(inputs, lang)?,
        })
    }

    /// The report in this form.
    ///
    /// # Errors
    /// If it cannot be written so.
    pub fn text(self, report: &Report) -> Result<String, OutputError> {
        match self {
            Form::Html => Ok(fathom_report::html(report)?),
            Form::Markdown => Ok(MARKDOWN_MARK.to_owned() + &fathom_report::markdown(report)),
            Form::Csv => Ok(fathom_report::csv(report)?),
            Form::Json => fathom_report::document(report).map_err(OutputError::ReportJson),
        }
    }

    /// Whether `content` is a result of ours, whatever it is of.
    pub fn is_ours(self, content: &str) -> bool {
        match self {
            Form::Html => content.contains(HTML_MARK),
            Form::Markdown => content.starts_with(MARKDOWN_MARK),
            Form::Csv => is_of_ours(heading(content)),
            Form::Json => serde_json::from_str::<Report>(content).is_ok(),
        }
    }
}

/// The first line of a table.
fn heading(content: &str) -> &str {
    content.lines().next().unwrap_or_default()
}

/// Whether a heading is that of a failure.
fn is_of_failure(heading: &str) -> bool {
    heading.split(',').eq(CSV_COLUMNS)
}

/// Whether a heading is that of one of our tables: they differ by command, and have these columns
/// in common.
fn is_of_ours(heading: &str) -> bool {
    let has = |names: &[&str]| names.iter().all(|name| heading.split(',').any(|of| of == *name));
    let is_of_run = has(&["host", "began"]) || has(&["iops", "began"]);
    is_of_run || has(&["name", "figure", "verdict"]) || is_of_failure(heading)
}

/// Whether `content` is a document of a command of ours.
pub fn is_document(content: &str) -> bool {
    let value = serde_json::from_str::<Value>(content).ok();
    let kind = value.as_ref().and_then(|value| value.get("kind")?.as_str());
    kind.is_some_and(|kind| kind.starts_with("fathom-"))
}
