//! `fathom check` against a provider that is known to the I/O: a loop device that the kernel holds
//! to a rate. What it gives is what the promise says, or less, and the exit code must tell which.
//!
//! The device is a file on this machine's disk, so runs are of 5 s and the rates low enough for
//! any disk.

use std::path::Path;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{LoopDevice, Throttle, need};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Sandbox, subject, without_breaks};

fn check(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("check {line}"))
}

/// Checks the device under its throttle; its exit code and document.
fn throttled(sandbox: &Sandbox, throttle: &Throttle, line: &str) -> (Option<i32>, Value) {
    let program = subject().display().to_string();
    let script = format!(
        "echo $$ > {}; exec {program} check {line} --time-per-run 5s --size 32m --json --quiet --no-record",
        throttle.door()
    );
    let outcome = sandbox.shell(&script);
    outcome.assert_no_panic();
    let document: Value = serde_json::from_str(&outcome.stdout)
        .unwrap_or_else(|why| panic!("{}", outcome.describe(&format!("no document: {why}"))));
    (outcome.code, document)
}

/// A device of 32 MiB that is held to `limits`.
fn provider(sandbox: &Sandbox, limits: &[(&str, u64)]) -> Option<(LoopDevice, Throttle)> {
    let device = need(LoopDevice::new(sandbox.root(), 32 << 20))?;
    let throttle = need(Throttle::new(&device.path, limits))?;
    Some((device, throttle))
}

/// The runs for one goal: standing, mean IOPS and the cap that was named.
fn found(document: &Value, goal: &str) -> Vec<(String, f64, Option<f64>)> {
    let runs = document["runs"].as_array().unwrap().iter().filter(|run| run["goal"] == goal);
    let one = |run: &Value| {
        let finding = &run["finding"];
        let standing = finding["standing"].as_str().unwrap().to_owned();
        let iops = run["figures"]["total"]["iops"].as_f64().unwrap();
        (standing, iops, finding["cap"]["value"].as_f64())
    };
    runs.map(one).collect()
}

/// Within 3 %: a short run lets through what was saved up before it, too.
fn is_near(value: Option<f64>, of: f64) -> bool {
    value.is_some_and(|value| (value / of - 1.0).abs() <= 0.03)
}

/// 125 MiB/s and more is let through by 3,000 IOPS in blocks of 256 KiB.
const GP3: &str = "--promise aws.gp3 --volume-size 500GiB";

#[test]
fn a_device_that_gives_3000_iops_keeps_the_promise_of_gp3() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let limits = [("read_iops", 3000), ("write_iops", 3000)];
        let Some((device, throttle)) = provider(&sandbox, &limits) else { return };
        let line = format!("{0} {GP3} --destroy-data-on {0}", device.text());
        let (code, document) = throttled(&sandbox, &throttle, &line);
        assert_eq!((code, &document["standing"]), (Some(0), &"kept".into()), "{document:#}");
        assert_eq!(document["runs"].as_array().unwrap().len(), 6);
        for (standing, _, cap) in found(&document, "iops") {
            assert_eq!(standing, "kept");
            assert!(is_near(cap, 3000.0), "named: {cap:?}");
        }
    });
}

#[test]
fn a_device_that_gives_2500_misses_it_with_an_exit_code_of_its_own() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some((device, throttle)) = provider(&sandbox, &[("read_iops", 2500)]) else { return };
        let (code, document) = throttled(&sandbox, &throttle, &format!("{} {GP3}", device.text()));
        assert_eq!((code, &document["standing"]), (Some(3), &"missed".into()), "{document:#}");
        let [(standing, iops, cap)] = &found(&document, "iops")[..] else { panic!("{document:#}") };
        assert_eq!(standing, "missed");
        assert!((2300.0..=2600.0).contains(iops) && is_near(*cap, 2500.0), "{iops} {cap:?}");
        // Nothing of it may be written, so that writes are left out by name.
        assert_eq!(document["left_out"].as_array().unwrap().len(), 3);
        let others = ["latency", "throughput"].map(|goal| found(&document, goal)[0].0.clone());
        assert_eq!(others, ["kept", "kept"]);
    });
}

#[test]
fn limits_by_hand_are_kept_and_missed_alike() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some((device, throttle)) = provider(&sandbox, &[("read_iops", 3000)]) else { return };
        for (iops, code, standing) in [(3000, Some(0), "kept"), (4000, Some(3), "missed")] {
            let line = format!("{} --iops {iops}", device.text());
            let (got, document) = throttled(&sandbox, &throttle, &line);
            assert_eq!((got, &document["standing"]), (code, &standing.into()), "{document:#}");
            let [(_, _, cap)] = &found(&document, "iops")[..] else { panic!("one run of reads") };
            assert!(is_near(*cap, 3000.0), "{cap:?}");
        }
    });
}

