//! Flags that all commands have alike: the forms of a result, `--dry-run` for programs, names of
//! runs, completions, pages for `man`.

use std::fs;

use crate::sandbox::{Outcome, Sandbox, subject};

/// Commands that measure for a moment, each with a title that its Markdown begins with.
const COMMANDS: [(&str, &str); 6] = [
    ("measure dir --size 8m --time 800ms --bs 4k --read-only", "# "),
    ("sweep dir --size 8m --time-per-run 100ms --ramp 0 --iodepth 1,2", "# Sweep of /"),
    ("compare dir other --size 8m --time 600ms --repeat 3 --rw randread", "# "),
    ("check dir --size 8m --time-per-run 2s --iops 1 --read-only", "# "),
    ("limit dir --size 8m --time-per-run 200ms --p99 10s --max-steps 5", "# "),
    ("run --name=t --filename=dir/t --size=1m --rw=randread", "# Job t"),
];

const MARK: &str = "<!-- a report by Fathom -->\n";

fn folders(sandbox: &Sandbox) {
    for name in ["dir", "other"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
}

fn content(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.work().join(name)).unwrap()
}

fn kind(text: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    value["kind"].as_str().unwrap_or_default().to_owned()
}

/// The rows without what they are of: jobs have no name of their own until they are kept.
fn figures(csv: &str) -> Vec<&str> {
    csv.lines().map(|line| line.split_once(',').unwrap_or_default().1).collect()
}

#[test]
fn every_form_of_a_result_goes_into_a_file_beside_the_tables_in_every_command() {
    for (line, title) in COMMANDS {
        let sandbox = Sandbox::new();
        folders(&sandbox);
        let all = "--json=r.json --csv=r.csv --markdown=r.md --report page.html --quiet";
        let outcome = sandbox.fathom(&format!("{line} {all}"));
        // A moment is often too short to decide.
        assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe("exit code"));
        assert!(!outcome.stdout.starts_with(['{', '<']), "{}", outcome.describe("tables"));
        assert!(kind(&content(&sandbox, "r.json")).starts_with("fathom-"), "{line}");
        let page = content(&sandbox, "r.md");
        assert!(page.strip_prefix(MARK).is_some_and(|page| page.starts_with(title)), "{page}");
        assert!(content(&sandbox, "page.html").contains("</html>"), "{line}");
        // The history gives the same.
        let shown = sandbox.fathom("history show --csv");
        let data = content(&sandbox, "r.csv");
        let data = figures(&data);
        assert_eq!(figures(&shown.assert_ended(0).stdout), data, "{line}");
        let shown = sandbox.fathom("history show latest --markdown=again.md --quiet");
        shown.assert_ended(2);
        sandbox.fathom("history show latest --markdown=again.md").assert_ended(0);
        let again = content(&sandbox, "again.md");
        assert_eq!(again.lines().count(), page.lines().count(), "{line}: {again}\n{page}");
        let report = sandbox.fathom("report --csv");
        assert_eq!(figures(&report.assert_ended(0).stdout), data, "{line}");
    }
}

#[test]
fn output_is_refused_by_name_with_the_flag_to_use_and_two_forms_are_too_many() {
    let sandbox = Sandbox::new();
    folders(&sandbox);
    for (line, _) in &COMMANDS[..5] {
        let refused = sandbox.fathom(&format!("{line} --output x.html"));
        refused.assert_ended(2).assert_refused(&["--report x.html", "--csv=x.html"]);
        let both = sandbox.fathom(&format!("{line} --json --csv"));
        both.assert_ended(2).assert_refused(&["cannot be used with", "--csv=FILE"]);
        let odd = sandbox.fathom(&format!("{line} --report x.pdf"));
        odd.assert_ended(2).assert_refused(&["x.pdf", ".html"]);
        let spaced = sandbox.fathom(&format!("{line} --csv out.csv"));
        spaced.assert_usage_in_a_sentence("--csv=out.csv");
    }
}

