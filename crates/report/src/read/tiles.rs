//! The figures at the top of a report: at most four.
//!
//! Decided here:
//! - One volume has its latency, its highest read rate, its highest write rate and its throughput;
//!   with fewer kinds of I/O, the tail latency of its busiest I/O fills the free tiles.
//! - Several volumes or runs get a tile each for the work that all of them did: none is named best.

use super::figure_contrast::FigureContrast;
use super::gathered::{DirectionFigures, Gathered, Subject};
use crate::model::{ChartUnit, TableCell, Tile};
use fathom_analysis::Difference;
use fathom_document::compare::Judged;
use fathom_message::{Lang, words};
use fathom_vocab::Direction;

/// This many fit in a row, or in two rows of two.
pub(super) const MOST: usize = 4;

/// The tiles of the gathered data.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Tile> {
    let mut tiles = match gathered.subjects.as_slice() {
        [] => Vec::new(),
        [only] => gathered.outcome.iter().cloned().chain(alone(only, lang)).collect(),
        several => beside(several, &gathered.contrasts, lang),
    };
    tiles.truncate(MOST);
    tiles
}

/// A tile of a number.
pub(super) fn number(name: String, unit: ChartUnit, value: f64, detail: impl Into<String>) -> Tile {
    let value = super::tables::number(value);
    Tile { name, value, unit, detail: detail.into(), outcome: None }
}

fn alone(subject: &Subject, lang: Lang) -> Vec<Tile> {
    let way = |wanted| subject.seen.iter().filter(move |seen| seen.entry.direction == wanted);
    let (reads, writes) = (busiest(way(Direction::Read)), busiest(way(Direction::Write)));
    let most = busiest(subject.seen.iter());
    let tiles = [
        quickest(subject).map(|seen| median(seen, lang)),
        reads.map(|seen| iops("report-tile-reads", seen, lang)),
        writes.map(|seen| iops("report-tile-writes", seen, lang)),
        largest(subject).map(|seen| {
            let value = seen.entry.bytes_per_s.mean;
            number(words(lang, "report-tile-throughput"), ChartUnit::BytesPerS, value, &seen.label)
        }),
        most.and_then(|seen| tail(seen, lang)),
        most.and_then(|seen| longest(seen, lang)),
    ];
    tiles.into_iter().flatten().collect()
}

fn iops(name: &'static str, seen: &DirectionFigures, lang: Lang) -> Tile {
    number(words(lang, name), ChartUnit::Iops, seen.entry.iops.mean, &seen.label)
}

/// The median, or the mean if the median is unknown.
fn median(seen: &DirectionFigures, lang: Lang) -> Tile {
    match percentile(seen, 50.0) {
        Some(ns) => number(words(lang, "report-tile-median"), ChartUnit::Ns, ns, &seen.label),
        None => {
            let name = words(lang, "report-column-mean");
            number(name, ChartUnit::Ns, seen.entry.latency_ns.mean, &seen.label)
        }
    }
}

fn tail(seen: &DirectionFigures, lang: Lang) -> Option<Tile> {
    let name = words(lang, "report-tile-tail");
    Some(number(name, ChartUnit::Ns, percentile(seen, 99.0)?, &seen.label))
}

fn longest(seen: &DirectionFigures, lang: Lang) -> Option<Tile> {
    let name = words(lang, "report-tile-longest");
    Some(number(name, ChartUnit::Ns, seen.detail.max_ns?, &seen.label))
}

fn percentile(seen: &DirectionFigures, wanted: f64) -> Option<f64> {
    let found = seen.detail.percentiles.iter().find(|(percent, _)| (percent - wanted).abs() < 1e-6);
    found.map(|(_, ns)| *ns)
}

fn busiest<'s>(all: impl Iterator<Item = &'s DirectionFigures>) -> Option<&'s DirectionFigures> {
    all.reduce(|a, b| if b.entry.iops.mean > a.entry.iops.mean { b } else { a })
}

fn largest(subject: &Subject) -> Option<&DirectionFigures> {
    let bytes = |seen: &DirectionFigures| seen.entry.bytes_per_s.mean;
    subject.seen.iter().reduce(|a, b| if bytes(b) > bytes(a) { b } else { a })
}

/// The lowest latency: of reads, if there are any.
fn quickest(subject: &Subject) -> Option<&DirectionFigures> {
    let waited = |seen: &DirectionFigures| seen.entry.latency_ns.mean;
    let least = |reads: bool| {
        let those = subject.seen.iter().filter(move |seen| {
            waited(seen) > 0.0 && (!reads || seen.entry.direction == Direction::Read)
        });
        those.reduce(|a, b| if waited(b) < waited(a) { b } else { a })
    };
    least(true).or_else(|| least(false))
}

/// A tile for each of the first subjects, for one or two works that all of them did.
fn beside(subjects: &[Subject], contrasts: &[FigureContrast], lang: Lang) -> Vec<Tile> {
    let works = (MOST / subjects.len()).max(1);
    let mut tiles: Vec<Tile> = Vec::new();
    for label in shared(subjects).into_iter().take(works) {
        tiles.extend(subjects.iter().filter_map(|subject| {
            let seen = subject.seen.iter().find(|seen| seen.label == label)?;
            let name = subject.name.clone();
            Some(match seen.rate() {
                Judged::BytesPerS => {
                    number(name, ChartUnit::BytesPerS, seen.entry.bytes_per_s.mean, label)
                }
                _ => number(name, ChartUnit::Iops, seen.entry.iops.mean, label),
            })
        }));
    }
    if !contrasts.is_empty() && tiles.len() < MOST {
        tiles.push(differing(contrasts, lang));
    }
    tiles
}

/// Labels that all subjects have, the most I/Os of the first subject first.
fn shared(subjects: &[Subject]) -> Vec<&str> {
    let Some((first, others)) = subjects.split_first() else { return Vec::new() };
    let has = |subject: &Subject, label: &str| subject.seen.iter().any(|seen| seen.label == label);
    let mut all: Vec<&DirectionFigures> = first.seen.iter().collect();
    all.retain(|seen| others.iter().all(|other| has(other, &seen.label)));
    all.sort_by(|a, b| b.entry.iops.mean.total_cmp(&a.entry.iops.mean));
    all.into_iter().map(|seen| seen.label.as_str()).collect()
}

/// How many of the compared figures differ for certain.
fn differing(contrasts: &[FigureContrast], lang: Lang) -> Tile {
    let differs = |of: &&FigureContrast| {
        let difference = of.comparison.as_ref().map(|of| &of.difference);
        matches!(difference, Some(Difference::Shown { .. }))
    };
    let count = contrasts.iter().filter(differs).count();
    Tile {
        name: words(lang, "report-tile-differ"),
        value: TableCell::Text(format!("{count} / {}", contrasts.len())),
        unit: ChartUnit::Plain,
        detail: words(lang, "report-tile-figures"),
        outcome: None,
    }
}
