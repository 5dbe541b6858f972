//! What signals do to a run: ^C and SIGTERM end it with a full report of what ran, SIGUSR1 shows
//! the report so far, `--status-interval` shows it again and again.
//!
//! The progress line with I/Os in it says that a run is under way; nothing here waits for a time.

use std::fs;

use rustix::process::Signal;
use serde_json::{Deserializer, Value};

use crate::sandbox::{Running, Sandbox, parse_document};
use crate::{shape_json, shape_text};

/// A job that would go on for a minute, its progress on standard output.
const LONG_RUN: &str = "--eta=always --name=long --rw=randread --size=4m --bs=4k \
    --rate_iops=1000 --time_based --runtime=60";

fn started(sandbox: &Sandbox, more: &str) -> Running {
    let mut running = sandbox.start(&format!("{LONG_RUN} {more}"));
    running.wait_for_stdout(|text| text.contains("[r=") && text.contains("IOPS]"));
    running
}

#[test]
fn interrupt_and_terminate_end_in_a_whole_json_document() {
    for signal in [Signal::INT, Signal::TERM] {
        let sandbox = Sandbox::new();
        let running = started(&sandbox, "--output-format=json --output=out.json");
        running.signal(signal);
        let outcome = running.finish();
        assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
        outcome.assert_no_panic();
        let text = fs::read_to_string(sandbox.work().join("out.json")).unwrap();
        let document = parse_document(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert_eq!(shape_json::faults(&document), Vec::<String>::new());
        let read = &document["jobs"][0]["read"];
        assert!(read["total_ios"].as_u64().unwrap() > 0, "{read}");
        assert_eq!(read["clat_ns"]["N"], read["total_ios"], "{read}");
        assert!(read["runtime"].as_u64().unwrap() < 60_000, "{read}");
    }
}

#[test]
fn interrupt_ends_in_a_whole_report_of_all_jobs() {
    let sandbox = Sandbox::new();
    let running = started(&sandbox, "--numjobs=3 --output=out.txt");
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    outcome.assert_no_panic();
    let report = read_interrupted(&fs::read_to_string(sandbox.work().join("out.txt")).unwrap());
    assert_eq!(report.jobs, 3);
    assert_eq!(report.moves, ["read"]);
    assert_eq!(report.groups, 1);
}

/// Reads a report that fio's remark on the signal may stand in, with the empty lines around it.
fn read_interrupted(text: &str) -> shape_text::Report {
    let remark = text.lines().find(|line| line.starts_with("fio: terminating on signal"));
    let plain = match remark {
        Some(remark) => text.replace(&format!("\n{remark}\n"), ""),
        None => text.to_owned(),
    };
    shape_text::read_report(&plain).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

#[test]
fn a_second_interrupt_ends_it_as_well() {
    let sandbox = Sandbox::new();
    let running = started(&sandbox, "--output=out.txt");
    running.signal(Signal::INT);
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert!(
        outcome.code.is_some_and(|code| code != 0) || outcome.signal == Some(2),
        "{}",
        outcome.describe("an interrupted run is no success")
    );
    outcome.assert_no_panic();
}

#[test]
fn a_stonewalled_job_does_not_start_after_an_interrupt() {
    let sandbox = Sandbox::new();
    let running = started(
        &sandbox,
        "--output-format=json --output=out.json --name=next --stonewall --rw=write --size=4m",
    );
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    let text = fs::read_to_string(sandbox.work().join("out.json")).unwrap();
    let document = parse_document(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let ios = |job: &Value, way: &str| job[way]["total_ios"].as_u64().unwrap();
    let jobs = document["jobs"].as_array().unwrap();
    assert!(ios(&jobs[0], "read") > 0);
    assert!(jobs.iter().all(|job| ios(job, "write") == 0), "{text}");
}

#[test]
fn usr1_shows_the_report_so_far_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    let mut running = started(&sandbox, "");
    let reports = |text: &str| text.matches("Run status group 0 (all jobs):").count();
    running.signal(Signal::USR1);
    running.wait_for_stdout(|text| reports(text) == 1);
    // It goes on: progress is shown after the report.
    let seen = running.stdout().len();
    running.wait_for_stdout(|text| text[seen..].contains("[r="));
    running.signal(Signal::TERM);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    assert_eq!(reports(&outcome.stdout), 2, "{}", outcome.describe("reports"));
}

/// A program without a way to signal makes a file.
#[test]
fn a_file_asks_for_the_report_so_far_and_is_removed() {
    for variable in ["TMPDIR", "TEMP"] {
        let sandbox = Sandbox::new();
        let script = format!("unset TMPDIR; {variable}=\"$PWD\" exec fio {LONG_RUN}");
        let mut running = sandbox.start_program("/bin/sh", &["-c", &script]);
        running.wait_for_stdout(|text| text.contains("[r="));
        let request = sandbox.write("fio-dump-status", "");
        running.wait_for_stdout(|text| text.contains("Run status group 0 (all jobs):"));
        assert!(!request.exists());
        running.signal(Signal::TERM);
        let outcome = running.finish();
        assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    }
}

/// A shell starts what a script puts into the background with SIGINT ignored; fio takes it all the
/// same.
#[test]
fn an_interrupt_ends_what_a_script_put_into_the_background() {
    let sandbox = Sandbox::new();
    let script = format!("trap '' INT; exec fio {LONG_RUN}");
    let mut running = sandbox.start_program("/bin/sh", &["-c", &script]);
    running.wait_for_stdout(|text| text.contains("[r="));
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    assert!(outcome.stdout.contains("terminating on signal 2"), "{}", outcome.describe("which"));
}

#[test]
fn a_status_interval_gives_document_after_document() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run(
        "--name=s --rw=randread --size=4m --rate_iops=500 --time_based --runtime=3 \
         --status-interval=1 --output-format=json",
    );
    outcome.assert_success();
    let documents: Vec<Value> = Deserializer::from_str(&outcome.stdout)
        .into_iter()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|e| panic!("{}", outcome.describe(&e.to_string())));
    assert!(documents.len() >= 3, "{} documents", documents.len());
    assert!(outcome.stdout.starts_with("{\n"));
    let mut so_far = 0;
    for document in &documents {
        assert_eq!(shape_json::faults(document), Vec::<String>::new());
        let ios = document["jobs"][0]["read"]["total_ios"].as_u64().unwrap();
        assert!(ios >= so_far, "cumulative figures fell from {so_far} to {ios}");
        so_far = ios;
    }
    let first = documents[0]["jobs"][0]["read"]["total_ios"].as_u64().unwrap();
    assert!(first < so_far, "the first document already tells all");
}

#[test]
fn a_status_interval_in_terse_form_gives_a_line_a_job_each_time() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run(
        "--name=s --rw=randread --size=4m --rate_iops=500 --time_based --runtime=2 \
         --status-interval=1 --minimal",
    );
    outcome.assert_success();
    let lines = outcome.stdout.lines().filter(|line| !line.is_empty()).count();
    assert!(lines >= 2, "{}", outcome.describe("lines"));
    assert!(outcome.stdout.lines().all(|line| line.is_empty() || line.starts_with("3;fio-")));
}
