//! A report as one HTML file that needs no other file and no network.
//!
//! Decided here:
//! - Texts enter the page in two ways only: through the template, which escapes all of them with
//!   unprintable characters, and as JSON that cannot end its element ([`embed`]). The policy in the
//!   page's head allows exactly our scripts, by their hashes.
//! - The page contains all figures as tables, made here: without scripts it has the same content.
//! - The first screen contains the sentence, the tiles, of compared runs their changes, and one
//!   chart. All other parts are folded
//!   sections, which open on paper, for links into them, and on a click.

use crate::model::{
    Chart, ChartPoint, ChartSeries, Column, Fact, Repeat, Report, Statement, Table, TableCell, Tile,
};
use crate::sections::{self, Section};
use crate::words::{self, Words};
use crate::{assets, embed, figures, show, terms};
use fathom_analysis::{RowOutcome, Tone};
use fathom_message::{Lang, Message};
use fathom_vocab::printable;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, escape_formatter};
use serde::Serialize;
use std::borrow::Cow;
use thiserror::Error;

/// The name ends so that the template engine escapes for HTML.
const NAME: &str = "report.html";
const TEMPLATE: &str = include_str!("../assets/report.html");

/// Why a page could not be made. Both are faults of Fathom, not of the report.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum HtmlError {
    /// The template failed.
    #[error("the page of the report could not be filled in (a fault of Fathom: please report it)")]
    Template(#[from] minijinja::Error),
    /// The charts have no form as JSON.
    #[error("the charts could not be written as JSON (a fault of Fathom: please report it)")]
    Data(#[from] serde_json::Error),
}

/// The page that shows `report`.
///
/// # Errors
/// If the template or the data cannot be written, which no report should cause.
pub fn html(report: &Report) -> Result<String, HtmlError> {
    html_among(report, &[])
}

/// A link from a report's page to another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its text.
    pub text: String,
    /// Its destination: a path on the same server.
    pub address: String,
}

/// The page that shows `report` among other pages of a server, with links to them at its top.
///
/// # Errors
/// As [`html`].
pub fn html_among(report: &Report, links: &[Link]) -> Result<String, HtmlError> {
    let words = words::page(report.lang);
    let (charts, points) = packed(&report.charts);
    let data = embed::json(&Data { words: &words, charts: &charts, points })?;
    let environment = environment()?;
    let page = environment.get_template(NAME)?.render(Serde(Filled {
        report: Shown::of(report, &words),
        links,
        w: &words,
        lang: report.lang.tag(),
        made_by: Message::new("page-made-by")
            .with("version", env!("CARGO_PKG_VERSION"))
            .text(report.lang),
        policy: assets::policy(),
        packed: assets::packed(),
        loader: assets::LOADER,
        style: assets::STYLE,
        data: &data,
    }))?;
    Ok(page)
}

/// The template engine: it escapes all text except our own files.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, state, value| match value.as_str() {
        // Our own files are safe and stay as they are.
        Some(text) if !value.is_safe() => {
            escape_formatter(out, state, &printable::lines(text).into_owned().into())
        }
        _ => escape_formatter(out, state, value),
    });
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.add_template(NAME, TEMPLATE)?;
    Ok(environment)
}

/// Everything that the template is filled with.
#[derive(Serialize)]
struct Filled<'a> {
    report: Shown<'a>,
    links: &'a [Link],
    w: &'a Words,
    lang: &'static str,
    made_by: String,
    policy: &'static str,
    packed: &'static str,
    loader: &'static str,
    style: &'static str,
    data: &'a str,
}

/// The input of the scripts.
#[derive(Serialize)]
struct Data<'a> {
    words: &'a Words,
    /// The charts without their points.
    charts: &'a [Chart],
    /// The points of each series of each chart: `[x, y, low, high, value, tone]`, without missing
    /// values at the end. Otherwise half of a page with hundreds of charts would be the names of
    /// fields.
    points: Vec<Vec<Vec<Packed>>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Packed {
    Bare(f64, f64),
    Full(f64, f64, Option<f64>, Option<f64>, Option<f64>),
    Toned(f64, f64, Option<f64>, Option<f64>, Option<f64>, Tone),
}

