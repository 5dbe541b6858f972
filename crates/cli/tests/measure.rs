//! `fathom measure` on real folders, files and devices: what it leaves, what it refuses, what it
//! says. Times are short, and no figure is judged.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{LoopDevice, Mount, need};
use crate::sandbox::{Outcome, Running, Sandbox, left_in, without_breaks};

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.start_fathom(&format!("measure {line}"))
}

fn measure(sandbox: &Sandbox, line: &str) -> Outcome {
    sandbox.fathom(&format!("measure {line}"))
}

#[test]
fn a_folder_gives_its_figures_and_is_left_as_it_was() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, ". --size 16m --time 1s --verbose");
    outcome.assert_ended(0);
    let text = &outcome.stdout;
    for words in [
        "file system",
        "mounted with",
        "a test file of 16 MiB",
        "8 tests of 125 ms",
        "Writes 16 MiB once; then",
        "Latency",
        "4 KiB random write",
        "IOPS",
        "Throughput",
        "64 KiB seq. read",
        "How they hang together",
        "One 4 KiB random read at a time takes",
        "One core of this host can drive about",
    ] {
        assert!(text.contains(words), "{words:?} is missing:\n{text}");
    }
    // Beside other programs a few reads can take most of the time: then a sentence says that instead.
    let one_line = without_breaks(text);
    let of_the_latency = ["usual", "a few of them wait up to"];
    assert!(of_the_latency.iter().any(|words| one_line.contains(words)), "{text}");
    let phases = outcome.stderr.lines().filter(|line| line.contains("/8 ")).count();
    assert_eq!(phases, 8, "{}", outcome.stderr);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_summary_in_json_has_every_figure_and_no_histogram() {
    let sandbox = Sandbox::new();
    let options = ". --size 16m --time 1s --json-summary --json=whole.json --quiet";
    let outcome = measure(&sandbox, options);
    outcome.assert_ended(0);
    let whole = std::fs::read(sandbox.work().join("whole.json")).unwrap();
    let mut whole: serde_json::Value = serde_json::from_slice(&whole).unwrap();
    assert!(outcome.stdout.len() < 50_000, "{} bytes", outcome.stdout.len());
    for phase in whole["phases"].as_array_mut().unwrap() {
        assert!(phase.as_object_mut().unwrap().remove("result").is_some());
    }
    let summary: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(summary, whole);
}

#[test]
fn json_is_one_document_with_every_result() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, ". --size 16m --time 1s --json --quiet");
    outcome.assert_ended(0);
    assert_eq!(outcome.stderr, "");
    let document = outcome.json();
    assert_eq!(document["kind"], "fathom-measure");
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 8);
    for phase in phases {
        let direction = phase["direction"].as_str().unwrap();
        let job = &phase["result"]["jobs"][0];
        let stats = &job["dirs"][direction];
        let ios = stats["total_ios"].as_u64().unwrap();
        assert!(ios > 0, "{}", phase["name"]);
        assert_eq!(ios, phase["figures"]["ios"].as_u64().unwrap());
        assert_eq!(stats["io_bytes"], ios * phase["block_bytes"].as_u64().unwrap());
        assert_eq!(job["error"], 0);
    }
    let client = &document["client"];
    let rates = phases.iter().map(|phase| phase["figures"]["iops"].as_f64().unwrap());
    assert_eq!(client["iops"].as_f64(), rates.reduce(f64::max));
    assert_eq!(client["ceiling"]["engine"], document["volumes"][0]["method"]["engine"]);
    assert!(client["share_percent"].as_f64().unwrap() > 0.0, "{client}");
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn rounds_are_planned_told_and_kept_with_their_seed() {
    let sandbox = Sandbox::new();
    let asked = ". --size 16m --time 2s --repeat 2 --seed 4711";
    let outcome = measure(&sandbox, asked);
    outcome.assert_ended(0);
    for words in ["8 tests, 2 rounds each: 16 runs of 125 ms", "How far 2 rounds lie apart"] {
        assert!(outcome.stdout.contains(words), "{words:?} is missing:\n{}", outcome.stdout);
    }
    // A test beside other I/O on the device is marked.
    let rows = |mark| outcome.stdout.matches(&format!(" {mark}256 KiB seq. read")).count();
    assert_eq!(rows(' ') + rows('!'), 1, "{}", outcome.stdout);
    // The second round has the tests in an order drawn at random.
    let last = outcome.stderr.lines().find(|line| line.starts_with("16/16 "));
    assert!(last.is_some_and(|line| line.contains(", round 2: ")), "{}", outcome.stderr);
    let dry = measure(&sandbox, &format!("{asked} --dry-run"));
    dry.assert_ended(0);
    assert!(
        dry.stdout.contains("8 tests, 2 rounds each: 16 runs")
            && dry.stdout.contains("Seed   4711")
    );
    let outcome = measure(&sandbox, &format!("{asked} --json --quiet"));
    outcome.assert_ended(0);
    assert_eq!(outcome.stderr, "");
    let document = outcome.json();
    assert_eq!((&document["plan"]["seed"], &document["plan"]["rounds"]), (&4711.into(), &2.into()));
    let phases = document["phases"].as_array().unwrap();
    let over = document["over_rounds"].as_array().unwrap();
    assert_eq!((phases.len(), over.len()), (16, 8));
    for of in over {
        let ios = |phase: &Value| phase["figures"]["ios"].as_u64().unwrap();
        let own = phases.iter().filter(|phase| phase["name"] == of["name"]);
        assert_eq!(own.map(ios).sum::<u64>(), ios(of), "{}", of["name"]);
    }
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn the_command_of_a_phase_repeats_it() {
    let sandbox = Sandbox::new();
    sandbox.write("data", vec![7; 4 << 20]);
    let outcome = measure(&sandbox, "data --time 1s --bs 4k,64k --json --quiet");
    outcome.assert_ended(0);
    let document = outcome.json();
    let command = document["phases"][0]["command"].as_str().unwrap();
    let args = command.strip_prefix("fathom fio ").unwrap();
    sandbox.shell(&format!("fio {args}")).assert_success();
}

#[test]
fn an_interrupt_keeps_what_was_measured_and_removes_the_file() {
    let signals = [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)];
    for (signal, code) in signals {
        let sandbox = Sandbox::new();
        let mut running = start(&sandbox, ". --size 16m --time 8s");
        running.wait_for_stderr(|text| text.contains("1/8 4 KiB random read, QD 1: "));
        let there = left_in(&sandbox.work());
        assert!(there.len() == 1 && there[0].starts_with(".fathom-"), "{there:?}");
        running.signal(signal);
        let outcome = running.finish();
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe("exit code"));
        outcome.assert_no_panic();
        assert!(outcome.stdout.contains("4 KiB random read"), "{}", outcome.stdout);
        assert!(outcome.stderr.contains("of 8; test files are removed"), "{}", outcome.stderr);
        assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
    }
}

