//! fio's formats for results of several hosts: the reports of each, and all clients as one.
//!
//! Decided here:
//! - "All clients" merges histograms, so that its percentiles are those of all I/Os; fio shows none
//!   there. It is printed whenever there are several clients, with any jobs.
//! - Its `hostname` is empty, because it is of no host; ports are 0, because there is no fio
//!   server.

use crate::json::{self, Object};
use crate::{OutputFormats, OutputOptions, normal, printer, terse};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::printable;
use serde_json::Value;

/// The name of all clients as one.
const ALL_CLIENTS: &str = "All clients";

/// The result of one host.
#[derive(Clone, Copy, Debug)]
pub struct ClientResult<'a> {
    /// The host.
    pub host: &'a str,
    /// Its result.
    pub result: &'a RunResult,
}

/// A line about one host.
pub fn client_line(host: &str, line: &str) -> String {
    format!("<{}> {line}", printable::line(host))
}

/// The results of several hosts in all formats that are wanted.
pub fn client_document(
    clients: &[ClientResult<'_>],
    formats: OutputFormats,
    options: &OutputOptions,
) -> String {
    let all = (clients.len() > 1).then(|| all_clients(clients));
    let mut out = String::new();
    if let Some(version) = formats.terse {
        let results = clients.iter().map(|client| client.result).chain(&all);
        out.extend(results.map(|result| terse(result, version)));
    }
    if formats.json {
        let tree = client_json(clients, all.as_ref(), options);
        out += &printable::json(&printer::text(&tree));
    }
    if formats.normal {
        out += &client_text(clients, all.as_ref(), options);
    }
    out
}

/// All jobs of all clients as clones of one.
fn all_clients(clients: &[ClientResult<'_>]) -> RunResult {
    let job = |job: &JobResult| {
        let mut job = JobResult {
            name: ALL_CLIENTS.to_owned(),
            group_id: 0,
            group_reporting: true,
            pid: 0,
            description: None,
            options: Vec::new(),
            steady_state: None,
            ..job.clone()
        };
        job.setup.unified_rw = 0;
        job
    };
    let jobs = clients.iter().flat_map(|client| &client.result.jobs).map(job).collect();
    let last_ms = clients.iter().map(|client| client.result.timestamp_ms).max().unwrap_or(0);
    RunResult { jobs, timestamp_ms: last_ms, ..RunResult::default() }
}

fn client_text(
    clients: &[ClientResult<'_>],
    all: Option<&RunResult>,
    options: &OutputOptions,
) -> String {
    let texts = clients.iter().map(|client| normal::normal(client.result, options));
    let mut out = String::from("\n");
    out.extend(texts.map(|text| text.trim_start_matches('\n').to_owned()));
    out.extend(all.map(|all| normal::reports(all, options)));
    out
}

fn client_json(
    clients: &[ClientResult<'_>],
    all: Option<&RunResult>,
    options: &OutputOptions,
) -> Value {
    let last_ms = clients.iter().map(|client| client.result.timestamp_ms).max().unwrap_or(0);
    let mut root = json::head(last_ms, options);
    let global = |client: &ClientResult<'_>| of_host(json::globals(client.result), client.host);
    let globals = match clients {
        [only] => Value::Object(json::globals(only.result)),
        several => several.iter().map(global).collect(),
    };
    json::put(&mut root, "global options", globals);
    let mut stats = Vec::new();
    let mut disks = Vec::new();
    for client in clients {
        let jobs = json::jobs(client.result, options).into_iter();
        stats.extend(jobs.map(|job| of_host(job, client.host)));
        let own = json::disks(client.result).into_iter();
        disks.extend(own.map(|disk| of_host(disk, client.host)));
    }
    let all = all.into_iter().flat_map(|all| json::jobs(all, options));
    stats.extend(all.map(|job| of_host(job, "")));
    json::put(&mut root, "client_stats", stats);
    json::put(&mut root, "disk_util", disks);
    Value::Object(root)
}

fn of_host(mut object: Object, host: &str) -> Value {
    json::put(&mut object, "hostname", host);
    json::put(&mut object, "port", 0);
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(name: &str, latencies_ns: &[u64]) -> RunResult {
        let mut job = JobResult { name: name.into(), number: 1, ..JobResult::default() };
        job.setup.clat_percentiles = true;
        job.setup.percentile_list = vec![50.0, 99.0];
        for ns in latencies_ns {
            job.dirs.read.clat.histogram.record(*ns);
            job.dirs.read.clat.moments.record(*ns);
            job.dirs.read.total_ios += 1;
            job.dirs.read.io_bytes += 4096;
        }
        job.dirs.read.runtime_ms = 1000;
        RunResult { jobs: vec![job], ..RunResult::default() }
    }

    fn written(format: OutputFormats, hosts: &[(&str, RunResult)]) -> String {
        let clients: Vec<ClientResult<'_>> =
            hosts.iter().map(|(host, result)| ClientResult { host, result }).collect();
        client_document(&clients, format, &OutputOptions::default())
    }

    #[test]
    fn percentiles_of_all_clients_are_those_of_all_their_ios() {
        let hosts = [("a", result("one", &[100; 99])), ("b", result("two", &[1_000_000; 101]))];
        let json = OutputFormats { json: true, ..OutputFormats::default() };
        let tree: Value = serde_json::from_str(&written(json, &hosts)).unwrap();
        let stats = tree["client_stats"].as_array().unwrap();
        let names: Vec<(&str, &str)> = stats
            .iter()
            .map(|of| (of["jobname"].as_str().unwrap(), of["hostname"].as_str().unwrap()))
            .collect();
        assert_eq!(names, [("one", "a"), ("two", "b"), ("All clients", "")]);
        let all = &stats[2]["read"];
        assert_eq!(
            (all["total_ios"].as_u64(), all["clat_ns"]["N"].as_u64()),
            (Some(200), Some(200))
        );
        assert!(all["clat_ns"]["percentile"]["50.000000"].as_u64() > Some(900_000), "{all}");
        assert_eq!(tree["global options"].as_array().unwrap().len(), 2);
        assert!(tree["jobs"].is_null(), "as in fio's client mode");
    }

    #[test]
    fn a_single_client_has_no_sum() {
        let hosts = [("a", result("one", &[100; 9]))];
        let all = OutputFormats { json: true, normal: true, terse: None };
        let text = written(all, &hosts);
        assert!(!text.contains(ALL_CLIENTS), "{text}");
        assert!(text.contains("\"global options\" : {"), "{text}");
    }

    #[test]
    fn the_text_has_each_client_and_all() {
        let hosts = [("a", result("one", &[100; 9])), ("b", result("one", &[100; 9]))];
        let normal = OutputFormats { normal: true, ..OutputFormats::default() };
        let text = written(normal, &hosts);
        let count = |part: &str| text.lines().filter(|line| line.starts_with(part)).count();
        assert_eq!(
            (count("one: (groupid=0, jobs=1)"), count("All clients: (groupid=0, jobs=2)")),
            (2, 1),
            "{text}"
        );
        assert_eq!(count("Run status group 0"), 2, "{text}");
        assert_eq!(client_line("a\u{1b}", "x"), "<a\\x1b> x");
    }
}
