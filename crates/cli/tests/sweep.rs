//! `fathom sweep` on real folders, files and devices: case E in small, what a signal or a kill
//! leaves, what goes on. Times are short, and no figure is judged.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{LoopDevice, need};
use crate::sandbox::{Outcome, Running, Sandbox, left_in, without_breaks};

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.start_fathom(&format!("sweep {line}"))
}

fn sweep(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("sweep {line}"))
}

/// Cases of 200 ms in 16 MiB, on this machine's disk.
const SMALL: &str = ". --size 16m --time-per-run 200ms --ramp 0 --json --quiet";

fn kept(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("a document was kept")).expect("it is whole")
}

/// The runs of a document that had their whole time: case and round.
fn over(document: &Value) -> Vec<(u64, u64)> {
    let cases = document["cases"].as_array().unwrap();
    let run = |case: &&Value| case["cut_short"] == false;
    let number = |case: &Value, name: &str| case[name].as_u64().unwrap();
    cases.iter().filter(run).map(|case| (number(case, "case"), number(case, "round"))).collect()
}

#[test]
fn a_finished_sweep_is_in_the_history_alone_unless_its_file_was_named() {
    let sandbox = Sandbox::new();
    let files = || left_in(&sandbox.home().join("sweeps")).len();
    let line = format!("{SMALL} --iodepth 1,2");
    sweep(&sandbox, &line).assert_ended(0);
    assert_eq!(files(), 0, "the history has it");
    sweep(&sandbox, &format!("{line} --checkpoint own.json")).assert_ended(0);
    assert_eq!(kept(&sandbox.work().join("own.json"))["kind"], "fathom-sweep");
    sweep(&sandbox, &format!("{line} --no-record")).assert_ended(0);
    assert_eq!(files(), 1, "nothing else has it");
    assert!(left_in(&sandbox.home().join("sweeps"))[0].ends_with(".json"));
}

/// One of case E's sweeps: `cases` of them, and so many curves.
fn case_e(line: &str, cases: usize, curves: usize) -> Value {
    let sandbox = Sandbox::new();
    let outcome = sweep(&sandbox, &format!("{SMALL} {line}"));
    outcome.assert_ended(0);
    let document = outcome.json();
    assert_eq!(document["kind"], "fathom-sweep");
    let runs = document["cases"].as_array().unwrap();
    assert_eq!(runs.len(), cases);
    for run in runs {
        let (figures, jobs) = (&run["figures"], run["result"]["jobs"].as_array().unwrap());
        assert!(jobs.iter().all(|job| job["error"] == 0), "{}", run["command"]);
        let sum = |way: &str| -> u64 {
            jobs.iter().map(|job| job["dirs"][way]["total_ios"].as_u64().unwrap()).sum()
        };
        assert_eq!(figures["total"]["ios"], sum("read") + sum("write"), "{}", run["command"]);
        assert!(figures["total"]["ios"].as_u64().unwrap() > 0);
    }
    assert_eq!(document["curves"].as_array().unwrap().len(), curves);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
    document
}

/// `rw` and `rwmixread`, `direct` and `randrepeat` of each run, from its command.
fn asked_of(document: &Value, names: &[&str]) -> Vec<String> {
    let cases = document["cases"].as_array().unwrap().iter();
    let words = |case: &Value| {
        let of = |word: &&str| names.iter().any(|name| word.starts_with(&format!("--{name}=")));
        let command = case["command"].as_str().unwrap();
        command.split(' ').filter(of).collect::<Vec<_>>().join(" ")
    };
    cases.map(words).collect()
}

/// The figures of a curve's points must be of both directions but at its ends.
fn ends_are_pure(document: &Value, curve: usize) {
    let points = document["curves"][curve]["points"].as_array().unwrap();
    let (first, last) = (&points[0], &points[points.len() - 1]);
    assert!(first["figures"]["write"].is_null() && last["figures"]["read"].is_null());
    for point in &points[1..points.len() - 1] {
        let ios = |way: &str| point["figures"][way]["ios"].as_u64();
        assert!(ios("read") > Some(0) && ios("write") > Some(0), "{}", point["value"]);
    }
}

