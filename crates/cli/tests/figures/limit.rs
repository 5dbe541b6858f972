//! `fathom limit` on real folders, files and devices: that a known cap is found, that a step's
//! command repeats it, what a signal leaves, what is refused. Only where the kernel sets the limit
//! is a figure judged.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{LoopDevice, Throttle, memory, need};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Running, Sandbox, left_in, subject, without_breaks};

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.start_fathom(&format!("limit {line}"))
}

fn limit(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("limit {line}"))
}

/// Steps of 200 ms in 16 MiB, few of them: enough to see that all goes its way.
const SMALL: &str = "--size 16m --time-per-run 200ms --max-steps 6";

#[test]
fn the_cap_that_the_kernel_sets_is_the_limit() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
        let Some(throttle) = need(Throttle::read_iops(&device.path, 2000)) else { return };
        // The kernel's throttle gives less than its rate to 256 at once by io_uring (fio sees it, too).
        let line = "--p99 100ms --time-per-run 2s --arrivals even --iodepth 128 --json --quiet";
        let command = format!("{} limit {} {line}", subject().display(), device.text());
        let outcome = sandbox.shell(&format!("echo $$ > {}; exec {command}", throttle.door()));
        assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
        let document = outcome.json();
        let answer = &document["answer"];
        let low = answer["rate_iops"].as_f64().unwrap();
        assert!((1940.0..=2060.0).contains(&low), "{} under a cap of 2,000", answer["text"]);
        let cautions = answer["cautions"].to_string();
        assert!(cautions.contains("Steps of 2 s are short"), "{cautions}");
        let steps = document["steps"].as_array().unwrap();
        let fails =
            |step: &Value| step["rate_iops"] == answer["high"] && step["finding"] != "keeps";
        assert!(steps.iter().any(fails), "the rate beyond the answer was run: {answer}");
    });
}

#[test]
fn a_search_says_what_it_does_and_what_came_of_it() {
    let sandbox = Sandbox::new();
    let outcome = limit(&sandbox, &format!(". --p99 10s {SMALL}"));
    assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe("exit code"));
    outcome.assert_no_panic();
    let said = without_breaks(&outcome.stdout);
    for words in [
        "a test file of 16 MiB",
        "Asks the highest 4 KiB random read rate that keeps p99 under 10 s",
        "at most 6 steps of 200 ms (and 25 ms before each",
        "Writes 16 MiB once, then nothing.",
        "Steps of 200 ms are short for this target",
        "max, QD 256 ",
        ": 4 KiB random read: ",
    ] {
        assert!(said.contains(words), "{words:?} is missing:\n{}", outcome.stdout);
    }
    let steps = outcome.stderr.lines().filter(|line| line.contains(" IOPS, p99 ")).count();
    assert!((3..=6).contains(&steps), "{}", outcome.stderr);
    assert!(left_in(&sandbox.work()).is_empty());
}

#[test]
fn each_step_can_be_had_again_by_its_command() {
    let sandbox = Sandbox::new();
    sandbox.write("data", vec![7; 4 << 20]);
    let line = format!("data --p99 10s --p50 5s --seed 3 {SMALL} --json --quiet");
    let outcome = limit(&sandbox, &line);
    assert!(outcome.stderr.is_empty(), "{}", outcome.describe("quiet"));
    let document = outcome.json();
    assert_eq!((&document["kind"], &document["schema"]), (&"fathom-limit".into(), &1.into()));
    assert_eq!(document["question"]["seed"], 3);
    assert_eq!(document["volume"]["test_file"], false);
    assert!(document["host"]["kernel"].is_string() && document["started_ms"].as_u64() > Some(0));
    let steps = document["steps"].as_array().unwrap();
    assert!(steps.len() >= 3 && steps.iter().all(|step| step["result"]["jobs"].is_array()));
    let rated = steps.iter().find(|step| step["load"] == "rate").unwrap();
    let response = &rated["result"]["jobs"][0]["open_loop"]["response"]["read"];
    assert_eq!(response["moments"]["count"], rated["reading"]["ios"]);
    assert_eq!(rated["reading"]["parts"].as_array().unwrap().len(), 2);
    let command = rated["command"].as_str().unwrap();
    assert!(command.contains("--rate_process=poisson"), "{command}");
    let args = command.strip_prefix("fathom fio ").unwrap();
    sandbox.shell(&format!("fio {args}")).assert_success();
}

