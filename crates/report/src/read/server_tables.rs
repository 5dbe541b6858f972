//! Traffic to a server beside total reads and writes: a row for each connection of runs with
//! several, and one for the flushes of each run, which on an export are COMMITs.

use super::gathered::Gathered;
use super::sweep::settings;
use super::tables::number;
use crate::model::{ChartUnit, Column, Table, TableCell};
use fathom_document::sweep::SweepDocument;
use fathom_message::{Lang, words};
use fathom_stats::{ConnectionFigures, JobResult, LatencyStats};

/// A run: its name and its traffic.
struct ServerRun {
    names: Vec<TableCell>,
    flushes: LatencyStats,
    /// Of each job.
    connections: Vec<Vec<ConnectionFigures>>,
}

/// The non-empty tables of the gathered data.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<Table> {
    let names = vec![
        Column::new(lang, "subject", "report-column-subject", None),
        Column::new(lang, "name", "report-column-name", None),
    ];
    tables(&names, &gathered_runs(gathered), lang)
}

/// The non-empty tables of a sweep; of several rounds the first represents its case.
pub(super) fn of_sweep(document: &SweepDocument, lang: Lang) -> Vec<Table> {
    let axes = document.plan.axes.iter().map(|axis| axis.name.clone());
    let names: Vec<Column> =
        axes.map(|name| Column { key: name.clone(), name, unit: None }).collect();
    let first = document.cases.iter().filter(|record| record.round == 0);
    let measured = first.filter_map(|record| Some((record, record.result.as_ref()?)));
    let runs: Vec<ServerRun> = measured
        .map(|(record, result)| {
            let mut all = JobResult::default();
            result.jobs.iter().for_each(|job| all.merge(job));
            ServerRun {
                names: settings(document, record).collect(),
                flushes: all.sync,
                connections: result.jobs.iter().map(|job| job.connections.clone()).collect(),
            }
        })
        .collect();
    tables(&names, &runs, lang)
}

/// The entries that represent their run: both directions of a mix share flushes and connections.
fn gathered_runs(gathered: &Gathered) -> Vec<ServerRun> {
    let mut before: Option<(usize, &str)> = None;
    let first = gathered.all().filter(|(at, seen)| {
        let this = (*at, seen.entry.name.as_str());
        before.replace(this) != Some(this)
    });
    let run = |(at, seen): (usize, &super::gathered::DirectionFigures)| ServerRun {
        names: [&gathered.subjects[at].name, &seen.label]
            .map(|name| TableCell::Text(name.clone()))
            .to_vec(),
        flushes: seen.detail.flushes.clone(),
        connections: seen.detail.connections.clone(),
    };
    first.map(run).collect()
}

fn tables(names: &[Column], runs: &[ServerRun], lang: Lang) -> Vec<Table> {
    let all = [flushes(names, runs, lang), connections(names, runs, lang)];
    all.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn flushes(names: &[Column], runs: &[ServerRun], lang: Lang) -> Table {
    let ns = Some(ChartUnit::Ns);
    let figures = [
        Column::new(lang, "flushes", "report-column-flushes", Some(ChartUnit::Plain)),
        Column::new(lang, "mean_ns", "report-column-mean", ns),
        Column::new(lang, "p50_ns", "report-column-p50", ns),
        Column::new(lang, "p99_ns", "report-column-p99", ns),
        Column::new(lang, "p999_ns", "report-column-p999", ns),
        Column::new(lang, "max_ns", "report-column-max", ns),
    ];
    let flushed = runs.iter().filter(|run| run.flushes.moments.count > 0);
    Table {
        id: "flushes".to_owned(),
        title: words(lang, "report-table-flushes"),
        columns: [names, &figures].concat(),
        rows: flushed.map(|run| [run.names.clone(), times(&run.flushes)].concat()).collect(),
    }
}

fn times(flushes: &LatencyStats) -> Vec<TableCell> {
    let percentiles = flushes.percentiles(&[50.0, 99.0, 99.9]);
    let known = flushes.histogram.total() > 0;
    let at = |place: usize| match percentiles.get(place).filter(|_| known) {
        Some(ns) => number(*ns as f64),
        None => TableCell::Nothing,
    };
    let moments = &flushes.moments;
    let (count, longest) = (number(moments.count as f64), number(moments.max as f64));
    vec![count, number(moments.mean()), at(0), at(1), at(2), longest]
}

fn connections(names: &[Column], runs: &[ServerRun], lang: Lang) -> Table {
    let (plain, ns) = (Some(ChartUnit::Plain), Some(ChartUnit::Ns));
    let own = [
        Column::new(lang, "source_port", "report-column-port", None),
        Column::new(lang, "ios", "report-column-ios", plain),
        Column::new(lang, "share", "report-column-share", Some(ChartUnit::Percent)),
        Column::new(lang, "bytes", "report-column-bytes", Some(ChartUnit::VolumeBytes)),
        Column::new(lang, "mean_ns", "report-column-mean", ns),
        Column::new(lang, "p99_ns", "report-column-p99", ns),
        Column::new(lang, "most_in_flight", "report-column-in-flight", plain),
        Column::new(lang, "commits", "report-column-flushes", plain),
        Column::new(lang, "reconnects", "report-column-reconnects", plain),
        Column::new(lang, "resends", "report-column-resends", plain),
    ];
    let of_run = |run: &ServerRun| {
        let jobs = run.connections.iter().filter(|job| job.len() > 1);
        let rows = jobs.flat_map(|job| job.iter().map(move |one| figures(one, job)));
        rows.map(|cells| [run.names.clone(), cells].concat()).collect::<Vec<_>>()
    };
    Table {
        id: "connections".to_owned(),
        title: words(lang, "report-table-connections"),
        columns: [names, &own].concat(),
        rows: runs.iter().flat_map(of_run).collect(),
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
