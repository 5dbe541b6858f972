//! The steps of a search as a table, then its answer; made only from the document and a [`Screen`],
//! so that tests see the same text as users.

use super::brief;
use super::outcome::{is_answer, remark_on, title};
use crate::language::word;
use crate::terminal::bars;
use crate::terminal::heading;
use crate::terminal::notes::{JudgedUnit, NoteText, failures, of_target, remarks};
use crate::terminal::screen::{self, Screen, from_left, to_right, wrapped};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::Tone;
use fathom_campaign::limit::{Criterion, LimitDocument, LoadLevel, StepReading, StepRecord};
use fathom_campaign::verdicts::Verdict;
use fathom_campaign::{DocumentSummary, Remark, latency, thousands};
use fathom_message::Lang;

/// The whole text of a search: its steps, remarks on them, the answer.
pub fn results(
    document: &LimitDocument,
    quiet: bool,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let mut text = String::new();
    if quiet {
        // Without the heading, remarks on the figures must still appear beside them.
        let remarks: Vec<Remark> =
            document.setup.remarks.iter().map(|r| r.remark.clone()).collect();
        text += &heading::remarks(&remarks, screen);
    }
    if detail == VerdictDetail::Brief {
        return text + &brief::steps(document, screen) + &judged(document, detail, screen);
    }
    text += &steps(document, screen);
    text += &judged(document, detail, screen);
    // The next rate, and why it misses the target, if the first sentence omits that.
    let told = format!("{}.", document.told(screen.lang));
    if !document.summary(screen.lang).ends_with(&told) {
        text += &wrapped(&told, screen.width, "", "  ");
    }
    let repeated = document.repeatability(screen.lang);
    let repeated = repeated.map(|said| wrapped(format!("{said}."), screen.width, "", "  "));
    text + &repeated.unwrap_or_default()
}

/// Notes, and verdicts on the steps' figures.
fn judged(document: &LimitDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let steps = verdicts_of_steps(document);
    let notes = notes(document, screen.lang);
    match detail {
        VerdictDetail::Brief => verdicts::foremost(notes, &steps, JudgedUnit::Step, screen),
        _ => verdicts::beneath(notes, &steps, JudgedUnit::Step, detail, screen),
    }
}

/// What throws doubt on the answer, in English.
pub fn warnings(document: &LimitDocument) -> Vec<String> {
    let mut notes = notes(document, Lang::En);
    notes.extend(of_target(&document.setup.remarks));
    verdicts::warnings(notes, &verdicts_of_steps(document), JudgedUnit::Step)
}

/// The verdicts on each step that has figures, with its name.
fn verdicts_of_steps(document: &LimitDocument) -> Vec<(String, &[Verdict])> {
    let sound = document.steps.iter().filter(|step| step.figures.is_some());
    sound.map(|step| (title(document, step), step.verdicts.as_slice())).collect()
}

/// The table, or two lines a step if it does not fit.
fn steps(document: &LimitDocument, screen: &Screen) -> String {
    if document.steps.is_empty() {
        return String::new();
    }
    let criteria = &document.question.target.criteria;
    let mut rows = vec![headings(criteria)];
    rows.extend(document.steps.iter().map(|step| row(document, step, screen.lang)));
    let widths = widths(&rows);
    let taken = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
    if taken > screen.width {
        return document.steps.iter().map(|step| stacked(document, step, screen.lang)).collect();
    }
    let bar = bars::room(screen, taken + 2);
    let steps = std::iter::once(None).chain(document.steps.iter().map(Some));
    let line = |(step, row): (Option<&StepRecord>, &Vec<String>)| {
        let gauge = step.map(|step| gauge(document, step, bar, screen)).unwrap_or_default();
        let text = line(row, &widths, &from_left(&gauge, bar));
        match screen.colour && step.is_some_and(|step| is_answer(document, step)) {
            true => format!("\x1b[32m{text}\x1b[0m\n"),
            false => format!("{text}\n"),
        }
    };
    let table: String = steps.zip(&rows).map(line).collect();
    legend(criteria, bar > 0, screen) + &table
}

/// How wide each column is.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| screen::columns(cell)).max().unwrap_or(0)
    };
    (0..columns).map(width).collect()
}

/// A row: its figures, its bar, and left-aligned words at the end.
fn line(row: &[String], widths: &[usize], bar: &str) -> String {
    let Some((words, figures)) = row.split_last() else { return String::new() };
    let mut cells: Vec<String> =
        figures.iter().zip(widths).map(|(cell, width)| to_right(cell, *width)).collect();
    cells.extend((!bar.is_empty()).then(|| bar.to_owned()));
    cells.push(words.clone());
    cells.join("  ").trim_end().to_owned()
}

