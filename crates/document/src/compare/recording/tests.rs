//! Documents of every kind, and invalid ones.

use super::{Recording, RecordingEntry, RecordingError, recorded_run};
use crate::any_document::AnyDocument;
use crate::document_runs::{DocumentRun, DocumentRuns};
use crate::measure::Document;
use crate::record::VolumeRecord;
use crate::suite::Phase;
use crate::summary::tests::{document, run as phase_run, volume};
use fathom_analysis::Basis;
use fathom_analysis::CaseFigures;
use fathom_analysis::Goal;
use fathom_analysis::Repeats;
use fathom_stats::{DiskUtil, Interval, JobResult, RunResult};
use fathom_vocab::Direction;
use serde_json::{Value, json};
use std::sync::Arc;

/// Runs with their titles and volumes, as any document has them.
#[derive(Default)]
struct TestDocument {
    volumes: Vec<VolumeRecord>,
    runs: Vec<(&'static str, usize, RunResult)>,
}

impl DocumentRuns for TestDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter().map(|(title, volume, result)| DocumentRun {
            name: title.to_string(),
            title: title.to_string(),
            volume: Some(*volume),
            cut_short: false,
            failure: None,
            global_options: None,
            result,
            mounts: &[],
        });
        runs.collect()
    }

    fn is_interrupted(&self) -> bool {
        false
    }

    fn volumes(&self) -> &[VolumeRecord] {
        &self.volumes
    }
}

fn figures(document: &dyn DocumentRuns) -> Vec<RecordingEntry> {
    Recording::of_runs("it".to_owned(), document).0.entries
}

fn names(entries: &[RecordingEntry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.name.as_str()).collect()
}

/// A run of `seconds` with these reads in each, of 4 KiB and 1 ms.
fn run(reads: &[u64]) -> RunResult {
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
    RunResult { jobs: vec![job], ..RunResult::default() }
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
    let entries =
        figures(&TestDocument { runs: vec![("a", 0, run(&STEADY))], volumes: Vec::new() });
    let entry = &entries[0];
    assert_eq!((entry.name.as_str(), entry.direction), ("a", Direction::Read));
    let iops = entry.iops.estimate.clone().unwrap().unwrap();
    assert!(matches!(iops.basis, Basis::Intervals { .. }) && iops.n == 20);
    assert!((iops.mean - 1000.3).abs() < 0.01 && iops.half_width < 10.0, "{iops:?}");
    assert_eq!((entry.latency_ns.mean, entry.bytes_per_s.mean), (1e6, entry.iops.mean * 4096.0));
}

/// A measurement of these volumes, each with a run of one phase.
fn measured(volumes: &[&str]) -> Document {
    let phase = |at| {
        let mut trial = phase_run(at, Phase::new(Goal::Iops, Direction::Read, 4096, 32), 1000.0, 1);
        trial.result = Some(run(&STEADY));
        trial
    };
    let records = volumes.iter().map(|name| volume(name, "/x")).collect();
    document(records, (0..volumes.len()).map(phase).collect())
}

#[test]
fn phases_of_measure_are_called_as_its_table_calls_them() {
    assert_eq!(names(&figures(&measured(&["/a"]))), ["4 KiB random read, QD 32"]);
    let several = ["/a: 4 KiB random read, QD 32", "/b: 4 KiB random read, QD 32"];
    assert_eq!(names(&figures(&measured(&["/a", "/b"]))), several);
}

/// Tests of a check at several depths, and steps of a search at several rates, are no rounds of
/// one test.
#[test]
fn runs_of_a_check_and_of_a_limit_are_named_by_their_loads() {
    let of = |text| AnyDocument::read(text).unwrap();
    let check = of(include_str!("../../../../report/fixtures/check.json"));
    let AnyDocument::Check(mut check) = check else { panic!("{check:?}") };
    check.runs.iter_mut().for_each(|trial| trial.result = Some(run(&STEADY)));
    let expected = ["4 KiB random read, QD 128", "4 KiB random write, QD 128"];
    assert_eq!(names(&figures(check.as_ref())), expected);
    let limit = of(include_str!("../../../../report/fixtures/limit.json"));
    let AnyDocument::Limit(mut limit) = limit else { panic!("{limit:?}") };
    limit.steps.iter_mut().for_each(|trial| trial.result = Some(run(&STEADY)));
    let entries = figures(limit.as_ref());
    assert_eq!(names(&entries), ["max, QD 0", "max, QD 1", "332 IOPS"]);
    assert_eq!(entries[2].iops.repeats.count(), 2);
}

