//! `fathom report`, and reports at the end of commands: through the binary, from a run that was
//! measured here, from real fio's JSON, and from files that are neither.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::devices::need;
use crate::live::Terminal;
use crate::sandbox::{Sandbox, subject};

const MEASURE: &str = "measure . --size 16m --time 900ms --bs 4k --read-only --quiet";

#[test]
fn the_latest_run_and_the_end_of_its_command_give_the_same_report() {
    let sandbox = Sandbox::new();
    sandbox.fathom(&format!("{MEASURE} --report end.json --csv=end.csv")).assert_ended(0);
    let printed = sandbox.fathom("report --json");
    let report: Value = printed.assert_ended(0).json();
    let kept = fs::read_to_string(sandbox.work().join("end.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), report);
    assert_eq!(report["lang"], "en");
    let title = format!("Storage performance of {}", sandbox.work().display());
    assert!(report["title"].as_str().unwrap().contains(&title), "{}", report["title"]);
    let csv = sandbox.fathom("report latest --csv");
    let table = fs::read_to_string(sandbox.work().join("end.csv")).unwrap();
    assert_eq!(csv.assert_ended(0).stdout, table);
    assert!(table.starts_with("subject,name,direction,iops,"), "{table}");
    // A phase of latency and one of IOPS, and the heading.
    assert!(table.lines().count() >= 3, "{table}");
    let page = sandbox.fathom("report --markdown --lang ko");
    assert!(page.assert_ended(0).stdout.contains("측정 환경"), "{}", page.stdout);
}

#[test]
fn forms_for_programs_stand_in_place_of_the_tables() {
    let sandbox = Sandbox::new();
    let csv = sandbox.fathom(&format!("{MEASURE} --csv --no-record"));
    assert!(csv.assert_ended(0).stdout.starts_with("subject,name,"), "{}", csv.stdout);
    assert_eq!(csv.stderr, "");
    let job = "run --name=t --filename=t.dat --size=1m --rw=randread --quiet --no-record";
    let page = sandbox.fathom(&format!("{job} --markdown --report r.csv"));
    assert!(page.assert_ended(0).stdout.starts_with("<!-- a report by Fathom -->\n# Job t\n"));
    assert!(sandbox.work().join("r.csv").is_file());
    let both = sandbox.fathom(&format!("{MEASURE} --csv --markdown"));
    both.assert_ended(2).assert_refused(&["cannot be used with"]);
    let odd = sandbox.fathom(&format!("{MEASURE} --report r.doc"));
    odd.assert_ended(2).assert_refused(&["r.doc", ".html"]);
}

#[test]
fn a_file_of_others_stays_and_a_report_is_replaced() {
    let sandbox = Sandbox::new();
    sandbox.fathom(MEASURE).assert_ended(0);
    sandbox.write("notes.md", "# mine\n");
    let refused = sandbox.fathom("report -o notes.md");
    refused.assert_ended(1).assert_refused(&["notes.md", "--force"]);
    assert_eq!(fs::read_to_string(sandbox.work().join("notes.md")).unwrap(), "# mine\n");
    for line in ["report -o notes.md --force", "report -o notes.md"] {
        let written = sandbox.fathom(line);
        assert!(written.assert_ended(0).stdout.ends_with("/notes.md\n"), "{}", written.stdout);
    }
    let names: Vec<_> =
        fs::read_dir(sandbox.work()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["notes.md"], "nothing else is left");
}

#[test]
fn real_fio_s_json_makes_a_report_also_through_a_pipe() {
    let fio = Path::new("/usr/bin/fio");
    let there = fio.is_file().then_some(fio).ok_or_else(|| "there is no fio".to_owned());
    let Some(fio) = need(there) else { return };
    let sandbox = Sandbox::new();
    let script = format!(
        "{fio} --name=one --filename=one.dat --size=4m --rw=randrw --bs=4k --output-format=json+ \
         --output=one.json\n\
         {fio} --name=two --filename=one.dat --size=4m --rw=randrw --bs=4k --output-format=json \
         --output=two.json\n\
         {fathom} report one.json two.json -o both.md\n\
         cat one.json | {fathom} report - --json",
        fathom = subject().display(),
        fio = fio.display()
    );
    let outcome = sandbox.shell(&script);
    outcome.assert_ended(0);
    let at = outcome.stdout.find('{').expect("a document");
    let report: Value = serde_json::from_str(&outcome.stdout[at..]).unwrap();
    let charts: Vec<&str> =
        report["charts"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    for id in ["iops", "latency", "percentiles", "histogram"] {
        assert!(charts.contains(&id), "{id}: {charts:?}");
    }
    let both = fs::read_to_string(sandbox.work().join("both.md")).unwrap();
    for words in ["one.json", "two.json", "one, read", "one, write"] {
        assert!(both.contains(words), "{words}: {both}");
    }
}

#[test]
fn what_is_no_result_is_refused_by_name() {
    let sandbox = Sandbox::new();
    sandbox.write("binary", [0xff, 0xfe, 0, 1]);
    sandbox.write("deep.json", "{\"a\":".repeat(200_000));
    sandbox.write("other.json", "{\"a\": 1}");
    for (line, words) in [
        ("report", &["no run is kept"][..]),
        ("report binary", &["binary is not utf-8"]),
        ("report deep.json", &["deep.json", "is neither"]),
        ("report other.json", &["other.json is neither"]),
        ("report none.json", &["none.json is neither a file"]),
        ("report .", &["is a folder"]),
        ("report zzzz", &["no run is called"]),
    ] {
        sandbox.fathom(line).assert_ended(1).assert_refused(words);
    }
    sandbox.fathom("report --csv --json").assert_ended(2).assert_refused(&["cannot be used with"]);
}

/// Two words or more of lower-case letters in a row, which no name, unit or option has.
fn is_english(text: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_matches([',', '.', ';', ':', '(', ')']);
        word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase())
    };
    let words: Vec<bool> = text.split(' ').map(is_word).collect();
    words.windows(2).any(|pair| pair[0] && pair[1])
}

/// What a report says in sentences and names, without commands and facts.
fn sentences(report: &Value, into: &mut Vec<String>) {
    match report {
        Value::String(text) => into.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| sentences(item, into)),
        Value::Object(map) => map
            .iter()
            .filter(|(key, _)| !["command", "value", "id", "key", "pair"].contains(&key.as_str()))
            .for_each(|(_, item)| sentences(item, into)),
        _ => {}
    }
}

