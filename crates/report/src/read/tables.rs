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

pub(super) fn column(lang: Lang, key: &str, id: &'static str, unit: Option<ChartUnit>) -> Column {
    Column { key: key.to_owned(), name: words(lang, id), unit }
}

fn figures(gathered: &Gathered, lang: Lang) -> Table {
    let (iops, ns) = (Some(ChartUnit::Iops), Some(ChartUnit::Ns));
    let columns = vec![
        column(lang, "subject", "report-column-subject", None),
        column(lang, "name", "report-column-name", None),
        column(lang, "direction", "report-column-direction", None),
        column(lang, "iops", "report-column-iops", iops),
        column(lang, "iops_low", "report-column-low", iops),
        column(lang, "iops_high", "report-column-high", iops),
        column(lang, "bytes_per_s", "report-column-bandwidth", Some(ChartUnit::BytesPerS)),
        column(lang, "mean_ns", "report-column-mean", ns),
        column(lang, "p50_ns", "report-column-p50", ns),
        column(lang, "p99_ns", "report-column-p99", ns),
        column(lang, "p999_ns", "report-column-p999", ns),
        column(lang, "max_ns", "report-column-max", ns),
        column(lang, "cpu_ns_per_io", "report-column-cpu", ns),
        column(lang, "ios", "report-column-ios", Some(ChartUnit::Plain)),
        column(lang, "settings", "report-column-settings", None),
        column(lang, "host", "report-fact-host", None),
        column(lang, "began", "report-fact-began", None),
    ];
    let rows = gathered.all().map(|(at, seen)| row(&gathered.subjects[at], seen, lang));
    let rows = rows.collect();
    Table { id: "figures".to_owned(), title: words(lang, "report-table-figures"), columns, rows }
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
        column(lang, "name", "report-column-name", None),
        column(lang, "figure", "report-column-figure", None),
        column(lang, "first", "report-column-first", None),
        column(lang, "other", "report-column-other", None),
        column(lang, "ratio", "report-column-ratio", Some(ChartUnit::Plain)),
        column(lang, "ratio_low", "report-column-low", Some(ChartUnit::Plain)),
        column(lang, "ratio_high", "report-column-high", Some(ChartUnit::Plain)),
        column(lang, "verdict", "report-column-verdict", None),
    ];
    let rows = contrasts.iter().map(|of| contrast(of, lang)).collect();
    let title = words(lang, "report-table-contrasts");
    Table { id: "comparison".to_owned(), title, columns, rows }
}

fn contrast(of: &FigureContrast, lang: Lang) -> Vec<TableCell> {
    let (ratio, low, high, verdict) = match of.comparison.as_ref().map(|of| &of.difference) {
        Some(Difference::Shown { ratio, low, high, .. }) => {
            (*ratio, number(*low), number(*high), words(lang, "report-shown"))
        }
        Some(difference @ Difference::NotShown { ratio, low, high, .. }) => {
            let verdict =
                if difference.is_unstable() { "change-unstable" } else { "report-not-shown" };
            (*ratio, number(*low), number(*high), words(lang, verdict))
        }
        _ => (of.ratio, TableCell::Nothing, TableCell::Nothing, words(lang, "report-untold")),
    };
    let figure = match of.judged {
        Judged::MeanLatencyNs => words(lang, "report-column-mean"),
        other => other.name().to_owned(),
    };
    vec![
        TableCell::Text(of.label.clone()),
        TableCell::Text(figure),
        TableCell::Text(of.first.clone()),
        TableCell::Text(of.other.clone()),
        number(ratio),
        low,
        high,
        TableCell::Text(verdict),
    ]
}