#[test]
fn case_e_1_random_4k_with_cache() {
    let document = case_e("--rwmix 100:0..0:100/10 --cache in", 11, 1);
    let asked = asked_of(&document, &["rw", "rwmixread", "direct", "randrepeat"]);
    assert_eq!(asked[0], "--direct=0 --rw=randread --randrepeat=1");
    assert_eq!(asked[4], "--direct=0 --rw=randrw --rwmixread=60 --randrepeat=1");
    ends_are_pure(&document, 0);
}

#[test]
fn case_e_2_random_4k_without_cache() {
    let document = case_e("--rwmix 100:0..0:100/25 --cache out", 5, 1);
    let asked = asked_of(&document, &["rw", "direct", "randrepeat"]);
    assert_eq!(asked[4], "--direct=1 --rw=randwrite --randrepeat=0");
    assert_eq!(document["curves"][0]["headline"], "iops");
    ends_are_pure(&document, 0);
}

#[test]
fn case_e_3_random_8k_without_cache() {
    let document = case_e("--rwmix 100:0..0:100/25 --cache out --bs 8k", 5, 1);
    ends_are_pure(&document, 0);
}

#[test]
fn case_e_4_sequential_64k_with_cache() {
    let document = case_e("--rw rw --rwmix 100:0..0:100/10 --bs 64k --cache in", 11, 1);
    assert_eq!(document["curves"][0]["headline"], "throughput");
    let asked = asked_of(&document, &["rw", "rwmixread"]);
    assert_eq!((asked[0].as_str(), asked[10].as_str()), ("--rw=read", "--rw=write"));
}

#[test]
fn case_e_5_sequential_64k_without_cache() {
    case_e("--rw rw --rwmix 100:0..0:100/25 --bs 64k --cache out", 5, 1);
}

#[test]
fn case_e_6_sequential_256k_without_cache_by_jobs_that_share_the_file_out() {
    let line = "--rw rw --rwmix 100:0..0:100/25 --bs 256k --cache out --numjobs 4 --iodepth 8";
    let document = case_e(line, 5, 1);
    let asked = asked_of(&document, &["size", "offset_increment"]);
    assert!(asked.iter().all(|words| words == "--size=4m --offset_increment=4m"), "{asked:?}");
}

#[test]
fn case_e_7_random_4k_by_depth() {
    let document = case_e("--iodepth 1..16 --bs 4k", 5, 1);
    assert!(document["curves"][0]["knee"]["verdict"].is_string());
}

#[test]
fn case_e_8_sequential_64k_by_depth() {
    let document = case_e("--iodepth 1..16 --rw read,write --bs 64k", 10, 2);
    assert_eq!(document["curves"][1]["settings"][0]["value"], "write");
}

#[test]
fn a_pair_of_case_e_stands_side_by_side() {
    let document = case_e("--rwmix 100:0..0:100/50 --bs 4k,8k --cache in,out", 12, 4);
    (0..4).for_each(|curve| ends_are_pure(&document, curve));
}

