//! Documents of every kind, and invalid ones.

use super::{Recording, RecordingError, Repeats, walk};
use crate::case_figures::CaseFigures;
use crate::check::{CheckLoad, Promised};
use crate::suite::Goal;
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult};
use fathom_vocab::Direction;
use serde_json::{Value, json};
use std::sync::Arc;

/// A run of `seconds` with these reads in each, of 4 KiB and 1 ms.
fn run(reads: &[u64]) -> Value {
    let mut job = JobResult { name: "job".to_owned(), ..JobResult::default() };
    let total: u64 = reads.iter().sum();
    let runtime_ms = reads.len() as u64 * 1000;
    let stats = &mut job.dirs[Direction::Read];
    (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (total, total * 4096, runtime_ms);
    stats.lat.record(1_000_000);
    (job.runtime_ms, job.elapsed_ms, job.series.interval_ms) = (runtime_ms, runtime_ms, 1000);
    for ios in reads {
        let mut interval = Interval::default();
        interval.ios.read = *ios;
        interval.bytes.read = ios * 4096;
        interval.clat_sum_ns.read = ios * 1_000_000;
        job.series.intervals.push(interval);
    }
    serde_json::to_value(RunResult { jobs: vec![job], ..RunResult::default() }).unwrap()
}

fn read(value: &Value) -> Result<Recording, RecordingError> {
    Recording::read("it", &value.to_string())
}

const STEADY: [u64; 20] = [
    1000, 1010, 990, 1005, 995, 1008, 992, 1001, 999, 1003, 1000, 1010, 990, 1005, 995, 1008, 992,
    1001, 999, 1003,
];

#[test]
fn one_run_is_judged_by_its_intervals() {
    let phases = json!([{ "name": "iops-read-4k", "volume": 0, "result": run(&STEADY) }]);
    let document =
        json!({ "kind": "fathom-measure", "phases": phases, "volumes": [{"name": "/a"}] });
    let recording = read(&document).unwrap();
    assert_eq!((recording.kind.as_str(), recording.entries.len()), ("fathom-measure", 1));
    let entry = &recording.entries[0];
    assert_eq!((entry.name.as_str(), entry.direction), ("iops-read-4k", Direction::Read));
    let iops = entry.iops.estimate.clone().unwrap().unwrap();
    assert!(iops.is_of_one_run() && iops.n == 20);
    assert!((iops.mean - 1000.3).abs() < 0.01 && iops.half_width < 10.0, "{iops:?}");
    assert_eq!((entry.latency_ns.mean, entry.bytes_per_s.mean), (1e6, entry.iops.mean * 4096.0));
}

#[test]
fn phases_of_measure_are_called_as_its_table_calls_them() {
    let phase = |volume: u64, depth: u64| {
        json!({
            "name": "iops-read-4k", "goal": "iops", "direction": "read", "random": true,
            "block_bytes": 4096, "depth": depth, "jobs": 1, "volume": volume, "round": 0,
            "result": run(&STEADY),
        })
    };
    let names = |document: &Value| -> Vec<String> {
        read(document).unwrap().entries.into_iter().map(|entry| entry.name).collect()
    };
    let one = json!({ "phases": [phase(0, 32)], "volumes": [{"name": "/a"}] });
    assert_eq!(names(&one), ["4 KiB random read, QD 32"]);
    let volumes = json!([{"name": "/a"}, {"name": "/b"}]);
    let two = json!({ "phases": [phase(0, 32), phase(1, 32)], "volumes": volumes });
    assert_eq!(names(&two), ["/a: 4 KiB random read, QD 32", "/b: 4 KiB random read, QD 32"]);
}

/// Tests of a check at several depths are no rounds of one test.
#[test]
fn runs_of_a_check_are_named_by_their_loads() {
    let of_check = |depth: u32, ios: u64| {
        let load = CheckLoad {
            goal: Goal::Iops,
            direction: Direction::Read,
            block_bytes: 4096,
            depth,
            jobs: 1,
            promised: Promised::default(),
        };
        json!({ "load": load, "finding": null, "result": run(&[ios; 20]) })
    };
    let document = json!({ "kind": "fathom-check", "runs": [of_check(1, 100), of_check(32, 900)] });
    let entries = read(&document).unwrap().entries;
    let figures: Vec<(&str, f64)> =
        entries.iter().map(|entry| (entry.name.as_str(), entry.iops.mean)).collect();
    let expected = [("4 KiB random read, QD 1", 100.0), ("4 KiB random read, QD 32", 900.0)];
    assert_eq!(figures, expected);
}

#[test]
fn steps_of_a_limit_are_named_by_their_loads() {
    let at = |rate: u64, ios: u64| json!({ "load": "rate", "rate_iops": rate, "finding": "kept", "result": run(&[ios; 20]) });
    let mut deep = json!({ "load": "deep", "finding": null, "result": run(&[3000; 20]) });
    deep["result"]["jobs"][0]["setup"]["iodepth"] = json!(256);
    let steps = json!([deep, at(1000, 990), at(2000, 2000), at(1000, 1010)]);
    let entries = read(&json!({ "kind": "fathom-limit", "steps": steps })).unwrap().entries;
    let figures: Vec<(&str, f64)> =
        entries.iter().map(|entry| (entry.name.as_str(), entry.iops.mean)).collect();
    let expected = [("max, QD 256", 3000.0), ("1,000 IOPS", 1000.0), ("2,000 IOPS", 2000.0)];
    assert_eq!(figures, expected);
}

#[test]
fn runs_of_one_name_are_repeats_and_volumes_are_told_apart() {
    let one = |volume: u64, ios: u64| json!({ "title": "4 KiB random read", "name": "x", "volume": volume, "result": run(&[ios; 20]) });
    let runs = json!([one(0, 100), one(1, 500), one(1, 510), one(0, 102), one(0, 98), one(1, 490)]);
    let document = json!({ "runs": runs, "volumes": [{"name": "/a"}, {"name": "/b"}] });
    let entries = read(&document).unwrap().entries;
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["/a: 4 KiB random read", "/b: 4 KiB random read"]);
    let estimate = entries[0].iops.estimate.clone().unwrap().unwrap();
    assert!(!estimate.is_of_one_run());
    assert_eq!((estimate.mean, estimate.n), (100.0, 3));
}