#[test]
fn bytes_a_second_are_held_against_a_bandwidth_throttle() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some((device, throttle)) = provider(&sandbox, &[("read_bps", 50_000_000)]) else {
            return;
        };
        for (mbps, code) in [(50, Some(0)), (80, Some(3))] {
            let line = format!("{} --mbps {mbps}", device.text());
            let (got, document) = throttled(&sandbox, &throttle, &line);
            assert_eq!(got, code, "{document:#}");
            let [(_, iops, _)] = &found(&document, "throughput")[..] else { panic!("one run") };
            let mb_per_s = iops * 262_144.0 / 1e6;
            assert!((45.0..=55.0).contains(&mb_per_s), "{mb_per_s} MB/s under a limit of 50");
        }
    });
}

#[test]
fn latency_is_checked_one_io_at_a_time_and_by_itself() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let line = ". --latency 20s --latency p99=20s --read-only --time-per-run 2s --size 4m --json --quiet";
        let outcome = check(&sandbox, line);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let runs = document["runs"].as_array().unwrap();
        assert_eq!((runs.len(), &runs[0]["goal"]), (1, &"latency".into()));
        assert!(runs[0]["command"].as_str().unwrap().contains("--iodepth=1 "));
        let lines = runs[0]["finding"]["judgement"]["verdicts"].as_array().unwrap();
        let outcomes: Vec<&Value> = lines.iter().map(|line| &line["outcome"]).collect();
        assert_eq!(outcomes, ["kept", "kept"]);
    });
}

#[test]
fn each_limit_has_a_row_with_the_figure_that_was_limited() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let line =
            ". --latency 20s --latency p99=1us --read-only --time-per-run 2s --size 4m --no-record";
        let outcome = check(&sandbox, line);
        let text = &outcome.stdout;
        // On a machine that others keep busy it cannot be told whose latency it was.
        let (missed, all) = match outcome.code {
            Some(3) => ("FAIL", "FAIL: 1 of 2 limits missed"),
            Some(5) => ("UNDECIDED", "UNDECIDED: 1 of 2 limits could not be judged"),
            _ => panic!("{}", outcome.describe("a limit that no volume keeps")),
        };
        let lines: Vec<&str> = text.lines().collect();
        let row = |words: &str| {
            let at = lines.iter().position(|line| line.contains(words));
            let at = at.unwrap_or_else(|| panic!("no row of {words}: {text}"));
            lines[at].to_owned()
        };
        let (mean, p99) = (row("QD 1: mean"), row("QD 1: p99"));
        assert!(mean.contains(" 20.0 s "), "{text}");
        assert!(p99.contains(missed) && p99.contains(" 1.00 us "), "{text}");
        let measured =
            |row: &str| row.split_whitespace().rev().skip(1).take(2).collect::<Vec<_>>().join(" ");
        assert_ne!(measured(&mean), measured(&p99), "each with its own figure: {text}");
        assert!(without_breaks(text).contains(all), "{text}");
        let json = check(&sandbox, &format!("{line} --json --quiet"));
        let document: Value = serde_json::from_str(&json.stdout).unwrap();
        let gate = &document["gate"];
        let outcomes = ["fail", "undecided"];
        assert!(outcomes.iter().any(|one| gate["outcome"] == *one) && gate["of"] == 2, "{gate}");
        // The report has the same two figures beside the same two limits.
        let lines = document["runs"][0]["finding"]["judgement"]["verdicts"].as_array().unwrap();
        assert!(lines[1]["evidence"]["latency_ns"].as_f64() > Some(1000.0), "{lines:?}");
    });
}

#[test]
fn far_more_than_promised_is_a_pass_and_no_such_volume() {
    on_a_quiet_machine(|| {
        let sandbox = Sandbox::new();
        let Some(device) = need(LoopDevice::new(sandbox.root(), 32 << 20)) else { return };
        let line = format!("{} --promise aws.gp3 --volume-size 500GiB", device.text());
        let dry = check(&sandbox, &format!("{line} --dry-run"));
        let flat = without_breaks(&dry.stdout);
        assert!(flat.contains("--volume-size says 500 GiB, but "), "{flat}");
        let outcome = check(&sandbox, &format!("{line} --time-per-run 2s --read-only --no-record"));
        let flat = without_breaks(&outcome.stdout);
        // A busy machine may give less; what it gives is then no pass either.
        if outcome.code == Some(0) {
            assert!(flat.contains("PASS, but not a gp3: "), "{flat}");
            assert!(
                flat.contains("x the promise; ") && flat.contains("Wrong --promise, or a cache"),
                "{flat}"
            );
            assert!(!flat.contains("Reads averaged"), "{flat}");
        }
    });
}

