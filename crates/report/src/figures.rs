//! The figures of a chart as a table, shown below each chart for readers who cannot see it or want
//! the numbers.
//!
//! One row for each position on the bottom axis, one column for each series; a heat map keeps its
//! form.

use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use crate::show;
use fathom_analysis::Tone;
use fathom_message::{Lang, words};
use serde::Serialize;
use std::collections::BTreeMap;

/// A table whose cells are ready for display. The first cell of each row names it.
#[derive(Debug, PartialEq, Serialize)]
pub struct FigureTable {
    /// Headings, one for each column.
    pub columns: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
}

/// The figures of `chart`.
pub fn of_chart(chart: &Chart, lang: Lang) -> FigureTable {
    match chart.series.iter().find(|series| series.shape == Shape::Heat) {
        Some(cells) => of_cells(chart, cells),
        None => of_lines(chart, lang),
    }
}

/// A position on the bottom axis; points of one series at one position are distinguished by their
/// index.
type Place = (OrderedBits, usize);

/// The bits of a number in an order that is the numbers' own.
type OrderedBits = i64;

fn ordered(number: f64) -> OrderedBits {
    let bits = number.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

fn of_lines(chart: &Chart, lang: Lang) -> FigureTable {
    let one = in_one_column(chart);
    let chart = one.as_ref().unwrap_or(chart);
    let mut rows: BTreeMap<Place, (f64, Vec<String>)> = BTreeMap::new();
    let empty = || vec![String::new(); chart.series.len()];
    for (column, series) in chart.series.iter().enumerate() {
        let unit = unit_of(chart, series);
        let mut before = (None, 0);
        for point in &series.points {
            let at = ordered(point.x);
            before = (Some(at), if before.0 == Some(at) { before.1 + 1 } else { 0 });
            let row = rows.entry((at, before.1)).or_insert_with(|| (point.x, empty()));
            row.1[column] = figure(unit, series.shape, point, lang);
        }
    }
    let heads =
        chart.series.iter().map(|series| show::heading(&series.name, Some(unit_of(chart, series))));
    FigureTable {
        columns: std::iter::once(chart.x.name.clone()).chain(heads).collect(),
        rows: rows.into_values().map(|(x, cells)| row(show::place(&chart.x, x), cells)).collect(),
    }
}

fn row(name: String, cells: Vec<String>) -> Vec<String> {
    std::iter::once(name).chain(cells).collect()
}

fn unit_of(chart: &Chart, series: &ChartSeries) -> ChartUnit {
    chart.y.get(series.axis).map_or(ChartUnit::Plain, |axis| axis.unit)
}

/// A figure with the ends of its whisker, or its promise.
fn figure(unit: ChartUnit, shape: Shape, point: &ChartPoint, lang: Lang) -> String {
    let text = show::cell(unit, point.y);
    match (shape, point.low, point.high) {
        (Shape::Bullet, _, Some(promise)) => format!("{text} / {}", show::cell(unit, promise)),
        (_, Some(low), Some(high)) => {
            format!("{text} ({} – {})", show::cell(unit, low), show::cell(unit, high))
        }
        (Shape::Bar, ..) if point.tone == Some(Tone::Warning) => {
            format!("{text} ({})", words(lang, "page-not-stable"))
        }
        _ => text,
    }
}

/// Bars of which none stand at one place, as reads and writes of one volume, as one series: their
/// table would be half empty.
fn in_one_column(chart: &Chart) -> Option<Chart> {
    let bars = |of: &ChartSeries| of.axis == 0 && matches!(of.shape, Shape::Bar | Shape::Bullet);
    let mut taken: Vec<f64> =
        chart.series.iter().flat_map(|of| &of.points).map(|point| point.x).collect();
    let all = taken.len();
    taken.sort_by(f64::total_cmp);
    taken.dedup();
    let [first, _, ..] = chart.series.as_slice() else { return None };
    if !chart.series.iter().all(bars) || taken.len() < all {
        return None;
    }
    let points = chart.series.iter().flat_map(|of| of.points.iter().copied()).collect();
    let name = chart.y.first().map(|axis| axis.name.clone()).unwrap_or_default();
    let series = vec![ChartSeries { name, points, ..first.clone() }];
    Some(Chart { series, ..chart.clone() })
}

fn of_cells(chart: &Chart, cells: &ChartSeries) -> FigureTable {
    let across = places(&chart.x, cells.points.iter().map(|point| point.x));
    let rows_axis = chart.y.first();
    let down = match rows_axis {
        Some(axis) => places(axis, cells.points.iter().map(|point| point.y)),
        None => Vec::new(),
    };
    let unit = chart.y.get(1).map_or(ChartUnit::Plain, |axis| axis.unit);
    let mut rows: Vec<Vec<String>> = down
        .iter()
        .map(|at| {
            let name = rows_axis.map_or_else(String::new, |axis| show::place(axis, *at));
            row(name, vec![String::new(); across.len()])
        })
        .collect();
    for point in &cells.points {
        let found = (index(&down, point.y), index(&across, point.x));
        if let ((Some(row), Some(column)), Some(value)) = (found, point.value) {
            rows[row][column + 1] = show::cell(unit, value);
        }
    }
    let corner =
        rows_axis.map_or_else(String::new, |axis| format!("{} \\ {}", axis.name, chart.x.name));
    let heads = across.iter().map(|at| show::place(&chart.x, *at)).collect();
    FigureTable { columns: row(corner, heads), rows }
}

/// The positions of an axis: its names, or the occurring numbers, in order.
fn places(axis: &ChartAxis, numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    if let Scale::Names(names) = &axis.scale {
        return (0..names.len()).map(|at| at as f64).collect();
    }
    let mut found: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

fn index(places: &[f64], at: f64) -> Option<usize> {
    places.binary_search_by(|place| place.total_cmp(&at)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_of_one_volume_are_one_column() {
        let bar = |x: f64, tone| ChartPoint { x, y: 9.0, tone, ..ChartPoint::default() };
        let series = |name: &str, points| ChartSeries {
            name: name.to_owned(),
            shape: Shape::Bar,
            axis: 0,
            group: None,
            points,
        };
        let names = Scale::Names(vec!["a".into(), "b".into()]);
        let mut chart = Chart {
            id: "x".into(),
            title: String::new(),
            says: String::new(),
            note: String::new(),
            x: ChartAxis::new("Job", ChartUnit::Plain, names),
            y: vec![ChartAxis::new("IOPS", ChartUnit::Iops, Scale::Linear)],
            series: vec![
                series("Reads", vec![bar(0.0, None)]),
                series("Writes", vec![bar(1.0, Some(Tone::Warning))]),
            ],
            bands: Vec::new(),
            marks: Vec::new(),
            stated: String::new(),
            pair: None,
        };
        let figures = of_chart(&chart, Lang::En);
        assert_eq!(figures.columns, ["Job", "IOPS"]);
        assert_eq!(figures.rows, [["a", "9.0"], ["b", "9.0 (uncertain)"]]);
        // Two volumes stand at one place, and have a column each.
        chart.series[1].points[0].x = 0.0;
        assert_eq!(of_chart(&chart, Lang::En).columns.len(), 3);
    }
}
