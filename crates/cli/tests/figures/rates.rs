//! Rates that a job is to keep, and rates below which it fails: by fio 3.33 and by us.

use std::path::Path;

use serde_json::Value;

use crate::devices::{need, oracle};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Running, Sandbox, subject};

/// The first job that a run reports; fio says of a job that failed before its document.
fn job(outcome: &Outcome) -> Value {
    let from = outcome.stdout.find('{').unwrap_or_default();
    let document: Value = serde_json::from_str(&outcome.stdout[from..])
        .unwrap_or_else(|error| panic!("{}", outcome.describe(&error.to_string())));
    document["jobs"][0].clone()
}

/// Runs each job by fio, then by us, all of them at the same time.
fn by_both(lines: &[String]) -> Option<Vec<(Outcome, Outcome)>> {
    let (fio, subject) = (need(oracle())?, subject());
    let started = |program: &Path, line: &String| {
        let sandbox = Sandbox::with(program);
        let line = format!("--output-format=json --name=a --bs=4k --size=4m {line}");
        let running = sandbox.start(&line);
        (sandbox, running)
    };
    let both = |line| (started(&fio, line), started(&subject, line));
    let running: Vec<_> = lines.iter().map(both).collect();
    let finished = |(_sandbox, running): (Sandbox, Running)| running.finish();
    Some(running.into_iter().map(|(their, our)| (finished(their), finished(our))).collect())
}

/// Each direction of a mix keeps its own rate; the mix decides only where both are behind.
#[test]
fn mixes_keep_the_rates_of_their_directions() {
    on_a_quiet_machine(both_keep_their_rates);
}

fn both_keep_their_rates() {
    let lines = [
        "--rw=randrw --rate_iops=100 --rwmixread=90",
        "--rw=randrw --rate_iops=300,100 --rwmixread=70",
        "--rw=randrw --rate_iops=100 --ioengine=libaio --iodepth=4",
        "--rw=rw --rate=400k,1200k --rwmixread=70",
        "--rw=randrw --rate_iops=100, --rwmixread=90 --thinktime=2ms",
        "--rw=randrw --rate_iops=,100, --rwmixread=10 --thinktime=2ms",
    ]
    .map(|line| format!("--runtime=3 --time_based {line}"));
    for (line, (their, our)) in lines.iter().zip(by_both(&lines).into_iter().flatten()) {
        let (their_job, our_job) = (job(their.assert_success()), job(our.assert_success()));
        for (dir, limited) in
            [("read", !line.contains("=,100")), ("write", !line.contains("=100, "))]
        {
            let ios = |job: &Value| job[dir]["total_ios"].as_u64().unwrap();
            let (theirs, ours) = (ios(&their_job), ios(&our_job));
            // Without a rate the machine decides, and it has more than the mix would give.
            let alike = if limited { ours.abs_diff(theirs) * 10 <= theirs } else { ours > 300 };
            assert!(alike, "{line}: {dir}: fio {theirs}, we {ours}");
        }
    }
}

/// One value of a minimum is held against what the job does and nothing else.
#[test]
fn jobs_that_reach_their_minimum_pass() {
    let lines = [
        "--rw=read --rate=1m --rate_min=100k",
        "--rw=randread --rate_iops=300 --rate_iops_min=10",
        "--rw=write --rate=1m --rate_min=100k",
        "--rw=randrw --rate_iops=300 --rate_iops_min=10",
        "--rw=rw --rwmixread=100 --rate=1m --rate_min=100k",
        "--rw=randread --rate_iops=300 --rate_iops_min=10 --ramp_time=1s",
    ]
    .map(|line| format!("--runtime=4 --time_based {line}"));
    for (their, our) in by_both(&lines).into_iter().flatten() {
        for outcome in [their, our] {
            let error = job(outcome.assert_success())["error"].clone();
            assert_eq!(error, 0, "{}", outcome.describe("a job above its minimum"));
        }
    }
}

/// fio's error, in fio's words, once two seconds and a cycle are over.
#[test]
fn jobs_below_their_minimum_fail() {
    // A pause of 20 ms after each I/O: at most 50 a second, however fast the machine is.
    let lines = ["--rw=read --rate_iops_min=100", "--rw=write --rate_min=400k --rate_cycle=500"]
        .map(|line| format!("--runtime=30 --time_based --thinktime=20ms {line}"));
    let words = ["rate_iops_min=100 not met, got ", "rate_min=409600B/s not met, got "];
    for ((their, our), words) in by_both(&lines).into_iter().flatten().zip(words) {
        for outcome in [their, our] {
            assert_eq!(outcome.code, Some(1), "{}", outcome.describe("exit code"));
            assert!(outcome.stderr.contains(words), "{}", outcome.describe(words));
            let job = job(&outcome);
            assert_eq!(job["error"], 5, "{}", outcome.describe("error"));
            let took_ms = job["job_runtime"].as_u64().unwrap();
            assert!((2_400..30_000).contains(&took_ms), "{}", outcome.describe("run time"));
        }
    }
}
