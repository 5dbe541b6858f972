//! The figures at the top of a report: at most four.
//!
//! What was decided here:
//! - One volume is told by its latency, its most reads, its most writes and its throughput; where
//!   it has fewer kinds of I/O, the tail of its busiest I/O takes the free places.
//! - Each is taken from the work that the first sentence takes it from: latency from one random I/O
//!   at a time, IOPS from small random blocks, throughput from large sequential ones. Only where
//!   no work is of that kind, all are looked at.
//! - Several volumes or runs get a tile each for the work that all of them did, first for what they
//!   are shown to differ in: none is named best.

use super::figure_contrast::FigureContrast;
use super::gathered::{DirectionFigures, Gathered, Subject};
use crate::model::{ChartUnit, TableCell, Tile};
use fathom_document::compare::Judged;
use fathom_document::is_far_above;
use fathom_message::{Lang, words};
use fathom_stats::JobSetup;
use fathom_vocab::Direction;

/// This many fit in a row, or in two rows of two.
pub(super) const MOST: usize = 4;

/// The tiles of the gathered data.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Tile> {
    let mut tiles = match gathered.subjects.as_slice() {
        [] => Vec::new(),
        [_] if gathered.own_tiles.are_all => gathered.own_tiles.tiles.clone(),
        [only] => gathered.own_tiles.tiles.iter().cloned().chain(alone(only, lang)).collect(),
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
    let small: Vec<&DirectionFigures> = those(subject, is_small_random);
    let way = |wanted| small.iter().copied().filter(move |seen| seen.entry.direction == wanted);
    let (reads, writes) = (busiest(way(Direction::Read)), busiest(way(Direction::Write)));
    let most = busiest(small.iter().copied());
    let tiles = [
        quickest(subject).map(|seen| median(seen, lang)),
        reads.map(|seen| {
            peak(["report-tile-reads", "report-tile-reads-valid"], subject, seen, lang)
        }),
        writes.map(|seen| {
            peak(["report-tile-writes", "report-tile-writes-valid"], subject, seen, lang)
        }),
        largest(subject).map(|seen| {
            let value = seen.entry.bytes_per_s.mean;
            number(words(lang, "report-tile-throughput"), ChartUnit::BytesPerS, value, &seen.label)
        }),
        most.and_then(|seen| tail(seen, lang)),
        most.and_then(|seen| longest(seen, lang)),
    ];
    tiles.into_iter().flatten().collect()
}