#[test]
fn junit_has_a_case_for_each_limit_in_every_command_that_judges() {
    for (line, cases) in [
        ("check dir --size 8m --time-per-run 2s --iops 1 --latency p99=10s --read-only", 2),
        ("limit dir --size 8m --time-per-run 200ms --p99 10s --max-steps 5", 1),
        ("run --name=t --filename=dir/t --size=1m --rw=randread --assert iops>1", 1),
    ] {
        let sandbox = Sandbox::new();
        folders(&sandbox);
        let outcome = sandbox.fathom(&format!("{line} --quiet --junit j.xml"));
        let junit = content(&sandbox, "j.xml");
        let suite = match line.split(' ').next() {
            Some("run") => "t".to_owned(),
            command => format!("{} {}/dir", command.unwrap(), sandbox.work().display()),
        };
        assert!(junit.contains(&format!("<testsuite name=\"{suite}\"")), "{junit}");
        assert!(junit.contains(&format!("tests=\"{cases}\" failures=\"0\"")), "{junit}");
        assert_eq!(junit.matches("<testcase").count(), cases, "{junit}");
        // A moment is often too short to decide.
        let skipped = junit.contains("<skipped message=");
        let code = if skipped { 5 } else { 0 };
        assert_eq!(outcome.code, Some(code), "{}", outcome.describe(&junit));
    }
}

#[test]
fn junit_of_a_comparison_has_its_figures_and_needs_a_gate() {
    let sandbox = Sandbox::new();
    folders(&sandbox);
    null(&sandbox, "before");
    null(&sandbox, "after");
    let compare = "compare before after --fail-if-worse 5";
    // A single run on each side is not judged.
    let outcome = sandbox.fathom(&format!("{compare} --junit j.xml"));
    outcome.assert_ended(5);
    let junit = content(&sandbox, "j.xml");
    assert!(junit.contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\""), "{junit}");
    assert!(
        junit.contains(
            "classname=\"compare before after\" name=\"before / after, read: mean latency\""
        ),
        "{junit}"
    );
    assert!(junit.contains("<skipped message=\"mean latency "), "{junit}");
    let ours = subject();
    let told = sandbox.shell(&format!("GITHUB_ACTIONS=true {} {compare}", ours.display()));
    assert_eq!(told.stderr.matches("::warning title=fathom ").count(), 1, "{}", told.stderr);
    let ungated = sandbox.fathom("compare before after --junit j.xml");
    ungated.assert_usage_in_a_sentence("give --fail-if-worse as well");
    let places = sandbox.fathom("compare dir other --junit j.xml");
    places.assert_usage_in_a_sentence("give --fail-if-worse as well");
    let places = sandbox.fathom("compare dir other --baseline tag:main");
    places.assert_usage_in_a_sentence("--baseline compares runs");
}

#[test]
fn a_command_that_fails_before_it_judges_is_an_error_in_every_form_for_ci() {
    let sandbox = Sandbox::new();
    let ours = subject();
    let mut lines = vec![
        ("check dir --junit j.xml --wrong 5", "check", 2, "unexpected argument"),
        ("compare a.json b.json --fail-if-worse 5 --junit=j.xml", "compare", 1, "a.json"),
        ("limit none --p99 1ms --junit j.xml", "limit", 1, "does not exist"),
        ("run --name=x --rw=none --assert iops>1 --junit j.xml", "run", 2, "rw"),
    ];
    if cfg!(feature = "kube") {
        let line = "kube run -f none.fio -s gp3 --kubeconfig none --assert iops>1 --junit j.xml";
        lines.push((line, "kube run", 1, "none"));
    }
    for (line, suite, code, words) in lines {
        let line = line.replace('>', "\\>");
        let said = sandbox.shell(&format!("GITHUB_ACTIONS=true {} {line}", ours.display()));
        said.assert_ended(code);
        let junit = content(&sandbox, "j.xml");
        let head = format!("<testsuite name=\"{suite}\" tests=\"1\" failures=\"0\" errors=\"1\"");
        assert!(junit.contains(&head), "{junit}");
        let error = junit.lines().find(|line| line.contains("<error message=")).unwrap();
        assert!(error.contains(words), "{error}");
        let annotation = format!("::error title=fathom {suite}::");
        assert!(said.stderr.contains(&annotation), "{}", said.stderr);
        std::fs::remove_file(sandbox.work().join("j.xml")).unwrap();
    }
    // GitHub shows a mistake beside its line.
    sandbox.write("bad.fio", b"[one]\nrw=nothing\n");
    let bad = format!("GITHUB_ACTIONS=true {} run bad.fio --assert iops\\>1", ours.display());
    let bad = sandbox.shell(&bad);
    let annotation = "::error file=bad.fio,line=2,title=fathom run::";
    assert!(bad.stderr.contains(annotation), "{}", bad.stderr);
    // Another program's file stays, and a command that judges nothing writes none.
    sandbox.write("j.xml", b"<notes/>");
    sandbox.fathom("check dir --junit j.xml --wrong 5").assert_ended(2);
    assert_eq!(content(&sandbox, "j.xml"), "<notes/>");
    sandbox.fathom("measure dir --junit other.xml").assert_ended(2);
    assert!(!sandbox.work().join("other.xml").exists());
}

