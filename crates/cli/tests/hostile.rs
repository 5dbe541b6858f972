//! Nothing hostile gets out. Names of jobs, folders, hosts, devices, labels and the like come from
//! documents, file systems and command lines, and here all of them clear the screen, change its
//! title, turn the direction of letters, begin lines, are formulas, and are HTML and links.
//!
//! One table has steps for every command, compared with the list of `fathom --help`, so that a new
//! command must be put there. Whatever a step prints is held to the form that it was asked for.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

use crate::sandbox::{Outcome, Sandbox, subject};

/// A name that does all of it.
const HOSTILE: &str = "=E\x1b[2J\x1b[8m\x1b]0;t\x07\u{9b}1m\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\
                       \u{200b}\u{7f}\r\nFAKE <img src=x onerror=alert(1)> [l](http://evil.example) \
                       ![i](x) `c` **e** a|b";

/// The same without ends of lines, for what fio's rules take as one line.
fn one_line() -> String {
    HOSTILE.replace(['\r', '\n'], "-")
}

/// Fields of documents that are names or sentences, whichever document it is.
const NAMES: [&str; 26] = [
    "hostname",
    "model",
    "name",
    "path",
    "title",
    "kernel",
    "source",
    "fstype",
    "command",
    "jobname",
    "text",
    "vendor",
    "serial",
    "description",
    "mount_point",
    "backing_file",
    "failure",
    "target",
    "volume",
    "fathom_version",
    "remark",
    "sentence",
    "note",
    "host",
    "product",
    "options",
];

/// What standard output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    JsonLines,
    Csv,
    Markdown,
}

/// One call of a command.
struct Step {
    command: &'static str,
    args: Vec<OsString>,
    form: Form,
    /// Whether it ends well; where that depends on the machine, nothing is expected.
    ends_well: Option<bool>,
}

impl Step {
    /// The command with the words of `line` as its arguments; `@` stands for the next of `names`.
    fn new(command: &'static str, line: &str, names: &[&OsStr], form: Form) -> Step {
        let mut names = names.iter();
        let word = |word: &str| match word.split_once('@') {
            None => OsString::from(word),
            Some((before, after)) => {
                let mut whole = OsString::from(before);
                whole.push(names.next().expect("a name for each @"));
                whole.push(after);
                whole
            }
        };
        let args = line.split_whitespace().map(word).collect();
        Step { command, args, form, ends_well: None }
    }

    fn well(self) -> Step {
        Step { ends_well: Some(true), ..self }
    }

    fn refused(self) -> Step {
        Step { ends_well: Some(false), ..self }
    }

    /// What is wrong with what it prints; nothing where all is right.
    fn faults(&self, sandbox: &Sandbox) -> Vec<String> {
        let command: Vec<&OsStr> =
            [OsStr::new(self.command)].into_iter().chain(self.args.iter().map(|a| &**a)).collect();
        let outcome = sandbox.start_program(subject(), &command).finish();
        outcome.assert_no_panic();
        let mut faults = Vec::new();
        if self.ends_well.is_some_and(|well| well != (outcome.code == Some(0))) {
            faults.push(format!("exit code {:?}", outcome.code));
        }
        for (stream, text) in [("standard output", &outcome.stdout), ("errors", &outcome.stderr)] {
            let found: BTreeSet<char> = text.chars().filter(|c| is_forbidden(*c)).collect();
            if !found.is_empty() {
                faults.push(format!("{found:?} in {stream}"));
            }
            if let Some(line) = text.lines().find(|line| line.trim_start().starts_with("FAKE")) {
                faults.push(format!("a name begins a line of {stream}: {line:?}"));
            }
        }
        if outcome.code == Some(0) {
            faults.extend(held(self.form, &outcome.stdout).err());
        }
        match faults.is_empty() {
            true => faults,
            false => vec![told(&outcome, &faults.join("; "))],
        }
    }
}

/// What a command printed, with escapes so that a failing test is safe to read.
fn told(outcome: &Outcome, why: &str) -> String {
    let text = outcome.describe(why);
    text.split('\n').map(|line| format!("{}\n", line.escape_debug())).collect()
}

/// What no terminal may be sent, written down here once more: controls but the end of a line,
/// marks of direction, separators of lines, letters without width.
fn is_forbidden(letter: char) -> bool {
    let code = u32::from(letter);
    let control = (code < 0x20 && letter != '\n') || (0x7f..=0x9f).contains(&code);
    let marks = [0x61c, 0x200b, 0x200e, 0x200f, 0xfeff].contains(&code);
    control || marks || (0x2028..=0x202e).contains(&code) || (0x2066..=0x2069).contains(&code)
}

