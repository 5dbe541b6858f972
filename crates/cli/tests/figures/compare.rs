//! `fathom compare` on volumes of known limits, on runs of the history, and on files of results.
//!
//! Two loop devices held to rates of their own by one control group are volumes of which the true
//! ratio is known.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::devices::{LoopDevice, Throttle, need, oracle};
use crate::quiet::on_a_quiet_machine;
use crate::sandbox::{Outcome, Sandbox, left_in, subject, without_breaks};

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
    on_a_quiet_machine(|| {
        let Some(pair) = need(Pair::new([3000, 3150])) else { return };
        let (verdict, [ratio, low, high]) = pair.judged("--repeat 9 --time 9s");
        assert_eq!(verdict, "shown", "{ratio} ({low} to {high})");
        // The group's own grain is a few I/Os in each run of a second.
        assert!(low - 0.003 <= 1.05 && 1.05 <= high + 0.003, "{ratio} ({low} to {high})");
        assert!((1.03..=1.07).contains(&ratio), "{ratio} ({low} to {high})");
    });
}

#[test]
fn devices_held_to_the_same_rate_are_not_told_apart() {
    on_a_quiet_machine(|| {
        let Some(pair) = need(Pair::new([3000, 3000])) else { return };
        // Of equal volumes 1 in 100 ratios leaves out 1 by chance; twice in a row and on the same side
        // is one in 20,000.
        let shown = || {
            let (verdict, [ratio, ..]) = pair.judged("--time 3s");
            (verdict == "shown").then_some(ratio > 1.0)
        };
        let twice = shown().is_some_and(|side| shown() == Some(side));
        assert!(!twice, "two comparisons of equal devices called the same one better");
        let said = pair.compare("--time 3s --quiet --verbose").stdout;
        assert!(said.contains("\n4 KiB random read, QD 32: IOPS\n"), "{said}");
    });
}

