//! Runs as a table: a line each, in the width that there is.
//!
//! Where there is little room, what tells least goes first: titles, labels, figures after the
//! first, the beginnings of paths. On a screen as narrow as a phone's, each run gets three lines.

use crate::saved_runs::key;
use crate::terminal::screen::{Screen, wrapped};
use chrono::{DateTime, Local};
use fathom_store::{Entry, Outcome};
use fathom_vocab::printable;

/// Columns between two columns of the table.
const GAP: usize = 2;
/// A column that would have fewer columns left than this is left out.
const READABLE: usize = 8;

/// The place of each cell of a row.
const TARGETS: usize = 3;
const FIGURES: usize = 4;
const TAGS: usize = 5;
const TITLE: usize = 6;
const HEADINGS: [&str; 7] = ["id", "when", "kind", "targets", "figures", "labels", "title"];

/// Which columns give way, in this order, and the least that is left to them each time.
const GIVING_WAY: [(usize, usize); 8] = [
    (TITLE, 0),
    (TAGS, 12),
    (TARGETS, 16),
    (FIGURES, 20),
    (TARGETS, 12),
    (TAGS, 8),
    (FIGURES, 12),
    (TAGS, 0),
];

/// Figures that are shown of a run: as many as tell a volume's latency, IO/s and MB/s.
const FIGURES_SHOWN: usize = 3;

/// A run of the history, and whether it was killed: then it says that it goes on, and nobody is
/// there who measures.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The run.
    pub entry: Entry,
    /// Whether it ended without a word.
    pub killed: bool,
}

/// The table of `entries`, which are some or all `of` those that were found.
pub fn table(entries: &[Listed], of: u64, screen: &Screen) -> String {
    let rows: Vec<[String; 7]> = entries.iter().map(row).collect();
    let mut text = match widths(&rows, screen.width) {
        Some(widths) => {
            let headings = HEADINGS.map(str::to_owned);
            let mut text = aligned(&headings, &widths);
            let line = |(row, entry): (&[String; 7], &Listed)| {
                aligned(&cut(row, entry, &widths, screen), &widths)
            };
            text.extend(rows.iter().zip(entries).map(line));
            text
        }
        None => rows.iter().map(|row| stacked(row, screen)).collect(),
    };
    if (entries.len() as u64) < of {
        text += &format!("\n{} of {of} runs; --limit 0 lists all.\n", entries.len());
    }
    text
}

/// A run in one line, however long.
pub fn line(entry: &Entry) -> String {
    let run = &entry.run;
    let text = format!("{}  {}  {}  {}", entry.id, when(run.started_ms), run.kind, run.title);
    let targets = run.targets.join(", ");
    plain(format!("{}  {targets}", text.trim_end()).trim_end())
}

/// When that was, by the clock on the wall here.
pub fn when(started_ms: u64) -> String {
    match time(started_ms) {
        Some(time) => time.format("%Y-%m-%d %H:%M").to_string(),
        None => "?".to_owned(),
    }
}

/// A time in milliseconds since 1970 as a local one.
pub fn time(started_ms: u64) -> Option<DateTime<Local>> {
    let utc = DateTime::from_timestamp_millis(i64::try_from(started_ms).ok()?)?;
    Some(utc.with_timezone(&Local))
}

/// Text of a history, which may have come from anywhere, in one line that is safe to print.
pub fn plain(text: &str) -> String {
    printable::line(text).into_owned()
}

/// How it ended, where that must be known, and its figures.
fn figures(listed: &Listed) -> Vec<String> {
    let entry = &listed.entry;
    let outcome = match entry.run.outcome {
        Outcome::Ran => None,
        _ if listed.killed => Some("KILLED".to_owned()),
        outcome => Some(outcome.name().to_uppercase()),
    };
    let keys = entry.run.headline.iter().filter_map(key).take(FIGURES_SHOWN);
    outcome.into_iter().chain(keys).collect()
}