#[test]
fn a_dry_run_touches_nothing() {
    let sandbox = Sandbox::new();
    let outcome = limit(&sandbox, ". -n --p99 1ms --rw randwrite --size 16m");
    outcome.assert_success();
    for words in ["about 15 steps (at most 30) of 10 s", "Writes 16 MiB once; then"] {
        assert!(outcome.stdout.contains(words), "{words:?} is missing:\n{}", outcome.stdout);
    }
    assert!(left_in(&sandbox.work()).is_empty());
}

#[test]
fn a_target_that_no_volume_meets_has_a_code_of_its_own() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        // A disk that writes what earlier tests left takes milliseconds for a read.
        let Some(memory) = memory() else { return };
        let Some(device) = need(LoopDevice::new(memory.path(), 64 << 20)) else { return };
        let line = format!("{} --p99 1us --size 16m --time-per-run 200ms --quiet", device.text());
        let outcome = limit(&sandbox, &line);
        assert_eq!(outcome.code, Some(3), "{}", outcome.describe("exit code"));
        let text = without_breaks(&outcome.stdout);
        assert!(text.contains("no rate keeps p99 under 1 us. "), "{text}");
        assert!(text.contains(" us floor "), "what one I/O at a time takes: {text}");
    });
}

#[test]
fn an_interrupt_keeps_what_is_known() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let sandbox = Sandbox::new();
        let mut running = start(&sandbox, ". --p99 10s --size 16m --time-per-run 1s --json");
        // The second step is over, so the third has begun or is about to.
        running.wait_for_stderr(|text| text.contains("\n2. max, QD 1: "));
        running.signal(signal);
        let outcome = running.finish();
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
        let document = outcome.json();
        assert_eq!(
            (&document["interrupted"], &document["answer"]["verdict"]),
            (&true.into(), &"halted".into())
        );
        let steps = document["steps"].as_array().unwrap();
        assert!(steps[0]["reading"]["iops"].as_f64() > Some(0.0));
        assert!(document["answer"]["text"].as_str().unwrap().contains("stopped"));
        assert!(left_in(&sandbox.work()).is_empty());
    }
}

#[test]
fn data_that_is_not_ours_is_only_read_unless_named() {
    let sandbox = Sandbox::new();
    let data = vec![7; 4 << 20];
    let path = sandbox.write("data", &data);
    let line = format!("data --p99 10s {SMALL} --quiet");
    assert_ne!(limit(&sandbox, &line).code, Some(1));
    assert!(fs::read(&path).unwrap() == data, "was written to");
    let refused = limit(&sandbox, &format!("{line} --rw randwrite"));
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("--destroy-data-on data"), "{}", refused.stderr);
    assert!(fs::read(&path).unwrap() == data, "was written to");
    let written = limit(&sandbox, &format!("{line} --rw randwrite --destroy-data-on data"));
    assert_ne!(written.code, Some(1), "{}", written.describe("exit code"));
    assert!(fs::read(&path).unwrap() != data, "nothing was written");
}

#[test]
fn what_cannot_be_asked_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    for (line, words) in [
        (". --p99 1ms --size 900000t", "smaller --size"),
        ("missing/folder --p99 1ms", "does not exist"),
    ] {
        limit(&sandbox, line).assert_refused_in_a_sentence(words);
    }
    for (line, words) in [
        (".", "--p99 1ms"),
        (". --p99 1ms --p50 1ms", "leaves nothing to decide for p50 under 1 ms"),
        (". --p99 1ms --time-per-run 50ms", "too short for a step"),
        (". --p99 1ms --rw write --read-only", "contradict each other"),
    ] {
        limit(&sandbox, line).assert_usage_in_a_sentence(words);
    }
    let usage = limit(&sandbox, ". --p99 1ms --rw randrw");
    assert_eq!(usage.code, Some(2));
    assert!(usage.stderr.contains("one direction at a time"), "{}", usage.stderr);
    assert!(left_in(&sandbox.work()).is_empty());
}
