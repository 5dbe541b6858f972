//! Runs as a table: a line each, in the available width.
//!
//! On a narrow screen the least important columns are shortened first: titles, tags, figures
//! after the first, the beginnings of paths. On a screen as narrow as a phone's, each run gets
//! three lines.

use crate::language::{lang, word};
use crate::saved_runs::{key, short_label};
use crate::terminal::paint::{cut, path_end};
use crate::terminal::screen::{Screen, columns, wrapped};
use crate::terminal::table::{TextCell, TextTable, cell};
use chrono::{DateTime, Local};
use fathom_campaign::test_title;
use fathom_store::{HistoryEntry, HistoryFigure, HistoryOutcome, HistoryRun};
use fathom_vocab::{printable, without_arguments};
use serde::Serialize;

/// The place of each cell of a row.
const WHEN: usize = 1;
const TARGETS: usize = 3;
const FIGURES: usize = 4;
const TAGS: usize = 5;
const TITLE: usize = 6;
const HEADINGS: [&str; 7] = ["id", "when", "kind", "targets", "figures", "tags", "title"];

/// Columns that shrink, in this order, with the minimum width at each step.
const GIVING_WAY: [(usize, usize); 10] = [
    (TITLE, 0),
    (TAGS, 12),
    (TARGETS, 16),
    (FIGURES, 32),
    (WHEN, SHORT_WHEN),
    (TARGETS, 10),
    (FIGURES, 20),
    (TAGS, 8),
    (TAGS, 0),
    (FIGURES, 12),
];

/// Columns of `08-01 09:30`.
const SHORT_WHEN: usize = 11;

/// Figures shown for a run: enough for a volume's latency, IOPS and MB/s.
const FIGURES_SHOWN: usize = 3;

/// A run of the history, and whether it was killed: marked as running, but without a process that
/// measures.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// The run.
    #[serde(flatten)]
    pub entry: HistoryEntry,
    /// Whether it ended without a word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub killed: bool,
}

/// The table of `entries`, which are all or some of the `of` runs found.
pub fn table(entries: &[Listed], of: u64, screen: &Screen) -> String {
    let mut table = TextTable::indented(0);
    table.row(HEADINGS.into_iter().map(word).map(cell).collect());
    entries.iter().for_each(|entry| table.row(cells(entry, screen)));
    table.give_way(&GIVING_WAY);
    let mut text = match table.fits(screen) {
        true => table.text(screen),
        false => entries.iter().map(|entry| stacked(&row(entry), screen)).collect(),
    };
    if (entries.len() as u64) < of {
        let more = localized!("{} of {of} runs; --limit 0 lists all.", entries.len());
        text += &format!("\n{more}\n");
    }
    text
}

