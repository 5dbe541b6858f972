//! The effect of block size: IOPS against throughput, and heat maps of two scales.

use super::grid::{AxisKind, Grid, GridCell, Panel};
use super::heights::{Speed, fastest};
use super::load::{axis_in_title, axis_name, bottom_axis};
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, Shape};
use crate::read::drawing::{blank, latency_axis, megabytes, names_axis, rate, series, shown};
use fathom_message::{Lang, Message};

/// Number of lines with two figures each that are distinguishable.
const MOST_LINES: usize = 4;

/// I/Os and bytes a second along block sizes, a chart for each.
pub(super) fn curves(grid: &Grid, along: usize, lang: Lang) -> Vec<Chart> {
    let panels = grid.panels(&[along], MOST_LINES);
    let of = |speed| panels.iter().map(move |panel| block_chart(grid, along, panel, speed, lang));
    of(Speed::Iops).chain(of(Speed::Bytes)).collect()
}

fn block_chart(grid: &Grid, along: usize, panel: &Panel, speed: Speed, lang: Lang) -> Chart {
    let mut lines = Vec::new();
    for (group, line) in panel.grouped() {
        let points = line.cells.iter().map(|cell| speed.point(cell, grid.place(cell, along)));
        let name = line.called(&speed.axis(lang).name);
        lines.push(series(name, Shape::Line, group, points.collect()));
    }
    let kind = match speed {
        Speed::Iops => "blocks",
        Speed::Bytes => "blocks-bytes",
    };
    let title = Message::new("charts-rates-title")
        .with("rate", speed.axis(lang).name)
        .with("axis", axis_in_title(&grid.axes[along], lang));
    Chart {
        note: panel.note.clone(),
        y: vec![speed.axis(lang)],
        series: lines,
        pair: panel.pair_of(kind),
        ..blank(
            panel.id(kind),
            title.text(lang),
            blocks_say(grid, along, panel, lang),
            bottom_axis(&grid.axes[along], lang),
        )
    }
}

