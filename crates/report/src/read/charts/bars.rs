//! Bars: rates and latency of all entries side by side; CPU.

use super::super::gathered::{DirectionFigures, Gathered};
use super::super::statements::{known, listed};
use super::super::tables::{ends, six_figures};
use super::{axis, group, labels, note, point};
use crate::model::{Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use crate::words::direction_word;
use fathom_analysis::Tone;
use fathom_document::compare::{Judged, Known};
use fathom_document::latency;
use fathom_message::{Lang, Message, words};
use fathom_vocab::Direction;

/// A chart of IOPS, one of MB/s and one of latency, each with the entries that are judged by it.
/// MB/s come first if only they are shown to differ: the first chart is open. Where entries are
/// judged by the 99th percentile of latency, that comes before all.
pub(super) fn rates(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let all: Vec<(usize, &DirectionFigures)> = gathered.all().collect();
    let of = |judged: Judged| -> Vec<(usize, &DirectionFigures)> {
        all.iter().copied().filter(|(_, seen)| seen.rate() == judged).collect()
    };
    let differs = |judged| gathered.contrasts.iter().any(|of| of.judged == judged && of.is_shown());
    let mut rates = [Judged::Iops, Judged::BytesPerS];
    rates.sort_by_key(|judged| !differs(*judged));
    let rates = rates.map(|judged| rate(gathered, &of(judged), judged, lang));
    let latencies = rate(gathered, &all, Judged::MeanLatencyNs, lang);
    let tails = rate(gathered, &judged_by_p99(gathered, &all), Judged::P99LatencyNs, lang);
    [tails].into_iter().chain(rates).chain([latencies]).flatten().collect()
}

/// The entries with a 99th percentile, where entries are judged by it.
fn judged_by_p99<'g>(
    gathered: &Gathered,
    all: &[(usize, &'g DirectionFigures)],
) -> Vec<(usize, &'g DirectionFigures)> {
    let is_judged = gathered.contrasts.iter().any(|of| of.judged == Judged::P99LatencyNs);
    let known = all.iter().copied().filter(|(_, seen)| seen.entry.p99_ns.is_some());
    known.filter(|_| is_judged).collect()
}

fn figure(seen: &DirectionFigures, judged: Judged) -> &Known {
    match judged {
        Judged::Iops => &seen.entry.iops,
        Judged::BytesPerS => &seen.entry.bytes_per_s,
        Judged::MeanLatencyNs => &seen.entry.latency_ns,
        Judged::P99LatencyNs => seen.entry.p99_ns.as_ref().unwrap_or(&seen.entry.latency_ns),
    }
}

fn rate(
    gathered: &Gathered,
    entries: &[(usize, &DirectionFigures)],
    judged: Judged,
    lang: Lang,
) -> Option<Chart> {
    let (id, title, unit) = match judged {
        Judged::Iops => ("iops", "report-chart-iops", ChartUnit::Iops),
        Judged::BytesPerS => ("bandwidth", "report-chart-bandwidth", ChartUnit::BytesPerS),
        Judged::MeanLatencyNs => ("latency", "report-chart-latency", ChartUnit::Ns),
        Judged::P99LatencyNs => ("p99", "report-chart-p99", ChartUnit::Ns),
    };
    let value = |seen: &DirectionFigures| {
        let known = figure(seen, judged);
        let (low, high) = ends(known);
        let tone = known.is_uncertain().then_some(Tone::Warning);
        Some((known.mean, low, high, tone))
    };
    let mut chart = named_bars(gathered, entries, id, title, unit, lang, value)?;
    chart.says = Message::new("report-says-bars")
        .with("what", chart.title.clone())
        .with(
            "list",
            told(gathered, entries, |seen| known(judged, figure(seen, judged), lang), lang),
        )
        .text(lang);
    if entries.iter().any(|(_, seen)| figure(seen, judged).is_uncertain()) {
        let legend = words(lang, "report-uncertain-bars");
        let parts = [chart.note, legend];
        chart.note =
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ");
    }
    Some(chart)
}

/// `/mnt/ssd, 4 KiB random read: 19,800 IOPS ± 1 %; …`.
fn told(
    gathered: &Gathered,
    entries: &[(usize, &DirectionFigures)],
    value: impl Fn(&DirectionFigures) -> String,
    lang: Lang,
) -> String {
    let several = gathered.subjects.len() > 1;
    let text = |(at, seen): &(usize, &DirectionFigures)| match several {
        true => format!("{}, {}: {}", gathered.subjects[*at].name, seen.label, value(seen)),
        false => format!("{}: {}", seen.label, value(seen)),
    };
    let all: Vec<String> = entries.iter().map(text).collect();
    listed(&all, 12, lang)
}

/// A value with the ends of its interval; a caution where its mean is uncertain.
type Whiskered = (f64, Option<f64>, Option<f64>, Option<Tone>);

/// Bars with a place for each label, and a series for each subject, or of a single one for each
/// direction.
fn named_bars(
    gathered: &Gathered,
    entries: &[(usize, &DirectionFigures)],
    id: &str,
    title: &'static str,
    unit: ChartUnit,
    lang: Lang,
    value: impl Fn(&DirectionFigures) -> Option<Whiskered>,
) -> Option<Chart> {
    let names = labels(entries);
    let mut series: Vec<ChartSeries> = Vec::new();
    for (at, seen) in entries {
        let bar = || {
            let x = names.iter().position(|name| *name == seen.label)? as f64;
            let (y, low, high, tone) = value(seen)?;
            let (low, high) = (low.map(six_figures), high.map(six_figures));
            Some(ChartPoint { low, high, tone, ..point(x, y)? })
        };
        let Some(bar) = bar() else { continue };
        let group = Some(group(gathered, *at, seen));
        match series.iter_mut().find(|of| of.group == group) {
            Some(of) => of.points.push(bar),
            None => {
                let name = bars_name(gathered, *at, seen, lang);
                let points = vec![bar];
                series.push(ChartSeries { name, shape: Shape::Bar, axis: 0, group, points });
            }
        }
    }
    if series.is_empty() {
        return None;
    }
    series.iter_mut().for_each(|of| of.points.sort_by(|a, b| a.x.total_cmp(&b.x)));
    series.sort_by_key(|of| of.group);
    let y = axis(lang, title, unit, spread(unit, &series));
    let title = words(lang, title);
    Some(Chart { note: note(entries), ..bare(id, title, names, y, series, lang) })
}

/// The name of bars with one colour: their subject, with a single subject their direction.
fn bars_name(gathered: &Gathered, at: usize, seen: &DirectionFigures, lang: Lang) -> String {
    match (gathered.subjects.len(), seen.entry.direction) {
        (1, Direction::Read) => words(lang, "charts-reads"),
        (1, Direction::Write) => words(lang, "charts-writes"),
        (1, other) => direction_word(other, lang),
        _ => gathered.subjects[at].name.clone(),
    }
}

/// A wide range of latencies needs a logarithmic scale.
fn spread(unit: ChartUnit, series: &[ChartSeries]) -> Scale {
    const FAR: f64 = 12.0;
    let heights = || series.iter().flat_map(|of| &of.points).map(|point| point.y);
    let least = heights().filter(|y| *y > 0.0).fold(f64::MAX, f64::min);
    match unit == ChartUnit::Ns && heights().fold(0.0, f64::max) > FAR * least {
        true => Scale::Log10,
        false => Scale::Linear,
    }
}

/// Bars over names, without words.
pub(super) fn bare(
    id: &str,
    title: String,
    names: Vec<String>,
    y: ChartAxis,
    series: Vec<ChartSeries>,
    lang: Lang,
) -> Chart {
    Chart {
        id: id.to_owned(),
        title,
        says: String::new(),
        note: String::new(),
        x: axis(lang, "report-axis-work", ChartUnit::Plain, Scale::Names(names)),
        y: vec![y],
        series,
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    }
}

/// The client's CPU time for an I/O, if several can be compared.
pub(super) fn cpu(gathered: &Gathered, lang: Lang) -> Option<Chart> {
    let has = |(_, seen): &(usize, &DirectionFigures)| seen.detail.cpu_ns_per_io.is_some();
    let entries: Vec<(usize, &DirectionFigures)> = gathered.all().filter(has).collect();
    if entries.len() < 2 {
        return None;
    }
    let cost = |seen: &DirectionFigures| seen.detail.cpu_ns_per_io;
    let value = |seen: &DirectionFigures| Some((cost(seen)?, None, None, None));
    let mut chart =
        named_bars(gathered, &entries, "cpu", "report-chart-cpu", ChartUnit::Ns, lang, value)?;
    let text = |seen: &DirectionFigures| cost(seen).map(latency).unwrap_or_default();
    chart.says = Message::new("report-says-cpu")
        .with("list", told(gathered, &entries, text, lang))
        .text(lang);
    Some(chart)
}
