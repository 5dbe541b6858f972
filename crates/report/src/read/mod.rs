//! From a document to a [`Report`]: documents of commands, bare results, real fio's JSON.
//!
//! [`parse`] reads untrusted bytes as JSON, or directly as the type of their kind. [`gathered`]
//! converts any of it to subjects (volumes, or runs) with entries (a direction of a phase or a
//! job), by way of recordings. Charts, tables and answers are made from these, for any source.
//! Several inputs are one comparison, whose subjects are the inputs.
//!
//! Decided here:
//! - Hostile input gives an error that names file and field. Sums are checked while documents are
//!   read, before anything is added up, so that no count overflows.
//! - [`kinds`] reads the data of a kind of document beyond its runs (host, verdicts, commands); an
//!   unknown kind still gives charts.

mod alike;
mod answers;
mod capacity;
mod charts;
pub mod check;
mod compared;
mod drawing;
mod entry_detail;
mod figure_contrast;
mod fio;
mod gathered;
mod input;
mod json_path;
mod json_spot;
mod json_walk;
mod kinds;
#[cfg(test)]
mod laws;
pub mod limit;
mod own_tiles;
mod parse;
mod place;
mod scales;
mod series;
mod server_tables;
mod sound;
mod statements;
pub mod sweep;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;

pub use charts::thinned;
pub use compared::compared;
pub use input::Input;
pub(crate) use kinds::{date, host_and_time};
pub use parse::{LARGEST_BYTES, ReadError};
pub use statements::said;

use crate::Report;
use fathom_document::check::CHECK_SCHEMA;
use fathom_document::limit::LIMIT_SCHEMA;
use fathom_document::sweep::SWEEP_SCHEMA;
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
    let all: Result<Vec<Gathered>, ReadError> =
        inputs.iter().map(|input| gathered::of(&parse::document(input)?, lang)).collect();
    Gathered::side_by_side(all?, lang)
}

fn one(input: &Input, lang: Lang) -> Result<Report, ReadError> {
    Ok(match opened(input, lang)? {
        ReadInput::Whole(report) => *report,
        ReadInput::Document(parsed) => report(gathered::of(&parsed, lang)?, lang),
    })
}

/// An input as far as its kind decides.
enum ReadInput<'i> {
    /// A report by the reader of its kind.
    Whole(Box<Report>),
    /// A document whose subjects and entries are to be gathered.
    Document(Box<Parsed<'i>>),
}

fn opened(input: &Input, lang: Lang) -> Result<ReadInput<'_>, ReadError> {
    let whole = |report| Ok(ReadInput::Whole(Box::new(report)));
    if let Some(report) = at_once(&parse::open(input)?, lang) {
        return whole(report);
    }
    // The kind is checked again: the text that seemed to be the document may be invalid.
    let parsed = parse::document(input)?;
    match parsed.kind() {
        "fathom-sweep" => whole(sweep::report(&parsed.typed(SWEEP_SCHEMA)?, lang)),
        "fathom-check" => whole(check::report(&parsed.typed(CHECK_SCHEMA)?, lang)),
        "fathom-limit" => whole(limit::report(&parsed.typed(LIMIT_SCHEMA)?, lang)),
        _ => Ok(ReadInput::Document(Box::new(parsed))),
    }
}

/// The report of a large document of a known type; none if it is another or incomplete.
fn at_once(opened: &parse::Opened<'_>, lang: Lang) -> Option<Report> {
    Some(match opened.kind() {
        "fathom-sweep" => sweep::report(&opened.at_once(SWEEP_SCHEMA)?, lang),
        "fathom-check" => check::report(&opened.at_once(CHECK_SCHEMA)?, lang),
        "fathom-limit" => limit::report(&opened.at_once(LIMIT_SCHEMA)?, lang),
        _ => return None,
    })
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
    }
}
