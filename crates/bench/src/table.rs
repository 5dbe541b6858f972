//! What is printed: the goals with their verdicts, and the figures behind them.

use crate::count::{Case, Counted, Counts, Moved};
use crate::document::{Document, GoalResult, Turns};
use crate::figures::{Figure, Spread};
use crate::growth::{Growth, LineResult, SweepResult};
use crate::place::Place;
use crate::svg::plain as grouped;
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
            table.add_row([row.title.as_str(), "", &format!("not run: {why}"), "", ""]);
        }
        for (at, goal) in row.goals.iter().enumerate() {
            let title = if at == 0 { row.title.as_str() } else { "" };
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
    right_from(&mut table, 2, heads.len());
    for row in &document.rows {
        for (at, turns) in row.contestants.iter().enumerate() {
            let title = if at == 0 { row.title.as_str() } else { "" };
            let mut cells = vec![title.to_owned(), turns.name.to_owned()];
            cells.extend(columns.map(|figure| median(turns, figure)));
            table.add_row(cells);
        }
    }
    table.to_string()
}

/// A run that was counted, in one line, for reading along.
pub fn counted_line(run: &Counted) -> String {
    let Case { engine, place, rw, depth, jobs, .. } = &run.case;
    let (said, place) = (run.said.reads + run.said.writes, place_name(*place));
    let what = format!("{engine:<9} {place:<5} {rw:<9} depth {depth:<3} jobs {jobs}");
    format!("{what}  {:>10} I/Os, off by {}", grouped(said as f64), run.difference())
}

fn place_name(place: Place) -> &'static str {
    match place {
        Place::Nothing => "null",
        Place::Zram | Place::ZramAlike => "zram",
        Place::Loop => "loop",
        Place::Cached => "cache",
        Place::Disk => "disk",
        Place::Tmpfs => "tmpfs",
    }
}

/// What was counted, all runs of an engine on a device together.
pub fn counts(counts: &Counts) -> String {
    let mut heads = vec!["engine", "device", "witness", "runs", "I/Os we say", "reads", "writes"];
    heads.extend(["pages read by the device", "written by it", "off by"]);
    let mut table = plain(&heads);
    right_from(&mut table, 3, heads.len());
    let mut left: Vec<&Counted> = counts.runs.iter().collect();
    while let Some(first) = left.first().map(|run| run.case.clone()) {
        let same =
            |run: &&Counted| (run.case.engine, run.case.place) == (first.engine, first.place);
        let (these, others): (Vec<&Counted>, Vec<&Counted>) = left.into_iter().partition(same);
        left = others;
        let (mut said, mut counted) = (Moved::default(), Moved::default());
        these.iter().for_each(|run| said.add(&run.said));
        these.iter().for_each(|run| counted.add(&run.counted));
        let number = |value: u64| grouped(value as f64);
        table.add_row([
            first.engine.to_owned(),
            place_name(first.place).to_owned(),
            first.witness.name().to_owned(),
            number(these.len() as u64),
            number(said.reads + said.writes),
            number(said.reads),
            number(said.writes),
            number(counted.read_bytes / 4096),
            number(counted.written_bytes / 4096),
            number(these.iter().map(|run| run.difference()).sum()),
        ]);
    }
    table.to_string()
}

/// What grew with what: a row for each place, and beside each other who went there.
pub fn growth(growth: &Growth) -> String {
    growth.sweeps.iter().map(sweep).collect::<Vec<String>>().join("\n\n")
}

fn sweep(sweep: &SweepResult) -> String {
    let names: Vec<String> =
        sweep.lines.iter().map(|line| format!("{}, {}", line.who, line.on)).collect();
    let mut heads = vec![sweep.title.clone()];
    for figure in [Figure::CpuNs, Figure::Iops] {
        heads.extend(names.iter().map(|name| format!("{name}: {}", figure.name())));
    }
    let mut table = plain(&heads.iter().map(String::as_str).collect::<Vec<_>>());
    right_from(&mut table, 0, heads.len());
    let mut places: Vec<u64> =
        sweep.lines.iter().flat_map(|line| line.points.iter().map(|point| point.at)).collect();
    places.sort_unstable();
    places.dedup();
    for at in places {
        let mut cells = vec![grouped(at as f64)];
        for figure in [Figure::CpuNs, Figure::Iops] {
            cells.extend(sweep.lines.iter().map(|line| growth_cell(line, at, figure)));
        }
        table.add_row(cells);
    }
    table.to_string()
}

fn growth_cell(line: &LineResult, at: u64, figure: Figure) -> String {
    let point = line.points.iter().find(|point| point.at == at);
    let spread = point.and_then(|point| point.spread(figure));
    spread.map_or(String::new(), |spread| number(spread.median))
}

fn right_from(table: &mut Table, first: usize, columns: usize) {
    for column in first..columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
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