#[test]
fn tables_say_what_is_done_and_what_came_of_it() {
    let sandbox = Sandbox::new();
    let outcome =
        sweep(&sandbox, ". --size 16m --time-per-run 200ms --iodepth 1..8 --rw randread,randwrite");
    outcome.assert_ended(0);
    // The heading breaks where the folder's name has it break.
    let flat = without_breaks(&outcome.stdout);
    assert!(flat.contains("a test file of 16 MiB"), "{flat}");
    for words in [
        "Varies rw randread randwrite; iodepth 1 2 4 8",
        "8 cases: 8 runs of 200 ms",
        "Writes 16 MiB once; then",
        "rw=randread, by iodepth",
        "  QD  ",
    ] {
        assert!(outcome.stdout.contains(words), "{words:?} is missing:\n{}", outcome.stdout);
    }
    // A curve on a busy machine may have a knee, which is marked instead.
    let marked = ["  best\n", "  knee\n"].iter().any(|mark| outcome.stdout.contains(mark));
    assert!(marked, "{}", outcome.stdout);
    let runs = outcome.stderr.lines().filter(|line| line.contains("/8 rw=rand")).count();
    assert_eq!(runs, 8, "{}", outcome.stderr);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_dry_run_lists_every_command_and_touches_nothing() {
    let sandbox = Sandbox::new();
    let outcome = sweep(&sandbox, ". -n --size 16m --iodepth 1,2 --cache in,out");
    outcome.assert_ended(0);
    let commands = outcome.stdout.lines().filter(|line| line.contains("fathom fio --name="));
    assert_eq!(commands.count(), 4, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("Time   about "), "{}", outcome.stdout);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
    assert!(!sandbox.root().join("home").exists());
}

#[test]
fn a_dry_run_says_how_its_cases_reach_the_volume() {
    let sandbox = Sandbox::new();
    for (line, reach) in [
        ("--bs 4k", "the first engine that works, past the page cache (O_DIRECT) if possible"),
        ("--cache in", "the first engine that works, THROUGH THE PAGE CACHE"),
        ("--ioengine libaio,psync --set direct=1", "libaio, psync, past the page cache (O_DIRECT)"),
        (
            "--cache in,out --ioengine sync",
            "sync, past the page cache (O_DIRECT) or THROUGH IT, as each case says",
        ),
    ] {
        let outcome = sweep(&sandbox, &format!(". --dry-run --size 16m --iodepth 1,2 {line}"));
        outcome.assert_ended(0);
        let text = without_breaks(&outcome.stdout);
        assert!(text.contains(&format!("reached by {reach} ")), "{line}: {}", outcome.stdout);
    }
}

#[test]
fn the_command_of_a_case_repeats_it() {
    let sandbox = Sandbox::new();
    sandbox.write("data", vec![7; 4 << 20]);
    let line =
        "data --time-per-run 200ms --iodepth 1,2 --numjobs 2 --set norandommap --json --quiet";
    let outcome = sweep(&sandbox, line);
    outcome.assert_ended(0);
    let document = outcome.json();
    let command = document["cases"][1]["command"].as_str().unwrap();
    let args = command.strip_prefix("fathom fio ").unwrap();
    sandbox.shell(&format!("fio {args}")).assert_success();
}

#[test]
fn csv_and_markdown_have_standard_output_to_themselves() {
    let sandbox = Sandbox::new();
    let line = ". --size 16m --time-per-run 200ms --iodepth 1,2 --repeat 2";
    let outcome = sweep(&sandbox, &format!("{line} --csv"));
    outcome.assert_ended(0);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", outcome.stdout);
    assert!(lines[0].starts_with("iodepth,iops,") && lines[2].starts_with("2,"), "{lines:?}");
    let outcome = sweep(&sandbox, &format!("{line} --markdown --checkpoint kept.json"));
    outcome.assert_ended(0);
    let page = outcome.stdout.strip_prefix("<!-- a report by Fathom -->\n").unwrap_or_default();
    assert!(page.starts_with("# Sweep of /"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("kept in kept.json"), "{}", outcome.stderr);
    assert_eq!(kept(&sandbox.work().join("kept.json"))["status"], "finished");
    let again = sweep(&sandbox, &format!("{line} --markdown --checkpoint kept.json"));
    assert_eq!(again.code, Some(1));
    assert!(again.stderr.contains("is there already"), "{}", again.stderr);
}

#[test]
fn a_case_that_fails_is_told_and_the_rest_runs() {
    let sandbox = Sandbox::new();
    // Nothing is done within a microsecond here, and an I/O that takes longer ends its job.
    let line = format!("{SMALL} --iodepth 1,2 --vary max_latency=0,1");
    let outcome = sweep(&sandbox, &line);
    assert_eq!(outcome.code, Some(1), "{}", outcome.describe("a failure is no success"));
    let document = outcome.json();
    let failed = |case: &&Value| case["failure"].is_string();
    let cases = document["cases"].as_array().unwrap();
    let figures = cases.iter().filter(|case| !case["figures"].is_null()).count();
    assert_eq!((cases.len(), cases.iter().filter(failed).count(), figures), (4, 2, 2));
    assert_eq!(document["status"], "finished");
}

/// Runs to the end what `state.json` holds, and gives the document.
fn go_on(sandbox: &Sandbox, line: &str) -> Value {
    let outcome = sweep(sandbox, &format!("{line} --json --quiet --resume"));
    outcome.assert_ended(0);
    assert_eq!(left_in(&sandbox.work()), ["state.json"]);
    outcome.json()
}

const RESUMED: &str =
    ". --size 16m --time-per-run 600ms --iodepth 1..8 --repeat 2 --shuffle --checkpoint state.json";

/// Every case once in every round.
fn is_complete(document: &Value) {
    let runs = over(document);
    let each: BTreeSet<(u64, u64)> = runs.iter().copied().collect();
    assert_eq!((runs.len(), each.len()), (8, 8), "{runs:?}");
    assert_eq!(document["status"], "finished");
}

#[test]
fn an_interrupt_keeps_every_case_and_the_rest_follows() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let sandbox = Sandbox::new();
        let mut running = start(&sandbox, RESUMED);
        // The third case is over, so the fourth has begun or is about to.
        running.wait_for_stderr(|text| text.contains("3/8 iodepth="));
        running.signal(signal);
        let outcome = running.finish();
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
        assert!(outcome.stderr.contains("with --resume goes on"), "{}", outcome.stderr);
        assert!(outcome.stdout.contains("  QD  "), "{}", outcome.stdout);
        assert_eq!(left_in(&sandbox.work()), ["state.json"]);
        let first = kept(&sandbox.work().join("state.json"));
        assert_eq!(first["status"], "interrupted");
        let before = over(&first);
        assert!((3..8).contains(&before.len()), "{before:?}");
        let document = go_on(&sandbox, RESUMED);
        is_complete(&document);
        // What was over is as it was, to the last figure; what was not ran in the second session.
        for (at, case) in document["cases"].as_array().unwrap().iter().enumerate() {
            assert_eq!(case["session"], u64::from(at >= before.len()));
            if at < before.len() {
                assert_eq!(case, &first["cases"][at]);
            }
        }
    }
}

