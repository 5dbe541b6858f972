//! Several clients in a report: what each is, what each did of every run, and which of them lag.

use super::tables::number;
use crate::model::{ChartUnit, Column, Report, Statement, Table, TableCell};
use fathom_analysis::Tone;
use fathom_document::{
    ClientRecord, ClientsOfJob, DocumentRun, DocumentRuns, Volume, binary_bytes, processors,
};
use fathom_message::{Lang, Message, words};
use fathom_stats::{ClientSpan, DirectionStats};

/// Most rows: a sweep over hundreds of clients has a result of each client in each case.
const MOST_ROWS: usize = 2000;

/// Adds the tables and the sentences about clients; nothing where one machine measured.
pub(super) fn add(report: &mut Report, document: &dyn DocumentRuns, lang: Lang) {
    let runs = document.runs();
    let by_client = Table { rows: rows(&runs, lang), ..by_client(lang) };
    let hosts = document.head().map(|head| hosts(&head.clients, lang));
    let tables = [Some(by_client), hosts].into_iter().flatten();
    report.tables.extend(tables.filter(|table| !table.rows.is_empty()));
    report.verdicts.extend(lags(&runs, lang));
    report.verdicts.sort_by_key(|said| std::cmp::Reverse((said.outcome, said.tone)));
}

fn by_client(lang: Lang) -> Table {
    let ns = Some(ChartUnit::Ns);
    let columns = vec![
        Column::new(lang, "name", "report-column-name", None),
        Column::new(lang, "client", "report-column-client", None),
        Column::new(lang, "iops", "report-column-iops", Some(ChartUnit::Iops)),
        Column::new(lang, "bytes_per_s", "report-column-bandwidth", Some(ChartUnit::BytesPerS)),
        Column::new(lang, "mean_ns", "report-column-mean", ns),
        Column::new(lang, "p99_ns", "report-column-p99", ns),
        Column::new(lang, "ios", "report-column-ios", Some(ChartUnit::Plain)),
        Column::new(lang, "begun_ns", "report-column-begun", ns),
        Column::new(lang, "ended_ns", "report-column-ended", ns),
    ];
    let title = words(lang, "report-table-clients");
    Table { id: "clients".to_owned(), title, columns, rows: Vec::new() }
}

fn rows(runs: &[DocumentRun<'_>], lang: Lang) -> Vec<Vec<TableCell>> {
    let mut rows = Vec::new();
    for run in runs {
        for of in ClientsOfJob::each(run.result) {
            let name = title(run, &of);
            for client in &of.clients {
                let span = run.result.clients.iter().find(|span| span.host == client.host);
                rows.push(row(&name, client.host, &client.total, span));
            }
            rows.push(row(&name, &words(lang, "report-all-clients"), &of.sum(), None));
        }
        rows.extend(while_all_ran(run, lang));
        if rows.len() > MOST_ROWS {
            break;
        }
    }
    rows
}

/// What all did together while all of them ran; of several jobs it is that of all jobs.
fn while_all_ran(run: &DocumentRun<'_>, lang: Lang) -> Option<Vec<TableCell>> {
    let span = run.result.common_span.as_ref()?;
    let total = span.total();
    let of = words(lang, "report-while-all-ran");
    let figures = [number(total.iops), number(total.bytes_per_s)];
    let unknown = [TableCell::Nothing, TableCell::Nothing, TableCell::Nothing];
    let times = [number(span.begun_ns as f64), number(span.ended_ns as f64)];
    let names = [TableCell::Text(run.title.clone()), TableCell::Text(of)];
    Some(names.into_iter().chain(figures).chain(unknown).chain(times).collect())
}

fn row(
    name: &str,
    client: &str,
    stats: &DirectionStats,
    span: Option<&ClientSpan>,
) -> Vec<TableCell> {
    let latency = stats.lat_or_clat();
    let is_measured = latency.moments.count > 0;
    let time = |ns: f64| if is_measured { number(ns) } else { TableCell::Nothing };
    let moment = |of: fn(&ClientSpan) -> u64| {
        span.map_or(TableCell::Nothing, |span| number(of(span) as f64))
    };
    vec![
        TableCell::Text(name.to_owned()),
        TableCell::Text(client.to_owned()),
        number(stats.iops_mean()),
        number(stats.bandwidth_bytes() as f64),
        time(latency.moments.mean()),
        time(latency.percentile(99.0) as f64),
        number(stats.total_ios as f64),
        moment(|span| span.begun_ns),
        moment(|span| span.ended_ns),
    ]
}

fn title(run: &DocumentRun<'_>, of: &ClientsOfJob<'_>) -> String {
    match run.title.is_empty() {
        true => of.job.to_owned(),
        false => run.title.clone(),
    }
}

/// A sentence for each client that lags: about the first run in which it does, with the number of
/// the others.
fn lags(runs: &[DocumentRun<'_>], lang: Lang) -> Vec<Statement> {
    let mut found: Vec<(String, String, Message, usize)> = Vec::new();
    for run in runs {
        for of in ClientsOfJob::each(run.result) {
            for (host, why) in of.lags() {
                match found.iter_mut().find(|(other, ..)| other == host) {
                    Some((.., more)) => *more += 1,
                    None => found.push((host.to_owned(), title(run, &of), why, 0)),
                }
            }
        }
    }
    let told = |(_, first, why, more): (String, String, Message, usize)| Statement {
        outcome: None,
        tone: Tone::Warning,
        about: Message::new("charts-about-cases")
            .with("first", first)
            .with("more", more as u64)
            .text(lang),
        sentence: why.text(lang),
    };
    found.into_iter().map(told).collect()
}

/// What each client is: its machine, and where its first target lies.
fn hosts(clients: &[ClientRecord], lang: Lang) -> Table {
    let columns = vec![
        Column::new(lang, "client", "report-column-client", None),
        Column::new(lang, "host", "report-fact-host", None),
        Column::new(lang, "system", "report-fact-system", None),
        Column::new(lang, "kernel", "report-fact-kernel", None),
        Column::new(lang, "processors", "report-fact-processors", None),
        Column::new(lang, "memory", "report-fact-memory", None),
        Column::new(lang, "volume", "charts-fact-file-system", None),
        Column::new(lang, "free_bytes", "report-column-free", Some(ChartUnit::VolumeBytes)),
        Column::new(lang, "device", "report-column-device", None),
    ];
    let rows = clients.iter().map(host).collect();
    Table { id: "hosts".to_owned(), title: words(lang, "report-table-hosts"), columns, rows }
}

fn host(of: &ClientRecord) -> Vec<TableCell> {
    let text = |known: Option<String>| {
        known.filter(|text| !text.is_empty()).map_or(TableCell::Nothing, TableCell::Text)
    };
    let (system, volume) = (&of.system, of.volumes.first());
    let stands_on =
        volume.map(|volume| format!("{} ({})", volume.mount.fstype, volume.mount.source));
    let space = volume.and_then(|volume| volume.space.as_ref());
    vec![
        TableCell::Text(of.name.clone()),
        text(system.hostname.clone()),
        text(system.os_release.clone()),
        text(system.kernel.clone()),
        text(processors(system)),
        text(system.memory_bytes.map(binary_bytes)),
        text(stands_on),
        space.map_or(TableCell::Nothing, |space| number(space.available_bytes as f64)),
        text(volume.and_then(Volume::device_name)),
    ]
}
