//! Building blocks of charts: named axes, points, and the final list.
//!
//! All charts of a report pass [`Charts`]: it drops values that are not finite and charts without
//! points, and makes ids valid for links and unique.

use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Mark, Scale, Shape};
use fathom_analysis::quantity::{binary_bytes, figures, thousands};
use fathom_document::latency;
use fathom_message::{Lang, words};
use fathom_vocab::Direction;
use std::collections::HashMap;

/// A point without whisker.
pub(super) fn at(x: f64, y: f64) -> ChartPoint {
    ChartPoint { x, y, ..ChartPoint::default() }
}

/// The colour of a direction: the same in every chart.
pub(super) fn direction_group(direction: Direction) -> usize {
    match direction {
        Direction::Read => 0,
        Direction::Write => 1,
        Direction::Trim => 6,
    }
}

/// The colour of a series that is not a direction, by its number: never that of reads or writes.
pub(super) fn plain_group(number: usize) -> usize {
    2 + number
}

/// The colour of what missed a limit: red. `charts.js` knows the number.
pub(super) const MISSED: usize = 1000;

/// A line of the first axis, in a colour of its own.
pub(super) fn series(
    name: String,
    shape: Shape,
    group: usize,
    points: Vec<ChartPoint>,
) -> ChartSeries {
    ChartSeries { name, shape, axis: 0, group: Some(group), points }
}

/// An axis under a name of the catalogue.
pub(super) fn axis(lang: Lang, id: &'static str, unit: ChartUnit, scale: Scale) -> ChartAxis {
    ChartAxis::new(fathom_message::Message::new(id).text(lang), unit, scale)
}

/// I/Os a second, from zero.
pub(super) fn iops_axis(lang: Lang) -> ChartAxis {
    ChartAxis::new(words(lang, "charts-axis-iops"), ChartUnit::Iops, Scale::Linear)
}

/// Bytes a second, from zero.
pub(super) fn bytes_axis(lang: Lang) -> ChartAxis {
    ChartAxis::new(words(lang, "charts-axis-mbps"), ChartUnit::BytesPerS, Scale::Linear)
}

/// Latency by powers of ten: a tail is a hundred times the median.
pub(super) fn latency_axis(lang: Lang) -> ChartAxis {
    ChartAxis::new(words(lang, "charts-axis-latency"), ChartUnit::Ns, Scale::Log10)
}

/// Names along an axis.
pub(super) fn names_axis(name: String, names: Vec<String>) -> ChartAxis {
    ChartAxis::new(name, ChartUnit::Plain, Scale::Names(names))
}

/// A line across at a height of the first axis.
pub(super) fn level(name: String, at: f64) -> Mark {
    Mark { name, at, upright: false, axis: 0 }
}

/// A rate in a sentence: `3,000 IOPS`.
pub(super) fn rate(iops: f64) -> String {
    format!("{} IOPS", thousands(iops))
}

/// A rate of bytes in a sentence: `46.0 MB/s`.
pub(super) fn megabytes(bytes_per_s: f64) -> String {
    format!("{} MB/s", figures(bytes_per_s / 1e6))
}

/// A number in a sentence as its axis shows it.
pub(super) fn shown(unit: ChartUnit, value: f64) -> String {
    match unit {
        ChartUnit::BytesPerS => megabytes(value),
        ChartUnit::Ns => latency(value),
        ChartUnit::Iops => rate(value),
        ChartUnit::BlockBytes => binary_bytes(value as u64),
        _ => thousands(value),
    }
}

/// The charts of a report.
#[derive(Default)]
pub(super) struct Charts(Vec<Chart>);

impl Charts {
    /// Adds a chart if it has visible data; returns whether it has.
    pub fn add(&mut self, mut chart: Chart) -> bool {
        for series in &mut chart.series {
            series.points.retain_mut(sound);
        }
        chart.series.retain(|series| !series.points.is_empty());
        chart.marks.retain(|mark| mark.at.is_finite());
        chart.marks = together(std::mem::take(&mut chart.marks));
        if chart.series.is_empty() {
            return false;
        }
        chart.id = self.free_id(&slug(&chart.id));
        self.0.push(chart);
        true
    }

    fn free_id(&self, wanted: &str) -> String {
        let taken = |id: &str| self.0.iter().any(|chart| chart.id == id);
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let mut ids = std::iter::once(wanted.to_owned()).chain(numbered);
        ids.find(|id| !taken(id)).unwrap_or_default()
    }

    /// All charts; one whose partner was empty is single.
    pub fn done(mut self) -> Vec<Chart> {
        let mut partners: HashMap<String, usize> = HashMap::new();
        for pair in self.0.iter().filter_map(|chart| chart.pair.clone()) {
            *partners.entry(pair).or_default() += 1;
        }
        for chart in &mut self.0 {
            chart.pair = chart.pair.take().filter(|pair| partners.get(pair) > Some(&1));
        }
        share_heights(&mut self.0);
        tell_titles_apart(&mut self.0);
        self.0
    }
}

