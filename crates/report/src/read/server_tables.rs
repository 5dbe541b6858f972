//! What went over the wire to a server beside reads and writes as a whole: a row for each
//! connection where a run had several, and one for the flushes of each run, which on an export are
//! COMMITs.

use super::gathered::Gathered;
use super::tables::{column, number};
use crate::model::{ChartUnit, Table, TableCell};
use fathom_message::{Lang, words};
use fathom_stats::{ConnectionFigures, LatencyStats};

/// The tables that have rows.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Table> {
    let all = [flushes(gathered, lang), connections(gathered, lang)];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// The entries that stand for their run: both directions of a mix share flushes and connections.
fn runs(gathered: &Gathered) -> impl Iterator<Item = (String, &super::gathered::DirectionFigures)> {
    let mut before: Option<(usize, &str)> = None;
    gathered.all().filter_map(move |(at, seen)| {
        let this = (at, seen.entry.name.as_str());
        let is_new = before.replace(this) != Some(this);
        is_new.then(|| (gathered.subjects[at].name.clone(), seen))
    })
}

fn flushes(gathered: &Gathered, lang: Lang) -> Table {
    let ns = Some(ChartUnit::Ns);
    let columns = vec![
        column(lang, "subject", "report-column-subject", None),
        column(lang, "name", "report-column-name", None),
        column(lang, "flushes", "report-column-flushes", Some(ChartUnit::Plain)),
        column(lang, "mean_ns", "report-column-mean", ns),
        column(lang, "p50_ns", "report-column-p50", ns),
        column(lang, "p99_ns", "report-column-p99", ns),
        column(lang, "p999_ns", "report-column-p999", ns),
        column(lang, "max_ns", "report-column-max", ns),
    ];
    let flushed = runs(gathered).filter(|(_, seen)| seen.detail.flushes.moments.count > 0);
    let rows = flushed.map(|(subject, seen)| {
        let names = [subject, seen.label.clone()].map(TableCell::Text);
        names.into_iter().chain(times(&seen.detail.flushes)).collect()
    });
    let (title, rows) = (words(lang, "report-table-flushes"), rows.collect());
    Table { id: "flushes".to_owned(), title, columns, rows }
}

fn times(flushes: &LatencyStats) -> Vec<TableCell> {
    let percentiles = flushes.histogram.percentiles(&[50.0, 99.0, 99.9]);
    let known = flushes.histogram.total() > 0;
    let at = |place: usize| match percentiles.get(place).filter(|_| known) {
        Some(ns) => number(*ns as f64),
        None => TableCell::Nothing,
    };
    let moments = &flushes.moments;
    let (count, longest) = (number(moments.count as f64), number(moments.max as f64));
    vec![count, number(moments.mean()), at(0), at(1), at(2), longest]
}

fn connections(gathered: &Gathered, lang: Lang) -> Table {
    let (plain, ns) = (Some(ChartUnit::Plain), Some(ChartUnit::Ns));
    let columns = vec![
        column(lang, "subject", "report-column-subject", None),
        column(lang, "name", "report-column-name", None),
        column(lang, "source_port", "report-column-port", None),
        column(lang, "ios", "report-column-ios", plain),
        column(lang, "share", "report-column-share", Some(ChartUnit::Percent)),
        column(lang, "bytes", "report-column-bytes", Some(ChartUnit::VolumeBytes)),
        column(lang, "mean_ns", "report-column-mean", ns),
        column(lang, "p99_ns", "report-column-p99", ns),
        column(lang, "most_in_flight", "report-column-in-flight", plain),
        column(lang, "commits", "report-column-flushes", plain),
        column(lang, "reconnects", "report-column-reconnects", plain),
        column(lang, "resends", "report-column-resends", plain),
    ];
    let of_run = |(subject, seen): (String, &super::gathered::DirectionFigures)| {
        let jobs = seen.detail.connections.iter().filter(|job| job.len() > 1);
        let rows = jobs.flat_map(|job| job.iter().map(move |one| figures(one, job)));
        let names = [subject, seen.label.clone()].map(TableCell::Text);
        rows.map(|cells| names.iter().cloned().chain(cells).collect()).collect::<Vec<_>>()
    };
    let rows = runs(gathered).flat_map(of_run).collect();
    Table {
        id: "connections".to_owned(),
        title: words(lang, "report-table-connections"),
        columns,
        rows,
    }
}

fn figures(of: &ConnectionFigures, job: &[ConnectionFigures]) -> Vec<TableCell> {
    let ios: u64 = job.iter().map(|other| other.ios).fold(0, u64::saturating_add);
    let time = |ns: u64| if of.ios == 0 { TableCell::Nothing } else { number(ns as f64) };
    vec![
        TableCell::Text(of.source_port.to_string()),
        number(of.ios as f64),
        number(100.0 * of.ios as f64 / ios.max(1) as f64),
        number(of.bytes as f64),
        time(of.mean_ns),
        time(of.p99_ns),
        number(f64::from(of.most_in_flight)),
        number(of.commits as f64),
        number(of.reconnects as f64),
        number(of.resends as f64),
    ]
}
