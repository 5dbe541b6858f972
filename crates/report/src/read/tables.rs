//! Every figure: first the data, a row for each direction of each entry, then the comparison of
//! subjects with the first.

use super::figure_contrast::FigureContrast;
use super::gathered::{DirectionFigures, Gathered, Subject, titled};
use crate::model::{ChartUnit, Column, Table, TableCell};
use crate::words::direction_word;
use fathom_analysis::Difference;
use fathom_analysis::NOT_STABLE_PERCENT;
use fathom_document::compare::{Judged, Known};
use fathom_message::{Lang, words};

/// The tables.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Table> {
    let mut tables = vec![figures(gathered, lang)];
    if !gathered.contrasts.is_empty() {
        tables.push(contrasts(&gathered.contrasts, lang));
    }
    tables
}

fn figures(gathered: &Gathered, lang: Lang) -> Table {
    let (iops, ns) = (Some(ChartUnit::Iops), Some(ChartUnit::Ns));
    let mut columns = vec![
        Column::new(lang, "subject", "report-column-subject", None),
        Column::new(lang, "name", "report-column-name", None),
        Column::new(lang, "direction", "report-column-direction", None),
        Column::new(lang, "iops", "report-column-iops", iops),
        Column::new(lang, "iops_low", "report-column-low", iops),
        Column::new(lang, "iops_high", "report-column-high", iops),
        Column::new(lang, "bytes_per_s", "report-column-bandwidth", Some(ChartUnit::BytesPerS)),
        Column::new(lang, "mean_ns", "report-column-mean", ns),
        Column::new(lang, "p50_ns", "report-column-p50", ns),
        Column::new(lang, "p99_ns", "report-column-p99", ns),
        Column::new(lang, "p999_ns", "report-column-p999", ns),
        Column::new(lang, "max_ns", "report-column-max", ns),
        Column::new(lang, "cpu_ns_per_io", "report-column-cpu", ns),
        Column::new(lang, "ios", "report-column-ios", Some(ChartUnit::Plain)),
        Column::new(lang, "settings", "report-column-settings", None),
        Column::new(lang, "host", "report-fact-host", None),
        Column::new(lang, "began", "report-fact-began", None),
    ];
    let rows = gathered.all().map(|(at, seen)| row(&gathered.subjects[at], seen, lang));
    let mut rows: Vec<Vec<TableCell>> = rows.collect();
    let times = || gathered.all().map(|(_, seen)| seen.detail.network_ns);
    add_network(&mut columns, &mut rows, times(), lang);
    Table { id: "figures".to_owned(), title: words(lang, "report-table-figures"), columns, rows }
}

/// Adds the network's round trip in each row, if any has one.
pub(super) fn add_network(
    columns: &mut Vec<Column>,
    rows: &mut [Vec<TableCell>],
    times: impl Iterator<Item = Option<f64>>,
    lang: Lang,
) {
    let times: Vec<Option<f64>> = times.collect();
    if times.iter().all(Option::is_none) {
        return;
    }
    columns.push(Column::new(lang, "network_ns", "report-column-network", Some(ChartUnit::Ns)));
    for (row, time) in rows.iter_mut().zip(times) {
        row.push(time.map_or(TableCell::Nothing, number));
    }
}

fn row(subject: &Subject, seen: &DirectionFigures, lang: Lang) -> Vec<TableCell> {
    let (entry, detail) = (&seen.entry, &seen.detail);
    let percentile = |wanted: f64| {
        let found = detail.percentiles.iter().find(|(percent, _)| (percent - wanted).abs() < 1e-6);
        found.map_or(TableCell::Nothing, |(_, ns)| number(*ns))
    };
    let (low, high) = ends(&entry.iops);
    let text = |known: &Option<String>| known.clone().map_or(TableCell::Nothing, TableCell::Text);
    vec![
        TableCell::Text(subject.name.clone()),
        TableCell::Text(name(seen, lang)),
        TableCell::Text(direction_word(entry.direction, lang)),
        number(entry.iops.mean),
        low.map_or(TableCell::Nothing, number),
        high.map_or(TableCell::Nothing, number),
        number(entry.bytes_per_s.mean),
        number(entry.latency_ns.mean),
        percentile(50.0),
        percentile(99.0),
        percentile(99.9),
        detail.max_ns.map_or(TableCell::Nothing, number),
        detail.cpu_ns_per_io.map_or(TableCell::Nothing, number),
        number(detail.ios),
        TableCell::Text(seen.note.clone()),
        text(&subject.host),
        text(&subject.began),
    ]
}

