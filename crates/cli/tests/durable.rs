//! `fathom measure --for`: flushes against the kernel's own count, and a limit that holds alone and
//! is missed beside a load.
//!
//! The device lies in memory, so that no disk decides, and the kernel holds its writes to a rate. A
//! machine whose processors others keep busy can delay flushes, too: a run that was so is made
//! again, three times at most.

use crate::devices::{LoopDevice, Throttle, memory, need};
use crate::sandbox::{Outcome, Sandbox, subject, without_breaks};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A device of 128 MiB in memory.
fn device(folder: &Path) -> Option<LoopDevice> {
    need(LoopDevice::new(folder, 128 << 20))
}

/// Flushes that the kernel has counted for a device: the 16th field of its `stat`.
fn flushes(name: &str) -> u64 {
    let text = fs::read_to_string(format!("/sys/block/{name}/stat")).unwrap();
    text.split_whitespace().nth(15).expect("a kernel that counts flushes").parse().unwrap()
}

fn for_etcd(sandbox: &Sandbox, device: &LoopDevice, throttle: &Throttle, more: &str) -> Outcome {
    let (program, device) = (subject().display().to_string(), device.text());
    sandbox.shell(&format!(
        "echo $$ > {}; exec {program} measure --for etcd {device} --destroy-data-on {device} {more} \
         --size 64m --json --quiet --no-record",
        throttle.door()
    ))
}

#[test]
fn a_program_without_a_published_limit_has_figures_and_no_outcome() {
    let sandbox = Sandbox::new();
    let line = "measure --for postgres . --size 8m --time 1500ms --report r.html";
    let measured = sandbox.fathom(line);
    measured.assert_ended(0);
    assert!(measured.stdout.contains("no limit is published"), "{}", measured.stdout);
    assert!(!measured.stdout.contains("UNDECIDED"), "{}", measured.stdout);
    // A log is written to the page cache, whatever the engine could do.
    let heading = without_breaks(&measured.stdout);
    let way = "psync (writes go to the page cache, flushes to the device)";
    assert!(heading.contains(way) && !heading.contains("O_DIRECT"), "{heading}");
    // So says its plan.
    let planned = without_breaks(&sandbox.fathom(&format!("{line} --dry-run")).stdout);
    let way = "reached by writes go to the page cache, flushes to the device";
    assert!(planned.contains(way) && !planned.contains("O_DIRECT"), "{planned}");
    // It is the rate of the row's flushes in the third of the time that each run has.
    let text = measured.stdout.replace("\n  ", " ");
    let rate = text.split("A client that waits for each reaches ").nth(1).unwrap();
    let rate: f64 = rate.split(" a second.").next().unwrap().replace(',', "").parse().unwrap();
    let row = text.lines().find(|line| line.contains("B + fdatasync")).unwrap();
    let flushes = row.split_whitespace().nth(4).unwrap().replace(',', "").parse::<f64>().unwrap();
    assert!((0.3..1.5).contains(&(flushes / rate)), "{flushes} flushes, {rate} a second: {text}");
    let history = sandbox.fathom("history");
    assert!(!history.stdout.contains("UNDECIDED"), "{}", history.stdout);
    // A median is no mean.
    let list = sandbox.fathom("history --json").stdout;
    assert!(list.contains("p50_ns") && !list.contains("mean_ns"), "{list}");
    let page = fs::read_to_string(sandbox.work().join("r.html")).unwrap();
    for tile in ["Median flush", "Flush p99", "Flushes a second"] {
        assert!(page.contains(tile), "{tile}");
    }
    assert!(!page.contains("Median latency") && !page.contains("against its limit"));
    // There is nothing for a pipeline to judge by.
    let line = "measure --for postgres . --size 8m --time 900ms --quiet --no-record";
    let quiet = sandbox.shell(&format!("GITHUB_ACTIONS=true exec {} {line}", subject().display()));
    assert!(!quiet.stderr.contains("::warning"), "{}", quiet.stderr);
}

