//! What cannot be written is an error: every command, with a standard output that is full or closed.
//!
//! The table names every subcommand; a new one fails here until it has a line.

use crate::sandbox::{Outcome, Sandbox, subject};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// A line for each subcommand. `ID` stands for a run of the history, `DIR` for a folder.
const COMMANDS: &[(&str, &str)] = &[
    ("measure", "measure DIR --time 800ms --size 8m --engine psync --json"),
    ("run", "run --name=x --ioengine=null --size=1m"),
    ("check", "check DIR --iops 1 --time-per-run 2s --size 8m"),
    ("sweep", "sweep DIR --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2 --json"),
    ("compare", "compare ID ID"),
    ("limit", "limit DIR --p99 1s --time-per-run 200ms --max-steps 5 --size 8m --json"),
    ("doctor", "doctor --quick DIR"),
    // Its output is frames for a coordinator; one that takes none is tried in `fleet`.
    ("agent", "agent --help"),
    // Clusters are asked in `kube`.
    ("kube", "kube --help"),
    ("kubestr", "kubestr version"),
    ("clean", "clean --dry-run DIR"),
    ("watch", "watch -c 1 -i 100ms DIR --json"),
    ("report", "report ID --markdown"),
    ("serve", "serve"),
    ("promises", "promises"),
    ("completions", "completions bash"),
    ("fio", "fio --name=x --ioengine=null --size=1m"),
    ("fio", "fio --cmdhelp"),
    ("history", "history"),
    ("history list", "history list --json"),
    ("history show", "history show ID"),
    ("history tag", "history tag ID one"),
    ("history untag", "history untag ID one"),
    ("history export", "history export"),
    ("history import", "history import runs.jsonl"),
    ("history rm", "history rm ID"),
    ("help", "--help"),
    ("help", "measure --help"),
    ("help", "--version"),
];

/// The lines of the commands that this build has.
fn commands() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    COMMANDS.iter().filter(|(name, _)| cfg!(feature = "kube") || !name.starts_with("kube"))
}

/// The subcommands that a help page lists.
fn listed(sandbox: &Sandbox, command: &str) -> BTreeSet<String> {
    let help = sandbox.fathom(&format!("{command} --help")).stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = commands.take_while(|line| !line.is_empty());
    // The description of a command is indented further than its name.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| format!("{command} {}", line.split_whitespace().next().unwrap())).collect()
}

#[test]
fn every_subcommand_is_in_the_table() {
    let sandbox = Sandbox::new();
    let mut listed_all: BTreeSet<String> =
        listed(&sandbox, "").iter().map(|name| name.trim().to_owned()).collect();
    assert!(listed_all.contains("measure"), "{listed_all:?}");
    let of_history = listed(&sandbox, "history");
    assert!(of_history.contains("history rm"), "{of_history:?}");
    listed_all.extend(of_history);
    listed_all.remove("history help");
    let tried: BTreeSet<String> = commands().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(tried, listed_all);
}

/// A sandbox with a run in its history; gives its name.
fn with_a_run(sandbox: &Sandbox) -> String {
    fs::create_dir(sandbox.work().join("dir")).unwrap();
    sandbox.fathom("run --name=x --ioengine=null --size=1m").assert_ended(0);
    sandbox.fathom("history export -o runs.jsonl").assert_ended(0);
    let list = sandbox.fathom("history list --json").json();
    list["runs"][0]["id"].as_str().unwrap().to_owned()
}

/// Runs `line` with standard output as `redirection` has it.
fn redirected(sandbox: &Sandbox, line: &str, redirection: &str) -> Outcome {
    let script = format!("exec '{}' {line} {redirection}", subject().display());
    let outcome = sandbox.start_program("/bin/sh", &["-c", &script]).finish();
    outcome.assert_no_panic();
    outcome
}

/// It ended as what could not be written: with 1, or with the code of an answer that is worse than a
/// pass. `check` and `limit` give one where the machine is too busy to tell.
fn assert_failed(outcome: &Outcome, line: &str) {
    let judges = line.starts_with("check") || line.starts_with("limit");
    let codes: &[i32] = if judges { &[1, 3, 5] } else { &[1] };
    let failed = outcome.code.is_some_and(|code| codes.contains(&code));
    assert!(failed, "{}", outcome.describe(line));
}

