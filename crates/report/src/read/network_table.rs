//! The network's share of each run's latency, and the round trips that it is known from.

use super::tables::number;
use crate::model::{ChartUnit, Column, Table, TableCell};
use fathom_analysis::LatencyParts;
use fathom_document::DocumentRun;
use fathom_message::{Lang, words};
use fathom_stats::{NetworkFigures, RoundTrips};

/// A row for each server of each run, and of each machine; none where no run has round trips.
pub(super) fn of(runs: &[DocumentRun<'_>], lang: Lang) -> Option<Table> {
    let ns = Some(ChartUnit::Ns);
    let columns = vec![
        Column::new(lang, "name", "report-column-name", None),
        Column::new(lang, "client", "report-column-client", None),
        Column::new(lang, "server", "report-column-server", None),
        Column::new(lang, "before_ns", "report-column-before-load", ns),
        Column::new(lang, "during_ns", "report-column-during-load", ns),
        Column::new(lang, "during_p99_ns", "report-column-p99", ns),
        Column::new(lang, "lost", "report-column-lost-pings", Some(ChartUnit::Plain)),
        Column::new(lang, "latency_ns", "report-column-mean", ns),
        Column::new(lang, "network_ns", "report-column-network", ns),
        Column::new(lang, "server_ns", "report-column-rest", ns),
    ];
    let of_run = |run: &DocumentRun<'_>| {
        let parts = LatencyParts::of_clients(run.result);
        let row = |of: &NetworkFigures| row(&run.title, of, parts_of(&parts, of));
        run.result.network.iter().map(row).collect::<Vec<_>>()
    };
    let rows: Vec<_> = runs.iter().flat_map(of_run).collect();
    let title = words(lang, "report-table-network");
    (!rows.is_empty()).then(|| Table { id: "network".to_owned(), title, columns, rows })
}

fn parts_of<'p>(all: &'p [LatencyParts], network: &NetworkFigures) -> Option<&'p LatencyParts> {
    all.iter().find(|parts| parts.host == network.host)
}

fn row(run: &str, network: &NetworkFigures, parts: Option<&LatencyParts>) -> Vec<TableCell> {
    let text = |text: &str| match text.is_empty() {
        true => TableCell::Nothing,
        false => TableCell::Text(text.to_owned()),
    };
    let median = |of: RoundTrips| match of.count {
        0 => TableCell::Nothing,
        _ => number(of.median_ns as f64),
    };
    let (before, during) = (network.before, network.during);
    let part =
        |of: fn(&LatencyParts) -> f64| parts.map_or(TableCell::Nothing, |parts| number(of(parts)));
    vec![
        text(run),
        text(network.host.as_deref().unwrap_or_default()),
        text(&network.server),
        median(before),
        median(during),
        if during.count == 0 { TableCell::Nothing } else { number(during.p99_ns as f64) },
        number((before.lost + during.lost) as f64),
        part(|parts| parts.latency_ns),
        part(|parts| parts.network_ns),
        part(LatencyParts::rest_ns),
    ]
}
