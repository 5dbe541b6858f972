//! `fathom doctor` on the machine that tests run on: what it says, in which shape, and what it
//! leaves behind. No figure is judged, and nothing that it finds here is expected.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::sandbox::{Outcome, Running, Sandbox, left_in, subject};

/// Starts it with the sandbox's folder for temporary files.
fn start(sandbox: &Sandbox, line: &str) -> Running {
    let folder = format!("TMPDIR={}", sandbox.work().display());
    let program = subject().display().to_string();
    let fixed = [folder.as_str(), program.as_str(), "doctor"];
    let args: Vec<&str> = fixed.into_iter().chain(line.split_whitespace()).collect();
    sandbox.start_program("/usr/bin/env", &args)
}

fn doctor(sandbox: &Sandbox, line: &str) -> Outcome {
    let outcome = start(sandbox, line).finish();
    outcome.assert_no_panic();
    outcome
}

fn topics(findings: &Value) -> Vec<&str> {
    let findings = findings.as_array().expect("a list");
    for finding in findings {
        let severity = finding["severity"].as_str().expect("a word");
        assert!(["ok", "note", "warning"].contains(&severity), "{finding}");
        assert!(finding["evidence"].as_str().is_some_and(|text| text.ends_with('.')), "{finding}");
    }
    findings.iter().map(|finding| finding["topic"].as_str().expect("a word")).collect()
}

#[test]
fn a_quick_look_is_one_document_and_measures_nothing() {
    let sandbox = Sandbox::new();
    let outcome = doctor(&sandbox, "--quick --json .");
    let document = outcome.assert_ended(0).json();
    assert_eq!((&document["kind"], &document["schema"]), (&"fathom-doctor".into(), &1.into()));
    assert_eq!(document["ceilings"], Value::Array(Vec::new()));
    let host = topics(&document["findings"]);
    for topic in ["clock", "io_uring", "libaio", "governor", "cpu_quota", "load", "memory", "swap"]
    {
        assert!(host.contains(&topic), "{topic} is missing: {host:?}");
    }
    assert!(document["host"]["clock"]["reading_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    assert_eq!(document["host"]["io_uring"]["tried"], true);
    let target = &document["targets"][0];
    assert_eq!((&target["path"], &target["failure"]), (&".".into(), &Value::Null));
    let found = topics(&target["findings"]);
    for topic in ["file_system", "mount_options", "space", "direct_io"] {
        assert!(found.contains(&topic), "{topic} is missing: {found:?}");
    }
    assert_eq!(outcome.stderr, "");
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn ceilings_are_measured_and_scratch_files_go() {
    let sandbox = Sandbox::new();
    let outcome = doctor(&sandbox, "--json");
    let document = outcome.assert_ended(0).json();
    let ceilings = document["ceilings"].as_array().unwrap();
    assert!(ceilings.len() >= 5, "{ceilings:?}");
    for ceiling in ceilings {
        let measured = ceiling["iops"].as_f64().is_some_and(|iops| iops > 0.0);
        let explained = ceiling["failure"].as_str().is_some_and(|why| !why.is_empty());
        assert!(measured != explained, "{ceiling}");
    }
    assert!(ceilings[0]["iops"].is_f64(), "the null engine needs nothing: {}", ceilings[0]);
    assert!(outcome.stderr.contains("measuring null, depth 32\n"), "{}", outcome.stderr);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn an_interrupt_ends_it_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, "");
    running.wait_for_stderr(|text| text.contains("measuring psync"));
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("exit code"));
    assert_eq!(outcome.stdout, "");
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_path_that_is_not_there_fails_alone() {
    let sandbox = Sandbox::new();
    let some = doctor(&sandbox, "--quick -v . ./no/such");
    assert_eq!(some.code, Some(1), "{}", some.describe("exit code"));
    assert!(some.stdout.contains("FAILED: ./no/such does not exist"), "{}", some.stdout);
    assert!(some.stdout.contains("This host") && some.stdout.contains("file system"));
    assert!(some.stdout.starts_with("1 of 2 paths could not be examined.\n"), "{}", some.stdout);
    // A file could be made there, but its name may be a misspelt folder.
    let new = doctor(&sandbox, "new");
    assert_eq!(new.code, Some(1), "{}", new.describe("exit code"));
    let what = "fathom: new does not exist; to examine the volume of ., name that folder\n";
    assert!(new.stderr.contains(what), "{}", new.stderr);
    assert_eq!((new.stdout.as_str(), new.stderr.contains("measuring")), ("", false), "at once");
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn strict_fails_exactly_if_there_are_warnings() {
    let sandbox = Sandbox::new();
    let outcome = doctor(&sandbox, "--quick --strict --json .");
    let document = outcome.json();
    let lists = [&document["findings"], &document["targets"][0]["findings"]];
    let all = lists.into_iter().filter_map(Value::as_array).flatten();
    let warnings = all.filter(|finding| finding["severity"] == "warning").count();
    let (code, said) = if warnings == 0 { (0, "doctor: PASS") } else { (4, "doctor: FAIL (") };
    assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
    assert!(outcome.stderr.starts_with(said), "{}", outcome.stderr);
    // What could not be examined is no answer.
    let gone = doctor(&sandbox, "--quick --strict ./no/such");
    assert_eq!(gone.code, Some(1), "{}", gone.describe("exit code"));
    assert!(!gone.stdout.contains("doctor: "), "{}", gone.stdout);
}

#[test]
fn a_file_is_opened_for_reading_and_kept_as_it_is() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("data", [7; 5000]);
    let outcome = doctor(&sandbox, "--quick --json data");
    let document = outcome.assert_ended(0).json();
    assert_eq!(document["targets"][0]["facts"]["volume"]["kind"]["is"], "existing_file");
    assert_eq!(fs::read(file).unwrap(), [7; 5000]);
    assert_eq!(left_in(&sandbox.work()), ["data"]);
}
