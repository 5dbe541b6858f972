//! CSV and Markdown of documents with many runs: a line for each run of a sweep, each volume of a
//! comparison or each figure of compared runs, with the commands that repeat them. Other documents
//! give the tables of their report.

mod comparison_csv;
mod comparison_markdown;
mod markdown_parts;
mod sweep_csv;
mod sweep_markdown;

pub use comparison_csv::{runs_csv, volumes_csv};
pub use comparison_markdown::{runs_markdown, volumes_markdown};
pub use sweep_csv::sweep_csv;
pub use sweep_markdown::{connections_sentence, knee_sentence, sweep_markdown};

use crate::model::{Column, TableCell};
use crate::read::host_and_time;
use crate::{CsvError, Input, ReadError, Report, csv, markdown, read};
use fathom_document::JsonDocument;
use fathom_document::compare::{CompareDocument, RunsDocument};
use fathom_document::sweep::SweepDocument;
use fathom_message::{Lang, words};
use serde::Deserialize;
use serde_json::Value;

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
        None => Ok(csv(&with_origin(read(inputs, lang)?, inputs, lang))?),
    }
}

/// The report with the host and the date in each row of its data, which a spreadsheet of several
/// files tells them apart by. A page has them in its head, so its tables need not.
fn with_origin(mut report: Report, inputs: &[Input], lang: Lang) -> Report {
    let ([only], Some(table)) = (inputs, report.tables.first_mut()) else { return report };
    let text = std::str::from_utf8(&only.bytes).ok();
    let document: Option<Value> = text.and_then(|text| serde_json::from_str(text).ok());
    if let Some(document) = document.filter(|_| table.columns.iter().all(|of| of.key != "host")) {
        let (host, began) = host_and_time(&document);
        for (key, id, cell) in
            [("host", "report-fact-host", host), ("began", "report-fact-began", began)]
        {
            let name = words(lang, id);
            table.columns.push(Column { key: key.to_owned(), name, unit: None });
            let cell = cell.map_or(TableCell::Nothing, TableCell::Text);
            table.rows.iter_mut().for_each(|row| row.push(cell.clone()));
        }
    }
    report
}

/// The same as Markdown.
///
/// # Errors
/// If they cannot be read.
pub fn markdown_of(inputs: &[Input], lang: Lang) -> Result<String, ReadError> {
    match ManyRuns::of(inputs) {
        Some(runs) => Ok(runs.markdown(lang)),
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
        let text = std::str::from_utf8(&only.bytes).ok()?;
        let head: Head = serde_json::from_str(text).ok()?;
        match head.kind.as_str() {
            "fathom-sweep" => parsed(text).map(ManyRuns::Sweep),
            "fathom-compare" => parsed(text).map(ManyRuns::Volumes),
            "fathom-compare-runs" => parsed(text).map(ManyRuns::Runs),
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
    fn markdown(&self, lang: Lang) -> String {
        match self {
            ManyRuns::Sweep(document) => sweep_markdown(document, lang),
            ManyRuns::Volumes(document) => volumes_markdown(document, lang),
            ManyRuns::Runs(document) => runs_markdown(document, lang),
        }
    }
}

fn parsed<T: JsonDocument>(text: &str) -> Option<Box<T>> {
    T::from_json(text).ok().map(Box::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Table;

    #[test]
    fn rows_say_where_and_when_they_were_measured() {
        let document = r#"{"host": {"hostname": "worker-7"}, "started_ms": 1754006400000}"#;
        let inputs = [Input::new("limit", document)];
        let column = |key: &str| Column { key: key.to_owned(), name: String::new(), unit: None };
        let table = |key| Table {
            columns: vec![column(key)],
            rows: vec![vec![TableCell::Number(1.0)]],
            id: String::new(),
            title: String::new(),
        };
        let report = |key| Report { tables: vec![table(key)], ..Report::default() };
        let text = csv(&with_origin(report("iops"), &inputs, Lang::En)).unwrap();
        assert_eq!(text, "iops,host,began\n1,worker-7,2025-08-01 00:00:00 UTC\n");
        let text = csv(&with_origin(report("host"), &inputs, Lang::En)).unwrap();
        assert_eq!(text, "host\n1\n", "a table that has them is left as it is");
    }
}
