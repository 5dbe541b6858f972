//! The effect of more load: rate and latency against depth, jobs or any other scale, latency
//! against the achieved rate, and the scaling of jobs.

use super::grid::{AxisKind, Grid, GridAxis, GridCell, GridLine, Panel};
use super::heights::{Speed, fastest};
use crate::model::{Chart, ChartAxis, ChartSeries, ChartUnit, Mark, Scale, Shape};
use crate::read::drawing::{at, axis, blank, latency_axis, series};
use fathom_analysis::{Cap, CapKind, Knee, LoadKind, LoadPoint};
use fathom_document::latency;
use fathom_document::sweep::{CLIENTS, SweepDocument};
use fathom_message::{Lang, Message, Tell, words};

/// Lines that can be told apart: as many as there are colours.
const MOST_LINES: usize = 8;
/// The same where each has several figures.
const MOST_LINES_OF_SEVERAL: usize = 4;

/// Rate along one scale, and mean latency along it: a chart each, because their units differ. The
/// rates over clients are in the chart that shows how these add up.
pub(super) fn rates(document: &SweepDocument, grid: &Grid, along: usize, lang: Lang) -> Vec<Chart> {
    let mut panels = grid.panels(&[along], MOST_LINES);
    best_first(&mut panels, grid);
    let rated = if grid.clients() == Some(along) { &[] } else { panels.as_slice() };
    let rates = rated.iter().map(|panel| rate_chart(document, grid, along, panel, lang));
    let waits = panels.iter().map(|panel| wait_chart(document, grid, along, panel, lang));
    rates.chain(waits).collect()
}

/// The panel with the fastest case before the others; the two of a pair stay side by side.
fn best_first(panels: &mut [Panel], grid: &Grid) {
    let Some(best) = fastest(Speed::Iops, grid.cells.iter()) else { return };
    let has_best = |panel: &&Panel| panel.cells().any(|cell| std::ptr::eq(cell, best));
    let Some((slug, pair)) =
        panels.iter().find(has_best).map(|panel| (panel.slug.clone(), panel.pair.clone()))
    else {
        return;
    };
    panels.sort_by_key(|panel| !(panel.slug == slug || pair.is_some() && panel.pair == pair));
}

fn rate_chart(
    document: &SweepDocument,
    grid: &Grid,
    along: usize,
    panel: &Panel,
    lang: Lang,
) -> Chart {
    let speed = Speed::of(panel);
    let bottom = &grid.axes[along];
    let mut lines = Vec::new();
    for (group, line) in panel.grouped() {
        let heights = line.cells.iter().map(|cell| speed.point(cell, grid.place(cell, along)));
        let name = line.called(&speed.axis(lang).name);
        lines.push(series(name, Shape::Line, group, heights.collect()));
    }
    let title = Message::new("charts-rates-title")
        .with("rate", speed.axis(lang).name)
        .with("axis", axis_in_title(bottom, lang));
    let id = panel.id(&format!("rate-{}", bottom.name));
    Chart {
        note: panel.note.clone(),
        y: vec![speed.axis(lang)],
        series: lines,
        marks: marks(document, grid, along, panel, speed, lang),
        pair: panel.pair_of(&format!("rate {}", bottom.name)),
        ..blank(
            id,
            title.text(lang),
            rates_say(grid, along, panel, lang),
            bottom_axis(bottom, lang),
        )
    }
}

/// Mean latency along a scale, with the knees of the rates.
fn wait_chart(
    document: &SweepDocument,
    grid: &Grid,
    along: usize,
    panel: &Panel,
    lang: Lang,
) -> Chart {
    let bottom = &grid.axes[along];
    let mean = words(lang, "charts-mean-latency");
    let mut lines = Vec::new();
    for (group, line) in panel.grouped() {
        let times = line.cells.iter().map(|c| at(grid.place(c, along), c.figures.total.mean_ns));
        lines.push(series(line.called(&mean), Shape::Line, group, times.collect()));
    }
    let title = Message::new("charts-rates-title")
        .with("rate", &mean)
        .with("axis", axis_in_title(bottom, lang));
    let all = marks(document, grid, along, panel, Speed::of(panel), lang);
    Chart {
        note: panel.note.clone(),
        y: vec![latency_axis(lang)],
        series: lines,
        marks: all.into_iter().filter(|mark| mark.upright).collect(),
        pair: panel.pair_of(&format!("wait {}", bottom.name)),
        ..blank(
            panel.id(&format!("wait-{}", bottom.name)),
            title.text(lang),
            rates_say(grid, along, panel, lang),
            bottom_axis(bottom, lang),
        )
    }
}

