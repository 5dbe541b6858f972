//! Figures published by others as a report, drawn as Fathom would draw them. Nothing in it was
//! measured here, and a banner says so.

mod answers;
mod charts;
mod file;
mod promises;

use super::drawing::{Charts, bytes_axis, iops_axis};
use super::{place, tiles};
use crate::model::{ChartUnit, Column, Report, Statement, Table, TableCell, Tile};
use fathom_analysis::Tone;
use fathom_message::{Lang, Message, words};
pub use file::{
    Command, KIND, Mix, MixPoint, Published, PublishedDirection, PublishedError, Row, Text, read,
};

/// The report of published figures.
pub fn report(published: &Published, lang: Lang) -> Report {
    let mut drawn = Charts::default();
    charts::all(published, lang).into_iter().for_each(|chart| {
        drawn.add(chart);
    });
    let source = published.source.text(lang);
    let note = |text: &Text| Statement {
        outcome: None,
        tone: Tone::Note,
        about: String::new(),
        sentence: text.text(lang),
    };
    let tables = [rows(published, lang), mixes(published, lang)];
    Report {
        lang,
        changes: None,
        title: published.title.text(lang),
        example: Some(Message::new("charts-published").with("source", source).text(lang)),
        origin: String::new(),
        tiles: tiles(published, lang),
        facts: Vec::new(),
        answers: answers::answers(published, lang),
        reasons: Vec::new(),
        verdicts: published.notes.iter().map(note).collect(),
        charts: drawn.done(),
        tables: tables.into_iter().filter(|table| !table.rows.is_empty()).collect(),
        repeat: published
            .commands
            .iter()
            .map(|command| place::repeat(command.what.text(lang), &command.command))
            .collect(),
    }
}

/// The highest read rate, the highest write rate, the lowest latency and the highest throughput;
/// for sweeps over the mix the rates of pure reads and pure writes.
fn tiles(published: &Published, lang: Lang) -> Vec<Tile> {
    let rows = &published.rows;
    let most = |way| {
        let own = rows.iter().filter(move |row| row.way == way);
        own.max_by(|a, b| a.iops.total_cmp(&b.iops))
    };
    let named = |row: &Row| format!("{}, {}", row.volume, way_name(row.way, lang).to_lowercase());
    let tile =
        |id, unit, value: f64, detail: String| tiles::number(words(lang, id), unit, value, detail);
    let timed = rows.iter().filter(|row| row.mean_ns().is_some());
    let wait = |row: &Row| row.mean_ns().unwrap_or(f64::MAX);
    let quickest = timed.min_by(|a, b| wait(a).total_cmp(&wait(b)));
    let largest = rows.iter().max_by(|a, b| a.bytes_per_s().total_cmp(&b.bytes_per_s()));
    let of_rows = [
        most(PublishedDirection::Read)
            .map(|row| tile("report-tile-reads", ChartUnit::Iops, row.iops, named(row))),
        most(PublishedDirection::Write)
            .map(|row| tile("report-tile-writes", ChartUnit::Iops, row.iops, named(row))),
        quickest.and_then(|row| {
            Some(tile("report-column-mean", ChartUnit::Ns, row.mean_ns()?, named(row)))
        }),
        largest.map(|row| {
            tile("report-tile-throughput", ChartUnit::BytesPerS, row.bytes_per_s(), named(row))
        }),
    ];
    let of_mixes = published.mixes.iter().flat_map(|mix| {
        let unit = if mix.is_bytes() { ChartUnit::BytesPerS } else { ChartUnit::Iops };
        let ends = [(100.0, "report-tile-pure-reads"), (0.0, "report-tile-pure-writes")];
        ends.into_iter().filter_map(move |(percent, id)| {
            let point = mix.points.iter().find(|point| point.reads_percent == percent)?;
            let value = point.height(mix.is_bytes())?;
            Some(tile(id, unit, value, mix.name.text(lang)))
        })
    });
    of_rows.into_iter().flatten().chain(of_mixes).take(tiles::MOST).collect()
}