/// A sandbox with all that `from` holds.
fn copied(from: &Sandbox) -> Sandbox {
    let sandbox = Sandbox::new();
    for folders in [[from.work(), sandbox.work()], [from.home(), sandbox.home()]] {
        assert!(Command::new("cp").arg("-aT").args(folders).status().unwrap().success());
    }
    sandbox
}

/// Each command of the table fails with a sentence of its own.
fn all_fail(redirection: &str, cause: &str) {
    let first = Sandbox::new();
    let id = with_a_run(&first);
    for (_, line) in commands() {
        let sandbox = copied(&first);
        let line = line.replace("ID", &id).replace("DIR", "dir");
        let outcome = redirected(&sandbox, &line, redirection);
        assert_failed(&outcome, &line);
        let said = outcome.stderr.contains("standard output: ")
            || outcome.stderr.contains("fio: writing the output: ");
        assert!(said && outcome.stderr.contains(cause), "{}", outcome.describe(&line));
        // What was measured is there, and the message says where.
        let measured = ["measure", "run ", "check", "sweep", "limit"];
        if measured.iter().any(|command| line.starts_with(command)) && !line.contains("--help") {
            let named = outcome.stderr.lines().find_map(|line| {
                line.strip_prefix("fathom: the result is in the history: fathom ")
            });
            let show = named.unwrap_or_else(|| panic!("{}", outcome.describe("where it is")));
            assert!(!show.ends_with(&id), "{show}");
            sandbox.fathom(show).assert_ended(0);
        }
    }
}

#[test]
fn a_full_standard_output_is_an_error_in_every_command() {
    all_fail(">/dev/full", "No space left on device");
}

#[test]
fn a_closed_standard_output_is_an_error_in_every_command() {
    all_fail(">&-", "it is closed");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::new();
    let id = with_a_run(&sandbox);
    for line in ["history", "promises", "--help", &format!("report {id} --csv")] {
        // More than a pipe holds is not needed: `head` may be gone before or after the text.
        let script = format!("{{ '{}' {line}; echo $? >code; }} | head -c 0", subject().display());
        let outcome = sandbox.start_program("/bin/sh", &["-c", &script]).finish();
        assert_eq!(outcome.stderr, "", "{}", outcome.describe(line));
        let code = fs::read_to_string(sandbox.work().join("code")).unwrap();
        assert_eq!(code, "0\n", "{}", outcome.describe(line));
    }
}

#[test]
fn a_full_standard_error_costs_no_run() {
    let sandbox = Sandbox::new();
    with_a_run(&sandbox);
    for line in [
        "measure dir --time 800ms --size 8m --engine psync",
        "sweep dir --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2",
        "run --name=x --ioengine=null --size=1m",
        "fio --name=x --ioengine=null --size=1m",
    ] {
        for redirection in ["2>/dev/full", "2>&-"] {
            let outcome = redirected(&sandbox, line, redirection);
            assert_eq!(outcome.code, Some(0), "{}", outcome.describe(redirection));
            assert!(outcome.stdout.contains("IO"), "{}", outcome.describe(redirection));
        }
    }
}

#[test]
fn a_result_that_is_neither_shown_nor_recorded_is_saved_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    with_a_run(&sandbox);
    let line = "measure dir --time 800ms --size 8m --engine psync --json --no-record";
    let script = format!("umask 0; TMPDIR=. exec '{}' {line} >/dev/full", subject().display());
    let outcome = sandbox.start_program("/bin/sh", &["-c", &script]).finish();
    outcome.assert_ended(1);
    let path = outcome.stderr.lines().find_map(|line| line.split_once("document is in "));
    let (_, path) = path.unwrap_or_else(|| panic!("{}", outcome.describe("where it is")));
    let path = sandbox.work().join(path);
    let text = fs::read_to_string(&path).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["kind"], "fathom-measure");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}

/// A sweep of two short cases that keeps its document in `file`.
fn sweep_into(sandbox: &Sandbox, file: &str) -> Outcome {
    sandbox.fathom(&format!(
        "sweep dir --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2 --quiet --no-record --checkpoint {file}"
    ))
}

#[test]
fn a_sweep_touches_no_file_that_nobody_named() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("dir")).unwrap();
    sandbox.write("victim", "precious");
    sandbox.write("Cargo.lock", "precious");
    std::os::unix::fs::symlink("victim", sandbox.work().join("Cargo.new")).unwrap();
    sweep_into(&sandbox, "Cargo").assert_ended(0);
    for name in ["victim", "Cargo.lock", "Cargo.new"] {
        let text = fs::read_to_string(sandbox.work().join(name)).unwrap();
        assert_eq!(text, "precious", "{name}");
    }
    let names: Vec<String> = sandbox.files().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Cargo", "Cargo.lock", "victim"]);
}