#[test]
fn a_sweep_that_was_stopped_before_it_had_a_figure_is_not_in_the_history() {
    let sandbox = Sandbox::new();
    let line = ". --size 16m --time-per-run 1s --ramp 60s --iodepth 1,2 --checkpoint state.json";
    let running = start(&sandbox, line);
    let listed = || {
        let runs = sandbox.fathom("history list --json").json()["runs"].take();
        runs.as_array().map_or(0, Vec::len)
    };
    while listed() == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("exit code"));
    assert!(outcome.stderr.contains("run 1 of 2; finished runs are kept"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("Kept in the history"), "{}", outcome.stderr);
    assert_eq!(listed(), 0);
}

#[test]
fn a_kill_loses_no_case_and_its_leftovers_go() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, RESUMED);
    running.wait_for_stderr(|text| text.contains("3/8 iodepth="));
    running.signal(Signal::KILL);
    let outcome = running.finish();
    assert_eq!(outcome.signal, Some(9), "{}", outcome.describe("signal"));
    let left = left_in(&sandbox.work());
    let test_file = |name: &&String| name.starts_with(".fathom-");
    assert_eq!(left.iter().filter(test_file).count(), 1, "{left:?}");
    let state = sandbox.work().join("state.json");
    let first = kept(&state);
    assert_eq!(first["status"], "running");
    // A line is printed before its run is kept, so the last of the three may be missing.
    let before = over(&first).len();
    assert!((2..8).contains(&before), "{before}");
    let document = go_on(&sandbox, RESUMED);
    is_complete(&document);
    let again = document["cases"].as_array().unwrap().iter().filter(|case| case["session"] == 1);
    assert_eq!(again.count(), 8 - before);
}

#[test]
fn going_on_is_for_the_same_plan_only() {
    let sandbox = Sandbox::new();
    // Long enough for the signal to find the second run still going.
    let line = ". --size 16m --time-per-run 2s --iodepth 1,2";
    let outcome = sweep(&sandbox, &format!("{line} --resume"));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("no interrupted sweep of this plan"), "{}", outcome.stderr);
    let mut running = start(&sandbox, line);
    running.wait_for_stderr(|text| text.contains("1/2 iodepth="));
    running.signal(Signal::INT);
    assert_eq!(running.finish().code, Some(130));
    let sweeps = sandbox.root().join("home/sweeps");
    let path = sweeps.join(&left_in(&sweeps)[0]);
    let other = format!("{line} --bs 8k --resume {}", path.display());
    let outcome = sweep(&sandbox, &other);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("its plan is another: axes was"), "{}", outcome.stderr);
    // Without a name the newest of this plan is found.
    let outcome = sweep(&sandbox, &format!("{line} --resume"));
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("of 2 runs are left"), "{}", outcome.stdout);
    assert_eq!(left_in(&sweeps), Vec::<String>::new(), "the history has it");
    let shown = sandbox.fathom("history show latest --json");
    let shown: Value = serde_json::from_str(&shown.stdout).expect("a document");
    assert_eq!(shown["status"], "finished");
}

