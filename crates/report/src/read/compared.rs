//! The report of runs that a comparison judged: their figures and charts, with the comparison's own
//! summary, its gate and its notes, so that the page says what the terminal says.

use super::figure_contrast::FigureContrast;
use super::statements::{self, remark};
use super::{Input, ReadError, one, report, side_by_side, tables, tiles};
use crate::Report;
use crate::model::{ChartUnit, Statement, TableCell, Tile};
use fathom_analysis::GateResult;
use fathom_document::DocumentSummary;
use fathom_document::compare::{Contrast, Contrasts, RunsDocument};
use fathom_message::{Lang, words};

/// Reads the compared `inputs`. `gate_line` is the last line of the comparison, as the terminal
/// shows it.
///
/// # Errors
/// As of [`read`](super::read).
pub fn compared(
    inputs: &[Input],
    document: &RunsDocument,
    gate_line: Option<String>,
    lang: Lang,
) -> Result<Report, ReadError> {
    let mut page = match inputs {
        [only] => beside_baseline(one(only, lang)?, document, lang),
        several => {
            let mut gathered = side_by_side(several, lang)?;
            gathered.summary = Some(document.summary(lang));
            report(gathered, lang)
        }
    };
    let after_summary = page.answers.len().min(1);
    page.answers.splice(after_summary..after_summary, gate_line);
    if let Some(gate) = &document.gate {
        page.tiles.insert(0, tile(gate, lang));
        page.tiles.truncate(tiles::MOST);
    }
    let notes = document.pairs.iter().filter_map(Contrasts::unlike_sentence);
    let notes: Vec<Statement> = notes.map(|note| remark("", &note.text(lang))).collect();
    page.verdicts.splice(0..0, notes);
    Ok(page)
}

/// The report of the only run, which was compared with a baseline: the comparison's sentence in
/// place of its own, and the changes from the baseline behind its figures.
fn beside_baseline(page: Report, document: &RunsDocument, lang: Lang) -> Report {
    let contrast = |pair: &Contrasts, of: &Contrast| {
        FigureContrast::of(of, of.name.clone(), [&pair.before, &pair.after])
    };
    let of_pair =
        |pair: &Contrasts| pair.contrasts.iter().map(|of| contrast(pair, of)).collect::<Vec<_>>();
    let contrasts: Vec<FigureContrast> = document.pairs.iter().flat_map(of_pair).collect();
    let mut tables = page.tables;
    tables.insert(tables.len().min(1), tables::contrasts(&contrasts, lang));
    Report { answers: vec![document.summary(lang)], tables, ..page }
}

/// `Gate`, `PASS`, `--fail-if-worse`.
fn tile(gate: &GateResult, lang: Lang) -> Tile {
    let outcome = gate.outcome.row();
    Tile {
        name: words(lang, "report-tile-gate"),
        value: TableCell::Text(statements::outcome(outcome, lang)),
        unit: ChartUnit::Plain,
        detail: "--fail-if-worse".to_owned(),
        outcome: Some(outcome),
    }
}