fn row(listed: &Listed) -> [String; 7] {
    let run = &listed.entry.run;
    [
        listed.entry.short_id.clone(),
        when(run.started_ms),
        run.kind.clone(),
        run.targets.join(", "),
        figures(listed).join(", "),
        run.tags.join(", "),
        run.title.clone(),
    ]
    .map(|cell| plain(&cell))
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// How wide each column is, 0 where it is left out; `None` where a table does not fit.
fn widths(rows: &[[String; 7]], width: usize) -> Option<[usize; 7]> {
    let mut widths = [0; 7];
    for (column, widest) in widths.iter_mut().enumerate() {
        let cells = rows.iter().map(|row| length(&row[column]));
        *widest = match cells.max().unwrap_or(0) {
            0 => 0,
            cell => cell.max(length(HEADINGS[column])),
        };
    }
    let total = |widths: &[usize; 7]| -> usize {
        let shown = widths.iter().filter(|width| **width > 0);
        shown.map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
    };
    for (column, least) in GIVING_WAY {
        let over = total(&widths).saturating_sub(width);
        let left = widths[column].saturating_sub(over).max(least.min(widths[column]));
        widths[column] = if left < widths[column] && left < READABLE { 0 } else { left };
    }
    (total(&widths) <= width).then_some(widths)
}

/// The row with each cell as long as its column is wide, at most.
fn cut(row: &[String; 7], listed: &Listed, widths: &[usize; 7], screen: &Screen) -> [String; 7] {
    let mark = if screen.unicode { "\u{2026}" } else { "..." };
    let mut cut = row.clone();
    for column in [TAGS, TITLE] {
        cut[column] = beginning(&row[column], widths[column], mark);
    }
    cut[FIGURES] = first_of(&figures(listed), widths[FIGURES], mark);
    cut[TARGETS] = match length(&row[TARGETS]) > widths[TARGETS] {
        true => targets(&listed.entry.run.targets, widths[TARGETS], mark),
        false => row[TARGETS].clone(),
    };
    cut
}

fn beginning(text: &str, width: usize, mark: &str) -> String {
    match length(text) > width {
        true => text.chars().take(width.saturating_sub(length(mark))).collect::<String>() + mark,
        false => text.to_owned(),
    }
}

/// As many as fit, whole: half a number would be another number.
fn first_of(parts: &[String], width: usize, mark: &str) -> String {
    let fits = |count: &usize| length(&parts[..*count].join(", ")) <= width;
    match (1..=parts.len()).rev().find(fits) {
        Some(count) => plain(&parts[..count].join(", ")),
        None if parts.is_empty() => String::new(),
        None => mark.to_owned(),
    }
}

/// The end of the first path, which tells more than its beginning, and how many there are beside.
fn targets(targets: &[String], width: usize, mark: &str) -> String {
    let first = targets.first().map(|target| plain(target)).unwrap_or_default();
    let others = match targets.len() {
        0 | 1 => String::new(),
        count => format!(" +{}", count - 1),
    };
    let room = width.saturating_sub(length(&others));
    let first = match length(&first) > room {
        true => {
            let skipped = length(&first) + length(mark) - room;
            mark.to_owned() + &first.chars().skip(skipped).collect::<String>()
        }
        false => first,
    };
    first + &others
}

fn aligned(cells: &[String; 7], widths: &[usize; 7]) -> String {
    let mut line = String::new();
    for (cell, width) in cells.iter().zip(widths).filter(|(_, width)| **width > 0) {
        line += &format!("{cell:<0$}", width + GAP);
    }
    line.trim_end().to_owned() + "\n"
}

fn stacked(row: &[String; 7], screen: &Screen) -> String {
    let mut text = format!("{}  {}  {}\n", row[0], row[1], row[2]);
    for column in [TARGETS, FIGURES, TAGS, TITLE].into_iter().filter(|at| !row[*at].is_empty()) {
        text += &wrapped(&row[column], screen.width, "  ", "    ");
    }
    text
}
