//! The promise for a volume as its size grows: a line over its sizes, and on it what checks of one
//! size or of several measured.

use super::parse::Parsed;
use super::statements::{listed, load, load_at_any_depth};
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use crate::read::drawing::{
    at, axis, blank, direction_group, iops_axis, plain_group, rate, series,
};
use fathom_analysis::promise::{Catalogue, Config, Promise, Size, SizeUnit, VolumeRow};
use fathom_analysis::quantity::volume_bytes;
use fathom_document::check::{CheckDocument, CheckTrial};
use fathom_document::{AnyDocument, Goal};
use fathom_message::{Lang, Message, words};
use fathom_vocab::Direction;

/// The most sizes that a sentence lists.
const MOST_SIZES: usize = 8;

/// The number of sizes tried; points on a straight line are dropped.
const TRIED: f64 = 200.0;

/// Bytes of a volume along the bottom.
fn size_axis(lang: Lang) -> ChartAxis {
    axis(lang, "charts-axis-capacity", ChartUnit::VolumeBytes, Scale::Linear)
}

/// Promised I/Os a second of a direction for a volume of `size_bytes` at a block size; none if the
/// catalogue has no such volume, or no promise for it.
fn promised(
    id: &str,
    config: &Config,
    size_bytes: Option<f64>,
    direction: Direction,
    block_bytes: u64,
) -> Option<f64> {
    let catalogue = Catalogue::builtin().ok()?;
    of_volume(catalogue.find(id).ok()?, config, size_bytes, direction, block_bytes)
}

fn of_volume(
    volume: &VolumeRow,
    config: &Config,
    size_bytes: Option<f64>,
    direction: Direction,
    block_bytes: u64,
) -> Option<f64> {
    let unit = volume.size.as_ref().map_or(SizeUnit::GB, |range| range.unit);
    let size = size_bytes.map(|bytes| Size::new(bytes / unit.bytes(), unit)).or(config.size);
    let promise = volume.promise(&Config { size, ..config.clone() }).ok()?;
    let reach = promise.at_block_size(block_bytes);
    let level = if direction == Direction::Write { reach.write } else { reach.read };
    level.map(|level| level.iops)
}

/// A test of I/Os a second in a check of a volume of known size.
struct SizedRun<'d> {
    size_bytes: f64,
    iops: f64,
    promised_iops: f64,
    run: &'d CheckTrial,
}

impl SizedRun<'_> {
    fn is_like(&self, other: &SizedRun<'_>) -> bool {
        let kind = |of: &SizedRun<'_>| (of.run.load.direction, of.run.load.block_bytes);
        kind(self) == kind(other)
    }
}

/// The tests of I/Os a second of a check; none without a promise and a size.
fn sized_runs<'d>(document: &'d CheckDocument) -> Option<Vec<SizedRun<'d>>> {
    let size_bytes = document.basis.promise()?.size_bytes?;
    let of = |run: &'d CheckTrial| {
        let (figures, promised) = (run.figures.as_ref()?, run.load.promised.rate?);
        let iops = figures.total.iops;
        Some(SizedRun { size_bytes, iops, promised_iops: promised.iops, run })
    };
    let runs = document.runs.iter().filter(|run| run.load.goal == Goal::Iops);
    Some(runs.filter_map(of).collect())
}

/// The provider's line over sizes, and on it the volumes that were checked against it: of one kind,
/// or there is no chart.
pub(super) fn chart(documents: &[&CheckDocument], lang: Lang) -> Option<Chart> {
    let runs = of_one_kind(documents)?;
    let promise = documents.first()?.basis.promise()?;
    let group = plain_group(0);
    let line = series(words(lang, "charts-promised"), Shape::Line, group, line_of(promise, &runs)?);
    let says = match documents {
        [_] => runs.first().map(|of| said_alone(of).text(lang))?,
        _ => each_size(&runs, lang),
    };
    let (title, x) = (words(lang, "charts-capacity-title"), size_axis(lang));
    Some(Chart {
        y: vec![iops_axis(lang)],
        series: std::iter::once(line).chain(measured_lines(&runs, lang)).collect(),
        ..blank("capacity", title, says, x)
    })
}