/// The name of a row without the direction that stands in the next cell: a job has one name in CSV,
/// whether it is alone or beside others.
fn name(seen: &DirectionFigures, lang: Lang) -> String {
    let DirectionFigures { entry, label, .. } = seen;
    match *label == titled(&entry.name, entry.direction, lang) {
        true => entry.name.clone(),
        false => label.clone(),
    }
}

/// Ends of the 95 % interval; none of one so wide that it says nothing.
pub(super) fn ends(known: &Known) -> (Option<f64>, Option<f64>) {
    let half = known.half_width().filter(|half| half.is_finite() && is_stable(known));
    (half.map(|half| (known.mean - half).max(0.0)), half.map(|half| known.mean + half))
}

/// Whether the interval is narrow enough to say something, or not known.
fn is_stable(known: &Known) -> bool {
    known.half_width_percent().is_none_or(|percent| percent <= NOT_STABLE_PERCENT)
}

/// A number to six figures, which is more than any measurement has; nothing where it is none.
pub(super) fn number(value: f64) -> TableCell {
    match value.is_finite() {
        true => TableCell::Number(six_figures(value)),
        false => TableCell::Nothing,
    }
}

/// To six figures, to save bytes in a report.
pub(super) fn six_figures(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let places = 5 - value.abs().log10().floor() as i32;
    match places {
        0..=15 => {
            let scale = 10f64.powi(places);
            (value * scale).round() / scale
        }
        -300..0 => {
            let scale = 10f64.powi(-places);
            (value / scale).round() * scale
        }
        _ => value,
    }
}

/// How subjects differ from the first.
pub(super) fn contrasts(contrasts: &[FigureContrast], lang: Lang) -> Table {
    let columns = vec![
        Column::new(lang, "name", "report-column-name", None),
        Column::new(lang, "figure", "report-column-figure", None),
        Column::new(lang, "first", "report-column-first", None),
        Column::new(lang, "first_value", "report-column-first-value", None),
        Column::new(lang, "other", "report-column-other", None),
        Column::new(lang, "other_value", "report-column-other-value", None),
        Column::new(lang, "ratio", "report-column-ratio", Some(ChartUnit::Plain)),
        Column::new(lang, "ratio_low", "report-column-ratio-low", Some(ChartUnit::Plain)),
        Column::new(lang, "ratio_high", "report-column-ratio-high", Some(ChartUnit::Plain)),
        Column::new(lang, "verdict", "report-column-verdict", None),
    ];
    let rows = contrasts.iter().map(|of| contrast(of, lang)).collect();
    let title = words(lang, "report-table-contrasts");
    Table { id: "comparison".to_owned(), title, columns, rows }
}

fn quantity(judged: Judged, value: f64) -> TableCell {
    let unit = match judged {
        Judged::Iops => ChartUnit::Iops,
        Judged::BytesPerS => ChartUnit::BytesPerS,
        Judged::MeanLatencyNs | Judged::P99LatencyNs => ChartUnit::Ns,
    };
    match value.is_finite() {
        true => TableCell::Quantity(six_figures(value), unit),
        false => TableCell::Nothing,
    }
}

fn contrast(of: &FigureContrast, lang: Lang) -> Vec<TableCell> {
    let (ratio, low, high, verdict) = match of.comparison.as_ref().map(|of| &of.difference) {
        Some(difference @ (Difference::Shown(bounds) | Difference::Open(bounds))) => {
            let is_better = of.judged.better().is_second(bounds.ratio);
            let verdict = match (difference.is_shown(), is_better) {
                (true, true) => "change-better",
                (true, false) => "change-worse",
                (false, _) if difference.is_unstable() => "change-unstable",
                (false, _) => "change-not-yet",
            };
            (bounds.ratio, number(bounds.low), number(bounds.high), words(lang, verdict))
        }
        Some(Difference::Equal(bounds)) => {
            let [low, high] = bounds.likely.unwrap_or([bounds.low, bounds.high]);
            (bounds.ratio, number(low), number(high), words(lang, "report-equal"))
        }
        _ => (of.ratio(), TableCell::Nothing, TableCell::Nothing, words(lang, "report-untold")),
    };
    let figure = match of.judged {
        Judged::MeanLatencyNs => words(lang, "report-column-mean"),
        other => other.name().to_owned(),
    };
    vec![
        TableCell::Text(of.label.clone()),
        TableCell::Text(figure),
        TableCell::Text(of.first.clone()),
        quantity(of.judged, of.means[0]),
        TableCell::Text(of.other.clone()),
        quantity(of.judged, of.means[1]),
        number(ratio),
        low,
        high,
        TableCell::Text(verdict),
    ]
}
