//! The short table of a search: the steps that decide the answer, so that the result fits a
//! terminal of 24 lines.
//!
//! These are the steps without a rate, and those at the highest rate that meets the limit and the
//! lowest that does not. `--verbose` shows all of them, with wait and service.

use super::outcome::{is_answer, remark_on};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, cell, heading, right};
use fathom_campaign::limit::{LimitDocument, LoadLevel, StepRecord};
use fathom_campaign::{latency, thousands};

/// Rows at most.
const MOST_ROWS: usize = 8;

/// The deciding steps as a table, and how many others there are.
pub fn steps(document: &LimitDocument, screen: &Screen) -> String {
    if document.steps.is_empty() {
        return String::new();
    }
    let shown = deciding(document);
    let mut table = TextTable::indented(2);
    table.row(heads(document));
    for step in &shown {
        let style = is_answer(document, step).then_some(Style::Green);
        table.styled_row(row(document, step, screen), style);
    }
    let text = match table.fits(screen) {
        true => table.text(screen),
        false => shown.iter().map(|step| stacked(document, step, screen)).collect(),
    };
    text + &others(document.steps.len() - shown.len(), screen)
}

/// The steps that decide, in their order; of more than fit, the last.
fn deciding(document: &LimitDocument) -> Vec<&StepRecord> {
    let is_without_rate = |step: &&StepRecord| !matches!(step.load, LoadLevel::Rate { .. });
    let ends = [document.answer.low, document.answer.high];
    let decides = |step: &&StepRecord| match step.load {
        LoadLevel::Rate { rate_iops } => {
            ends.contains(&Some(rate_iops)) || step.failure.is_some() || step.cut_short
        }
        _ => false,
    };
    let mut shown: Vec<&StepRecord> = document.steps.iter().filter(is_without_rate).collect();
    let mut at_rates: Vec<&StepRecord> = document.steps.iter().filter(decides).collect();
    if at_rates.is_empty() {
        at_rates = document.steps.iter().filter(|step| !is_without_rate(step)).collect();
    }
    let room = MOST_ROWS.saturating_sub(shown.len());
    shown.extend(at_rates.split_off(at_rates.len().saturating_sub(room)));
    shown
}

/// The rate, the measured rate, the response of each limit, and what follows from the step.
fn heads(document: &LimitDocument) -> Vec<TextCell> {
    let measures: Vec<String> =
        document.question.target.criteria.iter().map(|one| one.measure.to_string()).collect();
    let mut words = vec!["offered", "IOPS"];
    words.extend(measures.iter().map(String::as_str));
    heading(&words)
}

fn row(document: &LimitDocument, step: &StepRecord, screen: &Screen) -> Vec<TextCell> {
    let mut cells = vec![cell(step.load.title(document.question.depth))];
    cells.extend(figures(document, step).iter().map(right));
    cells.push(cell(remark_on(step, screen.lang)));
    cells
}

/// The measured rate and the response of each limit.
fn figures(document: &LimitDocument, step: &StepRecord) -> Vec<String> {
    let Some(reading) = &step.reading else {
        return vec!["-".to_owned(); document.question.target.criteria.len() + 1];
    };
    let responses = reading.parts.iter().map(|parts| latency(parts.response_ns));
    std::iter::once(thousands(reading.iops)).chain(responses).collect()
}

/// The same if the table does not fit: two short lines a step.
fn stacked(document: &LimitDocument, step: &StepRecord, screen: &Screen) -> String {
    let offered = step.load.title(document.question.depth);
    let figures = figures(document, step).join(", ");
    format!("  {offered}: {}\n    {figures}\n", remark_on(step, screen.lang))
}

fn others(more: usize, screen: &Screen) -> String {
    match more {
        0 => String::new(),
        1 => wrapped("1 more step: --verbose shows it.", screen.width, "  - ", "    "),
        more => {
            let text = format!("{more} more steps: --verbose shows them.");
            wrapped(&text, screen.width, "  - ", "    ")
        }
    }
}