impl Packed {
    fn of(point: &ChartPoint) -> Packed {
        match *point {
            ChartPoint { x, y, low, high, value, tone: Some(tone) } => {
                Packed::Toned(x, y, low, high, value, tone)
            }
            ChartPoint { x, y, low: None, high: None, value: None, tone: None } => {
                Packed::Bare(x, y)
            }
            ChartPoint { x, y, low, high, value, tone: None } => {
                Packed::Full(x, y, low, high, value)
            }
        }
    }
}

/// The charts, and apart from them their points.
fn packed(charts: &[Chart]) -> (Vec<Chart>, Vec<Vec<Vec<Packed>>>) {
    let points = |series: &ChartSeries| series.points.iter().map(Packed::of).collect();
    let taken = charts.iter().map(|chart| chart.series.iter().map(points).collect()).collect();
    let bare = |series: &ChartSeries| ChartSeries { points: Vec::new(), ..series.clone() };
    let emptied =
        |chart: &Chart| Chart { series: chart.series.iter().map(bare).collect(), ..chart.clone() };
    (charts.iter().map(emptied).collect(), taken)
}

/// A report as the template takes it.
#[derive(Serialize)]
struct Shown<'a> {
    title: &'a str,
    origin: &'a str,
    /// The first one keeps its numbers and their units in one line.
    answers: Vec<Cow<'a, str>>,
    /// What explains the first answer.
    reasons: &'a [String],
    tiles: Vec<ShownTile<'a>>,
    /// The table of the first screen.
    changes: Option<ShownTable<'a>>,
    /// The one chart of the first screen.
    hero: Option<ShownChart<'a>>,
    verdicts: Vec<Verdict<'a>>,
    counts: Vec<ToneCount>,
    sections: Vec<ShownSection<'a>>,
    tables: Vec<ShownTable<'a>>,
    /// The command for the whole document.
    again: Option<&'a Repeat>,
    /// Commands for parts of it.
    steps: &'a [Repeat],
    /// The terms of the glossary that the page names.
    terms: Vec<Fact>,
    facts: &'a [Fact],
}

impl<'a> Shown<'a> {
    fn of(report: &'a Report, words: &Words) -> Shown<'a> {
        let verdict = |said| Verdict::of(said, report.lang, words);
        let (hero, _) = sections::split(&report.charts);
        let (again, steps) = report.repeat.split_first().unzip();
        Shown {
            title: &report.title,
            origin: &report.origin,
            answers: answers(&report.answers),
            reasons: &report.reasons,
            tiles: report.tiles.iter().map(ShownTile::of).collect(),
            changes: report.changes.as_ref().map(ShownTable::of),
            hero: hero.map(|chart| ShownChart::of((0, chart), report.lang)),
            counts: ToneCount::of(report),
            verdicts: report.verdicts.iter().map(verdict).collect(),
            sections: shown_sections(report),
            tables: report.volumes.iter().chain(&report.tables).map(ShownTable::of).collect(),
            again,
            steps: steps.unwrap_or_default(),
            terms: terms::of(report),
            facts: &report.facts,
        }
    }
}

fn answers(all: &[String]) -> Vec<Cow<'_, str>> {
    let rest = all.iter().skip(1).map(|answer| answer.as_str().into());
    all.first().map(|first| unbroken(first).into()).into_iter().chain(rest).collect()
}

/// The space between a number and its unit as one that no line ends at.
fn unbroken(text: &str) -> String {
    const UNITS: [&str; 14] = [
        "IOPS", "us", "ms", "s", "%", "kB/s", "MB/s", "GB/s", "KiB", "MiB", "GiB", "MB", "GB", "TB",
    ];
    let mut out = String::with_capacity(text.len());
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        out += word;
        let number = word.ends_with(|letter: char| letter.is_ascii_digit());
        let unit = words.peek().map(|next| next.trim_end_matches([',', '.', ';', ':', ')']));
        match unit {
            Some(unit) if number && UNITS.contains(&unit) => out.push('\u{a0}'),
            Some(_) => out.push(' '),
            None => {}
        }
    }
    out
}

