//! `fathom compare` on volumes of known limits, on runs of the history, and on files of results.
//!
//! Two loop devices held to rates of their own by one control group are volumes of which the true
//! ratio is known.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::devices::{LoopDevice, Throttle, need, oracle};
use crate::sandbox::{Outcome, Sandbox, left_in, subject};

/// Two devices held to so many reads a second.
struct Pair {
    sandbox: Sandbox,
    devices: [LoopDevice; 2],
    throttle: Throttle,
}

impl Pair {
    fn new(iops: [u64; 2]) -> Result<Pair, String> {
        let sandbox = Sandbox::new();
        let device = || LoopDevice::new(sandbox.root(), 64 << 20);
        let devices = [device()?, device()?];
        let throttle = Throttle::read_iops(&devices[0].path, iops[0])?;
        throttle.also_read_iops(&devices[1].path, iops[1])?;
        Ok(Pair { sandbox, devices, throttle })
    }

    /// Compares them in the control group; random reads of 4 KiB.
    fn compare(&self, options: &str) -> Outcome {
        let [a, b] = &self.devices;
        self.sandbox.shell(&format!(
            "echo $$ > {}; exec {} compare {} {} --rw randread --iodepth 32 --no-record {options}",
            self.throttle.door(),
            subject().display(),
            a.text(),
            b.text()
        ))
    }

    /// The verdict on the ratio: what it is called, the ratio, and its interval.
    fn judged(&self, options: &str) -> (String, [f64; 3]) {
        let outcome = self.compare(&format!("--json --quiet {options}"));
        let document = outcome.assert_ended(0).json();
        let finding = &document["findings"][0];
        let difference = &finding["standings"][1]["over_first"]["difference"];
        let numbers = ["ratio", "low", "high"].map(|key| difference[key].as_f64().unwrap());
        (difference["verdict"].as_str().unwrap().to_owned(), numbers)
    }
}

#[test]
fn a_device_held_to_5_percent_more_is_found_to_give_5_percent_more() {
    let Some(pair) = need(Pair::new([3000, 3150])) else { return };
    let (verdict, [ratio, low, high]) = pair.judged("--repeat 9 --time 9s");
    assert_eq!(verdict, "shown", "{ratio} ({low} to {high})");
    // The group's own grain is a few I/Os in each run of a second.
    assert!(low - 0.003 <= 1.05 && 1.05 <= high + 0.003, "{ratio} ({low} to {high})");
    assert!((1.03..=1.07).contains(&ratio), "{ratio} ({low} to {high})");
}

#[test]
fn devices_held_to_the_same_rate_are_not_told_apart() {
    let Some(pair) = need(Pair::new([3000, 3000])) else { return };
    // Of equal volumes 5 in 100 ratios leave out 1 by chance; twice in a row and on the same side
    // is one in 800.
    let shown = || {
        let (verdict, [ratio, ..]) = pair.judged("--time 3s");
        (verdict == "shown").then_some(ratio > 1.0)
    };
    let twice = shown().is_some_and(|side| shown() == Some(side));
    assert!(!twice, "two comparisons of equal devices called the same one better");
    let said = pair.compare("--time 3s --quiet").stdout;
    assert!(said.contains("\n4 KiB random read, depth 32: IO/s\n"), "{said}");
}

#[test]
#[ignore = "20 real runs, 3 minutes"]
fn of_twenty_comparisons_of_equal_devices_few_call_them_different() {
    let Some(pair) = need(Pair::new([3000, 3000])) else { return };
    let all: Vec<(String, [f64; 3])> = (0..20).map(|_| pair.judged("--time 3s")).collect();
    let different = all.iter().filter(|(verdict, _)| verdict == "shown").count();
    println!("{different} of 20 equal pairs were called different: {all:?}");
    // 4 or more of 20 have a chance of 1.6 % at 5 % each.
    assert!(different <= 3, "{different} of 20: {all:?}");
}

const SHORT: &str = "--size 16m --time 1s --repeat 3 --rw randread,write --bs 64k --iodepth 4";

/// Two folders in the current one.
fn two_folders(sandbox: &Sandbox) -> [std::path::PathBuf; 2] {
    ["a", "b"].map(|name| {
        let path = sandbox.work().join(name);
        std::fs::create_dir(&path).unwrap();
        path
    })
}

