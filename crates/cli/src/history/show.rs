//! Everything about a run: its description, the command that repeats it, and its figures.

use crate::history::list::{Listed, plain, time};
use crate::history_writer::command_in_folder;
use crate::language::word;
use crate::terminal::screen::columns;
use crate::terminal::screen::from_left;
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, seconds, thousands};
use fathom_store::{HistoryFigure, HistoryOutcome, HistoryRun};
use fathom_text::Text;

/// Width of the words on the left.
const LABEL: usize = 9;

/// What its command makes of a document.
#[derive(Clone, Debug, Default)]
pub struct SavedTable {
    /// Its title, where it is more than that of the history.
    pub title: Option<Text>,
    /// Its table, as the command printed it; none if it has none.
    pub table: Option<String>,
}

/// What is known of a run's document.
#[derive(Clone, Debug, Default)]
pub struct StoredResult {
    /// Its first sentence.
    pub summary: Option<String>,
    /// Where its volumes come from, where they belong to a cluster.
    pub origins: Vec<String>,
    /// What its command makes of it.
    pub saved: SavedTable,
    /// Its size.
    pub document_bytes: u64,
}

/// The run as text. A document without a table has the figures that the list keeps of it.
pub fn text(listed: &Listed, result: &StoredResult, screen: &Screen) -> String {
    let entry = &listed.entry;
    let run = &entry.run;
    let mut text = format!("{}  {}\n", entry.id, plain(&run.kind));
    let mut add = |label: &'static str, value: &str| {
        if !value.is_empty() {
            let first = format!("  {} ", from_left(word(label), LABEL));
            let rest = " ".repeat(columns(&first));
            text += &wrapped(plain(value), screen.width, &first, &rest);
        }
    };
    add("summary", result.summary.as_deref().unwrap_or_default());
    let title = result.saved.title.clone().unwrap_or_else(|| Text::from_english(&run.title));
    add("about", title.text(screen.lang));
    add("begun", &begun(run));
    let ended = match listed.killed {
        true => "WITHOUT A WORD: it was killed, or its machine went down",
        false => outcome(run.outcome),
    };
    add("ended", word(ended));
    add("host", &run.host);
    run.targets.iter().for_each(|target| add("target", target));
    result.origins.iter().for_each(|origin| add("volume", origin));
    add("tags", &run.tags.join(", "));
    add("measured", &localized!("by Fathom {}", run.fathom_version));
    let document = localized!(
        "{} of JSON: fathom history show {} --json",
        binary_bytes(result.document_bytes),
        entry.short_id
    );
    add("document", &document);
    // Never broken, so that it can be copied.
    text += &format!("\n{}\n  {}\n", localized!("To do it again"), plain(&again(run)));
    match &result.saved.table {
        Some(table) => format!("{text}\n{}\n{table}", localized!("Figures")),
        None => text + &figures(&run.headline, screen),
    }
}

/// When it began, and how long it took; a run that was killed has no end.
fn begun(run: &HistoryRun) -> String {
    let time = time(run.started_ms).map(|time| time.format("%Y-%m-%d %H:%M:%S %:z").to_string());
    let time = time.unwrap_or_else(|| localized!("at an unknown time"));
    match run.duration_ms {
        0 => time,
        ms => localized!("{time}, took {}", seconds(ms.saturating_mul(1000))),
    }
}

fn outcome(outcome: HistoryOutcome) -> &'static str {
    match outcome {
        HistoryOutcome::Running => "not yet: it is running",
        HistoryOutcome::Ran => "all was measured",
        HistoryOutcome::Interrupted => "INTERRUPTED: only a part was measured",
        HistoryOutcome::PromiseKept => "PASS: all was measured, and every limit was met",
        HistoryOutcome::Undecided => {
            "UNDECIDED: all was measured; the figures do not say whether every limit was met"
        }
        HistoryOutcome::PromiseMissed => "FAIL: all was measured, and a limit was missed",
        HistoryOutcome::Failed => "FAILED: something could not be measured",
    }
}

/// The command, in the folder where it was typed.
fn again(run: &HistoryRun) -> String {
    command_in_folder(&run.command, &run.folder)
}

fn figures(headline: &[HistoryFigure], screen: &Screen) -> String {
    if headline.is_empty() {
        return String::new();
    }
    let tables = [all_columns(headline), most_columns(headline)];
    let fitting = tables.into_iter().find(|table| table.fits(screen));
    let body = match fitting {
        Some(table) => table.text(screen),
        None => headline.iter().map(stacked).collect(),
    };
    format!("\n{}\n{body}", localized!("Figures"))
}

/// The table as that of `measure`, with the depth in a column.
fn all_columns(headline: &[HistoryFigure]) -> TextTable {
    let mut table = TextTable::new();
    table.row(heading(&["", "QD", "IOPS", "MB/s", "mean", "p50", "p99", "p99.9"]));
    for figure in headline {
        let (name, depth) = name_and_depth(figure);
        let mut cells = vec![cell(format!(" {name}")), right(depth)];
        cells.extend(numbers(figure).map(right));
        table.row(cells);
    }
    table
}

/// A narrower table, without the depth's column and two of the percentiles.
fn most_columns(headline: &[HistoryFigure]) -> TextTable {
    let mut table = TextTable::new();
    table.row(heading(&["", "IOPS", "MB/s", "mean", "p99"]));
    for figure in headline {
        let [iops, rate, mean, _, p99, _] = numbers(figure);
        let mut cells = vec![cell(format!(" {}", name(figure)))];
        cells.extend([iops, rate, mean, p99].map(right));
        table.row(cells);
    }
    table
}

fn name(figure: &HistoryFigure) -> String {
    match figure.target.is_empty() {
        true => plain(&figure.label),
        false => plain(&format!("{}: {}", figure.target, figure.label)),
    }
}

/// `256 KiB seq. read` and `32`; other labels as they are, without a depth. Runs that were recorded
/// before 2026-11-25 say `depth 32` for `QD 32`.
fn name_and_depth(figure: &HistoryFigure) -> (String, String) {
    let name = name(figure);
    match name.rsplit_once(", QD ").or_else(|| name.rsplit_once(", depth ")) {
        Some((work, depth)) if depth.chars().all(|c| c.is_ascii_digit()) => {
            (work.replace(" sequential ", " seq. "), depth.to_owned())
        }
        _ => (name, String::new()),
    }
}

/// IOPS, MB/s, mean latency, percentiles 50, 99 and 99.9; empty if missing.
fn numbers(figure: &HistoryFigure) -> [String; 6] {
    [
        figure.iops.map(thousands),
        figure.bytes_per_s.map(|rate| megabytes_per_s(rate / 1e6)),
        figure.mean_ns.map(latency),
        figure.p50_ns.map(latency),
        figure.p99_ns.map(latency),
        figure.p999_ns.map(latency),
    ]
    .map(Option::unwrap_or_default)
}

fn stacked(figure: &HistoryFigure) -> String {
    let [iops, rate, mean, p50, p99, p999] = numbers(figure);
    let parts = [
        ("", iops, " IOPS"),
        ("", rate, " MB/s"),
        ("mean ", mean, ""),
        ("p50 ", p50, ""),
        ("p99 ", p99, ""),
        ("p99.9 ", p999, ""),
    ];
    let known = parts.into_iter().filter(|(_, number, _)| !number.is_empty());
    let texts: Vec<String> =
        known.map(|(before, number, unit)| format!("{before}{number}{unit}")).collect();
    format!("  {}\n    {}\n", name(figure), texts.join(", "))
}