/// A column of texts, or of figures.
fn column(key: &str, name: String, unit: Option<ChartUnit>) -> Column {
    Column { key: key.to_owned(), name, unit }
}

fn rows(published: &Published, lang: Lang) -> Table {
    let mut percents: Vec<f64> =
        published.rows.iter().flat_map(|row| &row.percentiles_ms).map(|pair| pair.0).collect();
    percents.sort_by(f64::total_cmp);
    percents.dedup();
    let mut columns = vec![
        column("volume", words(lang, "charts-fact-volume"), None),
        column("way", words(lang, "charts-way"), None),
        column("block_bytes", words(lang, "charts-axis-block"), Some(ChartUnit::BlockBytes)),
        column("in_flight", words(lang, "charts-in-flight"), Some(ChartUnit::Plain)),
        column("iops", iops_axis(lang).name, Some(ChartUnit::Iops)),
        column("promised_iops", words(lang, "charts-promised"), Some(ChartUnit::Iops)),
        column("bytes_per_s", bytes_axis(lang).name, Some(ChartUnit::BytesPerS)),
        column("mean_ns", words(lang, "charts-mean-latency"), Some(ChartUnit::Ns)),
    ];
    let named = |percent: &f64| format!("p{percent}");
    columns.extend(
        percents.iter().map(|p| column(&(named(p) + "_ns"), named(p), Some(ChartUnit::Ns))),
    );
    let rows = published.rows.iter().map(|row| cells(row, &percents, lang)).collect();
    Table { id: "figures".to_owned(), title: words(lang, "charts-figures"), columns, rows }
}

fn cells(row: &Row, percents: &[f64], lang: Lang) -> Vec<TableCell> {
    let number = |value: Option<f64>| value.map_or(TableCell::Nothing, TableCell::Number);
    let mut cells = vec![
        TableCell::Text(row.volume.clone()),
        TableCell::Text(way_name(row.way, lang)),
        TableCell::Number(row.block_kib as f64 * 1024.0),
        number(row.in_flight),
        TableCell::Number(row.iops),
        number(promises::promised(row)),
        TableCell::Number(row.bytes_per_s()),
        number(row.mean_ns()),
    ];
    let known = row.percentiles_ns();
    cells.extend(percents.iter().map(|percent| {
        number(known.iter().find(|pair| pair.0 == *percent).map(|pair| pair.1 as f64))
    }));
    cells
}

fn mixes(published: &Published, lang: Lang) -> Table {
    let columns = vec![
        column("sweep", words(lang, "charts-mix-sweep"), None),
        column("writes_percent", words(lang, "charts-axis-mix"), Some(ChartUnit::Percent)),
        column("iops", iops_axis(lang).name, Some(ChartUnit::Iops)),
        column("bytes_per_s", bytes_axis(lang).name, Some(ChartUnit::BytesPerS)),
    ];
    let number = |value: Option<f64>| value.map_or(TableCell::Nothing, TableCell::Number);
    let points = published.mixes.iter().flat_map(|mix| mix.points.iter().map(move |p| (mix, p)));
    let rows = points.map(|(mix, point)| {
        let name = TableCell::Text(mix.name.text(lang));
        let written = TableCell::Number(100.0 - point.reads_percent);
        vec![name, written, number(point.iops), number(point.height(true))]
    });
    let rows = rows.collect();
    Table { id: "mixes".to_owned(), title: words(lang, "charts-mixes"), columns, rows }
}

/// Reads or writes, as text.
fn way_name(way: PublishedDirection, lang: Lang) -> String {
    match way {
        PublishedDirection::Read => words(lang, "charts-reads"),
        PublishedDirection::Write => words(lang, "charts-writes"),
    }
}

#[cfg(test)]
mod tests;
