//! The report of runs that a comparison judged: their changes in full view, the figures and charts
//! of both sides, and the comparison's own summary, its gate and its notes, so that the page says
//! what the terminal says.
//!
//! A baseline of several runs has no document of its own. It is a subject like any other, made from
//! the figures that the comparison holds of it.

use super::entry_detail::Detail;
use super::figure_contrast::FigureContrast;
use super::gathered::{DirectionFigures, Gathered, Subject};
use super::statements::{self, remark};
use super::{Input, ReadError, gathered, of_many_runs, parse, report, side_by_side, tables, tiles};
use crate::Report;
use crate::change_words::{self, verdict};
use crate::model::{ChartUnit, Column, Statement, Table, TableCell, Tile};
use fathom_analysis::GateResult;
use fathom_document::compare::{
    Contrast, Contrasts, Known, RecordingEntry, RecordingSource, RunsDocument,
};
use fathom_document::{DocumentSummary, test_title};
use fathom_message::{Lang, Message, list, words};

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
    let has_baseline = document.sources.len() > inputs.len();
    let of_subjects = |gathered| of_subjects(gathered, document, has_baseline, lang);
    let mut page = match inputs {
        [only] => {
            let parsed = parse::document(only)?;
            match of_many_runs(&parsed.document, lang) {
                Some(page) => beside_baseline(page, document, lang),
                None => of_subjects(gathered::of(&parsed, lang)?),
            }
        }
        several => {
            let mut gathered = side_by_side(several, lang)?;
            if document.is_by_p99() {
                gathered.judge_by_p99();
            }
            of_subjects(gathered)
        }
    };
    page.changes = Some(changes(document, lang));
    let after_summary = page.answers.len().min(1);
    page.answers.splice(after_summary..after_summary, gate_line);
    if let Some(gate) = &document.gate {
        page.tiles.insert(0, tile(gate, lang));
        page.tiles.truncate(tiles::MOST);
    }
    page.verdicts.splice(0..0, notes(document, lang));
    page.reasons = caps(document, lang);
    Ok(page)
}

/// The report of a comparison whose runs are not at hand.
pub(super) fn of_runs(document: &RunsDocument, lang: Lang) -> Report {
    let names = document.sources.iter().map(|source| Message::verbatim(&source.name));
    let title = Message::new("report-title-compared").part("what", list::names(names));
    let gate = document.gate_line().map(|line| line.text(lang));
    Report {
        lang,
        title: title.text(lang),
        answers: std::iter::once(document.summary(lang)).chain(gate).collect(),
        reasons: caps(document, lang),
        tiles: document.gate.iter().map(|gate| tile(gate, lang)).collect(),
        changes: Some(changes(document, lang)),
        verdicts: notes(document, lang),
        tables: vec![contrasts(document, lang)],
        ..Report::default()
    }
}

fn caps(document: &RunsDocument, lang: Lang) -> Vec<String> {
    document.caps_sentence().map(|of| of.text(lang)).into_iter().collect()
}

/// How runs differ beside their figures, and which tests only one of them has.
fn notes(document: &RunsDocument, lang: Lang) -> Vec<Statement> {
    let of_pair = |pair: &Contrasts| {
        let only = [(&pair.before, &pair.only_before), (&pair.after, &pair.only_after)];
        let only = only.into_iter().filter(|(_, names)| !names.is_empty()).map(|(name, names)| {
            let names = list::semicolons(names.iter().map(|name| test_title(name)));
            Message::new("change-only-in").with("side", name).part("names", names)
        });
        pair.unlike_sentence().into_iter().chain(only).collect::<Vec<Message>>()
    };
    let notes = document.pairs.iter().flat_map(of_pair);
    notes.map(|of| remark("", &of.text(lang))).collect()
}

/// Each figure of both sides as numbers.
fn contrasts(document: &RunsDocument, lang: Lang) -> Table {
    let label = |of: &Contrast| test_title(&of.name).text(lang);
    let of_pair = |pair| FigureContrast::of_pair(pair, label);
    let all: Vec<FigureContrast> = document.pairs.iter().flat_map(of_pair).collect();
    tables::contrasts(&all, lang)
}

/// The report of runs, with the baseline as the first of them if there is one.
fn of_subjects(
    mut gathered: Gathered,
    document: &RunsDocument,
    has_baseline: bool,
    lang: Lang,
) -> Report {
    gathered.summary = Some(document.summary(lang));
    // A document of several volumes is one side with several subjects.
    if has_baseline && gathered.subjects.len() != document.pairs.len() {
        return beside_baseline(report(gathered, lang), document, lang);
    }
    if has_baseline {
        gathered.add_baseline(document, lang);
    }
    report(gathered, lang)
}

