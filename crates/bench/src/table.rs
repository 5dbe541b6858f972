//! The printed output: the goals with their verdicts, and the figures behind them.

use crate::count::{CountedRun, Counts, InstructionCount, Moved};
use crate::digits::{number, spread};
use crate::document::{BenchDocument, Turns};
use crate::figures::{BenchFigure, Spread};
use crate::goal_line::verdict;
use crate::growth::{Growth, LineResult, SweepResult};
use crate::place::BenchDevice;
use crate::svg::plain as grouped;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

fn plain(heads: &[&str]) -> Table {
    let mut table = Table::new();
    // Markdown, so that it can go into docs/performance.md as it is.
    table.load_preset(presets::ASCII_MARKDOWN);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    table
}

/// All goals: median, spread, target, verdict.
pub fn goals(document: &BenchDocument) -> String {
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
pub fn contestants(document: &BenchDocument) -> String {
    let columns = [
        BenchFigure::Iops,
        BenchFigure::UserNs,
        BenchFigure::CpuNs,
        BenchFigure::WallMs,
        BenchFigure::ResidentMib,
        BenchFigure::Instructions,
    ];
    let mut heads = vec!["work", "who"];
    heads.extend(columns.map(BenchFigure::name));
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
pub fn counted_line(run: &InstructionCount) -> String {
    let CountedRun { engine, place, rw, depth, jobs, .. } = &run.case;
    let (said, place) = (run.said.reads + run.said.writes, place_name(*place));
    let what = format!("{engine:<9} {place:<5} {rw:<9} depth {depth:<3} jobs {jobs}");
    format!("{what}  {:>10} I/Os, off by {}", grouped(said as f64), run.difference())
}

fn place_name(place: BenchDevice) -> &'static str {
    match place {
        BenchDevice::Nothing => "null",
        BenchDevice::Zram | BenchDevice::ZramAlike => "zram",
        BenchDevice::Loop => "loop",
        BenchDevice::Cached => "cache",
        BenchDevice::Disk => "disk",
        BenchDevice::Tmpfs => "tmpfs",
        BenchDevice::Nfs => "nfs",
    }
}

/// The counts, merged over all runs of an engine on a device.
pub fn counts(counts: &Counts) -> String {
    let mut heads = vec!["engine", "device", "witness", "runs", "I/Os we say", "reads", "writes"];
    heads.extend(["pages read by the device", "written by it", "off by"]);
    let mut table = plain(&heads);
    right_from(&mut table, 3, heads.len());
    let mut left: Vec<&InstructionCount> = counts.runs.iter().collect();
    while let Some(first) = left.first().map(|run| run.case.clone()) {
        let same = |run: &&InstructionCount| {
            (run.case.engine, run.case.place) == (first.engine, first.place)
        };
        let (these, others): (Vec<&InstructionCount>, Vec<&InstructionCount>) =
            left.into_iter().partition(same);
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

/// The growth: a row for each position, and a column for each contestant.
pub fn growth(growth: &Growth) -> String {
    growth.sweeps.iter().map(sweep).collect::<Vec<String>>().join("\n\n")
}

fn sweep(sweep: &SweepResult) -> String {
    let names: Vec<String> =
        sweep.lines.iter().map(|line| format!("{}, {}", line.who, line.on)).collect();
    let mut heads = vec![sweep.title.clone()];
    for figure in [BenchFigure::CpuNs, BenchFigure::Iops] {
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
        for figure in [BenchFigure::CpuNs, BenchFigure::Iops] {
            cells.extend(sweep.lines.iter().map(|line| growth_cell(line, at, figure)));
        }
        table.add_row(cells);
    }
    table.to_string()
}

fn growth_cell(line: &LineResult, at: u64, figure: BenchFigure) -> String {
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

/// A contestant's median of a figure; empty if it does not report it.
fn median(turns: &Turns, figure: BenchFigure) -> String {
    let values: Vec<f64> = turns.rounds.iter().map(|run| figure.of(run)).collect();
    Spread::of(&values)
        .filter(|spread| spread.max > 0.0)
        .map_or(String::new(), |s| number(s.median))
}