fn nothing_left(sandbox: &Sandbox) {
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 0);
    assert!(!Path::new(&sandbox.home()).exists(), "a history was begun");
}

#[test]
fn a_dry_run_says_what_it_would_do_and_touches_nothing() {
    let sandbox = Sandbox::new();
    let outcome = check(&sandbox, &format!(". {GP3} --dry-run --size 64m --time-per-run 20s"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("a dry run"));
    let flat = without_breaks(&outcome.stdout);
    for words in [
        "Promise of aws.gp3",
        "500 GiB (537 GB), as --volume-size says",
        "re:Invent 2025",
        "The instance has limits of its own",
        "4 KiB random read, QD 32: 3,000 IOPS promised",
        "256 KiB sequential write, QD 16: 131 MB/s promised",
        "6 runs of 20 s",
        "64 MiB once",
        "--rw=randwrite --bs=4k --iodepth=32",
    ] {
        assert!(flat.contains(words), "{words:?} is not in:\n{}", outcome.stdout);
    }
    nothing_left(&sandbox);
}

#[test]
fn a_bucket_that_outlasts_the_run_is_told_beforehand() {
    let sandbox = Sandbox::new();
    let line = ". --promise aws.gp2 --volume-size 500GiB --dry-run --size 64m";
    let flat = without_breaks(&check(&sandbox, line).stdout);
    assert!(flat.contains("may give 3,000 IOPS for 1 h"), "{flat}");
    assert!(flat.contains("--time-per-run 72m to see it, or this checks the burst only"), "{flat}");
    let long = check(&sandbox, &format!("{line} --time-per-run 72m")).stdout;
    assert!(!long.contains("checks the burst only"), "{long}");
}

#[test]
fn what_is_asked_wrongly_is_refused_with_what_to_give() {
    let sandbox = Sandbox::new();
    for (line, code, words) in [
        (". --promise aws.gp4", 2, "did you mean aws.gp"),
        (". --promise naver.block_ssd --volume-size 5GB", 1, "--volume-size"),
        (". --promise aws.gp3 --volume-size 500GiB --iops 100000", 1, "--iops"),
        (". --promise azure.anf --volume-size 2TiB", 1, "--variant"),
        (". --promise naver.block_hdd --volume-size 500GB", 2, "nothing in numbers is promised"),
        (". --iops 3000 --time-per-run 1s", 2, "each takes 2 s"),
        (". --iops 3000 --volume-size 500GB", 2, "--promise"),
        (".", 2, "--promise"),
    ] {
        let outcome = check(&sandbox, line);
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe(line));
        assert!(outcome.stderr.contains(words), "{}", outcome.describe(words));
    }
    nothing_left(&sandbox);
}

/// The size is the device's where it is known; where not, the flag is named.
#[test]
fn a_size_that_is_needed_comes_from_the_device_or_is_asked_for() {
    let sandbox = Sandbox::new();
    let line = "/dev/shm --promise naver.block_ssd --dry-run";
    let outcome = check(&sandbox, line);
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("memory has no device"));
    assert!(outcome.stderr.contains("give --volume-size, such as 500GB"), "{}", outcome.stderr);
    let Some(device) = need(LoopDevice::new(sandbox.root(), 20_000_000_000)) else { return };
    let line = format!("{} --promise naver.block_ssd --dry-run", device.text());
    let outcome = check(&sandbox, &line);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("a device has a size"));
    let flat = without_breaks(&outcome.stdout);
    let taken = format!("the size of {}, since --volume-size does not say", device.text());
    assert!(flat.contains(&taken), "{flat}");
    assert!(flat.contains("4,000 IOPS promised"), "{flat}");
}

#[test]
fn a_check_that_is_stopped_says_so_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let line = "check . --iops 1 --time-per-run 2s --size 4m";
    let mut running = sandbox.start_fathom(line);
    running.wait_for_stderr(|text| text.contains("1/2 4 KiB random read"));
    running.signal(Signal::INT);
    let outcome = running.finish();
    outcome.assert_no_panic();
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("stopped by ^C"));
    assert!(outcome.stdout.contains("UNDECIDED"), "{}", outcome.stdout);
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 0);
}

#[test]
fn a_check_is_kept_in_the_history() {
    let sandbox = Sandbox::new();
    let line = ". --iops 1 --read-only --time-per-run 2s --size 4m --tag night --seed 7";
    let outcome = check(&sandbox, line);
    let list = sandbox.fathom("history list --json");
    assert!(list.stdout.contains("\"check\"") && list.stdout.contains("night"), "{}", list.stdout);
    assert!(list.stdout.contains("one that writes was left out"), "{}", list.stdout);
    assert!(outcome.stdout.contains("4 KiB random read, QD 32"), "{}", outcome.stdout);
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 0);
}