/// The name of an axis: the field's term if it has one, otherwise the option.
pub(super) fn axis_name(axis: &GridAxis, lang: Lang) -> String {
    match axis.kind {
        AxisKind::Depth => words(lang, "charts-axis-depth"),
        AxisKind::Jobs => words(lang, "charts-axis-jobs"),
        AxisKind::Block => words(lang, "charts-axis-block"),
        AxisKind::Mix => words(lang, "charts-axis-mix"),
        _ => axis.name.clone(),
    }
}

/// The same within a title: `IOPS by queue depth`.
pub(super) fn axis_in_title(axis: &GridAxis, lang: Lang) -> String {
    let name = axis_name(axis, lang);
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
        }
        _ => name,
    }
}

/// An axis of the sweep along the bottom.
pub(super) fn bottom_axis(axis: &GridAxis, lang: Lang) -> ChartAxis {
    let name = axis_name(axis, lang);
    let positive = axis.values.iter().all(|value| value.place > 0.0);
    let (unit, scale) = match axis.kind {
        AxisKind::Words => {
            let labels = axis.values.iter().map(|value| value.label.clone()).collect();
            (ChartUnit::Plain, Scale::Names(labels))
        }
        AxisKind::Block => (ChartUnit::BlockBytes, Scale::Log2),
        AxisKind::Depth | AxisKind::Jobs if positive => (ChartUnit::Plain, Scale::Log2),
        _ => (ChartUnit::Plain, Scale::Linear),
    };
    ChartAxis::new(name, unit, scale)
}

/// The knee of a line, by the same rule as the sweep's own.
pub(super) fn knee(grid: &Grid, along: usize, line: &GridLine) -> Option<Knee> {
    let kind = match grid.axes[along].kind {
        AxisKind::Depth => LoadKind::Depth,
        AxisKind::Jobs => LoadKind::Jobs,
        _ if grid.axes[along].name == CLIENTS => LoadKind::Clients,
        _ => return None,
    };
    let point = |cell: &&GridCell| LoadPoint {
        load: grid.place(cell, along) as u64,
        iops: cell.figures.total.iops,
        latency_ns: cell.figures.total.mean_ns,
    };
    Some(Knee::find(kind, &line.cells.iter().map(point).collect::<Vec<_>>()))
}

fn marks(
    document: &SweepDocument,
    grid: &Grid,
    along: usize,
    panel: &Panel,
    speed: Speed,
    lang: Lang,
) -> Vec<Mark> {
    let mut marks = Vec::new();
    for line in &panel.lines {
        let Some(load) = knee(grid, along, line).and_then(|knee| knee.load()) else { continue };
        let name = line.series(&Message::new("charts-mark-knee").with("load", load).text(lang));
        marks.push(Mark { name, at: load as f64, upright: true, axis: 0 });
    }
    if let [line] = &panel.lines[..] {
        marks.extend(cap_of(document, grid, along, line).and_then(|cap| held(cap, speed, lang)));
    }
    marks
}

/// The cap that the sweep found for a line along this axis.
pub(super) fn cap_of<'d>(
    document: &'d SweepDocument,
    grid: &Grid,
    along: usize,
    line: &GridLine,
) -> Option<&'d Cap> {
    let case = line.cells.first()?.record.case;
    let of = document.curves.iter().find(|curve| {
        curve.axis == grid.axes[along].name && curve.points.iter().any(|p| p.case == case)
    });
    of?.cap.as_ref()
}

fn held(cap: &Cap, speed: Speed, lang: Lang) -> Option<Mark> {
    let counts_alike = matches!(
        (cap.kind, speed),
        (CapKind::Iops, Speed::Iops) | (CapKind::Bandwidth, Speed::Bytes)
    );
    let name = Message::new("charts-mark-cap").with("rate", speed.shown(cap.value)).text(lang);
    counts_alike.then_some(Mark { name, at: cap.value, upright: false, axis: 0 })
}