#[test]
fn a_korean_report_of_every_kind_has_no_english_sentence() {
    let sandbox = Sandbox::new();
    let size = "--size 16m --quiet --no-record --lang ko --report";
    // Names with digits, which are no words.
    for name in ["vol1", "vol2"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    for (kind, line) in [
        ("measure", "measure vol1 --time 800ms".to_owned()),
        ("volumes", "measure vol1 vol2 --time 1600ms".to_owned()),
        ("compare", "compare vol1 vol2 --repeat 3 --time 1s --rw randread".to_owned()),
        (
            "sweep",
            "sweep vol1 --rw randread --iodepth 1,4 --time-per-run 200ms --ramp 0".to_owned(),
        ),
        ("check", "check vol1 --iops 10 --latency 1s --time-per-run 2s".to_owned()),
        ("limit", "limit vol1 --p99 1s --time-per-run 500ms --max-steps 5".to_owned()),
    ] {
        let outcome = sandbox.fathom(&format!("{line} {size} {kind}.json"));
        let written = fs::read_to_string(sandbox.work().join(format!("{kind}.json")));
        let text = written.unwrap_or_else(|_| panic!("{}", outcome.describe("a report")));
        let report: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["lang"], "ko", "{kind}");
        let mut said = Vec::new();
        sentences(&report, &mut said);
        said.retain(|text| is_english(text));
        assert!(said.is_empty(), "{kind}: {said:#?}");
    }
}

#[test]
fn a_report_is_opened_where_the_system_shows_files() {
    let sandbox = Sandbox::new();
    sandbox.fathom(MEASURE).assert_success();
    let opener = sandbox.fio().with_file_name("xdg-open");
    fs::write(&opener, "#!/bin/sh\necho \"$1\" >\"$FATHOM_HOME/shown\"\n").unwrap();
    fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = sandbox.fathom("report --open -o disk.html");
    outcome.assert_success();
    assert_eq!(fs::read_to_string(sandbox.home().join("shown")).unwrap(), outcome.stdout);
    assert!(outcome.stdout.trim_end().ends_with("/disk.html"), "{}", outcome.stdout);
    // The file is written, so an opener that fails is no error.
    fs::write(&opener, "#!/bin/sh\nexit 3\n").unwrap();
    let failed = sandbox.fathom("report --open -o disk.html");
    failed.assert_ended(0);
    assert!(failed.stderr.contains("fathom: warning: cannot open "), "{}", failed.stderr);
    // How to open it is for people only.
    let piped = sandbox.fathom("report -o disk.html");
    assert!(!piped.stderr.contains("--open"), "{}", piped.stderr);
    let script = "\"$FATHOM\" report -o disk.html";
    if let Some(mut terminal) = Terminal::open(&sandbox, script, &[]) {
        let seen = terminal.read_until(None);
        assert!(seen.contains("To open it: fathom report --open"), "{seen}");
    }
    let nothing = sandbox.fathom("report --open --markdown");
    assert_eq!(nothing.code, Some(2), "{}", nothing.describe("exit code"));
    assert!(nothing.stderr.contains("--open shows a file"), "{}", nothing.stderr);
}

#[test]
fn a_sweep_and_a_measurement_side_by_side_keep_their_own_names() {
    let sandbox = Sandbox::new();
    let sweep = "sweep . --iodepth 1,32 --rw randread --size 16m --time-per-run 150ms --ramp 0 -q";
    sandbox.fathom(sweep).assert_ended(0);
    sandbox.fathom("measure . --size 16m --time 1200ms -q").assert_ended(0);
    let shown = sandbox.fathom("report latest~1 latest --markdown").stdout;
    let rows = |name: &str| shown.lines().filter(|line| line.contains(name)).count();
    for name in ["| rw=randread, iodepth=1 | read |", "| 4 KiB random read, QD 32 | read |"] {
        assert_eq!(rows(name), 1, "{name}: {shown}");
    }
}