#[test]
fn a_failure_takes_the_place_of_an_earlier_result_in_every_output() {
    let sandbox = Sandbox::new();
    let outputs = "--json=o.json --markdown=m.md --csv=c.csv --report r.html --junit j.xml";
    let null = "run --name=t --ioengine=null --size=1m --assert iops>1 --quiet";
    let fails = "run no.fio --assert iops>1";
    let usage = "run --name=t --rw=none --assert iops>1";
    for (line, code) in [(null, 0), (fails, 1), (null, 0), (usage, 2), (null, 0)] {
        sandbox.fathom(&format!("{line} {outputs}")).assert_ended(code);
        let document: serde_json::Value =
            serde_json::from_str(&content(&sandbox, "o.json")).unwrap();
        let outcome = if code == 0 { "pass" } else { "error" };
        assert_eq!(document["gate"]["outcome"], outcome, "{document}");
        assert_eq!(document["exit_code"].as_i64(), (code > 0).then_some(code.into()));
        assert_eq!(content(&sandbox, "m.md").contains("**FAILED: "), code > 0, "{line}");
        assert_eq!(content(&sandbox, "r.html").contains("FAILED: "), code > 0, "{line}");
        assert_eq!(content(&sandbox, "c.csv").starts_with("error,exit_code\n"), code > 0);
        assert_eq!(content(&sandbox, "j.xml").contains("<error "), code > 0, "{line}");
    }
    // A summary that standard output is appended to is not empty.
    let said = sandbox.fathom("check none --iops 1 --markdown").assert_ended(1).stdout.clone();
    assert!(said.starts_with(MARK) && said.contains("- **FAILED: none does not exist"), "{said}");
    // What is none of ours stays.
    sandbox.write("o.json", b"{}");
    sandbox.write("c.csv", b"a,b\n1,2\n");
    sandbox.fathom(&format!("{fails} --json=o.json --csv=c.csv")).assert_ended(1);
    assert_eq!(
        (content(&sandbox, "o.json"), content(&sandbox, "c.csv")),
        ("{}".to_owned(), "a,b\n1,2\n".to_owned())
    );
}

#[test]
fn a_job_file_without_jobs_or_with_a_missing_folder_is_named_with_its_line() {
    let sandbox = Sandbox::new();
    let ours = subject();
    sandbox.write("empty.fio", b"");
    sandbox.write(
        "gone.fio",
        b"[one]\nrw=read\nsize=1m\n[two]\nrw=read\nsize=1m\ndirectory=/nowhere\n",
    );
    for (file, line, words) in [("empty", 1, "empty.fio has no job: "), ("gone", 4, "is not a dir")]
    {
        let run =
            format!("GITHUB_ACTIONS=true {} run {file}.fio --assert iops\\>1", ours.display());
        let said = sandbox.shell(&run).assert_ended(1).stderr.clone();
        assert!(said.contains(words) && !said.contains("dropped"), "{said}");
        let annotation = format!("::error file={file}.fio,line={line},title=fathom run::");
        assert!(said.contains(&annotation), "{said}");
    }
    let said =
        sandbox.fathom("run --name=t --ioengine=null --size=1m --assert iops>1 --junit no/j.xml");
    said.assert_refused(&["cannot write no/j.xml: ", "make its folder first"]);
    assert!(!said.stderr.contains("output-"), "{}", said.stderr);
}

#[test]
fn a_baseline_without_any_run_like_the_compared_one_is_no_young_pipeline() {
    let sandbox = Sandbox::new();
    folders(&sandbox);
    null(&sandbox, "main");
    null(&sandbox, "main");
    let measure = "measure dir --size 8m --time 800ms --bs 4k --read-only --engine psync --quiet";
    sandbox.fathom(measure).assert_ended(0);
    let compare = "compare --baseline tag:main latest --fail-if-worse 5";
    let young = sandbox.fathom(&format!("{compare} --json=o.json"));
    young.assert_ended(5).assert_refused(&["3 runs or more like ", "(a measure of "]);
    let document: serde_json::Value = serde_json::from_str(&content(&sandbox, "o.json")).unwrap();
    assert_eq!(document["gate"]["outcome"], "undecided", "{document}");
    null(&sandbox, "main");
    sandbox.fathom(measure).assert_ended(0);
    let other = sandbox.fathom(compare);
    let words = [" is a measure of ", "none of the 3 runs with the tag", "Name the run to compare"];
    other.assert_ended(1).assert_refused(&words);
}