#[test]
fn the_drop_in_keeps_links_modes_and_owners_of_what_it_writes() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let sandbox = Sandbox::new();
    let work = sandbox.work();
    let secret = sandbox.write("secret", "old");
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("secret", work.join("link")).unwrap();
    sandbox.write("one", "old");
    fs::hard_link(work.join("one"), work.join("two")).unwrap();
    sandbox.write("log_bw.1.log", "old");
    fs::hard_link(work.join("log_bw.1.log"), work.join("log")).unwrap();
    let job = "--name=x --ioengine=null --size=1m --output-format=json";
    for output in ["link", "one"] {
        let line = format!("{job} --write_bw_log=log --output={output}");
        sandbox.run(&line).assert_success();
    }
    assert!(fs::symlink_metadata(work.join("link")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&secret).unwrap().mode() & 0o777, 0o600);
    let inode = |name: &str| fs::metadata(work.join(name)).unwrap().ino();
    assert_eq!((inode("one"), inode("log")), (inode("two"), inode("log_bw.1.log")));
    for name in ["secret", "two"] {
        assert!(fs::read_to_string(work.join(name)).unwrap().starts_with("{\n"), "{name}");
    }
}

#[test]
fn the_drop_in_writes_to_its_standard_output_by_name() {
    let sandbox = Sandbox::new();
    let script = "echo before >out; fio --name=x --ioengine=null --size=1m --minimal \
                  --output=/dev/stdout >>out; echo after >>out";
    sandbox.shell(script).assert_success();
    let text = fs::read_to_string(sandbox.work().join("out")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("before", 3), "{text}");
    assert!(lines[1].starts_with("3;fio-") && lines[2] == "after", "{text}");
}

#[test]
fn equal_sweeps_started_together_are_kept_apart() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.work().join("dir")).unwrap();
    let line =
        "sweep dir --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2 --quiet --no-record";
    let runs: Vec<_> = (0..8).map(|_| sandbox.start_fathom(line)).collect();
    for run in runs {
        run.finish().assert_ended(0);
    }
    assert_eq!(fs::read_dir(sandbox.home().join("sweeps")).unwrap().count(), 8);
}

/// Commands that measure, with a file that they would write in the end; `BAD` stands for it.
const FILES: &[&str] = &[
    "measure dir --time 800ms --size 8m --report BAD.html",
    "measure dir --time 800ms --size 8m --csv=BAD.csv",
    "measure dir --time 800ms --size 8m --markdown=BAD.md",
    "check dir --iops 1 --time-per-run 2s --size 8m --report BAD.html",
    "limit dir --p99 1s --time-per-run 200ms --max-steps 5 --size 8m --report BAD.html",
    "sweep dir --time-per-run 100ms --size 8m --iodepth 1,2 --report BAD.html",
    "run --name=x --ioengine=null --size=1m --report BAD.html",
    "run --name=x --ioengine=null --size=1m --assert iops>0 --junit BAD.xml",
    "run --name=x --ioengine=null --size=1m --write_bw_log=BAD",
    "fio --name=x --rw=write --size=1m --directory=dir --output=BAD",
    "fio --name=x --rw=write --size=1m --directory=dir --write_lat_log=BAD",
];

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_first_write() {
    for line in FILES {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.work().join("dir")).unwrap();
        let outcome = sandbox.fathom(&line.replace("BAD", "none/x"));
        outcome.assert_refused(&["none/x"]);
        assert_eq!(outcome.stdout, "", "{}", outcome.describe("nothing was done"));
        assert_eq!(fs::read_dir(sandbox.work().join("dir")).unwrap().count(), 0);
        let list = sandbox.fathom("history list --json").json();
        assert_eq!(list["found"], 0, "{}", outcome.describe("nothing was kept"));
    }
}

/// Commands that measure for a short time.
const SHORT_RUNS: &[&str] = &[
    "measure dir --time 800ms --size 8m",
    "measure dir --for etcd --time 800ms --size 8m",
    "check dir --iops 1 --time-per-run 2s --size 8m",
    "limit dir --p99 1s --rw randread --time-per-run 150ms --max-steps 5 --size 8m",
    "sweep dir --time-per-run 100ms --size 8m --iodepth 1,2",
    "compare dir other --time 3s --repeat 3 --size 8m",
    "run --name=x --ioengine=null --size=1m",
];