impl Gathered {
    /// The same with the baseline before its subjects, and with what was compared.
    fn add_baseline(&mut self, document: &RunsDocument, lang: Lang) {
        for (subject, pair) in self.subjects.iter_mut().zip(&document.pairs) {
            subject.name.clone_from(&pair.after);
        }
        self.contrasts.clear();
        for (subject, pair) in self.subjects.iter().zip(&document.pairs) {
            let label = |of: &Contrast| {
                let seen = subject.seen.iter().find(|seen| is_of(of, seen));
                seen.map_or_else(|| of.name.clone(), |seen| seen.label.clone())
            };
            self.contrasts.extend(FigureContrast::of_pair(pair, label));
        }
        if let (Some(first), Some(source)) = (self.subjects.first(), document.sources.first()) {
            self.subjects.insert(0, baseline(first, source));
        }
        self.title = Message::new("report-title-compared").part("what", self.names()).text(lang);
    }
}

/// Whether a contrast is one of this entry.
fn is_of(contrast: &Contrast, seen: &DirectionFigures) -> bool {
    let title = &seen.title;
    let is_called = contrast.name == *title || contrast.name.ends_with(&format!(" / {title}"));
    is_called && contrast.direction == seen.entry.direction
}

/// The side that is several runs together, as a subject like the other side.
fn baseline(other: &Subject, source: &RecordingSource) -> Subject {
    Subject {
        name: source.name.clone(),
        kind: other.kind.clone(),
        host: None,
        began: None,
        seen: other.seen.iter().filter_map(|seen| before(seen, source)).collect(),
    }
}

/// The figures of the baseline in the work of an entry.
fn before(seen: &DirectionFigures, source: &RecordingSource) -> Option<DirectionFigures> {
    let is_same = |of: &&RecordingEntry| {
        of.direction == seen.entry.direction
            && (of.name == seen.title || of.name == seen.entry.name)
    };
    let entry = source.entries.iter().find(is_same)?.clone();
    let detail = Detail { rounds: entry.iops.repeats.count(), ..Detail::default() };
    Some(DirectionFigures { entry, detail, ..seen.clone() })
}

/// The report of a run by the reader of its kind, which was compared with a baseline: the
/// comparison's sentence in place of its own, and the ratios to the baseline behind its figures.
fn beside_baseline(page: Report, document: &RunsDocument, lang: Lang) -> Report {
    let mut tables = page.tables;
    tables.insert(tables.len().min(1), contrasts(document, lang));
    Report { answers: vec![document.summary(lang)], tables, ..page }
}

/// Each figure of both sides with its change, the interval and the judgement.
fn changes(document: &RunsDocument, lang: Lang) -> Table {
    let text = |key: &str, name: String| Column { key: key.to_owned(), name, unit: None };
    let sides = document.pairs.first().filter(|_| document.pairs.len() == 1);
    let side = |name: Option<&String>, id| name.cloned().unwrap_or_else(|| words(lang, id));
    let last = if document.gate.is_some() { "report-tile-gate" } else { "report-column-verdict" };
    let columns = vec![
        text("name", words(lang, "report-column-name")),
        text("figure", words(lang, "report-column-figure")),
        text("other", words(lang, "report-column-other")),
        text("before", side(sides.map(|pair| &pair.before), "report-column-before")),
        text("after", side(sides.map(|pair| &pair.after), "report-column-after")),
        text("change", words(lang, "report-column-change")),
        text("interval", words(lang, "report-column-interval")),
        text("verdict", words(lang, last)),
    ];
    let of_pair = |pair: &Contrasts| -> Vec<Vec<TableCell>> {
        pair.contrasts.iter().map(|of| change(document, pair, of, lang)).collect()
    };
    let rows = document.pairs.iter().flat_map(of_pair).collect();
    let table = Table {
        id: "changes".to_owned(),
        title: words(lang, "report-table-changes"),
        columns,
        rows,
    };
    if sides.is_some() { without_column(table, "other") } else { table }
}

/// The row of a contrast.
fn change(
    document: &RunsDocument,
    pair: &Contrasts,
    contrast: &Contrast,
    lang: Lang,
) -> Vec<TableCell> {
    let figure = |known: &Known| statements::known(contrast.judged, known, lang);
    let range = contrast.range().map(|range| range.text(lang));
    let judgement = match document.fail_if_worse_percent {
        Some(allowed) => statements::outcome(contrast.outcome(allowed), lang),
        None => verdict(contrast, None).text(lang),
    };
    let cells = [
        test_title(&contrast.name).text(lang),
        contrast.judged.title().text(lang),
        pair.after.clone(),
        figure(&contrast.before),
        figure(&contrast.after),
        change_words::change(contrast).text(lang),
        range.unwrap_or_default(),
        judgement,
    ];
    let cell = |text: String| match text.is_empty() {
        true => TableCell::Nothing,
        false => TableCell::Text(text),
    };
    cells.map(cell).to_vec()
}

/// A table without a column.
fn without_column(mut table: Table, key: &str) -> Table {
    if let Some(at) = table.columns.iter().position(|column| column.key == key) {
        table.columns.remove(at);
        table.rows.iter_mut().for_each(|row| drop(row.remove(at)));
    }
    table
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