#[test]
fn the_figure_of_rounds_is_that_of_all_their_ios_as_on_the_terminal() {
    let run = |ios: u64, ns: u64, runtime_ms| {
        let mut job = JobResult::default();
        let stats = &mut job.dirs[Direction::Read];
        (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * 4096, runtime_ms);
        (0..ios).for_each(|_| stats.lat.record(ns));
        // A clone beside it that ended sooner.
        let mut clone = job.clone();
        clone.dirs[Direction::Read].runtime_ms /= 2;
        RunResult { jobs: vec![job, clone], ..RunResult::default() }
    };
    let rounds = [run(990, 100_000, 1000), run(10, 90_000_000, 3000), run(500, 200_000, 1000)];
    let phases: Vec<Value> =
        rounds.iter().map(|round| json!({ "title": "a", "result": round })).collect();
    let entry = read(&json!({ "phases": phases })).unwrap().entries.remove(0);
    let shown = CaseFigures::of(&rounds.each_ref(), 1, None).unwrap().total;
    assert_eq!((entry.iops.mean, shown.iops), (600.0, 600.0));
    assert_eq!(entry.bytes_per_s.mean / 1e6, shown.mb_per_s);
    assert_eq!(entry.latency_ns.mean, shown.mean_ns);
    // Differences are judged by the rounds' own values.
    assert_eq!(entry.iops.repeats, Repeats::Rounds(vec![1980.0, 20.0 / 3.0, 1000.0]));
    let of_one = Recording::of("it", &json!({ "phases": [phases[0]] })).unwrap().entries.remove(0);
    let shown = CaseFigures::of(&[&rounds[0]], 1, None).unwrap().total;
    assert_eq!((of_one.iops.mean, shown.iops), (1980.0, 1980.0));
}

#[test]
fn settings_name_cases_and_a_bare_result_names_its_jobs() {
    let settings = json!([{"axis": "rw", "value": "read"}, {"axis": "iodepth", "value": "16"}]);
    let case = json!({ "settings": settings, "case": 0, "result": run(&STEADY) });
    let entries = read(&json!({ "kind": "fathom-sweep", "cases": [case] })).unwrap().entries;
    assert_eq!(entries[0].name, "rw=read, iodepth=16");
    assert_eq!(read(&run(&STEADY)).unwrap().entries[0].name, "job");
}

