//! What ends a measurement from outside, beside ^C and SIGTERM: every other signal that would end
//! the process, those that are to be ignored, the limits of `ulimit`, and a stop in between.

use crate::sandbox::{HANG, Outcome, Running, Sandbox, left_in, subject, without_breaks};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

/// A measurement that goes on for longer than any test waits, under a shell's `before`.
fn start(sandbox: &Sandbox, before: &str, line: &str) -> Running {
    let script = format!("{before} exec '{}' {line}", subject().display());
    sandbox.start_program("/bin/sh", &["-c", &script])
}

/// Its first phase ends after two seconds; fourteen are left then.
const LONG: &str = "measure . --size 16m --time 16s --json";

fn measuring(running: &mut Running) {
    running.wait_for_stderr(|text| text.contains("1/8 4 KiB random read, QD 1"));
}

fn assert_ended_in_results(outcome: &Outcome, code: i32, sandbox: &Sandbox) {
    assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
    assert_eq!(outcome.json()["interrupted"], true, "{}", outcome.describe("a whole document"));
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn every_signal_that_ends_a_process_ends_a_measurement_in_its_results() {
    for signal in [
        Signal::QUIT,
        Signal::USR2,
        Signal::ALARM,
        Signal::VTALARM,
        Signal::PROF,
        Signal::XCPU,
        Signal::IO,
        Signal::POWER,
        Signal::STKFLT,
    ] {
        let sandbox = Sandbox::new();
        let mut running = start(&sandbox, "ulimit -c 0;", LONG);
        measuring(&mut running);
        running.signal(signal);
        assert_ended_in_results(&running.finish(), 128 + signal.as_raw(), &sandbox);
    }
}

#[test]
fn what_was_ignored_at_the_start_stays_ignored_in_every_command() {
    for (line, begun) in [
        (LONG, "1/8 4 KiB"),
        ("sweep . --size 16m --time-per-run 2s --iodepth 1..64 --json", "1/7 iodepth=1"),
        ("run --name=x --rw=randread --size=4m --time_based --runtime=40", "laying out"),
        ("watch -i 50ms . --json", "{"),
    ] {
        let sandbox = Sandbox::new();
        let mut running = start(&sandbox, "trap '' HUP INT;", line);
        if line.starts_with("watch") {
            running.wait_for_stdout(|text| text.contains(begun));
        } else {
            running.wait_for_stderr(|text| text.contains(begun));
        }
        // Signals arrive in the order of their numbers: HUP and INT before TERM.
        running.signal(Signal::STOP);
        for signal in [Signal::HUP, Signal::INT, Signal::TERM] {
            running.signal(signal);
        }
        running.signal(Signal::CONT);
        let outcome = running.finish();
        let code = if line.starts_with("watch") { 0 } else { 143 };
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe(line));
    }
}

#[test]
fn the_drop_in_ignores_what_was_ignored_and_keeps_its_exit_code() {
    let sandbox = Sandbox::new();
    let line = "fio --eta=always --name=long --rw=randread --size=4m --bs=4k --rate_iops=1000 \
                --time_based --runtime=40";
    let mut running = start(&sandbox, "trap '' HUP;", line);
    running.wait_for_stdout(|text| text.contains("[r="));
    running.signal(Signal::HUP);
    let seen = running.stdout().len();
    running.wait_for_stdout(|text| text[seen..].matches("[r=").count() > 2);
    running.signal(Signal::TERM);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(128), "{}", outcome.describe("exit code"));
    assert!(outcome.stdout.contains("terminating on signal 15"), "{}", outcome.describe("which"));
}

#[test]
fn a_limit_of_file_sizes_is_named_and_leaves_no_file() {
    let sandbox = Sandbox::new();
    // Blocks of 512 or 1024 bytes, as the shell has it: less than 16 MiB in either case.
    let outcome = start(&sandbox, "ulimit -f 8000;", "measure . --size 64m --time 1s").finish();
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("exit code"));
    let said = without_breaks(&format!("{} {}", outcome.stdout, outcome.stderr));
    assert!(said.contains("ulimit -f"), "{}", outcome.describe("the limit"));
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_limit_of_cpu_time_ends_a_measurement_in_its_results() {
    let sandbox = Sandbox::new();
    let line = "run --name=x --ioengine=null --size=1g --time_based --runtime=80 --json";
    let outcome = start(&sandbox, "ulimit -S -t 2;", line).finish();
    assert_eq!(outcome.code, Some(152), "{}", outcome.describe("exit code"));
    assert_eq!(outcome.json()["result"]["interrupted"], true, "{}", outcome.describe("document"));
    assert!(outcome.stderr.contains("CPU time limit (ulimit -t)"), "{}", outcome.describe("why"));
}