#[test]
fn an_interrupt_while_filling_leaves_nothing_either() {
    let sandbox = Sandbox::new();
    // Far more than could be written before the signal arrives.
    let mut running = start(&sandbox, ". --size 4g --time 8s --json");
    running.wait_for_stderr(|text| text.contains("filling 4 GiB"));
    running.signal(Signal::INT);
    let outcome = running.finish();
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("exit code"));
    let document = outcome.json();
    assert_eq!(document["interrupted"], true);
    assert_eq!(document["phases"].as_array().unwrap().len(), 0);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_second_interrupt_removes_the_file_as_well() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, ". --size 4g --time 8s");
    running.wait_for_stderr(|text| text.contains("filling 4 GiB"));
    // Held still in between, so that both have arrived before it can end of the first.
    running.signal(Signal::STOP);
    running.signal(Signal::INT);
    running.signal(Signal::TERM);
    running.signal(Signal::CONT);
    let outcome = running.finish();
    assert_ne!(outcome.code, Some(0), "{}", outcome.describe("an interrupt is no success"));
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_file_that_is_there_is_only_read_unless_named() {
    let sandbox = Sandbox::new();
    let data = vec![7u8; 4 << 20];
    let path = sandbox.write("data", &data);
    let outcome = measure(&sandbox, "data --time 1s --bs 4k,64k");
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("Writes nothing."), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("--destroy-data-on data"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("random write"), "{}", outcome.stdout);
    assert!(fs::read(&path).unwrap() == data, "the file was changed");
    let outcome = measure(&sandbox, "data --time 1s --bs 4k,64k --destroy-data-on data");
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("DESTROYED"), "{}", outcome.stdout);
    let after = fs::read(&path).unwrap();
    assert_eq!(after.len(), data.len());
    // Random data, each byte: not a block of what was there is left.
    assert!(after.chunks(512).all(|block| block != &data[..512]), "not all was filled");
}