#[test]
fn a_file_of_anothers_is_told_before_the_first_write_as_well() {
    let sandbox = Sandbox::new();
    for folder in ["dir", "other"] {
        fs::create_dir(sandbox.work().join(folder)).unwrap();
    }
    sandbox.write("notes.md", "my notes");
    sandbox.write("notes.csv", "a,b\n1,2\n");
    sandbox.write("notes.json", "{}");
    let flags =
        ["--markdown=notes.md", "--report notes.md", "--csv=notes.csv", "--json=notes.json"];
    for (command, flag) in SHORT_RUNS.iter().flat_map(|of| flags.map(|flag| (of, flag))) {
        let outcome = sandbox.fathom(&format!("{command} {flag}"));
        outcome.assert_refused(&["is there and is no report", "Nothing was measured"]);
        assert_eq!(outcome.stdout, "");
    }
    assert_eq!(fs::read_to_string(sandbox.work().join("notes.csv")).unwrap(), "a,b\n1,2\n");
    assert_eq!(sandbox.fathom("history list --json").json()["found"], 0);
}

#[test]
fn the_table_of_a_command_is_replaced_by_that_of_another_and_its_own() {
    let sandbox = Sandbox::new();
    for folder in ["dir", "other"] {
        fs::create_dir(sandbox.work().join(folder)).unwrap();
    }
    let mut before = String::new();
    for command in SHORT_RUNS.iter().flat_map(|of| [of, of]) {
        let outcome = sandbox.fathom(&format!("{command} --csv=x.csv"));
        assert!(outcome.stderr.contains("CSV: x.csv"), "{}", outcome.describe("it is written"));
        let now = fs::read_to_string(sandbox.work().join("x.csv")).unwrap();
        assert_ne!(now, before, "{command}");
        before = now;
    }
}

#[test]
fn a_file_that_fails_in_the_end_costs_no_result() {
    for line in &FILES[..9] {
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.work().join("dir")).unwrap();
        // It can be opened, and takes nothing.
        for name in ["x.html", "x.csv", "x.md", "x.xml", "x_bw.1.log"] {
            std::os::unix::fs::symlink("/dev/full", sandbox.work().join(name)).unwrap();
        }
        let outcome = sandbox.fathom(&line.replace("BAD", "x"));
        assert_failed(&outcome, line);
        let found = outcome
            .stderr
            .lines()
            .find_map(|line| line.strip_prefix("fathom: the result is in the history: fathom "));
        let show = found.unwrap_or_else(|| panic!("{}", outcome.describe("where it is")));
        sandbox.fathom(show).assert_ended(0);
    }
}

#[test]
fn endless_inputs_end_at_their_limit() {
    let sandbox = Sandbox::new();
    let id = with_a_run(&sandbox);
    for line in [
        "history import /dev/zero",
        "history import - </dev/zero",
        "sweep dir --iodepth 1,2 --resume /dev/zero",
        "promises --promises /dev/zero",
        "check dir --promise aws.gp3 --promises /dev/zero",
        "report /dev/zero",
        "report - </dev/zero",
        "compare /dev/zero /dev/zero",
        "fio /dev/zero",
        "fio - </dev/zero",
        "run /dev/zero",
    ] {
        // Less than what any of them would need without a limit.
        let script = format!("ulimit -v 4000000; exec '{}' {line}", subject().display());
        let outcome = sandbox.start_program("/bin/sh", &["-c", &script]).finish();
        outcome.assert_ended(1);
        assert!(!outcome.stderr.contains("memory"), "{}", outcome.describe(line));
    }
    // A folder is told as one.
    for line in ["promises --promises dir", "history import dir"] {
        sandbox.fathom(line).assert_ended(1);
    }
    sandbox.fathom(&format!("history show {id}")).assert_ended(0);
}

#[test]
fn a_byte_order_mark_before_fios_json_is_no_obstacle() {
    let sandbox = Sandbox::new();
    let job = "--name=x --ioengine=null --size=1m --output-format=json --output=plain.json";
    sandbox.run(job).assert_success();
    let text = fs::read_to_string(sandbox.work().join("plain.json")).unwrap();
    sandbox.write("marked.json", format!("\u{feff}{text}"));
    sandbox.fathom("compare plain.json marked.json").assert_ended(0);
    sandbox.fathom("report marked.json --csv").assert_ended(0);
}