/// Whether standard output is what it should be, beyond its letters.
fn held(form: Form, text: &str) -> Result<(), String> {
    match form {
        Form::Text => Ok(()),
        Form::Json => serde_json::from_str(text).map(|_: Value| ()).map_err(|why| why.to_string()),
        Form::JsonLines => text.lines().try_for_each(|line| {
            serde_json::from_str(line).map(|_: Value| ()).map_err(|why| format!("{why}: {line}"))
        }),
        Form::Csv => inert_cells(text),
        Form::Markdown => inert_markdown(text),
    }
}

/// No cell is a formula, and each row is one line.
fn inert_cells(text: &str) -> Result<(), String> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows = 0;
    for row in reader.records() {
        rows += 1;
        for cell in &row.map_err(|why| why.to_string())? {
            let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            if formula && cell.parse::<f64>().is_err() {
                return Err(format!("{cell:?} is a formula"));
            }
        }
    }
    match rows == text.lines().count() {
        true => Ok(()),
        false => Err(format!("{rows} rows in {} lines", text.lines().count())),
    }
}

/// Whether this is where our own warnings are folded: no name stands in it.
fn is_fold(html: &str) -> bool {
    let title = html.strip_prefix("<details><summary>");
    let title = title.and_then(|title| title.strip_suffix("</summary>"));
    let is_count = |title: &str| title == "one" || title.bytes().all(|byte| byte.is_ascii_digit());
    let is_title = |title: &str| match title.strip_suffix(" more") {
        Some(count) => is_count(count),
        None => ["Figures (", "Comparison ("].iter().any(|table| {
            let count = title.strip_prefix(table).and_then(|rest| rest.strip_suffix(')'));
            count.is_some_and(is_count)
        }),
    };
    html == "</details>" || title.is_some_and(is_title)
}

/// No HTML but our own mark at the beginning and our own folds, no links, no images, and no code or
/// emphasis of a name's: its backticks and stars are letters.
fn inert_markdown(text: &str) -> Result<(), String> {
    let text = text.strip_prefix("<!-- a report by Fathom -->\n").unwrap_or(text);
    for event in Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Html(html) if is_fold(html.trim()) => {}
            Event::Html(html) | Event::InlineHtml(html) => return Err(format!("HTML: {html}")),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                return Err(format!("a link to {dest_url}"));
            }
            Event::Code(code) if &*code == "c" => return Err("code".to_owned()),
            Event::Text(text) if &*text == "e" => return Err("emphasis".to_owned()),
            _ => {}
        }
    }
    Ok(())
}

/// A sandbox with a hostile folder in it and documents full of hostile names.
struct Place {
    sandbox: Sandbox,
    folder: OsString,
    documents: Vec<PathBuf>,
}

impl Place {
    fn new() -> Place {
        let sandbox = Sandbox::new();
        let mut name = HOSTILE.replace('/', ":").into_bytes();
        // Not every name of a file is UTF-8.
        name.push(0xff);
        let folder = OsString::from_vec(name);
        fs::create_dir(sandbox.work().join(&folder)).expect("any name will do for a folder");
        let mut documents = Vec::new();
        for (name, line) in [
            ("run", "run --json --no-record --name=x --rw=read --size=1m --filename=file"),
            ("fio", "fio --name=x --rw=read --size=1m --filename=file --output-format=json"),
            (
                "sweep",
                "sweep . --size 16m --time-per-run 100ms --ramp 0 --iodepth 1,2 --json --quiet",
            ),
            ("measure", "measure . --size 16m --time 400ms --bs 4k --read-only --json --quiet"),
        ] {
            let document = sandbox.fathom(line).assert_ended(0).json();
            let infected = infected(document, "").to_string();
            documents.push(sandbox.write(&format!("{name}.json"), infected));
        }
        Place { sandbox, folder, documents }
    }

    /// A history with a run in which every name is hostile; the run's own name.
    fn import(&self) -> String {
        let kept = self.sandbox.fathom("history export -o -").assert_ended(0).stdout.clone();
        let mut lines = kept.lines();
        let head = lines.next().expect("a head");
        let mut line: Value = serde_json::from_str(lines.next().expect("a run")).expect("JSON");
        for key in ["title", "host", "kind", "folder", "fathom_version"] {
            line["run"][key] = HOSTILE.into();
        }
        for key in ["tags", "targets", "command"] {
            line["run"][key] = json!([HOSTILE, HOSTILE]);
        }
        for figure in line["run"]["headline"].as_array_mut().expect("figures") {
            (figure["label"], figure["target"]) = (HOSTILE.into(), HOSTILE.into());
        }
        line["id"] = "1kyx9xp00000".into();
        line["document"] = infected(line["document"].take(), "");
        let file = self.sandbox.write("history.jsonl", format!("{head}\n{line}\n"));
        self.sandbox.fathom(&format!("history import {}", file.display())).assert_ended(0);
        "1kyx9xp00000".to_owned()
    }
}