#[test]
fn two_sweeps_cannot_be_kept_in_one_file() {
    let sandbox = Sandbox::new();
    let line = ". --size 16m --time-per-run 30s --iodepth 1,2 --checkpoint state.json";
    let mut running = start(&sandbox, line);
    running.wait_for_stderr(|text| text.contains("filling 16 MiB"));
    let outcome = sweep(&sandbox, &format!("{line} --resume"));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("a process that still runs"), "{}", outcome.stderr);
    running.signal(Signal::INT);
    assert_eq!(running.finish().code, Some(130));
    assert_eq!(left_in(&sandbox.work()), ["state.json"]);
}

#[test]
fn a_file_or_device_that_is_there_is_only_read_unless_named() {
    let sandbox = Sandbox::new();
    let data = vec![7u8; 4 << 20];
    let path = sandbox.write("data", &data);
    let line = "data --time-per-run 200ms --rwmix 100:0..0:100/50";
    let outcome = sweep(&sandbox, line);
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("2 cases that write are left out"), "{}", outcome.stdout);
    assert!(fs::read(&path).unwrap() == data, "the file was changed");
    let outcome = sweep(&sandbox, &format!("{line} --destroy-data-on data"));
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("DESTROYED"), "{}", outcome.stdout);
    assert!(fs::read(&path).unwrap() != data, "nothing was written");
    let refused = sweep(&sandbox, "data --time-per-run 200ms --rw write,randwrite");
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("every case writes"), "{}", refused.stderr);
    let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
    let line = format!("{} --size 16m --time-per-run 200ms --rwmix 100:0..0:100/50", device.text());
    sweep(&sandbox, &line).assert_ended(0);
    assert!(fs::read(&device.backing).unwrap().iter().all(|byte| *byte == 0), "was written to");
    sweep(&sandbox, &format!("{line} --destroy-data-on {}", device.text())).assert_ended(0);
    let written = fs::read(&device.backing).unwrap();
    assert!(written[..16 << 20].chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
    assert!(written[16 << 20..].iter().all(|byte| *byte == 0), "beyond what was said");
}

#[test]
fn the_first_line_says_what_is_measured() {
    let sandbox = Sandbox::new();
    let line = ". --iodepth 1..8 --size 8m --time-per-run 100ms --ramp 0";
    let english = sweep(&sandbox, line).stdout;
    let first = english.lines().next().unwrap_or_default();
    assert!(first.starts_with("Random read, 4 KiB, "), "{english}");
    // Without UTF-8 there is no ellipsis.
    assert!(first.ends_with("; varies: queue depth 1 .. 8"), "{english}");
    let korean = sweep(&sandbox, &format!("{line} --lang ko --dry-run")).stdout;
    assert!(korean.starts_with("랜덤 읽기, 4 KiB, O_DIRECT; 변화: 큐 깊이 1 .. 8\n"), "{korean}");
    let runs = sandbox.fathom("history --json").json();
    assert_eq!(runs["runs"][0]["title"], first.replace("..", "\u{2026}"));
}

#[test]
fn what_cannot_be_swept_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    for (line, words) in [
        (".", "nothing varies"),
        (". --iodepth 4", "nothing varies"),
        (". --iodepth 1..x", "from number to number"),
        (". --iodepth 1-8", "--iodepth 1-8: for a range write 1..8"),
        (". --rw foo", "fathom: rw=foo: no such value. Valid values: read, write, trim, randread"),
        (". --vary iodeth=1..4", "did you mean iodepth?"),
        (". --vary directory=/a,/b", "the target is the first argument"),
        (". --iodepth 1..4 --set runtime=5", "give --time-per-run and --ramp"),
        (". --iodepth 1..4 --time-per-run 50ms", "too short for a run of a case"),
    ] {
        sweep(&sandbox, line).assert_usage_in_a_sentence(words);
    }
    for (line, words) in [
        (". --iodepth 1..4 --size 900000t", "smaller --size"),
        ("missing/folder --iodepth 1..4", "does not exist"),
        (". --iodepth 1..4 --resume none.json", "none.json"),
    ] {
        sweep(&sandbox, line).assert_refused_in_a_sentence(words);
    }
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}