/// A run in one line, however long.
pub fn line(entry: &HistoryEntry) -> String {
    let run = &entry.run;
    let title = &run.title;
    let text = format!("{}  {}  {}  {}", entry.id, when(run.started_ms), run.kind, title);
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

/// Text of a history, which may be untrusted, in one line that is safe to print.
pub fn plain(text: &str) -> String {
    printable::line(text).into_owned()
}

/// How it ended, if that is important, and its figures.
fn figures(listed: &Listed) -> Vec<String> {
    let entry = &listed.entry;
    let outcome = match entry.run.outcome {
        HistoryOutcome::Ran => None,
        _ if listed.killed => Some("KILLED"),
        HistoryOutcome::PromiseKept => Some("PASS"),
        HistoryOutcome::PromiseMissed => Some("FAIL"),
        HistoryOutcome::Running => Some("RUNNING"),
        HistoryOutcome::Interrupted => Some("INTERRUPTED"),
        HistoryOutcome::Undecided => Some("UNDECIDED"),
        HistoryOutcome::Failed => Some("FAILED"),
    };
    outcome.map(|outcome| word(outcome).to_owned()).into_iter().chain(results(&entry.run)).collect()
}

/// What was found: of a comparison its result, of other commands the first figures.
fn results(run: &HistoryRun) -> Vec<String> {
    match run.kind.as_str() {
        "compare" if !run.headline.is_empty() => {
            let essence = run.title.split("; ").next().unwrap_or_default();
            vec![essence.to_owned()]
        }
        "sweep" | "limit" => run.headline.iter().filter_map(best).collect(),
        _ => named_figures(run),
    }
}

/// `76,900 IOPS (iodepth=16)`, `2,430 IOPS (p99 under 1 ms)`.
fn best(figure: &HistoryFigure) -> Option<String> {
    Some(format!("{} ({})", key(figure)?, test_title(&figure.label).text(lang())))
}

/// `randread 4k 331 us`; a name that the figure before has, too, is left out.
fn named_figures(run: &HistoryRun) -> Vec<String> {
    let mut last = String::new();
    let mut named = Vec::new();
    for figure in run.leading() {
        let Some(number) = key(figure) else { continue };
        let name = short_label(&figure.label);
        match name == last {
            true => named.push(number),
            false => named.push(format!("{name} {number}")),
        }
        last = name;
    }
    named.truncate(FIGURES_SHOWN);
    named
}

/// The first figure without its name, for where both do not fit; none where a word comes first.
fn bare_number(run: &HistoryRun) -> Option<String> {
    let is_named = run.outcome == HistoryOutcome::Ran && run.kind != "compare";
    run.leading().into_iter().next().filter(|_| is_named).and_then(key)
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

/// The cells of a row, each with its own rule for shortening.
fn cells(listed: &Listed, screen: &Screen) -> Vec<TextCell> {
    let mark = screen.ellipsis();
    let mut cells: Vec<TextCell> = Vec::new();
    for (column, text) in row(listed).into_iter().enumerate() {
        let short = cell(&text);
        cells.push(match column {
            TAGS | TITLE => short.fitted(move |width| beginning(&text, width, mark)),
            FIGURES => {
                let (parts, number) = (figures(listed), bare_number(&listed.entry.run));
                short.fitted(move |width| match &number {
                    Some(number) if parts.first().is_some_and(|part| columns(part) > width) => {
                        beginning(number, width, mark)
                    }
                    _ => first_of(&parts, width, mark),
                })
            }
            WHEN => {
                let year = text.len().saturating_sub(SHORT_WHEN);
                let brief = text.get(year..).unwrap_or_default().to_owned();
                short.fitted(move |_| brief.clone())
            }
            TARGETS => {
                let paths = listed.entry.run.targets.clone();
                short.fitted(move |width| targets(&paths, width, mark))
            }
            _ => short,
        });
    }
    cells
}

fn beginning(text: &str, width: usize, mark: &str) -> String {
    match columns(text) > width {
        true => cut(text, width.saturating_sub(columns(mark))) + mark,
        false => text.to_owned(),
    }
}

/// As many as fit, whole: half a number would be another number.
fn first_of(parts: &[String], width: usize, mark: &str) -> String {
    let fits = |count: &usize| columns(&parts[..*count].join(", ")) <= width;
    match (1..=parts.len()).rev().find(fits) {
        Some(count) => plain(&parts[..count].join(", ")),
        None => {
            parts.first().map_or_else(String::new, |part| first_words(&plain(part), width, mark))
        }
    }
}

/// The first words of `text` that fit with the mark. A number is never the last of them: without
/// its unit it would be another one.
fn first_words(text: &str, width: usize, mark: &str) -> String {
    let room = width.saturating_sub(columns(mark));
    let mut words: Vec<&str> = text.split(' ').collect();
    while columns(&words.join(" ")) > room
        || words.last().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    {
        words.pop();
    }
    words.join(" ") + mark
}

/// The end of the first path, and the number of other paths. An export loses its arguments first.
fn targets(targets: &[String], width: usize, mark: &str) -> String {
    let mut first = targets.first().map(|target| plain(target)).unwrap_or_default();
    let others = match targets.len() {
        0 | 1 => String::new(),
        count => format!(" +{}", count - 1),
    };
    let room = width.saturating_sub(columns(&others));
    if columns(&first) > room {
        first.truncate(without_arguments(&first).len());
    }
    path_end(&first, room, mark) + &others
}

fn stacked(row: &[String; 7], screen: &Screen) -> String {
    let mut text = format!("{}  {}  {}\n", row[0], row[1], row[2]);
    for column in [TARGETS, FIGURES, TAGS, TITLE].into_iter().filter(|at| !row[*at].is_empty()) {
        text += &wrapped(&row[column], screen.width, "  ", "    ");
    }
    text
}
