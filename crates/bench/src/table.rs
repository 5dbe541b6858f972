//! What is printed: the goals with their verdicts, and the figures behind them.

use crate::document::{Document, GoalResult, Turns};
use crate::figures::{Figure, Spread};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A number in few digits: `0.953`, `12.4`, `614k`, `3.2M`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 999.5e3 {
        format!("{:.2}M", value / 1e6)
    } else if size >= 9_999.5 {
        format!("{:.0}k", value / 1e3)
    } else if size >= 99.95 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 1.9995 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

fn spread(spread: &Spread) -> String {
    let Spread { median, min, max } = spread;
    if min == max {
        return number(*median);
    }
    format!("{} ({} – {})", number(*median), number(*min), number(*max))
}

fn verdict(goal: &GoalResult) -> &'static str {
    match goal.met {
        Some(true) => "met",
        Some(false) => "MISSED",
        None => "",
    }
}

/// A goal in one line, for reading along.
pub fn line(goal: &GoalResult) -> String {
    let line = format!("{:<34} {:<24}", goal.words(), spread(&goal.spread));
    format!("{line} {:<15} {}", goal.wanted(), verdict(goal)).trim_end().to_owned()
}

fn plain(heads: &[&str]) -> Table {
    let mut table = Table::new();
    // Markdown, so that it can go into docs/performance.md as it is.
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    table
}

/// All goals: median, spread, target, verdict.
pub fn goals(document: &Document) -> String {
    let mut table = plain(&["work", "figure", "median (least – greatest)", "target", ""]);
    for row in &document.rows {
        if row.goals.is_empty() {
            let why = row.skipped.as_deref().unwrap_or("nothing ran");
            table.add_row([row.title, "", &format!("not run: {why}"), "", ""]);
        }
        for (at, goal) in row.goals.iter().enumerate() {
            let title = if at == 0 { row.title } else { "" };
            let (words, wanted) = (goal.words(), goal.wanted());
            let seen = spread(&goal.spread);
            table.add_row([title, &words, &seen, &wanted, verdict(goal)]);
        }
    }
    table.to_string()
}

/// All contestants with their own figures: the medians.
pub fn contestants(document: &Document) -> String {
    let columns = [
        Figure::Iops,
        Figure::UserNs,
        Figure::CpuNs,
        Figure::WallMs,
        Figure::ResidentMib,
        Figure::Instructions,
    ];
    let mut heads = vec!["work", "who"];
    heads.extend(columns.map(Figure::name));
    let mut table = plain(&heads);
    for column in 2..heads.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for row in &document.rows {
        for (at, turns) in row.contestants.iter().enumerate() {
            let title = if at == 0 { row.title } else { "" };
            let mut cells = vec![title.to_owned(), turns.name.to_owned()];
            cells.extend(columns.map(|figure| median(turns, figure)));
            table.add_row(cells);
        }
    }
    table.to_string()
}

/// A contestant's median of a figure; empty where it does not tell.
fn median(turns: &Turns, figure: Figure) -> String {
    let values: Vec<f64> = turns.rounds.iter().map(|run| figure.of(run)).collect();
    Spread::of(&values)
        .filter(|spread| spread.max > 0.0)
        .map_or(String::new(), |s| number(s.median))
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        let seen =
            [0.9534, 1.9, 8.042, 12.44, 150.3, 5_123.0, 614_300.0, 3_240_000.0, -3.21].map(number);
        let wanted = ["0.953", "1.900", "8.04", "12.4", "150", "5123", "614k", "3.24M", "-3.210"];
        assert_eq!(seen[..8], wanted[..8]);
        assert_eq!(seen[8], "-3.21");
    }
}