#[test]
fn runs_of_one_name_are_repeats_and_volumes_are_told_apart() {
    let one = |volume, ios: u64| ("4 KiB random read", volume, run(&[ios; 20]));
    let runs = vec![one(0, 100), one(1, 500), one(1, 510), one(0, 102), one(0, 98), one(1, 490)];
    let volumes = vec![volume("/a", "/a/x"), volume("/b", "/b/x")];
    let entries = figures(&TestDocument { volumes, runs });
    assert_eq!(names(&entries), ["/a: 4 KiB random read", "/b: 4 KiB random read"]);
    let estimate = entries[0].iops.estimate.clone().unwrap().unwrap();
    assert!(!matches!(estimate.basis, Basis::Intervals { .. }));
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
    let of = |rounds: &[RunResult]| {
        let runs = rounds.iter().map(|round| ("a", 0, round.clone())).collect();
        figures(&TestDocument { runs, volumes: Vec::new() }).remove(0)
    };
    let entry = of(&rounds);
    let shown = CaseFigures::of(&rounds.each_ref(), 1, None).unwrap().total;
    assert_eq!((entry.iops.mean, shown.iops), (600.0, 600.0));
    assert_eq!(entry.bytes_per_s.mean / 1e6, shown.mb_per_s);
    assert_eq!(entry.latency_ns.mean, shown.mean_ns);
    // Differences are judged by the rounds' own values.
    assert_eq!(entry.iops.repeats, Repeats::Rounds(vec![1980.0, 20.0 / 3.0, 1000.0]));
    let of_one = of(&rounds[..1]);
    let shown = CaseFigures::of(&[&rounds[0]], 1, None).unwrap().total;
    assert_eq!((of_one.iops.mean, shown.iops), (1980.0, 1980.0));
}

#[test]
fn a_bare_result_names_its_jobs() {
    let text = serde_json::to_string(&run(&STEADY)).unwrap();
    assert_eq!(names(&Recording::read("it", &text).unwrap().entries), ["job"]);
}

#[test]
fn names_of_one_run_share_its_disks() {
    let job = |name: &str| JobResult { name: name.to_owned(), ..JobResult::default() };
    let disk = DiskUtil { name: "vda".to_owned(), ..DiskUtil::default() };
    let jobs = vec![job("a"), job("b"), job("a")];
    let run = RunResult { jobs, disks: vec![disk.clone()], ..RunResult::default() };
    let (runs, _) = recorded_run::runs(&run);
    let names: Vec<(&str, usize)> =
        runs.iter().map(|run| (run.name.as_str(), run.jobs.len())).collect();
    assert_eq!(names, [("a", 2), ("b", 1)]);
    assert_eq!(*runs[0].disks, [disk]);
    assert!(Arc::ptr_eq(&runs[0].disks, &runs[1].disks));
}

#[test]
fn what_was_cut_short_or_failed_is_left_out_and_said() {
    let mut document = measured(&["/a", "/b", "/c"]);
    document.phases[0].cut_short = true;
    document.phases[1].failure = Some("EIO".to_owned());
    let (recording, _) = Recording::of_runs("it".to_owned(), &document);
    assert_eq!((recording.entries.len(), recording.notes.len()), (1, 2));
    let note = recording.notes[1].to_string();
    assert_eq!(note, "4 KiB random read, QD 32: a run that failed is left out (EIO)");
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
fn figures_of_fios_clients_are_those_of_its_jobs() {
    let client = |name: &str, host: &str, iops: f64| {
        let mut job = fio_job(name, iops, 40);
        job["hostname"] = json!(host);
        job
    };
    let stats =
        [client("t", "h1", 2000.0), client("t", "h2", 1000.0), client("All clients", "", 3000.0)];
    let entries = read(&json!({ "fio version": "fio-3.33", "client_stats": stats })).unwrap();
    assert_eq!(names(&entries.entries), ["t@h1", "t@h2"]);
    for odd in [json!(5), json!([]), json!([5, {}])] {
        read(&json!({ "fio version": "fio-3.33", "client_stats": odd })).unwrap_err();
    }
}

#[test]
fn foreign_files_are_refused_with_what_would_do() {
    for text in ["", "hello\n", "\u{0}\u{1}", "{\"a\": 1}", "{\"a\": ", "[1, 2]"] {
        let why = Recording::read("notes.txt", text).unwrap_err().to_string();
        assert!(why.starts_with("notes.txt is neither") && why.contains("--json"), "{text}: {why}");
    }
    let mut broken = serde_json::to_value(run(&STEADY)).unwrap();
    broken["jobs"] = json!([{ "name": 7 }]);
    let why = read(&broken).unwrap_err().to_string();
    assert!(why.contains("expected a string at line 1 column"), "{why}");
    let mut elsewhere = measured(&["/a"]);
    elsewhere.phases[0].key.volume = 1;
    let why = read(&serde_json::to_value(elsewhere).unwrap()).unwrap_err().to_string();
    assert!(why.contains("there is no volume 1 in it"), "{why}");
    let later = json!({ "kind": "fathom-measure", "schema": 99 });
    assert!(read(&later).unwrap_err().to_string().contains("schema 99"));
    assert!(AnyDocument::read(r#"{"kind": "fathom-doctor"}"#).is_err());
    let idle = json!({ "fio version": "fio-3.33", "jobs": [{"jobname": "t", "error": 5}] });
    let why = read(&idle).unwrap_err().to_string();
    assert!(why.contains("holds no figures") && why.contains("error 5"), "{why}");
}
