//! The summary of a sweep: the fastest case, where more load stops paying, the cap, and whether the
//! sweep is complete.

use super::grid::{AxisKind, Grid, GridCell, GridLine};
use super::heights::{Speed, fastest};
use super::load::{cap_of, clients_say, knee, knee_says};
use super::mix::mix_says;
use crate::model::{ChartUnit, TableCell, Tile};
use crate::read::drawing::{megabytes, rate};
use crate::read::tiles;
use fathom_analysis::CapKind;
use fathom_document::latency;
use fathom_document::sweep::{Curve, Status, SweepDocument};
use fathom_message::{Lang, Message, words};

/// Sentences of one kind; a sweep of so many curves has a table for the rest.
const MOST: usize = 16;

/// The answers, the first first.
pub(super) fn answers(document: &SweepDocument, grid: &Grid, lang: Lang) -> Vec<String> {
    let mut answers = Vec::new();
    answers.extend(most(grid, lang));
    let load = grid.axis(AxisKind::Depth).or(grid.axis(AxisKind::Jobs));
    if let Some(mix) = grid.axis(AxisKind::Mix) {
        let says = |line: &GridLine| mix_says(grid, mix, line, Speed::of_line(line), lang);
        answers.extend(each_line(grid, mix, lang, says));
    }
    answers.extend(connections(document, lang).take(MOST));
    let clients = grid.clients();
    for along in clients.into_iter().chain(load) {
        let says = |line: &GridLine| {
            let bend = knee(grid, along, line).and_then(|knee| knee_says(&knee, lang));
            let held = held_says(document, grid, along, line, lang);
            let scale = (clients == Some(along)).then(|| clients_say(grid, along, line, lang));
            let said: Vec<String> = [bend, held, scale].into_iter().flatten().collect();
            (!said.is_empty()).then(|| said.join(" "))
        };
        answers.extend(each_line(grid, along, lang, says));
    }
    answers.extend(unfinished(document, lang));
    answers
}

/// What more connections give, of each curve over them.
pub(super) fn connections(document: &SweepDocument, lang: Lang) -> impl Iterator<Item = String> {
    let told = document.curves.iter().filter_map(Curve::connection_sentence);
    told.map(move |of| of.text(lang))
}

/// The cases with the most IOPS, the most throughput and the lowest latency, and the number of
/// measured cases.
pub(super) fn tiles(document: &SweepDocument, grid: &Grid, lang: Lang) -> Vec<Tile> {
    let tile = |id, unit, value: f64, cell: &GridCell| {
        tiles::number(words(lang, id), unit, value, grid.title(cell))
    };
    let most = |id, unit, speed: Speed| {
        fastest(speed, grid.cells.iter()).map(|cell| tile(id, unit, speed.value(cell), cell))
    };
    let wait = |cell: &GridCell| cell.figures.total.mean_ns;
    let quickest = grid.cells.iter().min_by(|a, b| wait(a).total_cmp(&wait(b)));
    let measured = Tile {
        name: words(lang, "charts-fact-runs"),
        value: TableCell::Text(format!("{} / {}", document.cases.len(), document.turns)),
        unit: ChartUnit::Plain,
        detail: String::new(),
        outcome: None,
    };
    [
        most("report-tile-most-iops", ChartUnit::Iops, Speed::Iops),
        most("report-tile-throughput", ChartUnit::BytesPerS, Speed::Bytes),
        quickest.map(|cell| tile("report-tile-least-latency", ChartUnit::Ns, wait(cell), cell)),
        Some(measured),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A sentence for each line along an axis, under its name, as many as are read.
fn each_line(
    grid: &Grid,
    along: usize,
    lang: Lang,
    says: impl Fn(&GridLine) -> Option<String>,
) -> Vec<String> {
    let panels = grid.panels(&[along], usize::MAX);
    let lines = panels.iter().flat_map(|panel| panel.lines.iter().map(move |l| (panel, l)));
    let told = lines.filter_map(|(panel, line)| {
        let names = [panel.note.as_str(), line.name.as_str()];
        let name = names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ");
        let sentence = says(line)?;
        Some(if name.is_empty() { sentence } else { format!("{name}: {sentence}") })
    });
    let mut told: Vec<String> = told.collect();
    let more = told.len().saturating_sub(MOST);
    if more > 0 {
        told.truncate(MOST);
        told.push(Message::new("report-and-more").with("count", more as u64).text(lang));
    }
    told
}

/// The case with the most I/Os a second, and that with the most bytes if it is another.
fn most(grid: &Grid, lang: Lang) -> Vec<String> {
    let most_ios = fastest(Speed::Iops, grid.cells.iter());
    let most_bytes = fastest(Speed::Bytes, grid.cells.iter());
    // That nothing was measured is the first sentence already.
    let (Some(ios), Some(bytes)) = (most_ios, most_bytes) else { return Vec::new() };
    let most_ios = Message::new("charts-most-case")
        .with("rate", rate(Speed::Iops.value(ios)))
        .with("where", grid.title(ios))
        .with("mean", latency(ios.figures.total.mean_ns))
        .with("p99", latency(ios.figures.total.p99_ns as f64));
    let most_bytes = Message::new("charts-most")
        .with("rate", megabytes(Speed::Bytes.value(bytes)))
        .with("where", grid.title(bytes));
    let another = (!std::ptr::eq(ios, bytes)).then(|| most_bytes.text(lang));
    std::iter::once(most_ios.text(lang)).chain(another).collect()
}

/// The cap on a line, if the sweep found one.
fn held_says(
    document: &SweepDocument,
    grid: &Grid,
    along: usize,
    line: &GridLine,
    lang: Lang,
) -> Option<String> {
    let cap = cap_of(document, grid, along, line)?;
    let value = match cap.kind {
        CapKind::Iops => rate(cap.value),
        CapKind::Bandwidth => megabytes(cap.value),
    };
    Some(Message::new("charts-held").with("rate", value).text(lang))
}

/// That it is not whole, and why.
fn unfinished(document: &SweepDocument, lang: Lang) -> Vec<String> {
    let failed = document.cases.iter().filter(|record| record.failure.is_some()).count();
    let mut answers = Vec::new();
    if let Some(why) = document.sessions.last().and_then(|session| session.failure.as_ref()) {
        answers.push(Message::new("charts-no-run").with("why", why).text(lang));
    }
    if failed > 0 {
        answers.push(Message::new("charts-failed").with("count", failed as u64).text(lang));
    }
    if document.status != Status::Finished {
        let message = Message::new("charts-not-finished")
            .with("done", document.cases.len())
            .with("all", document.turns);
        answers.push(message.text(lang));
    }
    answers
}