/// The highest rate of a direction. The second name says that a test in doubt, which stands in
/// chart and table, had more.
fn peak(
    [name, of_valid]: [&'static str; 2],
    subject: &Subject,
    seen: &DirectionFigures,
    lang: Lang,
) -> Tile {
    let (iops, direction) = (seen.entry.iops.mean, seen.entry.direction);
    let is_more = |other: &DirectionFigures| {
        other.entry.direction == direction && other.entry.iops.mean > iops
    };
    let is_small =
        |of: &DirectionFigures| of.setup.as_ref().is_some_and(|setup| is_small_random(setup, of));
    let has_more =
        subject.seen.iter().any(|of| of.detail.is_left_out && is_small(of) && is_more(of));
    let name = if has_more { of_valid } else { name };
    number(words(lang, name), ChartUnit::Iops, iops, &seen.label)
}

/// The median; the mean if the median is unknown, or misleads since few I/Os take most of the time.
fn median(seen: &DirectionFigures, lang: Lang) -> Tile {
    let mean = seen.entry.latency_ns.mean;
    match percentile(seen, 50.0).filter(|median| !is_far_above(mean, *median)) {
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

/// The work of a kind; all work where none is. As in the first sentence, figures that are not the
/// volume's are left out, unless all are such.
fn those(
    subject: &Subject,
    is_kind: fn(&JobSetup, &DirectionFigures) -> bool,
) -> Vec<&DirectionFigures> {
    let is = |seen: &&DirectionFigures| seen.setup.as_ref().is_some_and(|of| is_kind(of, seen));
    let own: Vec<&DirectionFigures> = subject.seen.iter().filter(is).collect();
    let own = if own.is_empty() { subject.seen.iter().collect() } else { own };
    let sound: Vec<&DirectionFigures> =
        own.iter().copied().filter(|seen| !seen.detail.is_left_out).collect();
    if sound.is_empty() { own } else { sound }
}

/// Blocks up to so many bytes are small: people count their I/Os.
const SMALL_BYTES: u64 = 16 << 10;
/// From so many bytes on they are large: people count their bytes.
const LARGE_BYTES: u64 = 64 << 10;

fn is_single_random(setup: &JobSetup, seen: &DirectionFigures) -> bool {
    setup.iodepth == 1 && is_small_random(setup, seen)
}

fn is_small_random(setup: &JobSetup, seen: &DirectionFigures) -> bool {
    setup.rw.starts_with("rand") && setup.bs[seen.entry.direction].1 <= SMALL_BYTES
}

fn is_large_sequential(setup: &JobSetup, seen: &DirectionFigures) -> bool {
    !setup.rw.starts_with("rand") && setup.bs[seen.entry.direction].0 >= LARGE_BYTES
}

/// The most bytes: of reads, where there are any.
fn largest(subject: &Subject) -> Option<&DirectionFigures> {
    let bytes = |seen: &DirectionFigures| seen.entry.bytes_per_s.mean;
    let all = those(subject, is_large_sequential);
    reads_first(&all, |a, b| if bytes(b) > bytes(a) { b } else { a })
}

/// The lowest latency: of reads, if there are any.
fn quickest(subject: &Subject) -> Option<&DirectionFigures> {
    let waited = |seen: &DirectionFigures| seen.entry.latency_ns.mean;
    let mut all = those(subject, is_single_random);
    all.retain(|seen| waited(seen) > 0.0);
    reads_first(&all, |a, b| if waited(b) < waited(a) { b } else { a })
}

fn reads_first<'s>(
    all: &[&'s DirectionFigures],
    better: impl Fn(&'s DirectionFigures, &'s DirectionFigures) -> &'s DirectionFigures,
) -> Option<&'s DirectionFigures> {
    let reads = all.iter().copied().filter(|seen| seen.entry.direction == Direction::Read);
    reads.reduce(&better).or_else(|| all.iter().copied().reduce(&better))
}

/// A tile for each of the first subjects, for one or two works that all of them did.
fn beside(subjects: &[Subject], contrasts: &[FigureContrast], lang: Lang) -> Vec<Tile> {
    let works = (MOST / subjects.len()).max(1);
    let mut tiles: Vec<Tile> = Vec::new();
    for label in of_both_kinds(shared(subjects, contrasts), &subjects[0]).into_iter().take(works) {
        tiles.extend(subjects.iter().filter_map(|subject| {
            let seen = subject.seen.iter().find(|seen| seen.label == label)?;
            let name = subject.name.clone();
            let is_by_p99 = |of: &FigureContrast| of.judged == Judged::P99LatencyNs;
            let p99_ns = seen.entry.p99_ns.as_ref().filter(|_| contrasts.iter().any(is_by_p99));
            Some(match (p99_ns, seen.rate()) {
                (Some(p99_ns), _) => number(name, ChartUnit::Ns, p99_ns.mean, label),
                (None, Judged::BytesPerS) => {
                    number(name, ChartUnit::BytesPerS, seen.entry.bytes_per_s.mean, label)
                }
                (None, _) => number(name, ChartUnit::Iops, seen.entry.iops.mean, label),
            })
        }));
    }
    if !contrasts.is_empty() && tiles.len() < MOST {
        tiles.push(differing(contrasts, lang));
    }
    tiles
}

/// The same labels; behind the first the first one of the other kind, as I/Os a second say nothing
/// of the bytes.
fn of_both_kinds<'s>(mut labels: Vec<&'s str>, first: &Subject) -> Vec<&'s str> {
    let counts_bytes = |label: &str| {
        let seen = first.seen.iter().find(|seen| seen.label == label);
        seen.is_some_and(|seen| seen.rate() == Judged::BytesPerS)
    };
    let own = labels.first().map(|label| counts_bytes(label));
    let other = labels.iter().position(|label| Some(counts_bytes(label)) != own);
    if let Some(at) = other {
        let label = labels.remove(at);
        labels.insert(1, label);
    }
    labels
}

/// Labels that all subjects have: those of shown differences first, then small random reads, then
/// the most I/Os of the first subject.
fn shared<'s>(subjects: &'s [Subject], contrasts: &[FigureContrast]) -> Vec<&'s str> {
    let Some((first, others)) = subjects.split_first() else { return Vec::new() };
    let has = |subject: &Subject, label: &str| subject.seen.iter().any(|seen| seen.label == label);
    let mut all: Vec<&DirectionFigures> = first.seen.iter().collect();
    all.retain(|seen| others.iter().all(|other| has(other, &seen.label)));
    let is_small_read = |seen: &DirectionFigures| {
        let small = seen.setup.as_ref().is_some_and(|of| is_small_random(of, seen));
        small && seen.entry.direction == Direction::Read
    };
    let differs = |seen: &DirectionFigures| {
        contrasts.iter().any(|of| of.label == seen.label && of.is_shown())
    };
    all.sort_by(|a, b| {
        let by_answer = differs(b).cmp(&differs(a));
        let by_kind = by_answer.then(is_small_read(b).cmp(&is_small_read(a)));
        by_kind.then(b.entry.iops.mean.total_cmp(&a.entry.iops.mean))
    });
    all.into_iter().map(|seen| seen.label.as_str()).collect()
}

/// How many of the compared figures differ for certain.
fn differing(contrasts: &[FigureContrast], lang: Lang) -> Tile {
    let count = contrasts.iter().filter(|of| of.is_shown()).count();
    Tile {
        name: words(lang, "report-tile-differ"),
        value: TableCell::Text(format!("{count} / {}", contrasts.len())),
        unit: ChartUnit::Plain,
        detail: words(lang, "report-tile-figures"),
        outcome: None,
    }
}
