//! CSV and Markdown of documents with many runs: a line for each run of a sweep, each volume of a
//! comparison or each figure of compared runs, with the commands that repeat them. Other documents
//! give the tables of their report.

mod comparison_csv;
mod comparison_markdown;
mod sweep_csv;
mod sweep_markdown;

pub use comparison_csv::{runs_csv, volumes_csv};
pub use comparison_markdown::{runs_markdown, volumes_markdown};
pub use sweep_csv::sweep_csv;
pub use sweep_markdown::{connections_sentence, knee_sentence, sweep_markdown};

use crate::{CsvError, Input, ReadError, csv, markdown, read};
use fathom_document::compare::{CompareDocument, RunsDocument};
use fathom_document::sweep::SweepDocument;
use fathom_message::Lang;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why there is no line for each run.
#[derive(Debug, thiserror::Error)]
pub enum DetailError {
    /// An input is no document.
    #[error(transparent)]
    Input(#[from] ReadError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] CsvError),
}

/// `inputs` as CSV: for many runs a line for each, otherwise the first table of their report.
///
/// # Errors
/// If they cannot be read or written so.
pub fn csv_of(inputs: &[Input], lang: Lang) -> Result<String, DetailError> {
    match ManyRuns::of(inputs) {
        Some(runs) => Ok(runs.csv()),
        None => Ok(csv(&read(inputs, lang)?)?),
    }
}

/// The same as Markdown.
///
/// # Errors
/// If they cannot be read.
pub fn markdown_of(inputs: &[Input], lang: Lang) -> Result<String, ReadError> {
    match ManyRuns::of(inputs) {
        Some(runs) => Ok(runs.markdown()),
        None => Ok(markdown(&read(inputs, lang)?)),
    }
}

/// A document with many runs.
enum ManyRuns {
    /// Cases of a sweep.
    Sweep(Box<SweepDocument>),
    /// Volumes measured in turn.
    Volumes(Box<CompareDocument>),
    /// Runs that were measured before.
    Runs(Box<RunsDocument>),
}

/// The head of a document.
#[derive(Deserialize)]
struct Head {
    kind: String,
}

impl ManyRuns {
    /// The only input, if it is such a document. None if it is another or cannot be read, which
    /// [`read`](crate::read) reports.
    fn of(inputs: &[Input]) -> Option<ManyRuns> {
        let [only] = inputs else { return None };
        let kind = parsed::<Head>(&only.bytes)?.kind;
        match kind.as_str() {
            "fathom-sweep" => parsed(&only.bytes).map(ManyRuns::Sweep),
            "fathom-compare" => parsed(&only.bytes).map(ManyRuns::Volumes),
            "fathom-compare-runs" => parsed(&only.bytes).map(ManyRuns::Runs),
            _ => None,
        }
    }

    /// A line for each run or figure.
    fn csv(&self) -> String {
        match self {
            ManyRuns::Sweep(document) => sweep_csv(document),
            ManyRuns::Volumes(document) => volumes_csv(document),
            ManyRuns::Runs(document) => runs_csv(document),
        }
    }

    /// Tables with sentences and commands.
    fn markdown(&self) -> String {
        match self {
            ManyRuns::Sweep(document) => sweep_markdown(document),
            ManyRuns::Volumes(document) => volumes_markdown(document),
            ManyRuns::Runs(document) => runs_markdown(document),
        }
    }
}

fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    serde_json::from_slice(bytes).ok()
}
