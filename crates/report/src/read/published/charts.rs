//! The charts of published figures, depending on the data: volumes side by side, sizes of one kind,
//! promises, mixes, and the identity of depth, latency and IOPS.

use super::file::{Mix, Published, PublishedDirection, Row};
use super::{promises, way_name};
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Mark, Scale, Shape};
use crate::read::capacity;
use crate::read::drawing::{
    at, axis, blank, bytes_axis, direction_group, iops_axis, latency_axis, level, names_axis,
    plain_group, rate, series, shown, slug,
};
use crate::read::sweep::{nines_axis, written_axis};
use fathom_document::latency;
use fathom_message::{Lang, Message, words};
use fathom_vocab::Direction;

/// All charts, the most important first.
pub(super) fn all(published: &Published, lang: Lang) -> Vec<Chart> {
    let rows = &published.rows;
    let mut charts: Vec<Chart> = published.mixes.iter().map(|mix| mix_chart(mix, lang)).collect();
    let ways = [PublishedDirection::Read, PublishedDirection::Write];
    let by_volume = ways.map(|way| volumes(rows, way, lang));
    let alone = by_volume.iter().all(Option::is_none);
    charts.extend(by_volume.into_iter().flatten());
    charts.extend(ways.into_iter().filter_map(|way| waits(rows, way, lang)));
    if alone && !rows.is_empty() {
        charts.push(runs(rows, lang));
    }
    for family in families(rows) {
        charts.extend([both_ways(rows, family, lang), sizes(rows, family, lang)]);
    }
    charts.extend(on_promises(rows, lang));
    charts.push(identity(rows, lang));
    charts.push(percentiles(rows, lang));
    charts.push(processors(rows, lang));
    charts
}

/// Each volume once, in the order of the rows.
fn names<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in rows {
        if !names.contains(&row.volume) {
            names.push(row.volume.clone());
        }
    }
    names
}

fn place(names: &[String], row: &Row) -> f64 {
    names.iter().position(|name| *name == row.volume).map_or(f64::NAN, |place| place as f64)
}

/// I/Os a second of a row at a place, with the least and the most of its intervals as whisker.
fn bar(x: f64, row: &Row) -> ChartPoint {
    ChartPoint { low: row.min_iops, high: row.max_iops, ..at(x, row.iops) }
}

fn volume_axis(names: Vec<String>, lang: Lang) -> ChartAxis {
    names_axis(words(lang, "charts-fact-volume"), names)
}

fn fastest<'r>(rows: &[&'r Row]) -> Option<&'r Row> {
    rows.iter().copied().reduce(|best, row| if row.iops > best.iops { row } else { best })
}

/// Volumes beside each other, in one direction.
fn volumes(rows: &[Row], way: PublishedDirection, lang: Lang) -> Option<Chart> {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.way == way).collect();
    let names = names(rows.iter().copied());
    if names.len() < 2 {
        return None;
    }
    let best = fastest(&rows)?;
    let bars = rows.iter().map(|row| bar(place(&names, row), row)).collect();
    let title = Message::new("charts-by-volume").with("way", way_name(way, lang));
    let says =
        Message::new("charts-most").with("rate", rate(best.iops)).with("where", &best.volume);
    let id = if way == PublishedDirection::Read { "reads-by-volume" } else { "writes-by-volume" };
    Some(Chart {
        y: vec![iops_axis(lang)],
        series: vec![series(way_name(way, lang), Shape::Bar, group_of(way), bars)],
        ..blank(id, title.text(lang), says.text(lang), volume_axis(names, lang))
    })
}

/// Mean latency of volumes beside each other, in one direction.
fn waits(rows: &[Row], way: PublishedDirection, lang: Lang) -> Option<Chart> {
    let rows: Vec<&Row> = rows.iter().filter(|row| row.way == way).collect();
    let names = names(rows.iter().copied());
    let times = rows.iter().filter_map(|row| Some(at(place(&names, row), row.mean_ns()?)));
    let bars: Vec<ChartPoint> = times.collect();
    if names.len() < 2 || bars.is_empty() {
        return None;
    }
    let mean = words(lang, "charts-mean-latency");
    let title = Message::new("charts-wait-by-volume").with("way", way_name(way, lang)).text(lang);
    let id = if way == PublishedDirection::Read {
        "read-latency-by-volume"
    } else {
        "write-latency-by-volume"
    };
    Some(Chart {
        y: vec![ChartAxis { name: mean, ..latency_axis(lang) }],
        series: vec![series(way_name(way, lang), Shape::Bar, group_of(way), bars)],
        ..blank(id, title.clone(), title, volume_axis(names, lang))
    })
}