/// The document with every name in it made hostile.
fn infected(value: Value, key: &str) -> Value {
    match value {
        Value::Object(map) => {
            let pairs = map.into_iter().map(|(key, value)| {
                let value = infected(value, &key);
                (key, value)
            });
            Value::Object(pairs.collect())
        }
        Value::Array(items) => items.into_iter().map(|item| infected(item, key)).collect(),
        Value::String(_) if NAMES.contains(&key) => HOSTILE.into(),
        other => other,
    }
}

/// The commands that `fathom --help` lists.
fn commands(sandbox: &Sandbox) -> BTreeSet<String> {
    let help = sandbox.fathom("--help").assert_ended(0).stdout.clone();
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = list.take_while(|line| !line.is_empty()).filter_map(|line| {
        // What goes on in a second line stands further in.
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty()).then(|| name.to_owned())
    });
    names.collect()
}

const SHORT: &str = "--size 16m --time 400ms --bs 4k --read-only --no-record";

/// On folders with a hostile name.
fn steps_on_folders(folder: &OsStr) -> Vec<Step> {
    use Form::{Csv, Json, JsonLines, Markdown, Text};
    let mut steps = Vec::new();
    let value = one_line();
    for (form, flag) in [(Text, ""), (Json, "--json"), (Csv, "--csv"), (Markdown, "--markdown")] {
        let step = Step::new("measure", &format!("@ {SHORT} {flag}"), &[folder], form);
        steps.push(step.well());
        let line =
            format!(". --size 16m --time-per-run 100ms --ramp 0 --vary description=@,b {flag}");
        steps.push(Step::new("sweep", &line, &[value.as_ref()], form).well());
        let line = format!("@ --size 16m --time-per-run 100ms --ramp 0 --iodepth 1,2 {flag}");
        steps.push(Step::new("sweep", &line, &[folder], form));
    }
    for (command, line) in [
        ("measure", "@ -n"),
        ("sweep", "@ -n --iodepth 1,2"),
        ("check", "@ -n --iops 10"),
        ("check", "@ --iops 10 --size 16m --time-per-run 2s --read-only --no-record"),
        ("limit", "@ -n --p99 1s"),
        ("compare", "@ . -n"),
        ("doctor", "--quick @"),
        ("clean", "@"),
        ("watch", "-c 1 -i 100ms @"),
    ] {
        steps.push(Step::new(command, line, &[folder], Text));
    }
    steps.push(Step::new("doctor", "--quick --json @", &[folder], Json));
    steps.push(Step::new("watch", "-c 1 -i 100ms --json @", &[folder], JsonLines));
    steps.push(Step::new("watch", "-c 1 -i 100ms --csv @", &[folder], Csv));
    steps
}

/// Of documents full of hostile names.
fn steps_of_documents(documents: &[PathBuf]) -> Vec<Step> {
    use Form::{Csv, Json, Markdown, Text};
    let mut steps = Vec::new();
    for document in documents {
        let path = document.as_os_str();
        for (form, flag) in [(Json, "--json"), (Csv, "--csv"), (Markdown, "--markdown")] {
            steps.push(Step::new("report", &format!("@ {flag}"), &[path], form).well());
            let both = Step::new("compare", &format!("@ @ {flag}"), &[path, path], form);
            steps.push(both.well());
        }
        steps.push(Step::new("report", "@ -o report.html --force", &[path], Text).well());
        steps.push(Step::new("compare", "@ @", &[path, path], Text).well());
    }
    steps
}

/// Of jobs with hostile names.
fn steps_of_jobs() -> Vec<Step> {
    use Form::{Csv, Json, Markdown, Text};
    let name = one_line();
    let name = OsStr::new(&name);
    let job = "--name=x@ --rw=read --size=1m --filename=file";
    let mut steps = Vec::new();
    for (form, flag) in [(Text, ""), (Json, "--json"), (Csv, "--csv"), (Markdown, "--markdown")] {
        steps.push(Step::new("run", &format!("--no-record {flag} {job}"), &[name], form).well());
    }
    steps.push(Step::new("run", &format!("-n {job}"), &[name], Text));
    for format in ["normal", "terse", "json", "json,normal,terse"] {
        let form = if format == "json" { Json } else { Text };
        let line = format!("{job} --description=@ --output-format={format}");
        steps.push(Step::new("fio", &line, &[name, name], form).well());
    }
    steps.push(Step::new("fio", &format!("{job} --showcmd"), &[name], Text));
    steps.push(Step::new("fio", "job.fio --output-format=normal,json", &[], Text));
    steps
}