/// Charts with the same title get their settings in it, if these differ.
fn tell_titles_apart(charts: &mut [Chart]) {
    let titles: Vec<String> = charts.iter().map(|chart| chart.title.clone()).collect();
    for (chart, title) in charts.iter_mut().zip(&titles) {
        let twins = titles.iter().filter(|other| *other == title).count();
        if twins > 1 && !chart.note.is_empty() {
            chart.title = format!("{title}: {}", std::mem::take(&mut chart.note));
        }
    }
}

/// Merges marks at one position, whose names would overlap: `A: knee` and `B: knee` become
/// `A, B: knee`.
pub(super) fn together(marks: Vec<Mark>) -> Vec<Mark> {
    let mut places: Vec<Mark> = Vec::new();
    for mark in marks {
        let same = |other: &&mut Mark| {
            (other.at, other.upright, other.axis) == (mark.at, mark.upright, mark.axis)
        };
        match places.iter_mut().find(same) {
            Some(first) => first.name = of_both(&first.name, &mark.name),
            None => places.push(mark),
        }
    }
    places
}

fn of_both(first: &str, second: &str) -> String {
    match (first.split_once(": "), second.split_once(": ")) {
        _ if first == second => first.to_owned(),
        (Some((one, what)), Some((other, same))) if what == same => {
            format!("{one}, {other}: {what}")
        }
        _ => format!("{first} / {second}"),
    }
}

/// Gives the axes of charts side by side the same ends, if they show the same quantity, so that
/// heights can be compared.
pub(super) fn share_heights(charts: &mut [Chart]) {
    let beside = |a: &Chart, b: &Chart| a.pair.is_some() && a.pair == b.pair;
    for row in charts.chunk_by_mut(beside).filter(|row| row.len() > 1) {
        for place in 0..row.iter().map(|chart| chart.y.len()).max().unwrap_or(0) {
            let same = |axis: &ChartAxis| (axis.unit, axis.scale.clone());
            let mut axes = row.iter().map(|chart| chart.y.get(place).map(same));
            let first = axes.next().flatten();
            if first.is_none() || !axes.all(|axis| axis == first) {
                continue;
            }
            let all: Vec<f64> = row.iter().flat_map(|chart| heights(chart, place)).collect();
            let ends = [all.iter().copied().reduce(f64::min), all.into_iter().reduce(f64::max)];
            let [Some(low), Some(high)] = ends else { continue };
            row.iter_mut().for_each(|chart| chart.y[place].ends = Some([low, high]));
        }
    }
}

/// All that must fit an axis of a chart: of a map's second one the worth of its cells, and of its
/// first nothing, since that has names.
fn heights(chart: &Chart, place: usize) -> Vec<f64> {
    if chart.series.iter().any(|series| series.shape == Shape::Heat) {
        let cells = chart.series.iter().flat_map(|series| &series.points);
        return cells.filter_map(|cell| cell.value).filter(|_| place == 1).collect();
    }
    let mut found: Vec<f64> = Vec::new();
    let mut stacks: HashMap<u64, f64> = HashMap::new();
    for series in chart.series.iter().filter(|series| series.axis == place) {
        for point in &series.points {
            found.extend([Some(point.y), point.low, point.high].into_iter().flatten());
            if series.shape == Shape::Stacked {
                let stack = stacks.entry(point.x.to_bits()).or_default();
                *stack += point.y;
                found.push(*stack);
            }
        }
    }
    let marks = chart.marks.iter().filter(|mark| !mark.upright && mark.axis == place);
    found.extend(marks.map(|mark| mark.at));
    found
}

/// Whether a point can be drawn; ends of a whisker that cannot be are taken off.
fn sound(point: &mut ChartPoint) -> bool {
    point.low = point.low.filter(|low| low.is_finite());
    point.high = point.high.filter(|high| high.is_finite());
    point.value = point.value.filter(|value| value.is_finite());
    point.x.is_finite() && point.y.is_finite()
}

/// `text` as lower-case letters, digits and single dashes.
pub(super) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.to_lowercase().chars() {
        match c.is_ascii_alphanumeric() {
            true => slug.push(c),
            false if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            false => {}
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "chart".to_owned() } else { slug.to_owned() }
}

/// A chart without bands, marks or partner, to be filled in by `..`.
pub(super) fn blank(id: impl Into<String>, title: String, says: String, x: ChartAxis) -> Chart {
    Chart {
        id: id.into(),
        title,
        says,
        note: String::new(),
        x,
        y: Vec::new(),
        series: Vec::new(),
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_at_one_place_are_one() {
        let upright = |name: &str, at| Mark { upright: true, ..level(name.to_owned(), at) };
        let marks = vec![
            upright("reads: knee: 64", 64.0),
            level("promised".to_owned(), 64.0),
            upright("writes: knee: 64", 64.0),
            upright("trims: best: 64", 64.0),
            upright("reads: knee: 32", 32.0),
        ];
        let merged = together(marks);
        let names: Vec<&str> = merged.iter().map(|mark| mark.name.as_str()).collect();
        let all = "reads, writes: knee: 64 / trims: best: 64";
        assert_eq!(names, [all, "promised", "reads: knee: 32"]);
    }
}