/// Waits until the live feed has a point of that phase: between phases nothing is measured.
fn in_phase(sandbox: &Sandbox, phase: &str) {
    let since = Instant::now();
    let feeds = || fs::read_dir(sandbox.home().join("live")).into_iter().flatten().flatten();
    let has =
        |feed: fs::DirEntry| fs::read_to_string(feed.path()).is_ok_and(|text| text.contains(phase));
    while !feeds().any(has) {
        assert!(since.elapsed() < HANG, "the phase {phase} never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_stop_in_between_is_told() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, "", "measure . --size 16m --time 16s --json");
    in_phase(&sandbox, "4 KiB random write, QD 1");
    running.signal(Signal::STOP);
    // How long the stop lasts is what is measured; nothing is waited for.
    std::thread::sleep(Duration::from_millis(1500));
    running.signal(Signal::CONT);
    running.wait_for_stderr(|text| text.contains("2/8 "));
    running.signal(Signal::TERM);
    let document = running.finish().json();
    let phases = document["phases"].as_array().unwrap();
    let stops: Vec<&Value> = phases
        .iter()
        .filter(|phase| phase["remarks"].to_string().contains("The process was stopped for"))
        .collect();
    assert_eq!(stops.len(), 1, "{phases:#?}");
    assert!(stops[0]["result"]["pause_ms"].as_u64().unwrap() >= 1000, "{:#?}", stops[0]);
    let summary = document["summary"].as_str().unwrap();
    assert!(summary.contains("The process was stopped for 1."), "{summary}");
    let verdicts = stops[0]["verdicts"].as_array().unwrap();
    for of_rate in ["steady", "sure", "unsure", "humps", "saw_tooth"] {
        assert!(verdicts.iter().all(|of| of["question"] != of_rate), "{verdicts:#?}");
    }
}

#[test]
fn a_pipe_gets_the_result_alone() {
    let sandbox = Sandbox::new();
    let line = "run --name=x --rw=randread --size=4m --time_based --runtime=200ms --quiet \
                --assert 'iops>0' --junit /dev/stderr --json=/dev/stdout";
    let outcome = start(&sandbox, "", line).finish();
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    let said = format!("{} {}", outcome.stdout, outcome.stderr);
    assert!(!said.contains("has not ended"), "{said}");
    assert_eq!(said.matches("\"kind\": \"fathom-run\"").count(), 1, "{said}");
}

#[test]
fn a_run_that_is_killed_leaves_no_pass_of_an_earlier_one_and_one_that_is_stopped_its_own() {
    let sandbox = Sandbox::new();
    // A job of a new name lays its file out, and says so.
    let run = |name: &str, runtime: &str| {
        let line = "--rw=randread --size=4m --time_based --assert 'iops>0' --junit t.xml \
                    --json=t.json";
        start(&sandbox, "", &format!("run --name={name} {line} --runtime={runtime}"))
    };
    let under_way = |name: &str| {
        let mut running = run(name, "40");
        running.wait_for_stderr(|text| text.contains("laying out"));
        running
    };
    let left = |file: &str| fs::read_to_string(sandbox.work().join(file)).unwrap();
    assert_eq!(run("first", "200ms").finish().code, Some(0));
    assert!(left("t.xml").contains("failures=\"0\" errors=\"0\""), "{}", left("t.xml"));
    let killed = under_way("killed");
    killed.signal(Signal::KILL);
    killed.finish();
    assert!(left("t.xml").contains("errors=\"1\""), "{}", left("t.xml"));
    for file in ["t.xml", "t.json"] {
        assert!(left(file).contains("the run has not ended"), "{file}: {}", left(file));
    }
    // As `timeout` does it: once for the process, once for its group.
    let stopped = under_way("stopped");
    (0..20).for_each(|_| stopped.signal(Signal::TERM));
    let outcome = stopped.finish();
    assert_eq!(outcome.code, Some(143), "{}", outcome.describe("exit code"));
    let document: Value = serde_json::from_str(&left("t.json")).unwrap();
    assert_eq!(document["interrupted"], true, "{}", left("t.json"));
    for file in ["t.xml", "t.json"] {
        assert!(!left(file).contains("the run has not ended"), "{file}: {}", left(file));
    }
}
