//! From a document to a [`Report`]: documents of commands, bare results, real fio's JSON.
//!
//! [`parse`] reads untrusted bytes as a document of a known type. [`gathered`] converts it to
//! subjects (volumes, or runs) with entries (a direction of a phase or a job), by way of
//! recordings. Charts, tables and answers are made from these, for any source. Several inputs are
//! one comparison, whose subjects are the inputs. [`kinds`] reads the data of a kind of document
//! beyond its runs (host, verdicts, commands).

mod answers;
mod capacity;
mod charts;
pub mod check;
mod client_tables;
mod compared;
mod drawing;
mod entry_detail;
mod figure_contrast;
mod fio;
mod gathered;
mod input;
mod kinds;
#[cfg(test)]
mod laws;
pub mod limit;
mod network_table;
mod parse;
mod place;
mod series;
mod server_tables;
mod statements;
pub mod sweep;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;
mod verdict_groups;
mod volume_table;

pub use charts::thinned;
pub use compared::compared;
pub use input::Input;
pub use parse::{LARGEST_BYTES, ReadError};
pub use statements::said;

use crate::Report;
use crate::model::Column;
use fathom_document::AnyDocument;
use fathom_message::Lang;
use gathered::Gathered;
use parse::Parsed;

/// Most inputs of one report: beyond that no chart can be read.
pub const MOST_INPUTS: usize = 12;

/// Reads one input, or compares several.
///
/// # Errors
/// Names the input and, if known, the field that cannot be read.
pub fn read(inputs: &[Input], lang: Lang) -> Result<Report, ReadError> {
    match inputs {
        [] => Err(ReadError::NoInput),
        [only] => one(only, lang),
        several => Ok(report(side_by_side(several, lang)?, lang)),
    }
}

/// Several inputs as one comparison.
fn side_by_side(inputs: &[Input], lang: Lang) -> Result<Gathered, ReadError> {
    if inputs.len() > MOST_INPUTS {
        return Err(ReadError::TooMany { inputs: inputs.len(), most: MOST_INPUTS });
    }
    let all: Vec<Parsed> = inputs.iter().map(parse::document).collect::<Result<_, _>>()?;
    let each: Result<Vec<Gathered>, ReadError> =
        all.iter().map(|parsed| gathered::of(parsed, lang)).collect();
    let mut whole = Gathered::side_by_side(each?, lang)?;
    if let Some(chart) = capacity::of_checks(&all, lang) {
        whole.summary = Some(chart.says.clone());
        whole.charts.push(chart);
    }
    Ok(whole)
}

/// Reads the same for a spreadsheet: each row of its data says on which host and when it was
/// measured, so that several files can be told apart. A page has them in its head.
///
/// # Errors
/// As of [`read`].
pub fn read_data(inputs: &[Input], lang: Lang) -> Result<Report, ReadError> {
    let [only] = inputs else { return read(inputs, lang) };
    let parsed = parse::document(only)?;
    let mut report = of_document(&parsed, lang)?;
    let (host, began) = kinds::host_and_time(&parsed.document, lang);
    let table = report.tables.first_mut();
    if let Some(table) = table.filter(|table| table.columns.iter().all(|of| of.key != "host")) {
        let of_document =
            [("host", "report-fact-host", host), ("began", "report-fact-began", began)];
        for (key, id, text) in of_document {
            if let Some(text) = text {
                table.add_column(Column::new(lang, key, id, None), &text);
            }
        }
    }
    Ok(report)
}

fn one(input: &Input, lang: Lang) -> Result<Report, ReadError> {
    of_document(&parse::document(input)?, lang)
}

/// The report of one document.
///
/// # Errors
/// If it contains no figures.
pub(crate) fn of_document(parsed: &Parsed, lang: Lang) -> Result<Report, ReadError> {
    let mut report = match of_many_runs(&parsed.document, lang) {
        Some(report) => report,
        None => report(gathered::of(parsed, lang)?, lang),
    };
    if let Some(runs) = parsed.document.runs() {
        client_tables::add(&mut report, runs, lang);
        report.tables.extend(network_table::of(&runs.runs(), lang));
    }
    Ok(report)
}

/// The report of a document whose runs are compared with each other and not one by one with those
/// of other documents; none of other kinds.
fn of_many_runs(document: &AnyDocument, lang: Lang) -> Option<Report> {
    match document {
        AnyDocument::Sweep(document) => Some(sweep::report(document, lang)),
        AnyDocument::Check(document) => Some(check::report(document, lang)),
        AnyDocument::Limit(document) => Some(limit::report(document, lang)),
        AnyDocument::Runs(document) => Some(compared::of_runs(document, lang)),
        _ => None,
    }
}

/// The report of the gathered data.
fn report(gathered: Gathered, lang: Lang) -> Report {
    let changes = answers::of_each(&gathered, lang);
    Report {
        lang,
        title: gathered.title.clone(),
        answers: answers::of(&gathered, lang),
        reasons: gathered.reasons.clone(),
        tiles: tiles::of(&gathered, lang),
        origin: gathered.origin.clone(),
        charts: [gathered.charts.clone(), charts::of(&gathered, lang)].concat(),
        tables: [tables::of(&gathered, lang), server_tables::of(&gathered, lang)].concat(),
        facts: gathered.facts,
        verdicts: gathered.said,
        repeat: gathered.repeat,
        changes,
        volumes: gathered.volume_table,
    }
}
