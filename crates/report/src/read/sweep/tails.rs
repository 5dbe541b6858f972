//! Charts of single cases: percentiles by their nines for a few important ones, and the rate over
//! time.

use super::grid::{Grid, GridCell};
use super::heights::{Speed, fastest};
use super::load::knee;
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use crate::read::drawing::{at, axis, blank, iops_axis, latency_axis, plain_group, series};
use crate::read::series::iops;
use fathom_document::latency;
use fathom_document::sweep::SweepDocument;
use fathom_message::{Lang, Message, words};
use fathom_stats::{LatencyStats, RunResult};

/// Percentiles as a chart of nines shows them.
const NINES: [f64; 8] = [50.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99, 99.999];
/// A percentile needs this number of I/Os beyond it.
const BEYOND: f64 = 10.0;
/// Charts of the rate over time.
const MOST_TIMES: usize = 12;
/// Lines of one of them.
const MOST_LINES: usize = 8;
/// Points of a line: a screen is about twice as wide as that.
const MOST_POINTS: usize = 300;

/// The distribution of a run's latencies, of all directions and jobs.
pub(crate) fn percentiles(result: &RunResult) -> Vec<ChartPoint> {
    let mut all = LatencyStats::default();
    for job in &result.jobs {
        job.dirs.iter().for_each(|(_, stats)| all.merge(&stats.lat));
    }
    let total = all.histogram.total() as f64;
    let known = |percent: &&f64| total > 0.0 && (100.0 - **percent) / 100.0 * total >= BEYOND;
    let shown: Vec<f64> = NINES.iter().filter(known).copied().collect();
    shown.iter().zip(all.percentiles(&shown)).map(|(p, ns)| at(*p, ns as f64)).collect()
}

/// The axis of percentiles.
pub(crate) fn nines_axis(lang: Lang) -> ChartAxis {
    axis(lang, "charts-axis-percentile", ChartUnit::Plain, Scale::Nines)
}

/// Percentiles of the lightest load, the knee and the heaviest of the fastest line; without an axis
/// of load, of the first few cases.
pub(super) fn tails(grid: &Grid, along: Option<usize>, lang: Lang) -> Option<Chart> {
    let told = telling(grid, along);
    let lines: Vec<ChartSeries> = told
        .iter()
        .enumerate()
        .filter_map(|(group, cell)| {
            let points = percentiles(cell.record.result.as_ref()?);
            Some(series(grid.title(cell), Shape::Line, plain_group(group), points))
        })
        .collect();
    let worst = told.iter().max_by_key(|cell| cell.figures.total.p99_ns)?;
    let total = &worst.figures.total;
    let says = Message::new("charts-tails-says")
        .with("case", grid.title(worst))
        .with("p50", latency(total.p50_ns as f64))
        .with("p99", latency(total.p99_ns as f64))
        .text(lang);
    Some(Chart {
        y: vec![latency_axis(lang)],
        series: lines,
        ..blank("percentiles", words(lang, "charts-tails-title"), says, nines_axis(lang))
    })
}

/// Number of cases shown if they do not differ in load.
const FEW: usize = 4;

fn telling<'g, 'a>(grid: &'g Grid<'a>, along: Option<usize>) -> Vec<&'g GridCell<'a>> {
    let Some(along) = along else { return grid.cells.iter().take(FEW).collect() };
    let panels = grid.panels(&[along], MOST_LINES);
    let lines = panels.iter().flat_map(|panel| &panel.lines);
    let height = |cells: &[&GridCell]| {
        fastest(Speed::Iops, cells.iter().copied()).map_or(0.0, |cell| Speed::Iops.value(cell))
    };
    let best = lines.max_by(|a, b| height(&a.cells).total_cmp(&height(&b.cells)));
    let Some(line) = best else { return Vec::new() };
    let load = knee(grid, along, line).and_then(|knee| knee.load());
    let at_knee =
        line.cells.iter().find(|cell| load.is_some_and(|l| grid.place(cell, along) == l as f64));
    let ends = [line.cells.first(), at_knee, line.cells.last()];
    let mut cells: Vec<&GridCell> = ends.into_iter().flatten().copied().collect();
    cells.dedup_by(|a, b| std::ptr::eq(*a, *b));
    cells
}

/// The rate over time along each curve, and the number of curves without a chart for lack of space.
pub(super) fn times(document: &SweepDocument, grid: &Grid, lang: Lang) -> (Vec<Chart>, usize) {
    let along = document
        .curves
        .first()
        .and_then(|curve| grid.axes.iter().position(|axis| axis.name == curve.axis));
    let Some(along) = along else { return (Vec::new(), 0) };
    let panels = grid.panels(&[along], 1);
    let left_out = panels.len().saturating_sub(MOST_TIMES);
    let charts = panels.iter().take(MOST_TIMES).filter_map(|panel| {
        let cells: Vec<&GridCell> = panel.cells().collect();
        let lines = spread(&cells).into_iter().enumerate().filter_map(|(group, cell)| {
            let points = iops(&cell.record.result.as_ref()?.jobs, None, MOST_POINTS);
            let name = grid.label(cell, &[along]);
            (points.len() > 1).then(|| series(name, Shape::Line, plain_group(group), points))
        });
        let lines: Vec<ChartSeries> = lines.collect();
        let says = times_say(&lines, lang)?;
        Some(Chart {
            note: with_rounds(&panel.note, &cells, lang),
            y: vec![iops_axis(lang)],
            series: lines,
            pair: panel.pair_of("time"),
            ..blank(panel.id("time"), words(lang, "charts-time-title"), says, seconds_axis(lang))
        })
    });
    (charts.collect(), left_out)
}

/// The settings of a panel, and of repeated cases that one round is shown.
fn with_rounds(note: &str, cells: &[&GridCell], lang: Lang) -> String {
    let rounds = cells.iter().map(|cell| cell.rounds_iops.len()).max().unwrap_or(0);
    let of =
        (rounds > 1).then(|| Message::new("report-first-round").with("rounds", rounds).text(lang));
    let parts = [Some(note.to_owned()).filter(|note| !note.is_empty()), of];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Seconds along the bottom.
pub(crate) fn seconds_axis(lang: Lang) -> ChartAxis {
    axis(lang, "charts-axis-time", ChartUnit::Seconds, Scale::Linear)
}

/// As many of the cells as are distinguishable, with both ends.
fn spread<'c, 'a>(cells: &[&'c GridCell<'a>]) -> Vec<&'c GridCell<'a>> {
    if cells.len() <= MOST_LINES {
        return cells.to_vec();
    }
    let last = cells.len() - 1;
    (0..MOST_LINES).map(|n| cells[n * last / (MOST_LINES - 1)]).collect()
}

/// The range of the most variable line.
fn times_say(lines: &[ChartSeries], lang: Lang) -> Option<String> {
    let ends = |line: &ChartSeries| {
        let heights = line.points.iter().map(|point| point.y);
        (heights.clone().fold(f64::MAX, f64::min), heights.fold(f64::MIN, f64::max))
    };
    let swing = |line: &&ChartSeries| ends(line).1 - ends(line).0;
    let widest = lines.iter().max_by(|a, b| swing(a).total_cmp(&swing(b)))?;
    let (low, high) = ends(widest);
    let says = Message::new("charts-time-says")
        .with("case", &widest.name)
        .with("low", crate::read::drawing::rate(low))
        .with("high", crate::read::drawing::rate(high));
    Some(says.text(lang))
}