/// The chart of several checks of volumes of different sizes, with what it says; none of others.
pub(super) fn of_checks(all: &[Parsed], lang: Lang) -> Option<Chart> {
    let checks: Vec<&CheckDocument> = all.iter().map(check_of).collect::<Option<_>>()?;
    let sizes = checks.iter().filter_map(|of| of.basis.promise()?.size_bytes);
    let mut sizes: Vec<u64> = sizes.map(|bytes| bytes as u64).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.len() < 2 { None } else { chart(&checks, lang) }
}

fn check_of(parsed: &Parsed) -> Option<&CheckDocument> {
    match &parsed.document {
        AnyDocument::Check(document) => Some(document),
        _ => None,
    }
}

/// The tests of all checks, from the smallest volume on, if one provider promises one kind of
/// volume in all of them.
fn of_one_kind<'d>(documents: &[&'d CheckDocument]) -> Option<Vec<SizedRun<'d>>> {
    let kind = |of: &CheckDocument| Some((of.basis.promise()?.volume.clone(), variant(of)));
    let first = kind(documents.first()?)?;
    let mut runs = Vec::new();
    for document in documents {
        kind(document).filter(|other| *other == first)?;
        runs.extend(sized_runs(document)?);
    }
    runs.sort_by(|a, b| a.size_bytes.total_cmp(&b.size_bytes));
    Some(runs)
}

fn variant(document: &CheckDocument) -> Option<String> {
    document.basis.promise().and_then(|promise| promise.variant.clone())
}

/// The promise's line; none if a user's own catalogue, or bought IOPS, would place it elsewhere
/// than the promise that was judged by, or if one size alone says nothing about it.
fn line_of(promise: &Promise, runs: &[SizedRun<'_>]) -> Option<Vec<ChartPoint>> {
    let first = runs.first()?;
    let last = runs.last()?;
    let (way, block) = (first.run.load.direction, first.run.load.block_bytes);
    let config = Config { variant: promise.variant.clone(), ..Config::default() };
    let here =
        |of: &SizedRun<'_>| promised(&promise.volume, &config, Some(of.size_bytes), way, block);
    let own = runs.iter().filter(|of| of.run.load.direction == way);
    for of in own.filter(|of| of.run.load.block_bytes == block) {
        here(of).filter(|iops| (iops - of.promised_iops).abs() <= of.promised_iops * 1e-6)?;
    }
    let points = line(&promise.volume, &config, last.size_bytes, way, block);
    match points.is_empty() {
        false => Some(points),
        // One rate for every size.
        true if last.size_bytes > first.size_bytes => {
            Some([first, last].map(|of| at(of.size_bytes, of.promised_iops)).to_vec())
        }
        true => None,
    }
}

/// What tests of one direction and block size are called. How many I/Os they keep in flight follows
/// from what is promised, and so from the size.
fn titled(of: &SizedRun<'_>, runs: &[SizedRun<'_>], lang: Lang) -> String {
    let in_flight = |other: &SizedRun<'_>| (other.run.load.depth, other.run.load.jobs);
    let mut alike = runs.iter().filter(|other| other.is_like(of));
    match alike.all(|other| in_flight(other) == in_flight(of)) {
        true => load(&of.run.load, lang),
        false => load_at_any_depth(&of.run.load, lang),
    }
}