/// The sentence of a chart of rates: the knee of its fastest line, or the ends of the line.
fn rates_say(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> String {
    let speed = Speed::of(panel);
    let Some(best) = fastest(speed, panel.cells()) else { return String::new() };
    let of = |line: &&GridLine| line.cells.iter().any(|cell| std::ptr::eq(*cell, best));
    let Some(line) = panel.lines.iter().find(of) else { return String::new() };
    let told = knee(grid, along, line).and_then(|knee| knee_says(&knee, lang));
    line.say(told.unwrap_or_else(|| ends_say(grid, along, line, speed, lang)))
}

/// The figures at both ends of a line.
fn ends_say(grid: &Grid, along: usize, line: &GridLine, speed: Speed, lang: Lang) -> String {
    let (Some(first), Some(last)) = (line.cells.first(), line.cells.last()) else {
        return String::new();
    };
    Message::new("charts-ends")
        .with("from", grid.label(first, &[along]))
        .with("to", grid.label(last, &[along]))
        .with("first", speed.shown(speed.value(first)))
        .with("last", speed.shown(speed.value(last)))
        .text(lang)
}

/// A knee as text; none if it is undecided.
pub(super) fn knee_says(knee: &Knee, lang: Lang) -> Option<String> {
    if let Knee::TooFew { .. } = knee {
        return None;
    }
    let told = knee.tell().text(lang);
    let mut letters = told.chars();
    let first = letters.next()?.to_ascii_uppercase();
    Some(format!("{first}{}.", letters.as_str()))
}

/// Latency against the achieved rate: flat, and vertical at the volume's maximum.
pub(super) fn hockey_sticks(grid: &Grid, along: usize, lang: Lang) -> Vec<Chart> {
    let panels = grid.panels(&[along], MOST_LINES_OF_SEVERAL);
    panels.iter().map(|panel| hockey_stick(grid, along, panel, lang)).collect()
}

fn hockey_stick(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> Chart {
    let speed = Speed::of(panel);
    let mut lines: Vec<ChartSeries> = Vec::new();
    for (group, line) in panel.grouped() {
        let points = |ns: fn(&GridCell) -> u64| {
            line.cells.iter().map(|cell| at(speed.value(cell), ns(cell) as f64)).collect()
        };
        let p50 = points(|cell| cell.figures.total.p50_ns);
        let p99 = points(|cell| cell.figures.total.p99_ns);
        let p999 = points(|cell| cell.figures.total.p999_ns);
        lines.push(series(line.series("p50"), Shape::Line, group, p50));
        lines.push(series(line.series("p99"), Shape::Dashed, group, p99));
        lines.push(series(line.series("p99.9"), Shape::Dots, group, p999));
    }
    let title = Message::new("charts-hockey-title").with("rate", speed.axis(lang).name);
    let says = fastest(speed, panel.cells()).map(|best| {
        Message::new("charts-hockey-says")
            .with("rate", speed.shown(speed.value(best)))
            .with("where", grid.label(best, &[along]))
            .with("p50", latency(best.figures.total.p50_ns as f64))
            .with("p99", latency(best.figures.total.p99_ns as f64))
            .text(lang)
    });
    let id = panel.id(&format!("latency-{}", grid.axes[along].name));
    Chart {
        note: panel.note.clone(),
        y: vec![latency_axis(lang)],
        series: lines,
        pair: panel.pair_of(&format!("latency {}", grid.axes[along].name)),
        ..blank(id, title.text(lang), says.unwrap_or_default(), speed.axis(lang))
    }
}

/// The rate over jobs, and the share that each job still adds.
pub(super) fn scale_out(grid: &Grid, along: usize, lang: Lang) -> Vec<Chart> {
    let panels = grid.panels(&[along], MOST_LINES_OF_SEVERAL);
    let rates = panels.iter().map(|panel| scale_chart(grid, along, panel, lang));
    rates.chain(panels.iter().map(|panel| share_chart(grid, along, panel, lang))).collect()
}

fn scale_chart(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> Chart {
    let speed = Speed::of(panel);
    let mut lines = Vec::new();
    for (group, line) in panel.grouped() {
        let heights = line.cells.iter().map(|cell| speed.point(cell, grid.place(cell, along)));
        let name = line.called(&speed.axis(lang).name);
        lines.push(series(name, Shape::Line, group, heights.collect()));
    }
    let says = |line: &GridLine| {
        line.say(scale_says("charts-scale-says", (grid, along), line, speed, lang))
    };
    let says = panel.lines.first().map(says);
    let title = words(lang, "charts-scale-title");
    Chart {
        note: panel.note.clone(),
        y: vec![speed.axis(lang)],
        series: lines,
        pair: panel.pair_of("scale"),
        ..blank(
            panel.id("scale"),
            title,
            says.unwrap_or_default(),
            bottom_axis(&grid.axes[along], lang),
        )
    }
}

/// The share of a job's rate that each job still adds.
fn share_chart(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> Chart {
    let speed = Speed::of(panel);
    let share = words(lang, "charts-efficiency");
    let mut lines = Vec::new();
    for (group, line) in panel.grouped() {
        let shares = efficiency(grid, along, line, speed);
        let points = shares.iter().map(|(jobs, share)| at(*jobs, *share)).collect();
        lines.push(series(line.called(&share), Shape::Line, group, points));
    }
    let says = panel
        .lines
        .first()
        .map(|line| line.say(scale_says("charts-scale-says", (grid, along), line, speed, lang)));
    Chart {
        note: panel.note.clone(),
        y: vec![axis(lang, "charts-efficiency", ChartUnit::Percent, Scale::Linear)],
        series: lines,
        pair: panel.pair_of("share"),
        ..blank(
            panel.id("share"),
            share,
            says.unwrap_or_default(),
            bottom_axis(&grid.axes[along], lang),
        )
    }
}

/// The same two charts over clients, the first with the knee.
pub(super) fn client_scale(
    document: &SweepDocument,
    grid: &Grid,
    along: usize,
    lang: Lang,
) -> Vec<Chart> {
    let chart = |panel: &Panel| {
        let speed = Speed::of(panel);
        let says = |line: &GridLine| line.say(clients_say(grid, along, line, lang));
        Chart {
            id: panel.id("scale-clients"),
            title: words(lang, "charts-scale-clients-title"),
            says: panel.lines.first().map(says).unwrap_or_default(),
            marks: marks(document, grid, along, panel, speed, lang),
            pair: panel.pair_of("scale-clients"),
            ..scale_chart(grid, along, panel, lang)
        }
    };
    let share = |panel: &Panel| Chart {
        id: panel.id("share-clients"),
        pair: panel.pair_of("share-clients"),
        ..share_chart(grid, along, panel, lang)
    };
    let panels = grid.panels(&[along], MOST_LINES_OF_SEVERAL);
    panels.iter().map(chart).chain(panels.iter().map(share)).collect()
}

/// How the rate grows from the fewest clients to the most.
pub(super) fn clients_say(grid: &Grid, along: usize, line: &GridLine, lang: Lang) -> String {
    scale_says("charts-scale-clients-says", (grid, along), line, Speed::of_line(line), lang)
}

/// For each number of jobs, its rate as a share of the rate extrapolated from the fewest.
fn efficiency(grid: &Grid, along: usize, line: &GridLine, speed: Speed) -> Vec<(f64, f64)> {
    let of_each = |cell: &&GridCell| speed.value(cell) / grid.place(cell, along);
    let Some(first) = line.cells.first().map(of_each) else { return Vec::new() };
    let share = |cell: &&GridCell| (grid.place(cell, along), of_each(cell) / first * 100.0);
    line.cells.iter().map(share).collect()
}

fn scale_says(
    message: &'static str,
    (grid, along): (&Grid, usize),
    line: &GridLine,
    speed: Speed,
    lang: Lang,
) -> String {
    let (Some(first), Some(last)) = (line.cells.first(), line.cells.last()) else {
        return String::new();
    };
    let shares = efficiency(grid, along, line, speed);
    Message::new(message)
        .with("from", grid.label(first, &[along]))
        .with("to", grid.label(last, &[along]))
        .with("times", format!("{:.1}", speed.value(last) / speed.value(first).max(f64::EPSILON)))
        .with("share", format!("{:.0} %", shares.last().map_or(0.0, |(_, share)| *share)))
        .text(lang)
}

impl GridLine<'_, '_> {
    /// A sentence about it, under its name if there are others.
    pub fn say(&self, sentence: String) -> String {
        if self.name.is_empty() { sentence } else { format!("{}: {sentence}", self.name) }
    }
}