/// The positions of the most I/Os and of the most bytes.
fn blocks_say(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> String {
    let most_ios = fastest(Speed::Iops, panel.cells());
    let most_bytes = fastest(Speed::Bytes, panel.cells());
    let (Some(ios), Some(bytes)) = (most_ios, most_bytes) else { return String::new() };
    Message::new("charts-blocks-says")
        .with("iops", rate(Speed::Iops.value(ios)))
        .with("small", grid.label(ios, &[along]))
        .with("bytes", megabytes(Speed::Bytes.value(bytes)))
        .with("large", grid.label(bytes, &[along]))
        .text(lang)
}

/// The figure in a map's cells.
#[derive(Clone, Copy)]
enum Shade {
    Speed(Speed),
    P99,
}

impl Shade {
    fn value(self, cell: &GridCell) -> f64 {
        match self {
            Shade::Speed(speed) => speed.value(cell),
            Shade::P99 => cell.figures.total.p99_ns as f64,
        }
    }

    fn axis(self, lang: Lang) -> ChartAxis {
        match self {
            Shade::Speed(speed) => speed.axis(lang),
            Shade::P99 => ChartAxis { name: "p99".to_owned(), ..latency_axis(lang) },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Shade::Speed(Speed::Iops) => "iops",
            Shade::Speed(Speed::Bytes) => "bytes",
            Shade::P99 => "p99",
        }
    }
}

/// Heat maps of the two most important scales, if two vary: depth and block size first.
pub(super) fn maps(grid: &Grid, lang: Lang) -> Vec<Chart> {
    let wanted = [AxisKind::Depth, AxisKind::Jobs, AxisKind::Mix, AxisKind::Block, AxisKind::Scale];
    let scales: Vec<usize> = wanted.into_iter().filter_map(|kind| grid.axis(kind)).collect();
    let columns = scales.first().copied();
    let rows = grid.axis(AxisKind::Block).or(scales.get(1).copied());
    let (Some(columns), Some(rows)) = (columns, rows.filter(|rows| Some(*rows) != columns)) else {
        return Vec::new();
    };
    let shades = match grid.axes[rows].kind {
        AxisKind::Block => {
            vec![Shade::Speed(Speed::Iops), Shade::Speed(Speed::Bytes), Shade::P99]
        }
        _ => vec![Shade::Speed(Speed::Iops), Shade::P99],
    };
    let panels = grid.panels(&[rows, columns], 1);
    // Shade by shade, so that the two of a pair follow one another.
    let each = shades.iter().flat_map(|shade| panels.iter().map(move |panel| (panel, *shade)));
    each.map(|(panel, shade)| map(grid, (columns, rows), panel, shade, lang)).collect()
}

fn map(
    grid: &Grid,
    (columns, rows): (usize, usize),
    panel: &Panel,
    shade: Shade,
    lang: Lang,
) -> Chart {
    let labels = |axis: usize| {
        let labels = grid.axes[axis].values.iter().map(|value| value.label.clone()).collect();
        names_axis(axis_name(&grid.axes[axis], lang), labels)
    };
    let shaded = shade.axis(lang);
    let cells: Vec<&GridCell> = panel.cells().collect();
    let points = whole_rows(grid, (columns, rows), &cells, shade);
    let most = cells.iter().max_by(|a, b| shade.value(a).total_cmp(&shade.value(b)));
    let says = most.map(|cell| {
        Message::new("charts-map-says")
            .with("value", shown(shaded.unit, shade.value(cell)))
            .with("where", grid.label(cell, &[columns, rows]))
            .text(lang)
    });
    let title = Message::new("charts-map-title")
        .with("value", &shaded.name)
        .with("columns", axis_name(&grid.axes[columns], lang))
        .with("rows", axis_name(&grid.axes[rows], lang));
    let name = shaded.name.clone();
    let id = panel.id(&format!("map-{}", shade.name()));
    let of_cells = ChartSeries { name, shape: Shape::Heat, axis: 0, group: None, points };
    Chart {
        note: panel.note.clone(),
        y: vec![labels(rows), shaded],
        series: vec![of_cells],
        pair: panel.pair_of(&format!("map {}", shade.name())),
        ..blank(id, title.text(lang), says.unwrap_or_default(), labels(columns))
    }
}

/// A point for each position of the map: rows are complete, and unmeasured cells have no value.
fn whole_rows(
    grid: &Grid,
    (columns, rows): (usize, usize),
    cells: &[&GridCell],
    shade: Shade,
) -> Vec<ChartPoint> {
    let (width, height) = (grid.axes[columns].values.len(), grid.axes[rows].values.len());
    let places = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let mut points: Vec<ChartPoint> = places
        .map(|(row, column)| ChartPoint {
            x: column as f64,
            y: row as f64,
            ..ChartPoint::default()
        })
        .collect();
    for cell in cells {
        points[cell.at[rows] * width + cell.at[columns]].value = Some(shade.value(cell));
    }
    points
}

/// Bars by name, if no axis that varies is a scale.
pub(super) fn bars(grid: &Grid, lang: Lang) -> Vec<Chart> {
    let widest = (0..grid.axes.len()).max_by_key(|axis| grid.axes[*axis].values.len());
    let Some(along) = widest else { return Vec::new() };
    let panels = grid.panels(&[along], MOST_LINES);
    panels.iter().map(|panel| bar_chart(grid, along, panel, lang)).collect()
}

fn bar_chart(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> Chart {
    let speed = Speed::of(panel);
    let lines = panel.grouped().into_iter().map(|(group, line)| {
        let points = line.cells.iter().map(|cell| speed.point(cell, grid.place(cell, along)));
        series(line.called(&speed.axis(lang).name), Shape::Bar, group, points.collect())
    });
    let says = fastest(speed, panel.cells()).map(|best| {
        Message::new("charts-most")
            .with("rate", speed.shown(speed.value(best)))
            .with("where", grid.label(best, &[along]))
            .text(lang)
    });
    let bottom = &grid.axes[along];
    let title = Message::new("charts-rates-title")
        .with("rate", speed.axis(lang).name)
        .with("axis", axis_name(bottom, lang));
    Chart {
        note: panel.note.clone(),
        y: vec![speed.axis(lang)],
        series: lines.collect(),
        pair: panel.pair_of("bars"),
        ..blank(
            panel.id(&format!("bars-{}", bottom.name)),
            title.text(lang),
            says.unwrap_or_default(),
            bottom_axis(bottom, lang),
        )
    }
}