/// A series for each load, over the sizes at which it ran.
fn measured_lines(runs: &[SizedRun<'_>], lang: Lang) -> Vec<ChartSeries> {
    let mut lines: Vec<ChartSeries> = Vec::new();
    for of in runs {
        let (name, point) = (titled(of, runs, lang), at(of.size_bytes, of.iops));
        match lines.iter_mut().find(|line| line.name == name) {
            Some(line) => line.points.push(point),
            None => {
                let group = direction_group(of.run.load.direction);
                lines.push(series(name, Shape::Dots, group, vec![point]));
            }
        }
    }
    for line in lines.iter_mut().filter(|line| line.points.len() > 1) {
        line.shape = Shape::Line;
    }
    lines
}

fn said_alone(of: &SizedRun<'_>) -> Message {
    Message::new("charts-capacity-says")
        .with("size", volume_bytes(of.size_bytes as u64))
        .with("promised", rate(of.promised_iops))
        .with("measured", rate(of.iops))
}

/// What each size gave of the first load, beside its promise.
fn each_size(runs: &[SizedRun<'_>], lang: Lang) -> String {
    let first = runs.first().map(|of| titled(of, runs, lang)).unwrap_or_default();
    let own = runs.iter().filter(|of| runs.first().is_some_and(|first| of.is_like(first)));
    let one = |of: &SizedRun<'_>| {
        Message::new("charts-capacity-one")
            .with("size", volume_bytes(of.size_bytes as u64))
            .with("promised", rate(of.promised_iops))
            .with("measured", rate(of.iops))
            .text(lang)
    };
    let each: Vec<String> = own.map(one).collect();
    Message::new("charts-capacity-each")
        .with("load", &first)
        .with("list", listed(&each, MOST_SIZES, lang))
        .text(lang)
}

/// The promise over sizes from the smallest for sale to somewhat beyond `largest_bytes`; empty if
/// it does not depend on the size.
fn line(
    id: &str,
    config: &Config,
    largest_bytes: f64,
    direction: Direction,
    block_bytes: u64,
) -> Vec<ChartPoint> {
    let catalogue = Catalogue::builtin().ok();
    let volume = catalogue.as_ref().and_then(|catalogue| catalogue.find(id).ok());
    let Some((volume, range)) = volume.and_then(|volume| Some((volume, volume.size?))) else {
        return Vec::new();
    };
    let unit = range.unit.bytes();
    let wanted = largest_bytes * 1.5 / unit;
    let last = range.max.map_or(wanted, |max| wanted.min(max));
    let step = step(last / TRIED);
    let first = range.min.unwrap_or(step);
    let count = ((last - first) / step).ceil().clamp(0.0, TRIED * 2.0) as u32;
    let grid = (0..=count).map(|n| (first / step).ceil() * step + f64::from(n) * step);
    let sizes = std::iter::once(first).chain(grid).filter(|size| *size <= last);
    let point = |size: f64| {
        let bytes = size * unit;
        Some(at(bytes, of_volume(volume, config, Some(bytes), direction, block_bytes)?))
    };
    let bends = bends(sizes.filter_map(point).collect());
    let level = bends.iter().all(|point| Some(point.y) == bends.first().map(|first| first.y));
    if level { Vec::new() } else { bends }
}

/// 1, 2 or 5 times a power of ten, at least `least`: rules bend at round sizes.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(power * 10.0)
}

/// The points at which a line bends.
fn bends(points: Vec<ChartPoint>) -> Vec<ChartPoint> {
    let mut kept: Vec<ChartPoint> = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let before = kept.last().copied();
        let straight = before.zip(points.get(place + 1)).is_some_and(|(before, after)| {
            let run = (after.x - before.x).max(f64::MIN_POSITIVE);
            let height = before.y + (after.y - before.y) * (point.x - before.x) / run;
            (height - point.y).abs() <= point.y.abs().max(1.0) * 1e-6
        });
        if point.x > before.map_or(f64::MIN, |before| before.x) && !straight {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ssd_of_case_a_bends_at_100_and_500_gb() {
        let of =
            |largest| line("naver.block_ssd", &Config::default(), largest, Direction::Read, 4096);
        let bends: Vec<(f64, f64)> = of(500e9).iter().map(|p| (p.x / 1e9, p.y)).collect();
        assert_eq!(bends[0], (10.0, 4000.0));
        assert_eq!(bends[1], (100.0, 4000.0));
        assert_eq!(bends[2], (500.0, 20_000.0));
        assert_eq!((bends.len(), bends[3].1), (4, 20_000.0));
        assert!(of(f64::NAN).is_empty());
        assert_eq!(line("no.such", &Config::default(), 1e12, Direction::Read, 4096), []);
        // Without a promise, or with one rate for every size, there is no bend.
        assert_eq!(line("naver.nas", &Config::default(), 6e12, Direction::Read, 4096), []);
    }

    #[test]
    fn a_promise_is_read_at_a_size() {
        let at = |gb: f64| {
            let size = Some(gb * 1e9);
            promised("naver.block_ssd", &Config::default(), size, Direction::Write, 4096)
        };
        assert_eq!([50.0, 250.0, 2000.0].map(at), [4000.0, 10_000.0, 20_000.0].map(Some));
    }
}
