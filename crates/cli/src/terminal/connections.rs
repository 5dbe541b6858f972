//! Each connection to a server, as a table below the figures of runs with several.

use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_campaign::{latency, megabytes_per_s, thousands};
use fathom_stats::{ConnectionFigures, RunResult};
use fathom_text::text;

/// A row for each connection of each job of the named `runs`; empty if no job has several.
pub fn table(runs: &[(String, &RunResult)], screen: &Screen) -> String {
    let of_run = |(name, result): &(String, &RunResult)| {
        let jobs = result.jobs.iter().filter(|job| job.connections.len() > 1);
        let named = jobs.map(|job| match name.is_empty() {
            true => (job.name.clone(), job.connections.clone()),
            false => (name.clone(), job.connections.clone()),
        });
        named.collect::<Vec<_>>()
    };
    let jobs: Vec<(String, Vec<ConnectionFigures>)> = runs.iter().flat_map(of_run).collect();
    if jobs.is_empty() {
        return String::new();
    }
    let table = grid(&jobs);
    let body = match table.fits(screen) {
        true => table.text(screen),
        false => jobs.iter().map(|(name, of)| list(name, of, screen)).collect(),
    };
    format!("\n{}{body}", wrapped(text!("Connections to the server"), screen.width, "", "  "))
}

fn grid(jobs: &[(String, Vec<ConnectionFigures>)]) -> TextTable {
    let mut table = TextTable::new();
    table.row(heading(&[
        "",
        "port",
        "I/Os",
        "share",
        "MB",
        "mean",
        "p99",
        "in flight",
        "commits",
        "lost",
        "resent",
    ]));
    for (name, connections) in jobs {
        for (at, of) in connections.iter().enumerate() {
            let mut cells = vec![cell(if at == 0 { name.as_str() } else { "" })];
            cells.extend(figures(of, connections).into_iter().map(right));
            table.row(cells);
        }
    }
    table
}

fn figures(of: &ConnectionFigures, all: &[ConnectionFigures]) -> [String; 10] {
    let ios: u64 = all.iter().map(|other| other.ios).fold(0, u64::saturating_add);
    let time = |ns: u64| if of.ios == 0 { "-".to_owned() } else { latency(ns as f64) };
    [
        of.source_port.to_string(),
        thousands(of.ios as f64),
        format!("{:.0} %", 100.0 * of.ios as f64 / ios.max(1) as f64),
        megabytes_per_s(of.bytes as f64 / 1e6),
        time(of.mean_ns),
        time(of.p99_ns),
        of.most_in_flight.to_string(),
        of.commits.to_string(),
        of.reconnects.to_string(),
        of.resends.to_string(),
    ]
}

/// The same if the table does not fit.
fn list(name: &str, connections: &[ConnectionFigures], screen: &Screen) -> String {
    let line = |of: &ConnectionFigures| {
        let [port, ios, share, mb, mean, p99, ..] = figures(of, connections);
        let text = localized!("port {port}: {ios} I/Os ({share}), {mb} MB, mean {mean}, p99 {p99}");
        wrapped(&text, screen.width, "    ", "      ")
    };
    wrapped(name, screen.width, "  ", "    ") + &connections.iter().map(line).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;
    use fathom_stats::JobResult;

    const WIDE: Screen =
        Screen { width: 100, colour: false, unicode: true, live: false, lang: Lang::En };

    fn run(connections: u16) -> RunResult {
        let one = |at: u16| ConnectionFigures {
            source_port: 700 + at,
            ios: 1000 * u64::from(at + 1),
            bytes: 4_096_000,
            mean_ns: 1_000_000,
            p99_ns: 2_000_000,
            most_in_flight: 8,
            ..ConnectionFigures::default()
        };
        let connections = (0..connections).map(one).collect();
        let job = JobResult { name: "j".to_owned(), connections, ..JobResult::default() };
        RunResult { jobs: vec![job], ..RunResult::default() }
    }

    #[test]
    fn each_connection_has_a_row_with_its_share() {
        let (two, one) = (run(2), run(1));
        let text = table(&[(String::new(), &two)], &WIDE);
        let rows: Vec<Vec<&str>> =
            text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows[3][..4], ["j", "700", "1,000", "33"], "{text}");
        assert_eq!(rows[4][..4], ["701", "2,000", "67", "%"], "{text}");
        assert_eq!(table(&[(String::new(), &one)], &WIDE), "", "one is no comparison");
    }

    #[test]
    fn what_does_not_fit_is_a_list() {
        let two = run(2);
        let screen = Screen { width: 40, ..WIDE };
        let text = table(&[("4 KiB read".to_owned(), &two)], &screen);
        assert!(text.contains("  4 KiB read\n    port 700: 1,000 I/Os (33 %)"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 40), "{text}");
    }
}
