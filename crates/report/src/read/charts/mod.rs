//! The charts that the data allow, the most important first.

mod bars;
mod devices;
mod heat;
mod latency;
mod over_time;
mod thin;

pub use thin::thinned;

use super::drawing::{direction_group, plain_group, share_heights};
use super::gathered::{DirectionFigures, Gathered};
use super::tables::six_figures;
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use fathom_message::{Lang, Message, words};
use std::collections::HashMap;

/// All charts.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let mut charts = bars::rates(gathered, lang);
    charts.extend(latency::percentiles(gathered, lang));
    charts.extend(over_time::charts(gathered, lang));
    charts.extend(devices::whole(gathered, lang));
    charts.extend(heat::charts(gathered, lang));
    charts.extend(latency::histograms(gathered, lang));
    charts.extend(bars::cpu(gathered, lang));
    number(&mut charts);
    share_heights(&mut charts);
    charts
}

/// Each name once: a chart of the same name gets a number.
fn number(charts: &mut [Chart]) {
    // Of each name that is taken, the number that the next of it may get.
    let mut next: HashMap<String, usize> = HashMap::new();
    for chart in charts {
        if let Some(mut number) = next.get(&chart.id).copied() {
            let free = loop {
                let id = format!("{}-{number}", chart.id);
                number += 1;
                if !next.contains_key(&id) {
                    break id;
                }
            };
            next.insert(std::mem::replace(&mut chart.id, free), number);
        }
        next.insert(chart.id.clone(), 2);
    }
}

fn axis(lang: Lang, id: &'static str, unit: ChartUnit, scale: Scale) -> ChartAxis {
    ChartAxis::new(words(lang, id), unit, scale)
}

/// A point of numbers to six figures; none if one of them is not finite.
fn point(x: f64, y: f64) -> Option<ChartPoint> {
    let (x, y) = (six_figures(x), six_figures(y));
    (x.is_finite() && y.is_finite()).then(|| ChartPoint { x, y, ..ChartPoint::default() })
}

/// Entries that are drawn in one chart: the same work on all subjects, and of a single one in all
/// directions. A colour is then a direction, or a subject.
fn works(gathered: &Gathered) -> Vec<(String, Vec<(usize, &DirectionFigures)>)> {
    let mut works: Vec<(String, Vec<(usize, &DirectionFigures)>)> = Vec::new();
    for (at, seen) in gathered.all() {
        let work = match gathered.subjects.len() {
            1 => seen.work(),
            _ => format!("{}, {}", seen.work(), seen.entry.direction.name()),
        };
        match works.iter_mut().find(|(name, _)| *name == work) {
            Some((_, all)) => all.push((at, seen)),
            None => works.push((work, vec![(at, seen)])),
        }
    }
    works
}

/// The name of a series: its subject if there are several, its label if there are several.
fn series_name(
    gathered: &Gathered,
    at: usize,
    seen: &DirectionFigures,
    several_labels: bool,
) -> String {
    let subject = &gathered.subjects[at].name;
    match (gathered.subjects.len() > 1, several_labels) {
        (true, true) => format!("{subject}: {}", seen.label),
        (true, false) => subject.clone(),
        (false, _) => seen.label.clone(),
    }
}

/// Labels of entries, each once.
fn labels(entries: &[(usize, &DirectionFigures)]) -> Vec<String> {
    let mut labels: Vec<String> = Vec::new();
    for (_, seen) in entries {
        if !labels.contains(&seen.label) {
            labels.push(seen.label.clone());
        }
    }
    labels
}

/// A series of an entry, in the colour of its direction, or with several subjects of its subject.
fn line(
    gathered: &Gathered,
    (at, seen): (usize, &DirectionFigures),
    entries: &[(usize, &DirectionFigures)],
    points: Vec<ChartPoint>,
) -> ChartSeries {
    let several = labels(entries).len() > 1;
    ChartSeries {
        name: series_name(gathered, at, seen, several),
        shape: Shape::Line,
        axis: 0,
        group: Some(group(gathered, at, seen)),
        points,
    }
}

/// The colour of an entry.
fn group(gathered: &Gathered, subject: usize, seen: &DirectionFigures) -> usize {
    match gathered.subjects.len() {
        1 => direction_group(seen.entry.direction),
        _ => plain_group(subject),
    }
}

/// The note of entries that share one; else nothing.
fn note(entries: &[(usize, &DirectionFigures)]) -> String {
    let first = entries.first().map(|(_, seen)| seen.note.clone()).unwrap_or_default();
    match entries.iter().all(|(_, seen)| seen.note == first) {
        true => first,
        false => String::new(),
    }
}

/// The same of charts over time, where of repeated runs one is shown. A baseline has figures and
/// nothing over time.
fn note_of_first(entries: &[(usize, &DirectionFigures)], lang: Lang) -> String {
    let shown = entries.iter().filter(|(_, seen)| seen.detail.began_ms > 0);
    let rounds = shown.map(|(_, seen)| seen.detail.rounds).max().unwrap_or(0);
    let of =
        (rounds > 1).then(|| Message::new("report-first-round").with("rounds", rounds).text(lang));
    let parts = [Some(note(entries)).filter(|note| !note.is_empty()), of];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests;
