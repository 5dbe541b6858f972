//! Why a result is not written, or an input is not read.

use crate::history_error::HistoryError;
use fathom_report::{CsvError, HtmlError, ReadError, SvgError};
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// Why a result is not written.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The document cannot be JSON.
    #[error("cannot write the result as JSON: {0}")]
    Json(#[source] serde_json::Error),
    /// The output path is a folder.
    #[error("{} is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// Another file has the output path.
    #[error(
        "{} is there and is no report of Fathom's; name another file, or remove it (`fathom \
         report` writes over it with --force)",
        .0.display()
    )]
    Foreign(PathBuf),
    /// The system refuses.
    #[error("cannot write {}: {source}{}", .path.display(), advice(source))]
    File { path: PathBuf, source: io::Error },
    /// One of them, found before anything was measured.
    #[error("{0}. Nothing was measured")]
    NothingMeasured(#[source] Box<OutputError>),
    /// A file for a form was given after a space.
    #[error("{0} does not exist; to write the result there, give {flag}={0}", .path.display())]
    SpacedFile { flag: &'static str, path: PathBuf },
    /// The ending of a file names no form.
    #[error("{}: a report ends in {}", .path.display(), endings.join(", "))]
    Ending {
        path: PathBuf,
        /// The endings that there are.
        endings: Vec<String>,
    },
    /// No report can be made of the input.
    #[error(transparent)]
    Report(#[from] ReadError),
    /// The report cannot be a page.
    #[error("cannot write the report as HTML: {0}")]
    Html(#[from] HtmlError),
    /// The report cannot be a table.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// The report cannot be JSON.
    #[error("cannot write the report as JSON: {0}")]
    ReportJson(#[source] serde_json::Error),
    /// The charts cannot be drawn.
    #[error("cannot draw: {0}")]
    Svg(#[from] SvgError),
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "; make its folder first, or name another",
        _ => "",
    }
}

/// Why something that is named on the command line cannot be read.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum NamedInputError {
    /// It is a folder.
    #[error("{0} is a folder; to measure it: fathom measure {0}")]
    Folder(String),
    /// The system refuses.
    #[error("cannot read {name}: {source}")]
    File {
        /// The file, or standard input.
        name: String,
        source: io::Error,
    },
    /// It is nothing that is known.
    #[error("{0} is neither a file nor the name of a run of `fathom history`")]
    Unknown(String),
    /// The history has no such run, or no result of it.
    #[error(transparent)]
    History(#[from] HistoryError),
}
