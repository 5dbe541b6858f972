//! Each client's figures, beside their sum; a slow client is named.

use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextCell, TextTable, cell, heading, right};
use fathom_campaign::{PhaseRecord, latency, megabytes_per_s, seconds, thousands};
use fathom_document::ClientsOfJob;
use fathom_stats::{ClientSpan, DirectionStats, RunResult};
use fathom_vocab::printable;

/// A table of the clients of each phase that several ran; empty if one machine measured.
pub fn clients(phases: &[PhaseRecord], screen: &Screen) -> String {
    let mut text = String::new();
    for run in phases {
        let Some(result) = &run.result else { continue };
        let round =
            if run.round > 0 { localized!(", round {}", run.round + 1) } else { String::new() };
        let title = format!("{}{round}", run.phase.title());
        for of in ClientsOfJob::each(result) {
            text += &table(&title, &of, screen);
            text += &(skew(&result.clients) + &together(result));
        }
    }
    text
}

/// A table of the clients of each job of a run, with notes on their start and end; empty if one
/// machine ran them.
pub fn clients_of_run(result: &RunResult, screen: &Screen) -> String {
    let jobs = ClientsOfJob::each(result);
    let tables: String = jobs.iter().map(|of| table(of.job, of, screen)).collect();
    if tables.is_empty() { tables } else { tables + &together(result) }
}

fn table(title: &str, of: &ClientsOfJob<'_>, screen: &Screen) -> String {
    let mut table = TextTable::indented(2);
    table.row(heading(&["", "IOPS", "MB/s", "mean", "p99"]));
    for client in &of.clients {
        table.row(row(client.host, &client.total));
    }
    table.row(row("all", &of.sum()));
    let mut text = localized!("\n{}, by client\n", printable::line(title)) + &table.text(screen);
    for (_, lags) in of.lags() {
        text += &wrapped(lags.text(screen.lang), screen.width, "  ! ", "    ");
    }
    text
}

fn row(name: &str, stats: &DirectionStats) -> Vec<TextCell> {
    let told = stats.lat_or_clat();
    vec![
        cell(name),
        right(thousands(stats.iops_mean())),
        right(megabytes_per_s(stats.bandwidth_bytes() as f64 / 1e6)),
        right(latency(told.moments.mean())),
        right(latency(told.percentile(99.0) as f64)),
    ]
}

/// The clients' figures over the time in which all of them ran.
fn together(result: &RunResult) -> String {
    result.common_span.as_ref().map_or(String::new(), |span| {
        let total = span.total();
        let span_us = span.ended_ns.saturating_sub(span.begun_ns) / 1000;
        localized!(
            "  While all ran, for {}: {} IOPS, {} MB/s\n",
            seconds(span_us),
            thousands(total.iops),
            megabytes_per_s(total.bytes_per_s / 1e6)
        )
    })
}

/// How far apart the I/O of clients began and ended.
fn skew(spans: &[ClientSpan]) -> String {
    let moments = |of: fn(&ClientSpan) -> u64| {
        let all = || spans.iter().map(of);
        Some((all().max()? - all().min()?) as f64)
    };
    match (moments(|span| span.begun_ns), moments(|span| span.ended_ns)) {
        (Some(begun_ns), Some(ended_ns)) => localized!(
            "  I/O began within {} of each other and ended within {}\n",
            latency(begun_ns),
            latency(ended_ns)
        ),
        _ => String::new(),
    }
}
