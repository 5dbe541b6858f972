//! A report as one HTML file that needs nothing else and asks nothing of anywhere.
//!
//! What was decided here:
//! - Texts reach the page in two ways only: through the template, which escapes all of them and
//!   what is unprintable in them, and as JSON that cannot end its element ([`embed`]). The policy
//!   in the page's head lets run exactly the scripts that are ours, by their sums.
//! - All figures are in the page as tables, made here: it says the same without a script.
//! - Charts stand in rows: the first one over the whole width, pairs side by side, the others in
//!   twos.

use crate::model::{Chart, ChartPoint, ChartSeries, Column, Report, Table, TableCell};
use crate::words::{self, Words};
use crate::{assets, embed, figures, show};
use fathom_analysis::{RowOutcome, Tone};
use fathom_vocab::printable;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, escape_formatter};
use serde::Serialize;
use thiserror::Error;

/// The name ends so that the template engine escapes for HTML.
const NAME: &str = "report.html";
const TEMPLATE: &str = include_str!("../assets/report.html");

/// So many verdicts stand open; the others are one press away.
const OPEN_VERDICTS: usize = 8;

/// Why a page could not be made. Both are faults of Fathom, not of the report.
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
/// Where the template or the data cannot be written, which no report should bring about.
pub fn html(report: &Report) -> Result<String, HtmlError> {
    html_among(report, &[])
}

/// A way from a report's page to another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Its words.
    pub text: String,
    /// Where it leads: a path on the same server.
    pub address: String,
}

/// The page that shows `report` among other pages of a server, with ways to them at its top.
///
/// # Errors
/// As [`html`].
pub fn html_among(report: &Report, links: &[Link]) -> Result<String, HtmlError> {
    let words = words::page(report.lang);
    let (charts, points) = packed(&report.charts);
    let data = embed::json(&Data { words: &words, charts: &charts, points })?;
    let environment = environment()?;
    let (open, more) = report.verdicts.split_at(report.verdicts.len().min(OPEN_VERDICTS));
    let page = environment.get_template(NAME)?.render(Serde(Filled {
        report: Shown::of(report),
        links,
        open: open.iter().map(Verdict::of).collect(),
        more: more.iter().map(Verdict::of).collect(),
        w: &words,
        lang: report.lang.tag(),
        version: env!("CARGO_PKG_VERSION"),
        policy: assets::policy(),
        scripts: assets::SCRIPTS,
        style: assets::STYLE,
        data: &data,
    }))?;
    Ok(page)
}

/// The template engine: it escapes all that is not said to be safe, which only our own files are.
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
    open: Vec<Verdict<'a>>,
    more: Vec<Verdict<'a>>,
    w: &'a Words,
    lang: &'static str,
    version: &'static str,
    policy: &'static str,
    scripts: [&'static str; assets::SCRIPTS.len()],
    style: &'static str,
    data: &'a str,
}

/// What the scripts are given.
#[derive(Serialize)]
struct Data<'a> {
    words: &'a Words,
    /// The charts without their points.
    charts: &'a [Chart],
    /// The points of each series of each chart: `[x, y, low, high, value, tone]`, shorter where the
    /// last ones are missing. Half of a page with hundreds of charts would be the names of fields.
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
    example: Option<&'a str>,
    answers: &'a [String],
    rows: Vec<Row<'a>>,
    tables: Vec<ShownTable<'a>>,
    repeat: &'a [crate::model::Repeat],
    facts: &'a [crate::model::Fact],
}

impl<'a> Shown<'a> {
    fn of(report: &'a Report) -> Shown<'a> {
        Shown {
            title: &report.title,
            example: report.example.as_deref(),
            answers: &report.answers,
            rows: rows(&report.charts),
            tables: report.tables.iter().map(ShownTable::of).collect(),
            repeat: &report.repeat,
            facts: &report.facts,
        }
    }
}

#[derive(Serialize)]
struct Verdict<'a> {
    /// Names the icon, the word and the colour.
    tone: &'static str,
    /// `PASS`, `UNCLEAR` or `FAIL`, which then is the word; empty where it is about no limit.
    outcome: &'static str,
    about: &'a str,
    sentence: &'a str,
}

impl<'a> Verdict<'a> {
    fn of(said: &'a crate::model::Statement) -> Verdict<'a> {
        // An outcome has colours of its own: a limit that a sound run missed is red, and no less
        // to be relied on.
        let tone = match (said.outcome, said.tone) {
            (Some(RowOutcome::Pass), _) | (None, Tone::Good) => "good",
            (Some(RowOutcome::Unclear), _) | (None, Tone::Warning) => "warning",
            (Some(RowOutcome::Fail), _) | (None, Tone::Bad) => "bad",
            (None, Tone::Note) => "note",
        };
        let outcome = said.outcome.map_or("", RowOutcome::name);
        Verdict { tone, outcome, about: &said.about, sentence: &said.sentence }
    }
}

/// Charts that stand beside each other.
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
    fn of((at, chart): (usize, &'a Chart)) -> ShownChart<'a> {
        let Chart { id, title, says, note, .. } = chart;
        ShownChart { at, id, title, says, note, figures: figures::of_chart(chart) }
    }
}

fn rows(charts: &[Chart]) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut at = 0;
    while at < charts.len() {
        let count = beside(&charts[at..], at == 0);
        let indexed = charts.iter().enumerate().skip(at).take(count);
        rows.push(Row { wide: count == 1, charts: indexed.map(ShownChart::of).collect() });
        at += count;
    }
    rows
}

/// How many of the next charts stand beside each other.
fn beside(charts: &[Chart], first: bool) -> usize {
    match charts {
        [Chart { pair: Some(pair), .. }, ..] => {
            charts.iter().take_while(|chart| chart.pair.as_ref() == Some(pair)).count()
        }
        [_, Chart { pair: None, .. }, ..] if !first => 2,
        _ => 1,
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
    /// What it is sorted by, where it is a number.
    by: Option<f64>,
    /// Whether nothing was measured.
    none: bool,
    text: std::borrow::Cow<'a, str>,
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
        TableCell::Text(text) => ShownCell { by: None, none: false, text: text.as_str().into() },
        TableCell::Nothing => ShownCell { by: None, none: true, text: show::NONE.into() },
    }
}
