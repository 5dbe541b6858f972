//! The short table of a search: the steps that decide the answer, so that the result fits a
//! terminal of 24 lines.
//!
//! These are the steps without a rate, and those at the highest rate that meets the limit, at the
//! lowest that does not and, where it ends the search, at the lowest that this machine was late at.
//! Of more than fit, each outcome of a rate is shown at least once, so that a run at the answer
//! that failed is seen. `--verbose` shows all of them, with wait and service.

use super::outcome::{is_answer, remark_on, title};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, cell, heading, right};
use fathom_campaign::limit::{LimitDocument, LoadLevel, SearchVerdict, StepRecord};
use fathom_campaign::{latency, thousands};
use std::cmp::Reverse;

/// Rows at most; a sentence below them takes the place of some.
const MOST_ROWS: usize = 8;

/// The deciding steps as a table, how many others there are, and how often the runs at the answer
/// and above it agreed if they did not all.
pub fn steps(document: &LimitDocument, screen: &Screen) -> String {
    if document.steps.is_empty() {
        return String::new();
    }
    let disagreement = disagreement(document, screen);
    let shown = deciding(document, MOST_ROWS.saturating_sub(disagreement.lines().count()));
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
    text + &others(document.steps.len() - shown.len(), screen) + &disagreement
}

fn disagreement(document: &LimitDocument, screen: &Screen) -> String {
    let sentence = document.disagreement(screen.lang);
    let line = |sentence| wrapped(format!("{sentence}."), screen.width, "  - ", "    ");
    sentence.map(line).unwrap_or_default()
}

/// The steps that decide, at most `most_rows`, in their order.
fn deciding(document: &LimitDocument, most_rows: usize) -> Vec<&StepRecord> {
    let is_without_rate = |step: &&StepRecord| !matches!(step.load, LoadLevel::Rate { .. });
    let answer = &document.answer;
    let late = answer.late_iops.filter(|_| answer.verdict == SearchVerdict::HostLate);
    let ends = [answer.low, answer.high, late];
    let decides = |step: &&StepRecord| match step.load {
        LoadLevel::Rate { rate_iops } => {
            ends.contains(&Some(rate_iops)) || step.failure.is_some() || step.cut_short
        }
        _ => false,
    };
    let mut shown: Vec<&StepRecord> = document.steps.iter().filter(is_without_rate).collect();
    let mut at_rates: Vec<&StepRecord> = document.steps.iter().filter(decides).collect();
    let room = most_rows.saturating_sub(shown.len());
    if at_rates.is_empty() {
        at_rates = document.steps.iter().filter(|step| !is_without_rate(step)).collect();
        at_rates.drain(..at_rates.len().saturating_sub(room));
    }
    let at_answer = answer.low.map(|rate_iops| LoadLevel::Rate { rate_iops });
    shown.extend(of_each_outcome(&at_rates, at_answer, room));
    shown
}

/// At most `room` of `steps`, in their order: the last one of each outcome at each load, those at
/// `first` before others, then the last of the rest.
fn of_each_outcome<'s>(
    steps: &[&'s StepRecord],
    first: Option<LoadLevel>,
    room: usize,
) -> Vec<&'s StepRecord> {
    let is_repeated = |place: usize| {
        let outcome = |step: &StepRecord| (step.load, step.finding);
        steps[place + 1..].iter().any(|later| outcome(later) == outcome(steps[place]))
    };
    let rank = |place: &usize| {
        let is_repeated = is_repeated(*place);
        let is_later = !is_repeated && Some(steps[*place].load) != first;
        (is_repeated, is_later, Reverse(*place))
    };
    let mut places: Vec<usize> = (0..steps.len()).collect();
    places.sort_by_key(rank);
    places.truncate(room);
    places.sort_unstable();
    places.into_iter().map(|place| steps[place]).collect()
}

/// The rate, the measured rate, the response of each limit, and what follows from the step.
fn heads(document: &LimitDocument) -> Vec<TextCell> {
    let mut heads = heading(&["offered", "IOPS"]);
    heads.extend(document.question.target.criteria.iter().map(|one| right(one.measure)));
    heads
}

fn row(document: &LimitDocument, step: &StepRecord, screen: &Screen) -> Vec<TextCell> {
    let mut cells = vec![cell(title(document, step))];
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
    let offered = title(document, step);
    let figures = figures(document, step).join(", ");
    format!("  {offered}: {}\n    {figures}\n", remark_on(step, screen.lang))
}

fn others(more: usize, screen: &Screen) -> String {
    match more {
        0 => String::new(),
        more => {
            let text = localized!(
                "{more|1=1 more step: --verbose shows it|{more} more steps: --verbose shows them}."
            );
            wrapped(&text, screen.width, "  - ", "    ")
        }
    }
}