#[test]
fn a_plan_for_programs_is_one_document_and_nothing_is_done() {
    let sandbox = Sandbox::new();
    folders(&sandbox);
    for (line, _) in COMMANDS {
        let outcome = sandbox.fathom(&format!("{line} --dry-run --json"));
        let plan = outcome.assert_ended(0).json();
        let command = line.split(' ').next().unwrap();
        assert_eq!((&plan["kind"], &plan["command"]), (&"fathom-plan".into(), &command.into()));
        assert!(plan["runs"].as_u64().is_some_and(|runs| runs > 0), "{plan}");
        assert!(plan["targets"][0]["size_bytes"].as_u64() > Some(0), "{plan}");
        assert!(plan["fill_bytes"].as_u64() > Some(0), "{plan}");
        assert_eq!(outcome.stderr, "", "{line}");
    }
    assert_eq!(fs::read_dir(sandbox.work().join("dir")).unwrap().count(), 0);
}

fn null(sandbox: &Sandbox, tag: &str) {
    let job = format!("run --name={tag} --ioengine=null --size=1m --rw=read --quiet --tag {tag}");
    sandbox.fathom(&job).assert_ended(0);
}

#[test]
fn runs_are_named_by_their_age_and_their_labels_wherever_a_run_is_named() {
    let sandbox = Sandbox::new();
    null(&sandbox, "before-upgrade");
    null(&sandbox, "after");
    let about = |outcome: &Outcome| -> String {
        let line = outcome.assert_ended(0).stdout.lines().find(|line| line.contains("  about"));
        line.unwrap_or_default().trim().to_owned()
    };
    for (name, job) in [
        ("", "after"),
        ("latest", "after"),
        ("latest~1", "before-upgrade"),
        ("previous", "before-upgrade"),
        ("before-upgrade", "before-upgrade"),
    ] {
        let shown = sandbox.fathom(format!("history show {name}").trim_end());
        assert_eq!(about(&shown), format!("about     {job}"), "{name}");
    }
    let labelled =
        sandbox.fathom("compare tag:before-upgrade latest").assert_ended(0).stdout.clone();
    assert!(labelled.contains("before-upgrade / after, read"), "{labelled}");
    let csv = sandbox.fathom("report before-upgrade --csv").assert_ended(0).stdout.clone();
    assert!(csv.contains("before-upgrade") && !csv.contains("after"), "{csv}");
    let compared = sandbox.fathom("compare before-upgrade latest").assert_ended(0).stdout.clone();
    assert!(compared.contains("before-upgrade / after, read"), "{compared}");
    sandbox.fathom("history show latest~9").assert_ended(1).assert_refused(&["no run"]);
    let table = sandbox.fathom("history").assert_ended(0).stdout.clone();
    let row = table.lines().nth(1).unwrap();
    assert!(row.split(' ').next().is_some_and(|id| id.len() >= 8), "{table}");
}

#[test]
fn shells_and_man_get_what_they_need() {
    let sandbox = Sandbox::new();
    for (shell, words) in
        [("bash", "complete -F"), ("zsh", "#compdef fathom"), ("fish", "complete -c fathom")]
    {
        let script = sandbox.fathom(&format!("completions {shell}"));
        let text = &script.assert_ended(0).stdout;
        assert!(text.contains(words) && text.contains("measure"), "{text}");
    }
    sandbox.fathom("completions tcsh").assert_ended(2).assert_refused(&["bash", "fish"]);
    sandbox.fathom("man-pages share/man1").assert_ended(0);
    let page = content(&sandbox, "share/man1/fathom-measure.1");
    assert!(page.contains(".TH fathom-measure 1") && page.contains("fathom measure"), "{page}");
    assert!(content(&sandbox, "share/man1/fathom.1").contains("history"));
    sandbox.fathom("--lang ko man-pages share/ko").assert_ended(0);
    let page = content(&sandbox, "share/ko/fathom-check.1");
    for heading in [".SH 이름", ".SH 개요", ".SH 설명", ".SH 종료 코드", ".SH 예\n"] {
        assert!(page.contains(heading), "{heading}: {page}");
    }
    let english = |line: &str| line.starts_with(".SH ") && line.is_ascii();
    assert_eq!(page.lines().find(|line| english(line)), None);
    let zsh = sandbox.fathom("--lang ko completions zsh");
    assert!(zsh.assert_ended(0).stdout.contains("볼륨"), "{}", zsh.stdout);
    let version = sandbox.fathom("--version").assert_ended(0).stdout.clone();
    assert!(version.starts_with(&format!("fathom {}", env!("CARGO_PKG_VERSION"))), "{version}");
}
