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
use crate::read::{document, host_and_time, of_document};
use crate::{CsvError, Input, ReadError, Report, csv, markdown, read};
use fathom_document::AnyDocument;
use fathom_message::{Lang, words};

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
    let [only] = inputs else { return Ok(csv(&read(inputs, lang)?)?) };
    let parsed = document(only)?;
    Ok(match &parsed.document {
        AnyDocument::Sweep(document) => sweep_csv(document),
        AnyDocument::Compare(document) => volumes_csv(document),
        AnyDocument::Runs(document) => runs_csv(document),
        other => csv(&with_origin(of_document(&parsed, lang)?, other, lang))?,
    })
}

/// The report with the host and the date in each row of its data, which a spreadsheet of several
/// files tells them apart by. A page has them in its head, so its tables need not.
fn with_origin(mut report: Report, document: &AnyDocument, lang: Lang) -> Report {
    let table = report.tables.first_mut();
    if let Some(table) = table.filter(|table| table.columns.iter().all(|of| of.key != "host")) {
        let (host, began) = host_and_time(document);
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
    let [only] = inputs else { return Ok(markdown(&read(inputs, lang)?)) };
    let parsed = document(only)?;
    Ok(match &parsed.document {
        AnyDocument::Sweep(document) => sweep_markdown(document, lang),
        AnyDocument::Compare(document) => volumes_markdown(document, lang),
        AnyDocument::Runs(document) => runs_markdown(document, lang),
        _ => markdown(&of_document(&parsed, lang)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Table;

    #[test]
    fn rows_say_where_and_when_they_were_measured() {
        let text = include_str!("../../fixtures/limit.json");
        let document = AnyDocument::read(text).unwrap();
        let column = |key: &str| Column { key: key.to_owned(), name: String::new(), unit: None };
        let table = |key| Table {
            columns: vec![column(key)],
            rows: vec![vec![TableCell::Number(1.0)]],
            id: String::new(),
            title: String::new(),
        };
        let report = |key| Report { tables: vec![table(key)], ..Report::default() };
        let text = csv(&with_origin(report("iops"), &document, Lang::En)).unwrap();
        assert_eq!(text, "iops,host,began\n1,host,2026-11-21 15:28:05 UTC\n");
        let text = csv(&with_origin(report("host"), &document, Lang::En)).unwrap();
        assert_eq!(text, "host\n1\n", "a table that has them is left as it is");
    }
}