/// A step's response beside its limit as a bar. The response decides whether a step is too slow, at
/// any rate.
fn gauge(document: &LimitDocument, step: &StepRecord, columns: usize, screen: &Screen) -> String {
    let target = &document.question.target;
    match &step.reading {
        Some(reading) if columns > 0 => {
            bars::gauge(target.strain(reading), columns, screen.unicode)
        }
        _ => String::new(),
    }
}

/// The meaning of columns and bars; overload is shown as the share of due I/Os that were left
/// behind.
fn legend(criteria: &[Criterion], drawn: bool, screen: &Screen) -> String {
    let measure = criteria.last().map(|one| one.measure.to_string()).unwrap_or_default();
    let text = localized!(
        "Wait, service and response at {measure}; what counts is response, from due to done."
    );
    let columns = wrapped(&text, screen.width, "", "  ");
    if !drawn {
        return columns;
    }
    let id = if criteria.len() > 1 { "limit-bars-nearest" } else { "limit-bars" };
    columns + &bars::legend(id, screen)
}

/// The last criterion, the farthest percentile, is shown in its parts; of the others, only the
/// response.
fn headings(criteria: &[Criterion]) -> Vec<String> {
    let Some((_, others)) = criteria.split_last() else { return Vec::new() };
    let mut headings = vec![word("offered").to_owned(), word("IOPS").to_owned()];
    headings.extend(others.iter().map(|one| one.measure.to_string()));
    headings.extend(["wait", "service", "response", ""].map(|head| word(head).to_owned()));
    headings
}

fn row(document: &LimitDocument, step: &StepRecord, lang: Lang) -> Vec<String> {
    let offered = title(document, step);
    let mut row = vec![offered];
    match &step.reading {
        Some(reading) => {
            row.push(thousands(reading.iops));
            row.extend(figures(step.load, reading));
        }
        None => {
            let blanks = document.question.target.criteria.len() + 3;
            row.extend(std::iter::repeat_n("-".to_owned(), blanks));
        }
    }
    row.push(remark_on(step, lang));
    row
}

/// Without a rate nothing was due and nothing waited.
fn figures(load: LoadLevel, reading: &StepReading) -> Vec<String> {
    let Some((last, others)) = reading.parts.split_last() else { return Vec::new() };
    let wait = match load {
        LoadLevel::Rate { .. } => latency(last.wait_ns),
        _ => "-".to_owned(),
    };
    let mut cells: Vec<String> = others.iter().map(|parts| latency(parts.response_ns)).collect();
    cells.extend([wait, latency(last.service_ns), latency(last.response_ns)]);
    cells
}

/// The same if the table does not fit: three short lines a step.
fn stacked(document: &LimitDocument, step: &StepRecord, lang: Lang) -> String {
    let offered = title(document, step);
    let Some(reading) = &step.reading else {
        return format!("  {offered}: {}\n", remark_on(step, lang));
    };
    let mut text =
        format!("  {offered}: {}\n    {} IOPS", remark_on(step, lang), thousands(reading.iops));
    let criteria = &document.question.target.criteria;
    for (criterion, parts) in criteria.iter().zip(&reading.parts) {
        text += &format!(", {} {}", criterion.measure, latency(parts.response_ns));
    }
    if let (LoadLevel::Rate { .. }, Some(last)) = (step.load, reading.parts.last()) {
        let (wait, service) = (latency(last.wait_ns), latency(last.service_ns));
        text += &localized!("\n    wait {wait}, service {service}");
    }
    text + "\n"
}

/// Failures, and remarks on single steps and on the answer.
fn notes(document: &LimitDocument, lang: Lang) -> Vec<NoteText> {
    let name = |step: &StepRecord| title(document, step);
    let failed = document.steps.iter().filter(|step| !step.cut_short);
    let failed = failed.filter_map(|step| Some((name(step), step.failure.as_deref()?)));
    let mut notes = failures(failed, lang);
    let steps = document.steps.iter();
    let noted = steps.map(|step| (name(step), step.remarks.as_slice()));
    notes.extend(remarks(noted, JudgedUnit::Step, lang));
    let cautions = document.cautions(lang).into_iter();
    // These are about the answer itself.
    let caution = |text| NoteText { is_foremost: true, ..NoteText::new(Tone::Warning, text) };
    notes.extend(cautions.map(caution));
    notes
}