#[test]
fn a_log_keeps_its_limit_alone_and_misses_it_beside_a_load_and_flushes_are_the_kernels() {
    let sandbox = Sandbox::new();
    let Some(memory) = memory() else { return };
    let Some(device) = device(memory.path()) else { return };
    let limits = [("write_iops", 3000)];
    let Some(throttle) = need(Throttle::new(&device.path, &limits)) else { return };
    let mut seen = Vec::new();
    for _ in 0..3 {
        let before = flushes(&device.name());
        let load = "--time 8s --beside 'write 2700/s 4k'";
        let outcome = for_etcd(&sandbox, &device, &throttle, load);
        let counted = flushes(&device.name()) - before;
        let document: Value = outcome.json();
        let runs = document["runs"].as_array().unwrap();
        assert_eq!(runs.len(), 4, "{}", outcome.describe("three ways alone and one beside"));
        let of = |run: &Value| run["flush"]["flushes"].as_u64().unwrap();
        for run in runs.iter().filter(|run| run["method"] == "fdatasync") {
            assert_eq!(run["device_flushes"].as_u64(), Some(of(run)), "{run}");
        }
        let ours: u64 = runs.iter().map(|run| run["device_flushes"].as_u64().unwrap()).sum();
        assert!(counted >= ours, "the kernel counted {counted}, the runs {ours}");
        // The device forgets what was not flushed, and memory flushes at once.
        assert_eq!(runs[0]["too_fast"], true, "{}", runs[0]["flush"]);
        let gate = &document["gate"];
        assert_eq!((&gate["outcome"], &gate["of"]), (&document["outcome"], &2.into()), "{gate}");
        let outcomes = [&runs[0]["outcome"], &runs[3]["outcome"]].map(Value::clone);
        let summary = document["summary"].as_str().unwrap().to_owned();
        if (outcome.code, &outcomes) == (Some(3), &["pass".into(), "fail".into()]) {
            return;
        }
        // Beside other programs it may be they who made the flushes slow, and the sentence says so.
        let busy = summary.contains("The host was busy: ");
        if busy && outcome.code == Some(5) && outcomes[0] != "fail" && outcomes[1] != "pass" {
            return;
        }
        seen.push((outcome.code, outcomes, summary));
    }
    panic!("exit code and outcomes alone and beside: {seen:?}");
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_made() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work();
    let folder = folder.display();
    for (line, words) in [
        (format!("{folder} --for xyzzy"), "--for knows etcd, postgres, kafka, and not 'xyzzy'"),
        (format!("{folder} --for PostgreSQL"), "did you mean postgres?"),
        (format!("{folder} --for etcd3"), "did you mean etcd?"),
        (format!("{folder} --for mariadb"), "for the log of a database take postgres"),
        (format!("{folder} {folder} --for etcd"), "one target at a time"),
        (format!("{folder} --beside 'read 50/s 4k'"), "--for"),
        (format!("{folder} --junit {folder}/../j.xml"), "the outcome of --for; give --for"),
        (format!("{folder} --for postgres --junit {folder}/../j.xml"), "postgres has none"),
        (format!("{folder} --for etcd --beside 'read 50 4k'"), "as 'write 300/s 4k'"),
        (format!("{folder} --for etcd --read-only"), "--read-only"),
    ] {
        let program = subject().display().to_string();
        let outcome = sandbox.shell(&format!("exec {program} measure {line}"));
        assert_ne!(outcome.code, Some(0), "{}", outcome.describe(&line));
        assert!(outcome.stderr.contains(words), "{}", outcome.describe(words));
    }
    assert_eq!(crate::sandbox::left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn the_outcome_is_said_once_and_is_a_case_for_ci_systems() {
    let sandbox = Sandbox::new();
    let line = "measure . --for etcd --time 1s --size 16m --no-record --junit j.xml";
    let outcome = sandbox.fathom(line);
    let junit = fs::read_to_string(sandbox.work().join("j.xml")).unwrap();
    let case = "fdatasync: flush p99 of 10 ms at most\">";
    assert!(junit.contains("tests=\"1\"") && junit.contains(case), "{junit}");
    assert!(junit.contains("measured a flush p99 of "), "{junit}");
    let marks = [(Some(3), "<failure "), (Some(5), "<skipped ")];
    for (code, mark) in marks {
        assert_eq!(outcome.code == code, junit.contains(mark), "{}", outcome.describe(&junit));
    }
    assert!(matches!(outcome.code, Some(0 | 3 | 5)), "{}", outcome.describe("measures"));
    // Lines are broken where they are too long.
    let text = without_breaks(&outcome.stdout);
    let said = |words: &str| text.matches(words).count();
    // What is asked stands before the runs; what came of it in the sentence, and its parts in the
    // table.
    assert_eq!(said("p99 of 10 ms"), 1, "{}", outcome.stdout);
    assert_eq!(said("10 ms allowed:"), 1, "{}", outcome.stdout);
    let run = outcome.stdout.lines().find(|line| line.contains("+ fdatasync "));
    let named = |word: &&str| run.is_some_and(|run| run.contains(*word));
    assert!(["PASS", "FAIL", "UNDECIDED"].iter().any(named), "{}", outcome.stdout);
}