#[test]
fn folders_are_compared_and_kept_and_left_as_they_were() {
    let sandbox = Sandbox::new();
    let folders = two_folders(&sandbox);
    let plan = sandbox.fathom(&format!("compare a b {SHORT} --dry-run"));
    for words in ["3 rounds, 12 runs of 166 ms", " used, ", " free", "reverse order", "16 MiB once"]
    {
        assert!(plan.assert_ended(0).stdout.contains(words), "{words}: {}", plan.stdout);
    }
    assert!(folders.iter().all(|folder| left_in(folder).is_empty()) && !sandbox.home().exists());
    let outcome = sandbox.fathom(&format!("compare a b {SHORT} --seed 3 --tag mine"));
    let said = &outcome.assert_ended(0).stdout;
    for words in ["64 KiB random read, depth 4: MB/s", "64 KiB sequential write", "expect no"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let tables = said.split_once("64 KiB random read, depth 4: MB/s\n").expect("its first table").1;
    assert!(tables.lines().all(|line| line.chars().count() <= 80), "{tables}");
    // The volumes under each other: mean, error, ratio with its interval, bar. What three noisy
    // rounds are worth is not for this test to say.
    let row = |name: &str| tables.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let (a, b) = (row("  a "), row("  b "));
    assert!(a.contains(" MB/s +- ") && a.contains(" %  1  ") && a.contains("##"), "{tables}");
    assert!(b.contains(" x (") || b.contains(" %  ?"), "{tables}");
    let runs = outcome.stderr.lines().filter(|line| line.contains("/12 round ")).count();
    assert_eq!(runs, 12, "{}", outcome.stderr);
    assert!(folders.iter().all(|folder| left_in(folder).is_empty()));
    let kept = sandbox.fathom("history --json --kind compare --tag mine");
    let kept = kept.json();
    let run =
        kept["runs"].as_array().and_then(|all| all.first()).unwrap_or_else(|| panic!("{kept}"));
    assert_eq!(run["headline"].as_array().unwrap().len(), 4);
    let shown =
        sandbox.fathom(&format!("history show {} --json", run["short_id"].as_str().unwrap()));
    // As it was kept: in one line.
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!((&shown["kind"], &shown["plan"]["seed"]), (&json!("fathom-compare"), &json!(3)));
    let volumes: Vec<u64> = shown["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["volume"].as_u64().unwrap())
        .collect();
    assert_eq!(volumes, [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1]);
}

#[test]
fn spreadsheets_and_pages_have_every_run_and_every_phase() {
    let sandbox = Sandbox::new();
    two_folders(&sandbox);
    let csv = sandbox.fathom(&format!("compare a b {SHORT} --quiet --csv --no-record"));
    let lines: Vec<&str> = csv.assert_ended(0).stdout.lines().collect();
    assert_eq!(lines.len(), 13, "{}", csv.stdout);
    assert!(lines[0].starts_with("phase,volume,round,iops,mb_per_s,mean_us"), "{}", lines[0]);
    assert!(lines[1].starts_with("\"64 KiB random read, depth 4\",a,1,"), "{}", lines[1]);
    let page = sandbox.fathom(&format!("compare a b {SHORT} --quiet --markdown --no-record"));
    for words in ["# a, b compared", "## 64 KiB sequential write", "| a | ", "fathom fio --name="] {
        assert!(page.assert_ended(0).stdout.contains(words), "{words}: {}", page.stdout);
    }
    assert!(csv.stderr.is_empty() && page.stderr.is_empty(), "{}{}", csv.stderr, page.stderr);
}

#[test]
fn an_interrupted_comparison_keeps_what_it_measured() {
    let sandbox = Sandbox::new();
    let folders = two_folders(&sandbox);
    let line = "compare a b --size 16m --time 20s --rw randread --repeat 20 --json";
    let mut running = sandbox.start_fathom(line);
    running.wait_for_stderr(|text| text.contains("1/40 round 1, a, "));
    running.signal(Signal::TERM);
    let outcome = running.finish();
    let document = outcome.assert_ended(143).json();
    assert_eq!(document["interrupted"], true);
    let runs = document["runs"].as_array().unwrap();
    assert!((1..40).contains(&runs.len()) && runs[0]["figures"]["total"]["ios"].as_u64() > Some(0));
    assert!(outcome.stderr.contains("of 40 runs; test files are removed"), "{}", outcome.stderr);
    assert!(folders.iter().all(|folder| left_in(folder).is_empty()));
    let table = sandbox.fathom("history").stdout;
    assert!(table.contains("compare") && table.contains("INTERRUPTED"), "{table}");
}

#[test]
fn what_cannot_be_compared_is_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    two_folders(&sandbox);
    sandbox.write("notes.txt", "my notes\n");
    sandbox.write("other.json", "{\"a\": 1}");
    for (line, words) in [
        ("compare notes.txt other.json", &["notes.txt is neither", "--output-format=json"][..]),
        ("compare other.json notes.txt", &["other.json is neither", "no run"]),
        ("compare a none/here", &["does not exist", "fathom history"]),
        ("compare zzzz zzzy", &["no run is called \"zzzz\""]),
    ] {
        sandbox.fathom(line).assert_ended(1).assert_refused(words);
    }
    for (line, words) in [
        ("compare a", &["2 values"][..]),
        ("compare a notes.txt", &["cannot be mixed", "fathom measure --json a"]),
        ("compare a a", &["given twice"]),
        ("compare a b --fail-if-worse 5", &["--fail-if-worse compares runs"]),
        ("compare other.json other.json --time 5s", &["--time is about measuring"]),
        ("compare a b --time 1s --repeat 100", &["100 ms each at least", "--repeat"]),
        ("compare a b --repeat 2", &["3..=1000"]),
        ("compare a b --rw trim", &["randread"]),
        ("compare a b --json --csv", &["cannot be used with"]),
        ("compare a b --fail-if-worse x", &["give percent"]),
    ] {
        sandbox.fathom(line).assert_ended(2).assert_refused(words);
    }
    let help = sandbox.fathom("compare --help").stdout;
    for words in ["Exit codes: 0", "4 a", "130", "--fail-if-worse", "every other round"] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

/// A document of a run whose intervals scatter by a percent around so many reads a second, and
/// whose name in the history is what it gives.
fn kept_run(sandbox: &Sandbox, iops: u64, name: &str) -> String {
    sandbox.write("data", vec![7; 16 << 20]);
    let line = "measure data --time 600ms --bs 4k --read-only --json --quiet --tag";
    let outcome = sandbox.fathom(&format!("{line} {name}"));
    let mut measured = outcome.assert_ended(0).json();
    let phase = &mut measured["phases"][1];
    let job = &mut phase["result"]["jobs"][0];
    let scatter = [0, 10, -10, 5, -5, 8, -8, 1, -1, 3];
    let interval = job["series"]["intervals"][0].clone();
    let each = (0..40).map(|at| {
        let mut interval = interval.clone();
        let ios = iops * (1000 + scatter[at % 10]) as u64 / 1000;
        for (key, each) in [("ios", 1), ("bytes", 4096), ("clat_sum_ns", 32_000_000_000 / iops)] {
            interval[key] = json!({ "read": ios * each, "write": 0, "trim": 0 });
        }
        interval
    });
    let intervals: Vec<Value> = each.collect();
    job["series"]["ramp_intervals"] = json!(0);
    job["series"]["interval_ms"] = json!(1000);
    job["series"]["intervals"] = json!(intervals);
    job["elapsed_ms"] = json!(40_000);
    job["dirs"]["read"]["runtime_ms"] = json!(40_000);
    job["dirs"]["read"]["total_ios"] = json!(iops * 40);
    job["dirs"]["read"]["io_bytes"] = json!(iops * 40 * 4096);
    let path = sandbox.write(&format!("{name}.json"), measured.to_string());
    path.display().to_string()
}

#[test]
fn a_gate_ends_with_4_where_a_figure_is_worse_and_with_0_elsewhere() {
    let sandbox = Sandbox::new();
    let before = kept_run(&sandbox, 3000, "before");
    let after = kept_run(&sandbox, 2700, "after");
    // One of many phases differs; latencies of a real machine may, so the gate is a wide one.
    let gate = |a: &str, b: &str, percent: &str| {
        sandbox.fathom(&format!("compare {a} {b} --csv --fail-if-worse {percent}"))
    };
    let line = |outcome: &Outcome| -> String {
        let mut rows = outcome.stdout.lines().filter(|row| row.contains("iops-read-4k,read,iops"));
        rows.next().unwrap_or_else(|| panic!("{}", outcome.describe("no row"))).to_owned()
    };
    let fell = gate(&before, &after, "9");
    fell.assert_ended(4);
    assert!(
        line(&fell).ends_with(",worse") && line(&fell).contains(",-10.000,"),
        "{}",
        line(&fell)
    );
    assert!(fell.stderr.contains("regressed: iops-read-4k: IO/s 3,000 IO/s"), "{}", fell.stderr);
    let rose = gate(&after, &before, "9");
    assert!(line(&rose).ends_with(",better"), "{}", line(&rose));
    assert!(!rose.stderr.contains("iops-read-4k: IO/s"), "{}", rose.stderr);
    let far = gate(&before, &after, "11");
    assert!(!far.stderr.contains("iops-read-4k: IO/s"), "{}", far.stderr);
    let shown = sandbox.fathom(&format!("compare {before} {after}"));
    for words in ["WORSE", "3,000 IO/s", "2,700 IO/s", "-10 %", "of one run, not"] {
        let said =
            shown.assert_ended(0).stdout.replace("is one run, its intervals", "of one run, not");
        assert!(said.contains(words), "{words}: {said}");
    }
    // The same through the history, whose runs are those that were really measured.
    let own = sandbox.fathom("history --json --tag before");
    let id = own.json()["runs"][0]["short_id"].as_str().unwrap().to_owned();
    let itself = sandbox.fathom(&format!("compare {id} {id} --fail-if-worse 0"));
    itself.assert_ended(0);
    assert!(
        !itself.stdout.contains("WORSE") && !itself.stdout.contains("better"),
        "{}",
        itself.stdout
    );
    let itself = sandbox.fathom(&format!("compare {before} {before} --fail-if-worse 0 --json"));
    let verdict = &itself.assert_ended(0).json()["pairs"][0]["contrasts"][2]["verdict"];
    assert_eq!(verdict, "no_difference");
}

#[test]
fn fio_s_own_json_stands_against_ours() {
    let Some(fio) = need(oracle()) else { return };
    let sandbox = Sandbox::new();
    let job = "--name=t --filename=data --size=4m --rw=randread --bs=4k --ioengine=psync \
               --rate_iops=1000 --time_based --runtime=6 --output-format=json";
    let theirs = sandbox.start_program(&fio, &job.split_whitespace().collect::<Vec<_>>()).finish();
    sandbox.write("theirs.json", &theirs.assert_ended(0).stdout);
    let ours = sandbox.run(job);
    sandbox.write("ours.json", &ours.assert_ended(0).stdout);
    let compared = sandbox.fathom("compare theirs.json ours.json --json");
    let document = compared.assert_ended(0).json();
    assert_eq!(document["sources"][0]["kind"], "fio-3.33");
    let [iops, latency] = &document["pairs"][0]["contrasts"].as_array().unwrap()[..] else {
        panic!("{document}");
    };
    assert_eq!((&iops["name"], &iops["judged"]), (&json!("t, read"), &json!("iops")));
    // Both were told to read 1,000 a second.
    assert!(iops["change_percent"].as_f64().unwrap().abs() < 5.0, "{iops}");
    assert!(iops["comparison"].is_object(), "{iops}");
    assert_eq!(
        (&latency["judged"], &latency["verdict"]),
        (&json!("mean_latency_ns"), &json!("unknown"))
    );
    let said = sandbox.fathom("compare theirs.json ours.json").stdout;
    assert!(said.contains("no spread known, so no confidence"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    // And against a document of ours with another name for its only job.
    let measured = sandbox
        .fathom("sweep data --rw randread --iodepth 1,2 --time 200ms --quiet --checkpoint s.json");
    measured.assert_ended(0);
    let nothing = sandbox.fathom("compare theirs.json s.json");
    nothing.assert_ended(1).assert_refused(&[
        "nothing in common",
        "rw=randread, iodepth=1",
        "t, read",
    ]);
}