#[test]
fn a_misspelt_folder_does_not_measure_the_volume_above_it() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, "dtaa --size 16m --time 1s");
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("dtaa does not exist"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("name that folder"), "{}", outcome.stderr);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn a_dry_run_touches_nothing() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, ". --dry-run --size 16m");
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("8 tests of 3.75 s"), "{}", outcome.stdout);
    let reads = measure(&sandbox, ". --dry-run --size 16m --read-only");
    assert!(reads.stdout.contains("4 tests of 7.5 s"), "{}", reads.stdout);
    assert!(!outcome.stdout.contains("IOPS"), "{}", outcome.stdout);
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn two_folders_stand_side_by_side() {
    let sandbox = Sandbox::new();
    for name in ["one", "two"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    let outcome = measure(&sandbox, "one two --size 16m --time 1s --read-only");
    outcome.assert_ended(0);
    assert!(outcome.stdout.contains("Side by side"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("same file system or device as one"), "{}", outcome.stdout);
    // In turn at each phase.
    let order: Vec<&str> = outcome
        .stderr
        .lines()
        .filter_map(|line| line.split_once("/8 ")?.1.split_once(',').map(|(name, _)| name))
        .collect();
    assert_eq!(order, ["one", "two"].repeat(4));
    for name in ["one", "two"] {
        assert_eq!(left_in(&sandbox.work().join(name)), Vec::<String>::new());
    }
}

#[test]
fn memory_is_called_memory() {
    let sandbox = Sandbox::new();
    let point = sandbox.root().join("memory");
    fs::create_dir(&point).unwrap();
    let args = ["-t", "tmpfs", "-o", "size=64m", "fathom"];
    let Some(_mount) = need(Mount::new(&args, &point)) else { return };
    let line = format!("{} --size 16m --time 1s", point.display());
    let outcome = measure(&sandbox, &line);
    outcome.assert_ended(0);
    let said = outcome.stdout.contains("tmpfs is memory: these are not the figures of a disk");
    assert!(said, "{}", outcome.stdout);
    let outcome = measure(&sandbox, &format!("{} --size 1g", point.display()));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("smaller --size"), "{}", outcome.stderr);
    assert_eq!(left_in(&point), Vec::<String>::new());
}

#[test]
fn a_device_is_read_and_written_only_when_named_and_free() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 128 << 20)) else { return };
    let path = device.text();
    let outcome = measure(&sandbox, &format!("{path} --size 16m --time 1s"));
    outcome.assert_ended(0);
    assert!(!outcome.stdout.contains("random write"), "{}", outcome.stdout);
    assert!(fs::read(&device.backing).unwrap().iter().all(|byte| *byte == 0), "was written to");
    let named = format!("{path} --size 16m --time 1s --destroy-data-on {path}");
    measure(&sandbox, &named).assert_ended(0);
    let written = fs::read(&device.backing).unwrap();
    assert!(written[..16 << 20].chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
    assert!(written[16 << 20..].iter().all(|byte| *byte == 0), "beyond what was said");
    let point = sandbox.root().join("mnt");
    fs::create_dir(&point).unwrap();
    let Some(_mount) = need(Mount::format("ext4", &device, &point)) else { return };
    let outcome = measure(&sandbox, &named);
    assert_eq!(outcome.code, Some(1));
    let evidence = format!("mounted at {}", point.display());
    assert!(outcome.stderr.contains(&evidence), "{}", outcome.stderr);
}

#[test]
fn what_cannot_be_measured_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    sandbox.write("small", "too small");
    for (line, words) in [
        ("missing/folder", "does not exist"),
        ("/dev/null", "neither a folder"),
        ("small", "too little to measure in"),
        (". --destroy-data-on .", "names no file or device"),
        (". --bs 1000", "multiples of"),
        (". --size 900000t", "smaller --size"),
    ] {
        measure(&sandbox, line).assert_refused_in_a_sentence(words);
    }
    for (line, words) in [(". .", "given twice"), (". --time 100ms", "100 ms each at least")] {
        measure(&sandbox, line).assert_usage_in_a_sentence(words);
    }
    assert_eq!(left_in(&sandbox.work()), ["small"]);
}

#[test]
fn a_test_by_its_usual_options_stands_in_place_of_the_suite() {
    let sandbox = Sandbox::new();
    let job = "--rw randread --bs 4k --iodepth 32 --numjobs 4 --size 16m --time 500ms";
    let outcome = measure(&sandbox, &format!(". {job} --json --no-record"));
    outcome.assert_ended(0);
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 1, "{document}");
    let phase = &phases[0];
    assert_eq!(phase["result"]["jobs"].as_array().unwrap().len(), 4, "{phase}");
    assert_eq!((&phase["depth"], &phase["jobs"]), (&32.into(), &4.into()));
    assert_eq!(phase["figures"]["identity"]["depth"], 128);
    assert!(phase["command"].as_str().unwrap().contains("--numjobs=4"), "{phase}");

    let text = measure(&sandbox, &format!(". {job}"));
    text.assert_ended(0);
    assert!(text.stdout.contains("1 test of"), "{}", text.stdout);
    assert!(text.stdout.contains("4 KiB random read "), "{}", text.stdout);
    assert!(text.stdout.contains(" 32 x 4 "), "{}", text.stdout);
    let report = sandbox.fathom("report latest --markdown");
    report.assert_ended(0);
    assert!(report.stdout.contains("| 4 KiB random read, QD 32, 4 jobs |"), "{}", report.stdout);

    let only_writes = measure(&sandbox, ". --rw randwrite --read-only");
    only_writes.assert_refused_in_a_sentence("asks for nothing but writes");
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn times_have_the_names_that_people_type_and_no_flag_is_advised_as_a_value() {
    let sandbox = Sandbox::new();
    for name in ["--time", "--runtime", "--duration"] {
        for command in ["measure .", "compare . .", "check . --iops 1", "limit . --p99 1ms"] {
            let outcome = sandbox.fathom(&format!("{command} {name} x"));
            outcome.assert_ended(2);
            assert!(outcome.stderr.contains("invalid value 'x' for '--time "), "{outcome:?}");
        }
    }
    for line in ["check . --p98 1ms", "measure . --zzz", "history list --zzz"] {
        let outcome = sandbox.fathom(line);
        outcome.assert_ended(2);
        let said = &outcome.stderr;
        assert!(said.contains("unexpected argument") && !said.contains("as a value"), "{said}");
        assert!(!said.contains("\n\n\n"), "{said}");
    }
}