#[derive(Serialize)]
struct ShownTile<'a> {
    name: &'a str,
    value: Cow<'a, str>,
    detail: &'a str,
    /// The name of its colour; empty without a limit.
    tone: &'static str,
}

impl<'a> ShownTile<'a> {
    fn of(tile: &'a Tile) -> ShownTile<'a> {
        let value = match &tile.value {
            TableCell::Number(number) => show::value(tile.unit, *number).into(),
            TableCell::Quantity(number, unit) => show::value(*unit, *number).into(),
            TableCell::Text(text) => text.as_str().into(),
            TableCell::Nothing => show::NONE.into(),
        };
        let tone = tile.outcome.map_or("", of_outcome);
        ShownTile { name: &tile.name, value, detail: &tile.detail, tone }
    }
}

/// Outcomes have their own colours: a limit that a clean run missed is red, and still reliable.
fn of_outcome(outcome: RowOutcome) -> &'static str {
    match outcome {
        RowOutcome::Pass => "good",
        RowOutcome::Undecided => "warning",
        RowOutcome::Fail => "bad",
    }
}

/// The number of verdicts of one kind, shown beside the heading of a folded section.
#[derive(Serialize)]
struct ToneCount {
    tone: &'static str,
    /// With its number: `5 cautions`, `2 FAIL`.
    words: String,
}

impl ToneCount {
    fn of(report: &Report) -> Vec<ToneCount> {
        let lang = report.lang;
        let of_outcome =
            [RowOutcome::Fail, RowOutcome::Undecided, RowOutcome::Pass].map(|wanted| {
                let same = report.verdicts.iter().filter(|said| said.outcome == Some(wanted));
                let word = fathom_message::words(lang, words::of_outcome(wanted));
                let message = Message::new("page-count-outcome").with("outcome", word);
                (of_outcome(wanted), message, same.count())
            });
        let of_trust = TRUST.map(|(tone, id)| {
            let same = |said: &&Statement| said.outcome.is_none() && said.tone == tone;
            (of_tone(tone), Message::new(id), report.verdicts.iter().filter(same).count())
        });
        let all = of_outcome.into_iter().chain(of_trust).filter(|(.., count)| *count > 0);
        let counted = |(tone, message, count): (&'static str, Message, usize)| ToneCount {
            tone,
            words: message.with("count", count as u64).text(lang),
        };
        all.map(counted).collect()
    }
}

/// How far figures can be trusted, the worst first, and how many there are of each.
const TRUST: [(Tone, &str); 4] = [
    (Tone::Bad, "page-count-bad"),
    (Tone::Warning, "page-count-warning"),
    (Tone::Good, "page-count-good"),
    (Tone::Note, "page-count-note"),
];

fn of_tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Warning => "warning",
        Tone::Bad => "bad",
        Tone::Note => "note",
    }
}

#[derive(Serialize)]
struct Verdict<'a> {
    /// Names the icon and the colour.
    tone: &'static str,
    /// The outcome, or how far the figures can be trusted.
    word: String,
    about: &'a str,
    sentence: &'a str,
}

impl<'a> Verdict<'a> {
    fn of(said: &'a Statement, lang: Lang, words: &Words) -> Verdict<'a> {
        let tone = said.outcome.map_or(of_tone(said.tone), of_outcome);
        let word = match said.outcome {
            Some(outcome) => fathom_message::words(lang, words::of_outcome(outcome)),
            None => words.get(tone).cloned().unwrap_or_default(),
        };
        Verdict { tone, word, about: &said.about, sentence: &said.sentence }
    }
}

/// Charts side by side.
#[derive(Serialize)]
struct Row<'a> {
    /// Whether its only chart takes the whole width.
    wide: bool,
    charts: Vec<ShownChart<'a>>,
}

