//! Latencies over the time of a run: a heat map whose columns are time intervals and whose rows are
//! latency intervals, for each direction of each entry.
//!
//! The ramp is left out. Neighbours are joined until rows and columns are distinguishable and a
//! report of many runs can be opened. A row or column without I/Os is kept: a stall must show.

use super::super::gathered::{DirectionFigures, Gathered};
use super::super::tables::six_figures;
use super::{axis, note_of_first, series_name, works};
use crate::model::{Chart, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use fathom_document::latency;
use fathom_message::{Lang, Message};
use fathom_stats::CoarseHistogram;
use std::collections::BTreeMap;

/// Fewer columns are no course of time.
const LEAST_COLUMNS: usize = 5;
/// Most columns of a map.
const MOST_COLUMNS: usize = 120;
/// Most rows of a map.
const MOST_ROWS: usize = 36;
/// Most columns of all maps of a report together.
const MOST_OF_ALL: usize = 1200;

/// A map for each entry that has enough columns; those of one work side by side.
pub(super) fn charts(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let long = |seen: &DirectionFigures| seen.detail.latencies.intervals.len() >= LEAST_COLUMNS;
    let maps = gathered.all().filter(|(_, seen)| long(seen)).count();
    let most = (MOST_OF_ALL / maps.max(1)).clamp(LEAST_COLUMNS * 3, MOST_COLUMNS);
    let mut charts = Vec::new();
    for (work, (_, entries)) in works(gathered).iter().enumerate() {
        let several = gathered.subjects.len() > 1;
        for (at, seen) in entries.iter().filter(|(_, seen)| long(seen)) {
            let name = series_name(gathered, *at, seen, several);
            let chart = map(&name, seen, most, lang);
            let pair = (entries.len() > 1).then(|| format!("latency-heat-{work}"));
            charts.extend(chart.map(|chart| Chart { pair, ..chart }));
        }
    }
    charts
}

/// Counts of one map by column and row, joined.
struct Cells {
    /// When the first column begins, in seconds from the beginning of the jobs: after the ramp.
    begins_s: f64,
    /// Length of a column in seconds.
    column_s: f64,
    columns: usize,
    /// Steps of latency in a row.
    join: usize,
    counts: BTreeMap<(usize, usize), u64>,
}

impl Cells {
    fn of(seen: &DirectionFigures, most: usize) -> Cells {
        let (series, way) = (&seen.detail.latencies, seen.entry.direction);
        let first = series.ramp_intervals as usize;
        let slices = series.intervals.len().saturating_sub(first);
        let group = slices.div_ceil(most.max(1)).max(1);
        let mut steps: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (at, slice) in series.intervals.iter().skip(first).enumerate() {
            for (step, count) in slice.0[way].steps() {
                *steps.entry((at / group, step)).or_default() += count;
            }
        }
        let rows = || steps.keys().map(|(_, step)| *step);
        let span = rows().max().unwrap_or(0) - rows().min().unwrap_or(0) + 1;
        // Rows begin at multiples of the join, so one more may be needed.
        let join = span.div_ceil(MOST_ROWS - 1);
        let mut counts = BTreeMap::new();
        for ((column, step), count) in steps {
            *counts.entry((column, step / join)).or_default() += count;
        }
        Cells {
            begins_s: first as f64 * series.interval_ms as f64 / 1e3,
            column_s: group as f64 * series.interval_ms as f64 / 1e3,
            columns: whole_columns(slices, group, &counts),
            join,
            counts,
        }
    }

    fn least_ns(&self, row: usize) -> f64 {
        CoarseHistogram::least_of(row * self.join) as f64
    }

    fn point(&self, (column, row): (usize, usize), count: u64) -> ChartPoint {
        ChartPoint {
            x: six_figures(self.begins_s + column as f64 * self.column_s),
            y: six_figures(self.least_ns(row)),
            value: Some(count as f64),
            ..ChartPoint::default()
        }
    }

    /// Cells with something in them, and in each empty column and row one with nothing.
    fn points(&self) -> Vec<ChartPoint> {
        let rows = || self.counts.keys().map(|(_, row)| *row);
        let (Some(first), Some(last)) = (rows().min(), rows().max()) else { return Vec::new() };
        let empty_rows = (first..=last).filter(|row| !rows().any(|other| other == *row));
        let filled = |column: usize| self.counts.keys().any(|(other, _)| *other == column);
        let empty_columns = (0..self.columns).filter(|column| !filled(*column));
        let nothing = empty_rows.map(|row| (0, row)).chain(empty_columns.map(|at| (at, first)));
        let something = self.counts.iter().map(|(place, count)| (*place, *count));
        let all = something.chain(nothing.map(|place| (place, 0)));
        all.map(|(place, count)| self.point(place, count)).collect()
    }

    /// The row with most I/Os, from its least to the next one's, and its share of all.
    fn commonest(&self) -> Option<(f64, f64, f64)> {
        let mut sums: BTreeMap<usize, u64> = BTreeMap::new();
        for ((_, row), count) in &self.counts {
            *sums.entry(*row).or_default() += count;
        }
        let total: u64 = sums.values().sum();
        let (row, count) = sums.into_iter().max_by_key(|(_, count)| *count)?;
        let share = count as f64 / total as f64 * 100.0;
        Some((self.least_ns(row), self.least_ns(row + 1), share))
    }
}

/// The number of columns: the last slice is cut short, and a column with only that slice is dropped
/// if it is empty.
fn whole_columns(slices: usize, group: usize, counts: &BTreeMap<(usize, usize), u64>) -> usize {
    let all = slices.div_ceil(group);
    match counts.keys().next_back() {
        Some((last, _)) if last + 1 < all && slices % group == 1 % group => all - 1,
        _ => all,
    }
}

fn map(name: &str, seen: &DirectionFigures, most: usize, lang: Lang) -> Option<Chart> {
    let cells = Cells::of(seen, most);
    let (from, to, share) = cells.commonest()?;
    let says = Message::new("report-says-latency-heat")
        .with("name", name)
        .with("from", latency(from))
        .with("to", latency(to))
        .with("percent", fathom_analysis::quantity::percent(share));
    let points = cells.points();
    Some(Chart {
        id: "latency-heat".to_owned(),
        title: Message::new("report-chart-latency-heat").with("what", name).text(lang),
        says: says.text(lang),
        note: note_of_first(&[(0, seen)], lang),
        x: axis(lang, "report-axis-time", ChartUnit::Seconds, Scale::Linear),
        y: vec![
            axis(lang, "report-axis-latency", ChartUnit::Ns, Scale::Log10),
            axis(lang, "report-column-ios", ChartUnit::Plain, Scale::Log10),
        ],
        series: vec![ChartSeries {
            name: name.to_owned(),
            shape: Shape::Heat,
            axis: 0,
            group: None,
            points,
        }],
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    })
}
