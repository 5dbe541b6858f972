//! From what was measured to a [`Report`]: documents of commands, bare results, real fio's JSON.
//!
//! The way is: [`parse`] reads bytes that nobody vouches for as JSON, or at once as what their kind
//! promises, [`gathered`] brings any of it to subjects (volumes, or runs) with entries (a direction
//! of a phase or a job) by way of the campaign's own recordings, and charts, tables and answers are
//! made from these, whatever they came from. Several inputs are one comparison, whose subjects are
//! the inputs.
//!
//! What was decided here:
//! - Hostile input ends in an error that names file and field. Sums are checked as documents are
//!   read, before anything is added up, so that no count overflows.
//! - What a kind of document knows beyond its runs (host, verdicts, commands) is read by
//!   [`kinds`]; a kind that is not known there still gives charts.

mod answers;
mod capacity;
mod charts;
pub mod check;
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
mod parse;
mod place;
pub mod published;
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
pub use input::Input;
pub use parse::{LARGEST_BYTES, ReadError};
pub use statements::said;

use crate::Report;
use fathom_document::check::CHECK_SCHEMA;
use fathom_document::limit::LIMIT_SCHEMA;
use fathom_document::sweep::SWEEP_SCHEMA;
use fathom_message::Lang;
use gathered::Gathered;

/// Most inputs of one report: beyond that no chart can be read.
pub const MOST_INPUTS: usize = 12;

/// Reads one input, or compares several.
///
/// # Errors
/// Names the input and, where there is one, the field that cannot be read.
pub fn read(inputs: &[Input], lang: Lang) -> Result<Report, ReadError> {
    match inputs {
        [] => Err(ReadError::NoInput),
        [only] => one(only, lang),
        several if several.len() > MOST_INPUTS => {
            Err(ReadError::TooMany { inputs: several.len(), most: MOST_INPUTS })
        }
        several => {
            let all: Result<Vec<Gathered>, ReadError> =
                several.iter().map(|input| gathered::of(&parse::document(input)?, lang)).collect();
            Ok(report(Gathered::side_by_side(all?, lang)?, lang))
        }
    }
}

fn one(input: &Input, lang: Lang) -> Result<Report, ReadError> {
    if let Some(published) = parse::published(input)? {
        return Ok(published::report(&published, lang));
    }
    if let Some(report) = at_once(&parse::open(input)?, lang) {
        return Ok(report);
    }
    // What it says it is, is asked again: what seemed to be the document may be none.
    let parsed = parse::document(input)?;
    Ok(match parsed.kind() {
        "fathom-sweep" => sweep::report(&parsed.typed(SWEEP_SCHEMA)?, lang),
        "fathom-check" => check::report(&parsed.typed(CHECK_SCHEMA)?, lang),
        "fathom-limit" => limit::report(&parsed.typed(LIMIT_SCHEMA)?, lang),
        _ => report(gathered::of(&parsed, lang)?, lang),
    })
}

/// The report of a large document whose type is known; none where it is another or not whole.
fn at_once(opened: &parse::Opened<'_>, lang: Lang) -> Option<Report> {
    Some(match opened.kind() {
        "fathom-sweep" => sweep::report(&opened.at_once(SWEEP_SCHEMA)?, lang),
        "fathom-check" => check::report(&opened.at_once(CHECK_SCHEMA)?, lang),
        "fathom-limit" => limit::report(&opened.at_once(LIMIT_SCHEMA)?, lang),
        _ => return None,
    })
}

/// The report of what was gathered.
fn report(gathered: Gathered, lang: Lang) -> Report {
    Report {
        lang,
        title: gathered.title.clone(),
        example: None,
        answers: answers::of(&gathered, lang),
        tiles: tiles::of(&gathered, lang),
        origin: gathered.origin.clone(),
        charts: charts::of(&gathered, lang),
        tables: [tables::of(&gathered, lang), server_tables::of(&gathered, lang)].concat(),
        facts: gathered.facts,
        verdicts: gathered.said,
        repeat: gathered.repeat,
    }
}