/// The colour of a direction.
fn group_of(way: PublishedDirection) -> usize {
    direction_group(match way {
        PublishedDirection::Read => Direction::Read,
        PublishedDirection::Write => Direction::Write,
    })
}

/// The name of a row, if volumes alone are ambiguous.
fn run_name(row: &Row, lang: Lang) -> String {
    format!("{}: {}", row.volume, way_name(row.way, lang))
}

/// Every row, unless two volumes can be compared, with its promise as a line.
fn runs(rows: &[Row], lang: Lang) -> Chart {
    let all: Vec<&Row> = rows.iter().collect();
    let names: Vec<String> = rows.iter().map(|row| run_name(row, lang)).collect();
    let place_of = |row: &Row| rows.iter().position(|other| std::ptr::eq(other, row));
    let point = |row: &Row| Some(bar(place_of(row)? as f64, row));
    let bars = each_way(&all, Shape::Bar, point, lang);
    let mut marks: Vec<Mark> = Vec::new();
    for promised in rows.iter().filter_map(promises::promised) {
        if !marks.iter().any(|mark| mark.at == promised) {
            let name = Message::new("charts-mark-promised").with("rate", rate(promised));
            marks.push(level(name.text(lang), promised));
        }
    }
    let says = fastest(&all).map(|best| {
        let message = Message::new("charts-most").with("rate", rate(best.iops));
        message.with("where", run_name(best, lang)).text(lang)
    });
    let x = names_axis(words(lang, "charts-run"), names);
    Chart {
        y: vec![iops_axis(lang)],
        series: bars,
        marks,
        ..blank("runs", words(lang, "charts-runs"), says.unwrap_or_default(), x)
    }
}

/// Kinds with several measured sizes.
fn families(rows: &[Row]) -> Vec<&str> {
    let mut families: Vec<&str> = Vec::new();
    for family in rows.iter().filter_map(|row| row.family.as_deref()) {
        if !families.contains(&family) {
            families.push(family);
        }
    }
    families
}

fn of<'r>(rows: &'r [Row], family: &str) -> Vec<&'r Row> {
    rows.iter().filter(|row| row.family.as_deref() == Some(family)).collect()
}

/// A series for reads and one for writes, with `point` applied to each row.
fn each_way(
    rows: &[&Row],
    shape: Shape,
    point: impl Fn(&Row) -> Option<ChartPoint>,
    lang: Lang,
) -> Vec<ChartSeries> {
    let ways = [PublishedDirection::Read, PublishedDirection::Write].into_iter();
    ways.map(|way| {
        let points = rows.iter().filter(|row| row.way == way).filter_map(|row| point(row));
        series(way_name(way, lang), shape, group_of(way), points.collect())
    })
    .collect()
}

/// Reads against writes of one kind of volume.
fn both_ways(rows: &[Row], family: &str, lang: Lang) -> Chart {
    let rows = of(rows, family);
    let names = names(rows.iter().copied());
    let read = |volume: &str, way| rows.iter().find(|r| r.volume == volume && r.way == way);
    let alike = |name: &&String| {
        let (reads, writes) =
            (read(name, PublishedDirection::Read), read(name, PublishedDirection::Write));
        reads.zip(writes).is_some_and(|(a, b)| (a.iops - b.iops).abs() <= b.iops * 0.01)
    };
    let says = Message::new("charts-both-ways-says")
        .with("alike", names.iter().filter(alike).count())
        .with(
            "all",
            names
                .iter()
                .filter(|n| {
                    read(n, PublishedDirection::Read).is_some()
                        && read(n, PublishedDirection::Write).is_some()
                })
                .count(),
        );
    let title = Message::new("charts-both-ways").with("family", family);
    Chart {
        y: vec![iops_axis(lang)],
        series: each_way(&rows, Shape::Bar, |row| Some(bar(place(&names, row), row)), lang),
        ..blank(
            format!("{family}-reads-writes"),
            title.text(lang),
            says.text(lang),
            volume_axis(names.clone(), lang),
        )
    }
}

