//! Distributions of latencies: percentiles by their nines, and histograms over powers of ten.

use super::super::gathered::{DirectionFigures, Gathered};
use super::super::tables::six_figures;
use super::{axis, labels, line, note, point, works};
use crate::model::{Chart, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use fathom_analysis::quantity::percent;
use fathom_document::latency;
use fathom_message::{Lang, Message};
use fathom_stats::Histogram;

/// Percentiles below the median are of little interest.
const LEAST_PERCENT: f64 = 50.0;

/// The differences between the two kinds of latency charts.
struct Kind {
    id: &'static str,
    title: &'static str,
}

/// A chart of percentiles for each work.
pub(super) fn percentiles(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let kind = Kind { id: "percentiles", title: "report-chart-percentiles" };
    let of = |(_, entries): &(String, Vec<(usize, &DirectionFigures)>)| {
        let points = |seen: &DirectionFigures| -> Vec<ChartPoint> {
            let told = seen.detail.percentiles.iter().filter(|(of, _)| *of >= LEAST_PERCENT);
            told.filter_map(|(of, ns)| Some(ChartPoint { x: *of, ..point(*of, *ns)? })).collect()
        };
        let series = drawn(gathered, entries, points);
        // At the highest percentile that all of them reach.
        let common = series.iter().filter_map(|of| of.points.last()).map(|of| of.x);
        let common = common.reduce(f64::min)?;
        let at = |of: &ChartSeries| {
            let found = of.points.iter().rfind(|point| point.x <= common);
            found.map(|point| format!("{}: {}", of.name, latency(point.y)))
        };
        let list: Vec<String> = series.iter().filter_map(at).collect();
        let says = Message::new("report-says-percentiles")
            .with("percent", percentile(common))
            .with("list", list.join("; "))
            .text(lang);
        let x = axis(lang, "report-axis-percentile", ChartUnit::Percent, Scale::Nines);
        let y = axis(lang, "report-axis-latency", ChartUnit::Ns, Scale::Log10);
        Some(chart(&kind, entries, says, x, y, series, lang))
    };
    works(gathered).iter().filter_map(of).collect()
}

/// `99`, `99.9`: never rounded up to 100.
fn percentile(percent: f64) -> String {
    format!("{percent}")
}

/// Series of the entries that have points.
fn drawn(
    gathered: &Gathered,
    entries: &[(usize, &DirectionFigures)],
    points: impl Fn(&DirectionFigures) -> Vec<ChartPoint>,
) -> Vec<ChartSeries> {
    let each = entries.iter().map(|(at, seen)| (*at, *seen, points(seen)));
    let with = each.filter(|(_, _, points)| points.len() > 1);
    with.map(|(at, seen, points)| line(gathered, (at, seen), entries, points)).collect()
}

fn chart(
    kind: &Kind,
    entries: &[(usize, &DirectionFigures)],
    says: String,
    x: crate::model::ChartAxis,
    y: crate::model::ChartAxis,
    series: Vec<ChartSeries>,
    lang: Lang,
) -> Chart {
    let what = labels(entries).join(" / ");
    Chart {
        id: kind.id.to_owned(),
        title: Message::new(kind.title).with("what", what).text(lang),
        says,
        note: note(entries),
        x,
        y: vec![y],
        series,
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    }
}

/// A chart of the frequency of each latency, for each work.
pub(super) fn histograms(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let kind = Kind { id: "histogram", title: "report-chart-histogram" };
    let of = |(_, entries): &(String, Vec<(usize, &DirectionFigures)>)| {
        let mut series = drawn(gathered, entries, |seen| steps(&seen.detail.histogram));
        series.iter_mut().for_each(|of| of.shape = Shape::Step);
        let list: Vec<String> = series.iter().filter_map(|of| peak(of, lang)).collect();
        if list.is_empty() {
            return None;
        }
        let says = Message::new("report-says-histogram").with("list", list.join("; ")).text(lang);
        let x = axis(lang, "report-axis-latency", ChartUnit::Ns, Scale::Log10);
        let y = axis(lang, "report-axis-share", ChartUnit::Percent, Scale::Linear);
        Some(chart(&kind, entries, says, x, y, series, lang))
    };
    works(gathered).iter().filter_map(of).collect()
}

/// `NAME: most between 64.0 us and 76.9 us, 34 %`.
fn peak(series: &ChartSeries, lang: Lang) -> Option<String> {
    let at = (0..series.points.len())
        .max_by(|a, b| series.points[*a].y.total_cmp(&series.points[*b].y))?;
    let (from, to) = (series.points.get(at)?, series.points.get(at + 1)?);
    let message = Message::new("report-peak")
        .with("name", &series.name)
        .with("from", latency(from.x))
        .with("to", latency(to.x))
        .with("percent", percent(from.y));
    Some(message.text(lang))
}

/// Steps in each power of ten: fine enough for two humps, coarse enough for few I/Os.
const STEPS_A_DECADE: f64 = 12.0;

/// Shares of all I/Os in percent, each from its place to the next; the last is 0 and ends it.
fn steps(histogram: &Histogram) -> Vec<ChartPoint> {
    let total = histogram.total() as f64;
    let place = |ns: u64| ((ns.max(1) as f64).log10() * STEPS_A_DECADE).floor() as i64;
    let mut counts: std::collections::BTreeMap<i64, f64> = std::collections::BTreeMap::new();
    for (ns, count) in histogram.bins() {
        *counts.entry(place(ns)).or_default() += count as f64;
    }
    let (Some((first, _)), Some((last, _))) = (counts.first_key_value(), counts.last_key_value())
    else {
        return Vec::new();
    };
    let edge = |step: i64| six_figures(10f64.powf(step as f64 / STEPS_A_DECADE));
    let share = |step: i64| counts.get(&step).copied().unwrap_or(0.0) / total * 100.0;
    (*first..=*last + 1).filter_map(|step| point(edge(step), share(step))).collect()
}
