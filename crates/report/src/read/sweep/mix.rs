//! Lines over the share of reads and writes, from pure reads to pure writes: reads, writes, and the
//! total.

use super::grid::{Grid, GridCell, GridLine, Panel};
use super::heights::Speed;
use super::load::axis_name;
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use crate::read::drawing::{at, blank, direction_group, plain_group, series};
use fathom_document::Share;
use fathom_message::{Lang, Message};
use fathom_vocab::Direction;

/// Three figures each; more lines are not distinguishable.
const MOST_LINES: usize = 3;

/// A chart for each combination of the other axes that does not fit in as a line.
pub(super) fn mixes(grid: &Grid, along: usize, lang: Lang) -> Vec<Chart> {
    let panels = grid.panels(&[along], MOST_LINES);
    panels.iter().map(|panel| mix_chart(grid, along, panel, lang)).collect()
}

fn mix_chart(grid: &Grid, along: usize, panel: &Panel, lang: Lang) -> Chart {
    let speed = Speed::of(panel);
    let lines = panel.lines.iter().enumerate();
    let series = lines.flat_map(|(number, line)| three(grid, along, line, (number, speed), lang));
    let says = panel
        .lines
        .first()
        .and_then(|line| Some(line.say(mix_says(grid, along, line, speed, lang)?)));
    let title = Message::new("charts-mix-title").with("rate", speed.axis(lang).name);
    // From pure reads on the left to pure writes on the right, as such charts are drawn.
    let name = axis_name(&grid.axes[along], lang);
    let x = ChartAxis::new(name, ChartUnit::Percent, Scale::Linear);
    Chart {
        note: panel.note.clone(),
        y: vec![speed.axis(lang)],
        series: series.collect(),
        pair: panel.pair_of("mix"),
        ..blank(panel.id("mix"), title.text(lang), says.unwrap_or_default(), x)
    }
}

fn three(
    grid: &Grid,
    along: usize,
    line: &GridLine,
    (number, speed): (usize, Speed),
    lang: Lang,
) -> [ChartSeries; 3] {
    let written = |cell: &GridCell| 100.0 - grid.place(cell, along);
    let of = |direction: Direction| -> Vec<ChartPoint> {
        let share = |cell: &&GridCell| match cell.figures.shares[direction] {
            Some(Share { iops, .. }) if speed == Speed::Iops => iops,
            Some(Share { mb_per_s, .. }) => mb_per_s * 1e6,
            None => 0.0,
        };
        line.cells.iter().map(|cell| at(written(cell), share(cell))).collect()
    };
    let total = line.cells.iter().map(|cell| speed.point(cell, written(cell))).collect();
    let name = |id: &'static str| line.series(&Message::new(id).text(lang));
    // Reads have one colour in all lines.
    let shape = [Shape::Line, Shape::Dashed, Shape::Dots][number.min(2)];
    let way = |id, direction: Direction| {
        series(name(id), shape, direction_group(direction), of(direction))
    };
    [
        series(name("charts-total"), shape, plain_group(number), total),
        way("charts-reads", Direction::Read),
        way("charts-writes", Direction::Write),
    ]
}

/// The rates at both ends, and the minimum of the total.
pub(super) fn mix_says(
    grid: &Grid,
    along: usize,
    line: &GridLine,
    speed: Speed,
    lang: Lang,
) -> Option<String> {
    let share = |cell: &&&GridCell, percent: f64| grid.place(cell, along) == percent;
    let value = |cell: &GridCell| speed.shown(speed.value(cell));
    let least = line.cells.iter().min_by(|a, b| speed.value(a).total_cmp(&speed.value(b)))?;
    let reads = line.cells.iter().find(|cell| share(cell, 100.0));
    let writes = line.cells.iter().find(|cell| share(cell, 0.0));
    let message = match (reads, writes) {
        (Some(reads), Some(writes)) => Message::new("charts-mix-ends")
            .with("reads", value(reads))
            .with("writes", value(writes)),
        _ => Message::new("charts-mix-least"),
    };
    let message = message.with("least", value(least)).with("mix", grid.label(least, &[along]));
    Some(message.text(lang))
}
