//! How long lists and searches take in a history of many runs; started by hand:
//!
//! ```text
//! cargo run --release -p fathom-store --example many_runs -- 10000
//! ```
//!
//! Each question is put twenty times to a history that is opened anew, as a command would; the
//! median and the slowest are told. What is aimed at is 100 ms with 10,000 runs.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "an example for a terminal")]

use fathom_store::{Filter, HistoryFigure, HistoryOutcome, HistoryRun, Key, Sharing, Store};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let runs: u64 = std::env::args().nth(1).map_or(Ok(10_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("history.sqlite3");
    let begun = Instant::now();
    fill(&path, runs)?;
    let size_mb = std::fs::metadata(&path)?.len() as f64 / 1e6;
    println!("{runs} runs made in {:.1?}, {size_mb:.0} MB", begun.elapsed());
    let some = |text: &str| Some(text.to_owned());
    let newest = Filter { limit: Some(20), ..Filter::default() };
    for (name, filter) in [
        ("the newest 20", newest.clone()),
        ("the last 20", Filter { offset: runs.saturating_sub(20), ..newest.clone() }),
        ("all", Filter::default()),
        ("of a kind", Filter { kind: some("sweep"), ..newest.clone() }),
        ("of a label", Filter { tag: some("series-7"), ..newest.clone() }),
        ("of a target", Filter { target: some("/mnt/volume-77/data"), ..newest.clone() }),
        ("of a host", Filter { host: some("worker-12"), ..newest.clone() }),
        ("text in few", Filter { text: some("volume-977/"), ..newest.clone() }),
        ("text in all", Filter { text: some("measure worker"), ..newest.clone() }),
        ("text in none", Filter { text: some("nowhere"), ..newest.clone() }),
        ("two letters", Filter { text: some("zz"), ..newest.clone() }),
    ] {
        let (found, median, slowest) = timed(&path, &filter)?;
        println!("{name:15} {found:6} runs  median {median:8.2?}  slowest {slowest:8.2?}");
    }
    Ok(())
}

/// Opened, listed and counted, as `fathom history` does.
fn timed(path: &Path, filter: &Filter) -> Result<(usize, Duration, Duration), Box<dyn Error>> {
    let mut times = Vec::new();
    let mut found = 0;
    for _ in 0..20 {
        let begun = Instant::now();
        let store = Store::open_to_read(path)?.ok_or("there is no history")?;
        found = store.list(filter)?.len();
        store.count(filter)?;
        times.push(begun.elapsed());
    }
    times.sort();
    Ok((found, times[times.len() / 2], times[times.len() - 1]))
}

/// Made in one go through an import, since each run that is recorded waits for the disk.
fn fill(path: &Path, runs: u64) -> Result<(), Box<dyn Error>> {
    let document = format!("{{\"phases\":[{}]}}", vec!["{\"result\":[1,2,3]}"; 500].join(","));
    let mut text = String::from("{\"kind\":\"fathom-history\",\"schema\":1}\n");
    for n in 0..runs {
        let run = serde_json::to_string(&run(n))?;
        // Names in the order of time: nine digits of it and three of chance.
        text += &format!("{{\"id\":\"1k{n:010}\",\"run\":{run},\"document\":{document}}}\n");
    }
    Store::open(path, Sharing::OneHost)?.import(&mut text.as_bytes())?;
    Ok(())
}

fn run(n: u64) -> HistoryRun {
    let kinds = ["measure", "sweep", "compare", "check", "limit"];
    let targets = vec![format!("/mnt/volume-{}/data", n % 1000), format!("/dev/nvme{}n1", n % 9)];
    let command = format!("fathom measure {} --time 30s --size 10g --iodepth 64", targets[0]);
    let figure = |label: &str| HistoryFigure {
        label: label.to_owned(),
        target: targets[0].clone(),
        key: Key::Iops,
        iops: Some(n as f64 / 3.0),
        bytes_per_s: Some(n as f64 * 4096.0 / 3.0),
        mean_ns: Some(1e9 / 7.0),
        p99_ns: Some(1e9 / 3.0),
        ..HistoryFigure::default()
    };
    HistoryRun {
        kind: kinds[n as usize % kinds.len()].to_owned(),
        started_ms: 1_785_542_400_000 + n * 60_000,
        duration_ms: 30_000,
        host: format!("worker-{}", n % 50),
        folder: "/home/someone".to_owned(),
        command: command.split(' ').map(str::to_owned).collect(),
        title: format!("latency, IOPS, throughput of volume {}", n % 1000),
        tags: vec![format!("series-{}", n % 20), "nightly".to_owned()],
        headline: vec![figure("4 KiB random read, QD 1"), figure("4 KiB random read, QD 32")],
        targets,
        outcome: HistoryOutcome::Ran,
        fathom_version: "0.1.0".to_owned(),
    }
}