#[test]
fn a_gate_passes_a_volume_that_is_as_fast_and_fails_a_slower_one() {
    on_a_quiet_machine(|| {
        for (iops, code, line) in
            [(3000, 0, "gate: PASS"), (2000, 4, "gate: FAIL (1 of 1 figures)")]
        {
            let Some(pair) = need(Pair::new([3000, iops])) else { return };
            let outcome = pair.compare("--time 9s --quiet --fail-if-worse 20 --junit j.xml");
            let said = &outcome.assert_ended(code).stdout;
            assert_eq!(said.lines().last(), Some(line), "{said}");
            assert!(said.starts_with(if code == 0 { "PASS: " } else { "FAIL: " }), "{said}");
            let junit = std::fs::read_to_string(pair.sandbox.work().join("j.xml")).unwrap();
            let failures = if code == 0 { "failures=\"0\"" } else { "failures=\"1\"" };
            assert!(junit.contains(&format!("tests=\"1\" {failures}")), "{junit}");
        }
    });
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
    for words in [
        "2 tests on 2 volumes, 3 rounds each: 12 runs",
        " used, ",
        " free",
        "an order drawn at random",
        "16 MiB once",
    ] {
        assert!(plan.assert_ended(0).stdout.contains(words), "{words}: {}", plan.stdout);
    }
    assert!(folders.iter().all(|folder| left_in(folder).is_empty()) && !sandbox.home().exists());
    let outcome = sandbox.fathom(&format!("compare a b {SHORT} --seed 3 --tag mine --verbose"));
    let said = &outcome.assert_ended(0).stdout;
    for words in ["64 KiB random read, QD 4: MB/s", "64 KiB sequential write", "expect no"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let tables = said.split_once("64 KiB random read, QD 4: MB/s\n").expect("its first table").1;
    assert!(tables.lines().all(|line| line.chars().count() <= 80), "{tables}");
    // The volumes under each other: mean, error, change, bar. Of one disk no change is shown.
    let row = |name: &str| tables.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let (a, b) = (row("  a "), row("  b "));
    let error = |row: &str| row.contains(" MB/s +- ") || row.contains(" MB/s (uncertain)");
    assert!(error(a) && a.contains("  -  ") && a.contains("##"), "{tables}");
    assert!(error(b) && b.contains("  same disk"), "{tables}");
    assert!(said.contains("\nSame disk: differences are noise.\n"), "{said}");
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
fn without_a_terminal_each_round_is_a_line_of_progress() {
    let sandbox = Sandbox::new();
    two_folders(&sandbox);
    let outcome = sandbox.fathom(&format!("compare a b {SHORT} --no-record"));
    let said = &outcome.assert_ended(0).stderr;
    let rounds: Vec<&str> = said.lines().filter(|line| line.contains("round")).collect();
    assert_eq!(rounds.len(), 3, "{said}");
    assert!(rounds[1].starts_with("round 2 of 3 is over: 8 of 12 runs, "), "{said}");
    assert_eq!(rounds[2], "round 3 of 3 is over: 12 of 12 runs");
}

#[test]
fn spreadsheets_and_pages_have_every_volume_and_every_test() {
    let sandbox = Sandbox::new();
    two_folders(&sandbox);
    let csv = sandbox.fathom(&format!("compare a b {SHORT} --quiet --csv --no-record"));
    let lines: Vec<&str> = csv.assert_ended(0).stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{}", csv.stdout);
    assert!(lines[0].starts_with("subject,name,direction,iops,"), "{}", lines[0]);
    assert!(lines[1].starts_with("a,\"64 KiB random read, QD 4\",read,"), "{}", lines[1]);
    let page = sandbox.fathom(&format!("compare a b {SHORT} --quiet --markdown --no-record"));
    for words in ["compared\n", "| What | Figure | a | b |", "| 64 KiB sequential write, QD 4 | "] {
        assert!(page.assert_ended(0).stdout.contains(words), "{words}: {}", page.stdout);
    }
    assert!(csv.stderr.is_empty() && page.stderr.is_empty(), "{}{}", csv.stderr, page.stderr);
}

#[test]
fn an_interrupted_comparison_keeps_what_it_measured() {
    let sandbox = Sandbox::new();
    let folders = two_folders(&sandbox);
    let line = "compare a b --size 16m --time 20s --rw randread --repeat 20 --json --verbose";
    let mut running = sandbox.start_fathom(line);
    running.wait_for_stderr(|text| text.contains("1/40 round 1, "));
    running.signal(Signal::TERM);
    let outcome = running.finish();
    let document = outcome.assert_ended(143).json();
    assert_eq!(document["interrupted"], true);
    let runs = document["runs"].as_array().unwrap();
    assert!((1..40).contains(&runs.len()) && runs[0]["figures"]["total"]["ios"].as_u64() > Some(0));
    assert!(outcome.stderr.contains(" of 40; test files are removed"), "{}", outcome.stderr);
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
        ("compare a", &["two or more folders"][..]),
        ("compare a notes.txt", &["cannot be mixed", "fathom measure --json a"]),
        ("compare a a", &["given twice"]),
        ("compare a b --baseline tag:main", &["--baseline compares runs"]),
        ("compare a b --junit j.xml", &["give --fail-if-worse as well"]),
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
    let words = ["Exit codes: 0", "4 gate: FAIL", "5 gate: UNDECIDED", "130", "--fail-if-worse"];
    for words in words.into_iter().chain(["--baseline", "drawn at random", "--until-decided"]) {
        assert!(help.contains(words), "{words}: {help}");
    }
}

/// A document of a short run.
fn measured(sandbox: &Sandbox) -> Value {
    sandbox.write("data", vec![7; 16 << 20]);
    let line = "measure data --time 600ms --bs 4k --read-only --json --quiet --no-record";
    sandbox.fathom(line).assert_ended(0).json()
}

/// The file of a run of one phase in so many rounds, which scatter by a thousandth around so many
/// reads a second; all else is as in `measured`.
fn run_of(sandbox: &Sandbox, measured: &Value, (iops, rounds): (u64, u64), name: &str) -> String {
    let mut measured = measured.clone();
    let phase = measured["phases"][1].clone();
    let round = |at: u64| {
        let mut phase = phase.clone();
        phase["round"] = json!(at);
        let read = &mut phase["result"]["jobs"][0]["dirs"]["read"];
        let total = iops * 40 + iops * at / 25;
        read["runtime_ms"] = json!(40_000);
        read["total_ios"] = json!(total);
        read["io_bytes"] = json!(total * 4096);
        phase
    };
    measured["phases"] = (0..rounds).map(round).collect();
    let path = sandbox.write(&format!("{name}.json"), measured.to_string());
    path.display().to_string()
}

#[test]
fn a_gate_passes_fails_or_is_undecided_each_with_its_exit_code() {
    let sandbox = Sandbox::new();
    let measured = measured(&sandbox);
    let before = run_of(&sandbox, &measured, (3000, 3), "before");
    let after = run_of(&sandbox, &measured, (2700, 3), "after");
    let gate = |a: &str, b: &str, percent: &str| {
        sandbox.fathom(&format!("compare {a} {b} --fail-if-worse {percent}"))
    };
    let last = |outcome: &Outcome| outcome.stdout.lines().last().unwrap_or_default().to_owned();
    let fell = gate(&before, &after, "5");
    assert_eq!(last(fell.assert_ended(4)), "gate: FAIL (1 of 1 figures)", "{}", fell.stdout);
    assert!(
        fell.stderr.contains("regressed: 4 KiB random read, QD 32: IOPS 3,0"),
        "{}",
        fell.stderr
    );
    for words in ["WORSE", "99 % sure)", "share the state that the disk was in"] {
        assert!(fell.stdout.contains(words), "{words}: {}", fell.stdout);
    }
    // Worse by 10 %, but not surely by more than 9.9.
    let near = gate(&before, &after, "9.9");
    assert!(!near.stderr.contains("regressed: 4 KiB random read, QD 32: IOPS"), "{}", near.stderr);
    assert_eq!(last(gate(&before, &before, "5").assert_ended(0)), "gate: PASS");
    let rose = gate(&after, &before, "5");
    assert_eq!(last(rose.assert_ended(0)), "gate: PASS", "{}", rose.stdout);
    assert!(rose.stdout.contains("better"), "{}", rose.stdout);
    let json = sandbox.fathom(&format!("compare {before} {after} --fail-if-worse 5 --json"));
    let document = json.assert_ended(4).json();
    let expected = json!({ "outcome": "fail", "judged": 1, "failed": 1, "of": 1, "reason": null });
    assert_eq!(document["gate"], expected);
    assert!(json.stderr.contains("gate: FAIL (1 of 1 figures)"), "{}", json.stderr);
    // A report begins as the terminal does, and has the gate.
    let line = format!("compare {before} {after} --fail-if-worse 5 --report");
    for file in ["gate.html", "gate.md"] {
        let said = sandbox.fathom(&format!("{line} {file}"));
        let screen = without_breaks(&said.assert_ended(4).stdout);
        let page = std::fs::read_to_string(sandbox.work().join(file)).unwrap();
        let first =
            "FAIL: 1 of 1 figures is worse by more than 5 % (4 KiB random read, QD 32: IOPS";
        assert!(screen.starts_with(first), "{screen}");
        for words in ["slower in 1 of 1 tests (", "gate: FAIL (1 of 1 figures)"] {
            assert!(screen.contains(words) && page.contains(words), "{file}: {words}");
        }
        // Both sides with the change and its outcome stand before anything that is folded.
        let folded = page.find("<details class=\"section\"").unwrap_or(page.len());
        let open = &page[..folded];
        for words in ["Changes", "3,00", "2,70", "FAIL"] {
            assert!(open.contains(words), "{file}: {words}");
        }
        let has_tile = page.contains("Gate") && page.contains("--fail-if-worse");
        assert_eq!(has_tile, file == "gate.html", "{file}");
    }
    // One run a side is shown, and the gate is not green.
    let [before, after] = [("b1", 3000), ("a1", 1500)]
        .map(|(name, iops)| run_of(&sandbox, &measured, (iops, 1), name));
    let blind = gate(&before, &after, "5");
    let said = "gate: UNDECIDED (0 of 1 figures could be judged: one run a side; repeat it with \
                --more, or use `measure --repeat 10` or --baseline)";
    assert_eq!(last(blind.assert_ended(5)), said);
    let first = "UNDECIDED: 0 of 1 figures could be judged: one run a side.\n";
    assert!(blind.stdout.starts_with(first), "{}", blind.stdout);
    assert!(!blind.stdout.contains("WORSE"), "{}", blind.stdout);
    assert!(blind.stdout.contains("one run a side: shown, not judged"), "{}", blind.stdout);
    let shown = sandbox.fathom(&format!("compare {before} {after}"));
    assert!(!shown.assert_ended(0).stdout.contains("gate:"), "{}", shown.stdout);
}

#[test]
fn a_baseline_is_the_last_runs_of_a_tag_on_the_same_target() {
    let sandbox = Sandbox::new();
    let measure = |name: &str, tag: &str| {
        sandbox.write(name, vec![7; 16 << 20]);
        let line = format!("measure {name} --time 800ms --read-only --quiet --tag {tag}");
        sandbox.fathom(&line).assert_ended(0);
    };
    measure("data", "main");
    let none = sandbox.fathom("compare --baseline tag:main latest");
    none.assert_ended(1).assert_refused(&["--baseline takes 3 runs or more like ", "0 were found"]);
    let line = "compare --baseline tag:main latest --fail-if-worse 5 --junit gate.xml";
    let first = sandbox.fathom(line);
    let gate = "gate: UNDECIDED (the baseline has too few runs)";
    assert_eq!(first.assert_ended(5).stdout.lines().last(), Some(gate));
    let cases = std::fs::read_to_string(sandbox.work().join("gate.xml")).unwrap();
    assert!(cases.contains("<skipped message=\"--baseline takes 3 runs or more"), "{cases}");
    let misspelt = sandbox.fathom(&line.replace("tag:main", "tag:mian"));
    misspelt.assert_ended(1).assert_refused(&["no run has the tag \"mian\"", "the tags main"]);
    (0..3).for_each(|_| measure("data", "main"));
    measure("other", "main");
    measure("data", "new");
    let compared = sandbox.fathom("compare --baseline tag:main --last 3 latest --json");
    let document = compared.assert_ended(0).json();
    assert_eq!(document["sources"][0]["name"], "tag:main");
    let note = document["sources"][0]["notes"][0].as_str().unwrap();
    assert!(note.starts_with("the baseline is 3 runs: "), "{note}");
    let first = &document["pairs"][0]["contrasts"][0];
    let runs = &first["before"]["repeats"];
    assert_eq!((&runs["of"], runs["values"].as_array().unwrap().len()), (&json!("runs"), 3));
    assert!(first["comparison"].is_object() && first["unjudged"].is_null(), "{first}");
    assert_eq!(first["comparison"]["together"], 4);
    // The page has both sides: in the table on top, and as bars.
    let line = "compare --baseline tag:main --last 3 latest --fail-if-worse 5 --report h.html";
    sandbox.fathom(line);
    let page = std::fs::read_to_string(sandbox.work().join("h.html")).unwrap();
    let (_, data) = page.split_once("id=\"report-data\">").expect("the data of its charts");
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let charts = data["charts"].as_array().unwrap();
    let bars = charts.iter().find(|chart| chart["id"] == "iops").expect("a chart of IOPS");
    let names: Vec<&Value> =
        bars["series"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["tag:main", "new"]);
    let open = page.split_once("<details class=\"section\"").unwrap().0;
    for words in ["<h3 id=\"table-changes\">", "tag:main", "Interval", "Gate"] {
        assert!(open.contains(words), "{words}");
    }
    // All runs of the tag, also those of the other file.
    let any = sandbox.fathom("compare --baseline tag:main --last 9 --any-target latest --json");
    let notes = any.assert_ended(0).json()["sources"][0]["notes"][0].to_string();
    assert!(notes.contains("the baseline is 5 runs"), "{notes}");
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
    let [latency] = &document["pairs"][0]["contrasts"].as_array().unwrap()[..] else {
        panic!("{document}");
    };
    assert_eq!(
        (&latency["name"], &latency["judged"]),
        (&json!("t, read"), &json!("mean_latency_ns"))
    );
    // One run a side: shown, and not judged.
    assert_eq!(latency["unjudged"]["why"], "one_run", "{latency}");
    assert_eq!(latency["verdict"], "unknown");
    let said = sandbox.fathom("compare theirs.json ours.json").stdout;
    assert!(said.contains("one run a side: shown, not judged"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    // And against a document of ours with another name for its only job.
    let measured = sandbox.fathom(
        "sweep data --rw randread --iodepth 1,2 --time-per-run 200ms --quiet --checkpoint s.json",
    );
    measured.assert_ended(0);
    let nothing = sandbox.fathom("compare theirs.json s.json");
    nothing.assert_ended(1).assert_refused(&[
        "no test of",
        "has 't, read', the other 'rw=randread, iodepth=1' and 1 more",
    ]);
}
