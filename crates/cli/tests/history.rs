//! `fathom history`, and that `fathom measure` keeps its runs there: what is kept, shown, carried
//! elsewhere and removed, and that a history that fails costs no measurement.

use std::fs;

use rustix::process::Signal;
use serde_json::Value;

use crate::devices::{Mount, need};
use crate::sandbox::{Outcome, Sandbox, subject};

/// A short measurement of the current folder.
fn measure(sandbox: &Sandbox, options: &str) -> Outcome {
    let line = format!("measure . --size 16m --time 500ms --bs 4k --read-only {options}");
    let outcome = sandbox.fathom(&line);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    outcome
}

fn history(sandbox: &Sandbox, line: &str) -> Outcome {
    let outcome = sandbox.fathom(&format!("history {line}"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    outcome
}

/// The listed runs, newest first.
fn runs(sandbox: &Sandbox, filters: &str) -> Vec<Value> {
    let list = history(sandbox, &format!("list --json {filters}")).json();
    assert_eq!((&list["kind"], &list["schema"]), (&"fathom-history-list".into(), &1.into()));
    list["runs"].as_array().expect("a list").clone()
}

fn id(run: &Value) -> &str {
    run["id"].as_str().expect("a name")
}

/// The table of a run is that which its command printed.
#[test]
fn a_run_is_shown_with_the_table_that_was_printed() {
    let sandbox = Sandbox::new();
    for folder in ["a", "b"] {
        fs::create_dir(sandbox.work().join(folder)).unwrap();
    }
    for line in [
        "measure . --size 16m --time 900ms --bs 4k --read-only",
        "compare a b --rw randread --size 16m --time 900ms --repeat 3",
        "sweep . --size 16m --time-per-run 100ms --iodepth 1,2,4",
        "check . --size 16m --time-per-run 2s --iops 1",
        "limit . --size 16m --time-per-run 100ms --max-steps 5 --p99 5s",
        "measure . --size 16m --time 1500ms --for etcd",
        "run --name=x --filename=new --size=1m --rw=randread",
    ] {
        let outcome = sandbox.fathom(line);
        assert_ne!(outcome.code, Some(2), "{}", outcome.describe(line));
        let printed = outcome.stdout;
        let shown = history(&sandbox, "show latest").stdout;
        let table = shown.split_once("\nFigures\n").expect("a table").1;
        let lines: Vec<&str> = table.lines().take(2).collect();
        assert!(lines.len() == 2 && printed.contains(&lines.join("\n")), "{printed}\n{shown}");
        // As the short form advises.
        let all = history(&sandbox, "show latest --verbose").stdout;
        assert!(all.contains("\nFigures\n") && !all.contains("--verbose shows"), "{all}");
        assert!(!line.starts_with("measure . --size 16m --time 900ms") || all.contains("= IOPS"));
    }
}

#[test]
fn a_measurement_is_kept_with_its_document_and_what_repeats_it() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, "--json --tag before --tag nightly");
    let runs = runs(&sandbox, "");
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    let note = format!("history show {}\n", run["short_id"].as_str().unwrap());
    assert!(outcome.stderr.ends_with(&note), "{}", outcome.stderr);
    assert_eq!((&run["kind"], &run["outcome"]), (&"measure".into(), &"ran".into()));
    assert_eq!(run["targets"][0], sandbox.work().display().to_string());
    assert_eq!(run["folder"], sandbox.work().display().to_string());
    assert_eq!(run["tags"], serde_json::json!(["before", "nightly"]));
    assert_eq!(run["command"][0], "fathom");
    assert_eq!(run["command"][1], "measure");
    assert_eq!(run["title"], "latency, IOPS, throughput of reads");
    let document = outcome.json();
    assert_eq!(run["started_ms"], document["started_ms"]);
    assert_eq!(run["host"], document["host"]["hostname"]);
    assert_eq!(
        run["headline"].as_array().unwrap().len(),
        document["phases"].as_array().unwrap().len()
    );
    let kept = history(&sandbox, &format!("show {} --json", id(run)));
    let kept: Value = serde_json::from_str(&kept.stdout).expect("one document");
    assert_eq!(kept, document, "what is kept is what was printed");
    let shown = history(&sandbox, &format!("show {}", id(run))).stdout;
    // The mark of a busy device stands right before the name of a test.
    for words in ["all was measured", "before, nightly", "4 KiB random read ", "p99"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let again = shown.lines().find_map(|line| line.trim().strip_prefix("cd ")).expect("a command");
    assert!(again.contains("--size 16m --time 500ms --bs 4k --read-only --json"), "{again}");
    let table = history(&sandbox, "").stdout;
    // How many figures there is room for depends on how great they are.
    let figure = table.contains(" us") || table.contains(" ms") || table.contains(" s");
    assert!(table.starts_with("id") && figure && table.contains("before"), "{table}");
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn a_list_names_figures_and_says_what_sweeps_and_comparisons_found() {
    let sandbox = Sandbox::new();
    for name in ["a", "b"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    let short = "--size 8m --quiet";
    sandbox.fathom(&format!("measure a --time 800ms --read-only {short}")).assert_ended(0);
    let sweep = format!("sweep a --time-per-run 100ms --ramp 0 --iodepth 1,2 {short}");
    sandbox.fathom(&sweep).assert_ended(0);
    let compare = format!("compare a b --time 600ms --repeat 3 --rw randread {short}");
    sandbox.fathom(&compare).assert_ended(0);
    let table = history(&sandbox, "").stdout;
    let row = |kind: &str| table.lines().find(|line| line.contains(kind)).unwrap_or_default();
    assert!(row("  compare  ").contains("  same disk: not judged"), "{table}");
    assert!(row("  sweep  ").contains(" IOPS (iodepth="), "{table}");
    assert!(row("  measure  ").contains("  randread 4k "), "{table}");
    // The order is that of the table of `measure`.
    let runs = runs(&sandbox, "--kind measure");
    let labels = runs[0]["headline"].as_array().unwrap().iter();
    let labels: Vec<&str> = labels.filter_map(|figure| figure["label"].as_str()).collect();
    let document = history(&sandbox, &format!("show {} --json", id(&runs[0]))).stdout;
    let document: Value = serde_json::from_str(&document).expect("one document");
    let phases = document["phases"].as_array().unwrap().len();
    assert_eq!(labels.len(), phases, "{labels:?}");
    assert!(labels[0].ends_with("random read, QD 1"), "{labels:?}");
    assert!(runs[0]["headline"][0]["p999_ns"].as_f64().is_some());
}

#[test]
fn nothing_is_kept_where_nothing_should_be() {
    let sandbox = Sandbox::new();
    sandbox.run("--name=a --size=64k --rw=read --filename=data").assert_success();
    measure(&sandbox, "--no-record");
    measure(&sandbox, "--dry-run");
    assert!(!sandbox.home().exists(), "a history was begun");
    let none = history(&sandbox, "");
    assert!(none.stdout.starts_with("No run is kept yet in "), "{}", none.stdout);
    assert!(!sandbox.home().exists(), "looking began a history");
    assert_eq!(runs(&sandbox, ""), Vec::<Value>::new());
    sandbox.fathom("history show 1").assert_refused(&["no run is called \"1\""]);
    sandbox.fathom("history rm 1").assert_refused(&["no run is called \"1\""]);
}

#[test]
fn filters_find_labels_texts_targets_and_times() {
    let sandbox = Sandbox::new();
    measure(&sandbox, "--quiet --tag first");
    measure(&sandbox, "--quiet --tag second");
    for (filters, expected) in [
        ("--tag first", 1),
        ("--tag fir", 0),
        ("--text eco", 1),
        ("--text measure", 2),
        ("--kind measure", 2),
        ("--kind sweep", 0),
        ("--target .", 2),
        ("--target /", 0),
        ("--since 1h", 2),
        ("--until 1h", 0),
        ("--limit 1", 1),
        ("--limit 0", 2),
    ] {
        assert_eq!(runs(&sandbox, filters).len(), expected, "{filters}");
    }
    let cut = history(&sandbox, "--limit 1").stdout;
    assert!(cut.ends_with("\n1 of 2 runs; --limit 0 lists all.\n"), "{cut}");
    sandbox.fathom("history --since yesterday").assert_refused(&["write a date as 2026-08-01"]);
    let misplaced = sandbox.fathom("history --kind measure show");
    misplaced.assert_usage_in_a_sentence("options of a list stand after `list`");
}

#[test]
fn labels_come_and_go_and_runs_are_removed_by_name() {
    let sandbox = Sandbox::new();
    measure(&sandbox, "--quiet --tag first");
    measure(&sandbox, "--quiet");
    let both = runs(&sandbox, "");
    let (new, old) = (id(&both[0]), id(&both[1]));
    let said = history(&sandbox, &format!("tag {new} second third")).stdout;
    assert!(said.ends_with(": second, third\n"), "{said}");
    let said = history(&sandbox, &format!("untag {new} second third")).stdout;
    assert!(said.ends_with(": no tags\n"), "{said}");
    // One that is not there: none is removed.
    let both = format!("history rm {new} zzz");
    sandbox.fathom(&both).assert_refused(&["no run is called \"zzz\""]);
    assert_eq!(runs(&sandbox, "").len(), 2);
    sandbox.fathom("history rm 1").assert_refused(&["give more digits", new, old]);
    assert_eq!(sandbox.fathom("history rm").code, Some(2), "without a name");
    let said = history(&sandbox, &format!("rm {new} {new}")).stdout;
    assert!(said.starts_with(&format!("removed {new}  ")) && said.lines().count() == 1, "{said}");
    assert_eq!(runs(&sandbox, "").len(), 1);
    assert_eq!(id(&runs(&sandbox, "")[0]), old);
}

#[test]
fn runs_go_to_another_history_and_nothing_is_written_over() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    measure(&here, "--quiet --tag first");
    measure(&here, "--quiet");
    let file = here.work().join("runs.jsonl");
    let said = history(&here, "export -o runs.jsonl").stderr;
    assert_eq!(said, "2 runs exported to runs.jsonl\n");
    let content = fs::read(&file).unwrap();
    here.fathom("history export -o runs.jsonl").assert_refused(&["is there already"]);
    assert!(fs::read(&file).unwrap() == content, "was written over");
    assert_eq!(history(&here, "export").stdout.as_bytes(), content);
    let import = format!("import {}", file.display());
    assert_eq!(history(&there, &import).stdout, "2 runs imported\n");
    assert_eq!(history(&there, &import).stdout, "0 runs imported, 2 here already\n");
    assert_eq!(runs(&there, ""), runs(&here, ""));
    let one = history(&there, &format!("export {}", id(&runs(&there, "")[0]))).stdout;
    assert_eq!(one.lines().count(), 2);
    let document = here.write("document.json", "{\"kind\":\"fathom-measure\"}");
    let import = format!("history import {}", document.display());
    there.fathom(&import).assert_refused(&["document.json: line 1: this is not what"]);
    let there_still =
        there.shell(&format!("{0} history export | {0} history import -", subject().display()));
    assert_eq!(there_still.stdout, "0 runs imported, 2 here already\n");
}

#[test]
fn an_interrupted_run_is_kept_as_that() {
    let sandbox = Sandbox::new();
    sandbox.fathom("run --name=x --filename=new --size=1m --rw=randread").assert_ended(0);
    let args = ["measure", ".", "--size", "16m", "--time", "20s"];
    let mut running = sandbox.start_program(subject(), &args);
    running.wait_for_stderr(|text| text.contains("1/8 4 KiB random read, QD 1: "));
    running.signal(Signal::INT);
    assert_eq!(running.finish().code, Some(130));
    let runs = runs(&sandbox, "");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["outcome"], "interrupted");
    assert!(!runs[0]["headline"].as_array().unwrap().is_empty(), "{}", runs[0]);
    let table = history(&sandbox, "").stdout;
    assert!(table.contains("INTERRUPTED"), "{table}");
    let named_twice = sandbox.fathom("compare latest latest").stderr;
    let warnings = named_twice.matches("was stopped and is named by its id only").count();
    assert_eq!(warnings, 1, "{named_twice}");
}

/// The run measured all, said its figures, and warned in one line with all of `words`.
fn warned_only(outcome: &Outcome, words: &[&str]) {
    assert!(outcome.stdout.contains("4 KiB random read"), "{}", outcome.describe("its figures"));
    let warning = outcome.stderr.lines().filter(|line| line.starts_with("fathom: warning: "));
    let warning: Vec<&str> = warning.collect();
    assert_eq!(warning.len(), 1, "{}", outcome.stderr);
    assert!(warning[0].contains("this run is not kept in the history: "), "{warning:?}");
    for word in words {
        assert!(warning[0].contains(word), "{word}: {warning:?}");
    }
}

#[test]
fn a_history_that_cannot_be_used_costs_no_measurement() {
    let sandbox = Sandbox::new();
    // A file where the folder should be.
    fs::write(sandbox.home(), "x").unwrap();
    warned_only(&measure(&sandbox, ""), &[&sandbox.home().display().to_string()]);
    fs::remove_file(sandbox.home()).unwrap();
    fs::create_dir(sandbox.home()).unwrap();
    let file = sandbox.home().join("history.sqlite3");
    fs::write(&file, "my notes").unwrap();
    let words = ["is not an SQLite database", "left as it is", "FATHOM_HOME"];
    warned_only(&measure(&sandbox, "--quiet"), &words);
    sandbox.fathom("history").assert_refused(&words);
    assert_eq!(fs::read(&file).unwrap(), b"my notes");
    // Damaged in the middle of what was a history.
    fs::remove_file(&file).unwrap();
    measure(&sandbox, "--quiet");
    let mut damaged = fs::read(&file).unwrap();
    damaged[100..4096].fill(0xff);
    fs::write(&file, &damaged).unwrap();
    warned_only(&measure(&sandbox, ""), &["is damaged", "Copy it away"]);
}

#[test]
fn a_home_that_may_only_be_read_or_is_full_costs_no_measurement() {
    let sandbox = Sandbox::new();
    let args = ["-t", "tmpfs", "-o", "size=1m", "fathom"];
    let Some(mount) = need(Mount::new(&args, &sandbox.home())) else { return };
    measure(&sandbox, "--quiet --tag kept");
    let filler = mount.point.join("filler");
    let free = fs::File::create(&filler).unwrap();
    let write = |size: usize| std::io::Write::write_all(&mut &free, &vec![7; size]);
    while write(4096).is_ok() {}
    warned_only(
        &measure(&sandbox, ""),
        &["no space left", "Earlier runs are whole", "FATHOM_HOME"],
    );
    assert_eq!(runs(&sandbox, "--tag kept").len(), 1);
    drop(free);
    fs::remove_file(&filler).unwrap();
    let remount = |how: &str| {
        Mount::new(&["-o", how], &sandbox.home()).map(std::mem::forget).expect("a remount");
    };
    remount("remount,ro");
    warned_only(&measure(&sandbox, ""), &["Read-only file system", "FATHOM_HOME"]);
    let run = &runs(&sandbox, "--tag kept")[0];
    history(&sandbox, &format!("show {}", id(run)));
    sandbox.fathom(&format!("history tag {} x", id(run))).assert_refused(&["cannot be written"]);
    remount("remount,rw");
    measure(&sandbox, "--quiet");
    assert_eq!(runs(&sandbox, "").len(), 2);
}

/// A run that wrote where it was told to is repeated by whoever tells it again.
#[test]
fn a_run_that_wrote_is_not_repeated_unasked() {
    let sandbox = Sandbox::new();
    let run = "run --name=w --rw=write --size=64k --io_size=64k --filename=data";
    for _ in 0..2 {
        sandbox.fathom(run).assert_ended(0);
    }
    let written = fs::metadata(sandbox.work().join("data")).unwrap().modified().unwrap();
    let refused = sandbox.fathom("compare latest~1 latest --more");
    assert_eq!(refused.code, Some(2), "{}", refused.describe("exit code"));
    assert!(refused.stderr.contains("--more would write again"), "{}", refused.stderr);
    assert!(refused.stderr.contains(run), "and how to: {}", refused.stderr);
    assert_eq!(fs::metadata(sandbox.work().join("data")).unwrap().modified().unwrap(), written);
}