#[test]
fn names_of_one_run_share_its_disks() {
    let job = |name: &str| JobResult { name: name.to_owned(), ..JobResult::default() };
    let disk = DiskUtil { name: "vda".to_owned(), ..DiskUtil::default() };
    let jobs = vec![job("a"), job("b"), job("a")];
    let run = RunResult { jobs, disks: vec![disk.clone()], ..RunResult::default() };
    let value = serde_json::to_value(run).unwrap();
    let (runs, _) = walk::runs(&value).unwrap();
    let names: Vec<(&str, usize)> =
        runs.iter().map(|run| (run.name.as_str(), run.jobs.len())).collect();
    assert_eq!(names, [("a", 2), ("b", 1)]);
    assert_eq!(*runs[0].disks, [disk]);
    assert!(Arc::ptr_eq(&runs[0].disks, &runs[1].disks));
}

#[test]
fn what_was_cut_short_or_failed_is_left_out_and_said() {
    let cut = json!({ "name": "a", "cut_short": true, "result": run(&STEADY) });
    let failed = json!({ "name": "b", "failure": "EIO", "result": run(&STEADY) });
    let whole = json!({ "name": "c", "failure": null, "cut_short": false, "result": run(&STEADY) });
    let recording = read(&json!({ "phases": [cut, failed, whole] })).unwrap();
    assert_eq!((recording.entries.len(), recording.notes.len()), (1, 2));
    assert_eq!(recording.notes[1].to_string(), "b: a run that failed is left out (EIO)");
}

fn fio_job(name: &str, iops: f64, samples: u64) -> Value {
    json!({ "jobname": name, "error": 0, "read": {
        "total_ios": 1000, "iops": iops, "bw_bytes": iops * 4096.0, "iops_stddev": 20.0,
        "iops_samples": samples, "bw_dev": 80.0, "bw_samples": samples, "lat_ns": {"mean": 5e5},
    }, "write": { "total_ios": 0 }, "trim": { "total_ios": 0 } })
}

#[test]
fn fio_s_json_gives_rates_with_a_spread_and_latency_without() {
    let text = json!({ "fio version": "fio-3.33", "jobs": [fio_job("t", 2000.0, 40)] }).to_string();
    // fio writes what it notices before its document, and other formats around it.
    let text =
        format!("note: both iodepth >= 1 and synchronous I/O engine\n{text}\n  read: IOPS=2k");
    let recording = Recording::read("fio.json", &text).unwrap();
    assert_eq!((recording.kind.as_str(), recording.entries.len()), ("fio-3.33", 1));
    let entry = &recording.entries[0];
    let iops = entry.iops.estimate.clone().unwrap().unwrap();
    assert_eq!((iops.mean, iops.n), (2000.0, 40));
    assert!(iops.half_width > 2.0 * 20.0 / 40f64.sqrt(), "{iops:?}");
    assert_eq!((entry.latency_ns.mean, &entry.latency_ns.estimate), (5e5, &None));
}

#[test]
fn clones_of_fio_s_are_added_up_and_then_nothing_is_known_of_their_spread() {
    let jobs = [fio_job("t", 2000.0, 40), fio_job("t", 1000.0, 40), fio_job("u", 7.0, 3)];
    let entries = read(&json!({ "fio version": "fio-3.42", "jobs": jobs })).unwrap().entries;
    assert_eq!(entries.len(), 2);
    assert_eq!((entries[0].iops.mean, &entries[0].iops.estimate), (3000.0, &None));
    // Three samples are there, and too few.
    assert!(entries[1].iops.estimate.clone().unwrap().is_err());
}

#[test]
fn foreign_files_are_refused_with_what_would_do() {
    for text in ["", "hello\n", "\u{0}\u{1}", "{\"a\": 1}", "{\"a\": ", "[1, 2]"] {
        let why = Recording::read("notes.txt", text).unwrap_err().to_string();
        assert!(why.starts_with("notes.txt is neither") && why.contains("--json"), "{text}: {why}");
    }
    let mut broken = run(&STEADY);
    broken["jobs"] = json!([{ "name": 7 }]);
    assert!(read(&broken).unwrap_err().to_string().contains("cannot be read"));
    let idle = json!({ "fio version": "fio-3.33", "jobs": [{"jobname": "t", "error": 5}] });
    let why = read(&idle).unwrap_err().to_string();
    assert!(why.contains("holds no figures") && why.contains("error 5"), "{why}");
}