/// IOPS of one kind of volume by its capacity.
fn sizes(rows: &[Row], family: &str, lang: Lang) -> Chart {
    let mut rows = of(rows, family);
    let size = |row: &Row| promises::size_bytes(row).unwrap_or(f64::NAN);
    rows.sort_by(|a, b| size(a).total_cmp(&size(b)));
    let title = Message::new("charts-by-capacity").with("family", family);
    let says = rows.first().zip(rows.last()).map(|(first, last)| {
        Message::new("charts-ends")
            .with("from", &first.volume)
            .with("to", &last.volume)
            .with("first", rate(first.iops))
            .with("last", rate(last.iops))
            .text(lang)
    });
    Chart {
        y: vec![iops_axis(lang)],
        series: each_way(&rows, Shape::Line, |row| Some(bar(size(row), row)), lang),
        ..blank(
            format!("{family}-capacity"),
            title.text(lang),
            says.unwrap_or_default(),
            capacity::size_axis(lang),
        )
    }
}

/// The line of each promise with the measured points on it.
fn on_promises(rows: &[Row], lang: Lang) -> Vec<Chart> {
    let mut ids: Vec<&str> = Vec::new();
    for id in rows.iter().filter_map(|row| row.promise.as_deref()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let chart = |id: &&str| {
        let held: Vec<&Row> = rows.iter().filter(|r| r.promise.as_deref() == Some(*id)).collect();
        let first = held.first()?;
        let line = promises::over_sizes(first);
        if line.is_empty() {
            return None;
        }
        let mut lines =
            vec![series(words(lang, "charts-promised"), Shape::Line, plain_group(0), line)];
        let point = |row: &Row| Some(bar(promises::size_bytes(row)?, row));
        lines.extend(each_way(&held, Shape::Dots, point, lang));
        let says = Message::new("charts-capacity-says")
            .with("size", &first.volume)
            .with("promised", rate(promises::promised(first)?))
            .with("measured", rate(first.iops));
        let title = words(lang, "charts-capacity-title");
        Some(Chart {
            note: first.promise.clone().unwrap_or_default(),
            y: vec![iops_axis(lang)],
            series: lines,
            ..blank(
                format!("promise-{}", slug(id)),
                title,
                says.text(lang),
                capacity::size_axis(lang),
            )
        })
    };
    ids.iter().filter_map(chart).collect()
}

/// Measured IOPS beside those calculated from depth and mean latency.
fn identity(rows: &[Row], lang: Lang) -> Chart {
    let known: Vec<(&Row, f64)> =
        rows.iter().filter_map(|row| Some((row, row.computed_iops()?))).collect();
    let names: Vec<String> = known.iter().map(|(row, _)| run_name(row, lang)).collect();
    let bars = |height: fn(&(&Row, f64)) -> f64| {
        known.iter().enumerate().map(|(x, row)| at(x as f64, height(row))).collect()
    };
    let off = |(row, computed): &(&Row, f64)| (row.iops / computed - 1.0).abs() * 100.0;
    let worst = known.iter().map(off).filter(|off| off.is_finite()).fold(0.0, f64::max);
    let says = Message::new("charts-identity-says").with("off", format!("{worst:.1} %"));
    let (measured, computed) = (words(lang, "charts-measured"), words(lang, "charts-computed"));
    Chart {
        y: vec![iops_axis(lang)],
        series: vec![
            series(measured, Shape::Bar, plain_group(0), bars(|(row, _)| row.iops)),
            series(computed, Shape::Bar, plain_group(1), bars(|(_, computed)| *computed)),
        ],
        ..blank(
            "identity",
            words(lang, "charts-identity-title"),
            says.text(lang),
            names_axis(words(lang, "charts-run"), names),
        )
    }
}

/// The known percentiles of latencies.
fn percentiles(rows: &[Row], lang: Lang) -> Chart {
    let several: Vec<&Row> = rows.iter().filter(|row| row.percentiles_ms.len() > 1).collect();
    let lines = several.iter().enumerate().map(|(group, row)| {
        let mut points: Vec<ChartPoint> =
            row.percentiles_ns().iter().map(|(percent, ns)| at(*percent, *ns as f64)).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        series(run_name(row, lang), Shape::Line, plain_group(group), points)
    });
    let highest = several.iter().flat_map(|row| row.percentiles_ns()).map(|pair| pair.1).max();
    let says = Message::new("charts-percentiles-says")
        .with("rows", several.len())
        .with("highest", latency(highest.unwrap_or(0) as f64));
    Chart {
        y: vec![latency_axis(lang)],
        series: lines.collect(),
        ..blank("percentiles", words(lang, "charts-tails-title"), says.text(lang), nines_axis(lang))
    }
}

/// Processor time of the jobs, user upon kernel.
fn processors(rows: &[Row], lang: Lang) -> Chart {
    let known: Vec<&Row> = rows.iter().filter(|row| row.cpu_system_percent.is_some()).collect();
    let names: Vec<String> = known.iter().map(|row| run_name(row, lang)).collect();
    let all = |row: &Row, percent: Option<f64>| percent.unwrap_or(0.0) * row.jobs.unwrap_or(1.0);
    let bars = |of: fn(&Row) -> Option<f64>| {
        known.iter().enumerate().map(|(x, row)| at(x as f64, all(row, of(row)))).collect()
    };
    let busiest =
        known.iter().map(|row| all(row, row.cpu_user_percent) + all(row, row.cpu_system_percent));
    let cores = busiest.fold(0.0, f64::max) / 100.0;
    let says = Message::new("charts-cpu-says").with("cores", format!("{cores:.1}"));
    let (user, system) = (words(lang, "charts-cpu-user"), words(lang, "charts-cpu-system"));
    Chart {
        y: vec![axis(lang, "charts-axis-cpu", ChartUnit::Percent, Scale::Linear)],
        series: vec![
            series(system, Shape::Stacked, plain_group(0), bars(|row| row.cpu_system_percent)),
            series(user, Shape::Stacked, plain_group(1), bars(|row| row.cpu_user_percent)),
        ],
        ..blank(
            "cpu",
            words(lang, "charts-cpu-title"),
            says.text(lang),
            names_axis(words(lang, "charts-run"), names),
        )
    }
}

/// A sweep over the mix, with its published points: pure reads and pure writes keep their
/// direction, all others are totals.
fn mix_chart(mix: &Mix, lang: Lang) -> Chart {
    let bytes = mix.is_bytes();
    let y = if bytes { bytes_axis(lang) } else { iops_axis(lang) };
    let mut total: Vec<ChartPoint> = mix
        .points
        .iter()
        .filter_map(|point| Some(at(100.0 - point.reads_percent, point.height(bytes)?)))
        .collect();
    total.sort_by(|a, b| a.x.total_cmp(&b.x));
    let end = |place: f64| total.iter().filter(|point| point.x == place).copied().collect();
    let height = |point: Option<&ChartPoint>| point.map_or(0.0, |point| point.y);
    let says = Message::new("charts-mix-from-to")
        .with("reads", shown(y.unit, height(total.first())))
        .with("writes", shown(y.unit, height(total.last())));
    let title = Message::new("charts-mix-title").with("rate", &y.name);
    let straight = words(lang, "charts-straight");
    let dots = |way, points| series(way_name(way, lang), Shape::Dots, group_of(way), points);
    Chart {
        note: format!("{}. {straight}", mix.name.text(lang)),
        series: vec![
            dots(PublishedDirection::Read, end(0.0)),
            dots(PublishedDirection::Write, end(100.0)),
            series(words(lang, "charts-total"), Shape::Dashed, plain_group(0), total),
        ],
        y: vec![y],
        pair: mix.pair.as_ref().map(|pair| format!("mix-{}", slug(pair))),
        ..blank(
            format!("mix-{}", slug(&mix.name.text(Lang::En))),
            title.text(lang),
            says.text(lang),
            written_axis(lang),
        )
    }
}