#[derive(Serialize)]
struct ShownChart<'a> {
    /// Its place among the charts of the data.
    at: usize,
    id: &'a str,
    title: &'a str,
    says: &'a str,
    note: &'a str,
    figures: figures::FigureTable,
}

impl<'a> ShownChart<'a> {
    fn of((at, chart): (usize, &'a Chart), lang: Lang) -> ShownChart<'a> {
        let Chart { id, title, says, note, .. } = chart;
        ShownChart { at, id, title, says, note, figures: figures::of_chart(chart, lang) }
    }
}

/// Charts of one topic, folded away.
#[derive(Serialize)]
struct ShownSection<'a> {
    id: &'static str,
    title: String,
    count: usize,
    rows: Vec<Row<'a>>,
}

fn shown_sections(report: &Report) -> Vec<ShownSection<'_>> {
    let (_, sections) = sections::split(&report.charts);
    sections.iter().map(|section| ShownSection::of(section, report.lang)).collect()
}

impl<'a> ShownSection<'a> {
    fn of(section: &Section<'a>, lang: Lang) -> ShownSection<'a> {
        let rows = section.rows().into_iter().map(|charts| Row {
            wide: charts.len() == 1,
            charts: charts.into_iter().map(|chart| ShownChart::of(chart, lang)).collect(),
        });
        ShownSection {
            id: section.topic.id(),
            title: fathom_message::words(lang, section.topic.message()),
            count: section.charts.len(),
            rows: rows.collect(),
        }
    }
}

#[derive(Serialize)]
struct ShownTable<'a> {
    id: &'a str,
    title: &'a str,
    columns: Vec<ShownColumn>,
    rows: Vec<Vec<ShownCell<'a>>>,
}

#[derive(Serialize)]
struct ShownColumn {
    name: String,
    number: bool,
}

#[derive(Serialize)]
struct ShownCell<'a> {
    /// Its sort key, if it is a number.
    by: Option<f64>,
    /// Whether nothing was measured.
    none: bool,
    text: Cow<'a, str>,
}

impl<'a> ShownTable<'a> {
    fn of(table: &'a Table) -> ShownTable<'a> {
        let column = |column: &Column| ShownColumn {
            name: show::heading(&column.name, column.unit),
            number: column.unit.is_some(),
        };
        let cells = |row: &'a Vec<TableCell>| {
            let columns = table.columns.iter().map(Some).chain(std::iter::repeat(None));
            row.iter().zip(columns).map(|(cell, column)| shown(cell, column)).collect()
        };
        ShownTable {
            id: &table.id,
            title: &table.title,
            columns: table.columns.iter().map(column).collect(),
            rows: table.rows.iter().map(cells).collect(),
        }
    }
}

fn shown<'a>(cell: &'a TableCell, column: Option<&Column>) -> ShownCell<'a> {
    let unit = column.and_then(|column| column.unit).unwrap_or_default();
    match cell {
        TableCell::Number(number) => {
            let by = number.is_finite().then_some(*number);
            ShownCell { by, none: false, text: show::cell(unit, *number).into() }
        }
        TableCell::Quantity(number, unit) => {
            ShownCell { by: None, none: false, text: show::value(*unit, *number).into() }
        }
        TableCell::Text(text) => ShownCell { by: None, none: false, text: text.as_str().into() },
        TableCell::Nothing => ShownCell { by: None, none: true, text: show::NONE.into() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(
            unbroken("/mnt: median 87 us reads; 77,000 IOPS (4 KiB reads); p99 under 2 ms."),
            "/mnt: median 87\u{a0}us reads; 77,000\u{a0}IOPS (4\u{a0}KiB reads); p99 under 2\u{a0}ms."
        );
        assert_eq!(unbroken("2 of 4  tests"), "2 of 4  tests");
    }
}