/// Of a history in which `id` is hostile.
fn steps_of_history(id: &str) -> Vec<Step> {
    use Form::{Json, JsonLines, Text};
    let step = |line: &str, form| Step::new("history", line, &[], form).well();
    vec![
        step("", Text),
        step("--json", Json),
        step(&format!("show {id}"), Text),
        step(&format!("show {id} --json"), Json),
        step("export -o -", JsonLines),
        step(&format!("tag {id} one"), Text),
        step(&format!("rm {id}"), Text),
    ]
}

/// Hostile arguments, which errors quote.
fn steps_of_errors() -> Vec<Step> {
    let hostile = OsStr::new(HOSTILE);
    let lines = [
        ("measure", "@"),
        ("measure", "/nowhere/@"),
        ("measure", ". --size @"),
        ("measure", ". --@"),
        ("run", "--name=x --@=1"),
        ("run", "--name=x --rw=@"),
        ("run", "@"),
        ("check", ". --promise @"),
        ("check", "/nowhere/@ --iops 1"),
        ("sweep", ". --vary @=1"),
        ("sweep", ". --rw @"),
        ("sweep", "/nowhere/@ --iodepth 1"),
        ("compare", "@ @"),
        ("compare", "x@ . --rw @"),
        ("limit", "/nowhere/@ --p99 1ms"),
        ("limit", ". --p99 @"),
        ("doctor", "--@"),
        ("completions", "@"),
        ("agent", "--@"),
        ("kube", "--@"),
        ("kube", "--kubeconfig /nowhere/@"),
        ("kube", "cleanup --run @"),
        ("kube", "check-csi -s a -v @ --kubeconfig /nowhere/@"),
        ("kubestr", "fio -s @ --kubeconfig /nowhere/@"),
        ("kubestr", "@"),
        ("clean", "/nowhere/@"),
        ("watch", "@"),
        ("history", "show @"),
        ("history", "import @"),
        ("history", "@"),
        ("report", "@"),
        ("report", "wrong.json"),
        ("serve", "--listen @"),
        ("serve", "--name @"),
        ("serve", "--token @"),
        ("promises", "--promises @"),
        ("promises", "--promises wrong.toml"),
        ("promises", "@ --knob @"),
        ("fio", "--name=x --rw=@"),
        ("fio", "--name=x --@=1"),
        ("fio", "@"),
        ("fio", "--name=x --rw=read --filename=/nowhere/@"),
        ("help", "@"),
    ];
    let step = |(command, line): (&'static str, &str)| {
        Step::new(command, line, &[hostile, hostile], Form::Text).refused()
    };
    lines.into_iter().map(step).collect()
}

#[test]
fn nothing_hostile_is_printed_by_any_command_in_any_form() {
    let place = Place::new();
    let Place { sandbox, folder, documents } = &place;
    sandbox.write("job.fio", format!("[x{}]\nrw=read\nsize=1m\nfilename=file\n", one_line()));
    let engine = r#"{"kind":"fathom-measure","volumes":[{"method":{"engine":"HERE"}}]}"#;
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    sandbox.write("wrong.json", engine.replace("\"HERE\"", &quoted));
    sandbox.write("wrong.toml", format!("[[volume]]\nid = {quoted}\n{quoted} = 1\n"));
    let id = place.import();
    let mut steps = steps_on_folders(folder);
    steps.extend(steps_of_documents(documents));
    steps.extend(steps_of_jobs());
    steps.extend(steps_of_history(&id));
    steps.extend(steps_of_errors());
    let covered: BTreeSet<String> = steps.iter().map(|step| step.command.to_owned()).collect();
    assert_eq!(covered, commands(sandbox), "every command has steps here");
    let faults: Vec<String> = steps.iter().flat_map(|step| step.faults(sandbox)).collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let page = fs::read_to_string(sandbox.work().join("report.html")).unwrap();
    assert!(!page.contains("<img src=x") && !page.contains("href=\"http://evil"), "{page}");
}

#[test]
fn json_says_exactly_what_was_there() {
    let sandbox = Sandbox::new();
    let name = one_line();
    for (command, key) in [("fio", "jobname"), ("run", "name")] {
        let form = if command == "fio" { "--output-format=json" } else { "--json" };
        let name_option = format!("--name={name}");
        let size = ["--rw=read", "--size=1m", "--filename=file"];
        let args = [&[command, form, name_option.as_str()][..], &size[..]].concat();
        let outcome = sandbox.start_program(subject(), &args).finish();
        let text = outcome.assert_ended(0).json().to_string();
        let exact = format!("\"{key}\":{}", Value::from(name.as_str()));
        assert!(text.contains(&exact), "{}", told(&outcome, &exact));
    }
}
