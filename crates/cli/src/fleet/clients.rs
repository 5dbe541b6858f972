//! Each client's figures, beside their sum; a slow client is named.

use crate::terminal::screen::Screen;
use crate::terminal::table::{TextCell, TextTable, cell, heading, right};
use fathom_campaign::{PhaseRecord, latency, megabytes_per_s, seconds, thousands};
use fathom_stats::{ClientSpan, DirectionStats, JobResult, RunResult};
use fathom_vocab::printable;

/// A client lags if it is this many standard deviations below the mean.
const LAG_DEVIATIONS: f64 = 2.0;

/// One client's figures, or those of all.
struct ClientFigures {
    host: String,
    total: DirectionStats,
}

/// A table of the clients of each phase that several ran; empty if one machine measured.
pub fn clients(phases: &[PhaseRecord], screen: &Screen) -> String {
    let mut text = String::new();
    for run in phases {
        let Some(result) = &run.result else { continue };
        let round =
            if run.round > 0 { localized!(", round {}", run.round + 1) } else { String::new() };
        let title = format!("{}{round}", run.phase.title());
        let table = of_jobs(&title, result, |_| true, screen);
        let times = match table.is_empty() {
            true => String::new(),
            false => skew(&result.clients) + &together(result),
        };
        text += &(table + &times);
    }
    text
}

/// A table of the clients of each job of a run, with notes on their start and end; empty if one
/// machine ran them.
pub fn clients_of_run(result: &RunResult, screen: &Screen) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in result.jobs.iter().filter_map(|job| result.client_of(job)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let of_job = |name: &&str| of_jobs(name, result, |job| job == *name, screen);
    let tables: String = names.iter().map(of_job).collect();
    if tables.is_empty() { tables } else { tables + &together(result) }
}

/// A table of the clients of the jobs whose names `takes` accepts.
fn of_jobs(
    title: &str,
    result: &RunResult,
    takes: impl Fn(&str) -> bool,
    screen: &Screen,
) -> String {
    let figures = by_host(result, takes);
    if figures.len() < 2 {
        return String::new();
    }
    let mut text = localized!("\n{}, by client\n", printable::line(title));
    text += &table(&figures, screen);
    for host in lagging(&figures) {
        text +=
            &localized!("  ! {host} lags behind the other clients; look at its CPU and network\n");
    }
    text
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

/// Each host's figures over its jobs whose names `takes` accepts.
fn by_host(result: &RunResult, takes: impl Fn(&str) -> bool) -> Vec<ClientFigures> {
    let mut all: Vec<ClientFigures> = Vec::new();
    for job in &result.jobs {
        let Some((_, host)) = result.client_of(job).filter(|(name, _)| takes(name)) else {
            continue;
        };
        match all.iter_mut().find(|figures| figures.host == host) {
            Some(figures) => figures.total.merge(&job.mixed()),
            None => all.push(ClientFigures { host: host.to_owned(), total: job.mixed() }),
        }
    }
    all
}

fn table(figures: &[ClientFigures], screen: &Screen) -> String {
    let mut table = TextTable::indented(2);
    table.row(heading(&["", "IOPS", "MB/s", "mean", "p99"]));
    for of in figures {
        table.row(row(&of.host, &of.total));
    }
    let mut sum = JobResult::default().mixed();
    figures.iter().for_each(|of| sum.merge(&of.total));
    table.row(row("all", &sum));
    table.text(screen)
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

/// Hosts whose IOPS are far below those of the others.
fn lagging(figures: &[ClientFigures]) -> Vec<&str> {
    let lags = |of: &&ClientFigures| {
        let others = figures.iter().filter(|other| other.host != of.host);
        let iops: Vec<f64> = others.map(|other| other.total.iops_mean()).collect();
        if iops.len() < 2 {
            return false;
        }
        let count = iops.len() as f64;
        let mean = iops.iter().sum::<f64>() / count;
        let variance = iops.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // A twentieth at least: clients that are all alike would make any difference a lag.
        let allowed = (LAG_DEVIATIONS * variance.sqrt()).max(mean / 20.0);
        of.total.iops_mean() < mean - allowed
    };
    figures.iter().filter(lags).map(|of| of.host.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(ios: &[(&str, u64)]) -> RunResult {
        let job = |(host, ios): &(&str, u64)| {
            let mut job = JobResult { name: format!("iops@{host}"), ..JobResult::default() };
            job.dirs.read.total_ios = *ios;
            job.dirs.read.runtime_ms = 1000;
            job
        };
        let client = |(host, _): &(&str, u64)| ClientSpan {
            host: (*host).to_owned(),
            ..ClientSpan::default()
        };
        RunResult {
            jobs: ios.iter().map(job).collect(),
            clients: ios.iter().map(client).collect(),
            ..RunResult::default()
        }
    }

    fn figures(ios: &[(&str, u64)]) -> Vec<ClientFigures> {
        by_host(&result(ios), |_| true)
    }

    #[test]
    fn a_host_with_a_user_is_told_from_the_job() {
        let of = figures(&[("me@h", 1000), ("h", 2000)]);
        assert_eq!(of.iter().map(|of| of.host.as_str()).collect::<Vec<_>>(), ["me@h", "h"]);
        assert_eq!(of[1].total.total_ios, 2000);
    }

    #[test]
    fn clients_are_told_apart_by_their_hosts_and_added_up() {
        let figures = figures(&[("c1", 1000), ("c2", 2000), ("c1", 10)]);
        let screen = Screen { width: 80, colour: false, ..Screen::detect() };
        let text = table(&figures, &screen);
        let numbers: Vec<Vec<&str>> =
            text.lines().skip(1).map(|line| line.split_whitespace().take(2).collect()).collect();
        assert_eq!(numbers, [["c1", "1,010"], ["c2", "2,000"], ["all", "3,010"]], "{text}");
    }

    #[test]
    fn one_that_lags_is_named_and_no_other() {
        let even = figures(&[("a", 1000), ("b", 1010), ("c", 990), ("d", 1005)]);
        assert_eq!(lagging(&even), Vec::<&str>::new());
        let one = figures(&[("a", 1000), ("b", 1010), ("c", 990), ("slow", 700)]);
        assert_eq!(lagging(&one), ["slow"]);
        assert_eq!(lagging(&figures(&[("a", 1), ("b", 1000)])), Vec::<&str>::new());
    }
}
