//! The language of what is said: asked for, or that of the locale; never that of machines' output,
//! nor of the drop-in.

use serde_json::Value;

use crate::sandbox::{Outcome, Sandbox, subject};

/// Runs with these variables on top of a locale that says nothing.
fn run(locale: &[&str], line: &str) -> Outcome {
    let sandbox = Sandbox::new();
    let program = subject().display().to_string();
    let bare = ["-u", "LC_ALL", "-u", "LC_MESSAGES", "-u", "LANG", "-u", "COLUMNS"];
    let args = bare.iter().chain(locale).copied().chain([program.as_str()]);
    let args: Vec<&str> = args.chain(line.split_whitespace()).collect();
    let outcome = sandbox.start_program("/usr/bin/env", &args).finish();
    outcome.assert_no_panic();
    outcome
}

fn said(locale: &[&str], line: &str) -> String {
    let outcome = run(locale, line);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    outcome.stdout
}

fn is_korean(text: &str) -> bool {
    text.contains(|c| ('가'..='힣').contains(&c))
}

const PROMISE: &str = "promises aws.gp3 --volume-size 500GiB";

#[test]
fn the_language_is_as_asked_for_else_that_of_the_locale() {
    let english = said(&[], PROMISE);
    assert!(!is_korean(&english) && english.contains("Without --iops"), "{english}");
    let asked = said(&[], &format!("{PROMISE} --lang ko"));
    assert!(asked.contains("--iops 옵션이 없으면"), "{asked}");
    assert_eq!(said(&[], &format!("--lang ko {PROMISE}")), asked);
    assert_eq!(said(&["LANG=ko_KR.UTF-8"], PROMISE), asked);
    assert_eq!(said(&["LANG=C", "LC_ALL=ko_KR.UTF-8"], PROMISE), asked);
    assert_eq!(said(&["LANG=ko_KR.UTF-8"], &format!("{PROMISE} --lang en")), english);
    let unknown = run(&[], &format!("{PROMISE} --lang fr"));
    assert_eq!(unknown.code, Some(2), "{}", unknown.describe("exit code"));
    assert!(unknown.stderr.contains("ko (한국어)"), "{}", unknown.stderr);
}

#[test]
fn verdicts_and_remarks_on_a_run_are_told_in_korean() {
    let job = "--name=x --filename=file --size=4m --rw=randread --bs=4k --ioengine=psync \
               --time_based --runtime=1s";
    let text = said(&["LANG=ko_KR.UTF-8"], &format!("run --verdicts --no-record {job}"));
    let verdicts: Vec<&str> = text.lines().filter(|line| line.starts_with("  - ")).collect();
    let sentences = verdicts.iter().all(|line| is_korean(line));
    assert!(!verdicts.is_empty() && sentences, "{text}");
    let asked = said(&[], &format!("run --lang ko --verdicts --no-record {job}"));
    assert!(is_korean(&asked), "{asked}");
}

#[test]
fn a_check_and_a_search_answer_in_korean_and_are_kept_in_english() {
    let sandbox = Sandbox::new();
    let common = "--size 16m --time 2s --lang ko --quiet";
    let check = sandbox.fathom(&format!("check . --latency 10s --read-only {common}"));
    let answers = ["PASS(충족): 기준 1개 모두", "UNDECIDED(판정 불가): "];
    assert!(answers.iter().any(|answer| check.stdout.contains(answer)), "{}", check.stdout);
    let list = sandbox.fathom("history list --json");
    assert!(list.stdout.contains("one that writes was left out"), "{}", list.stdout);
    let limit = sandbox.fathom(&format!("limit . --p99 10s --max-steps 5 --no-record {common}"));
    assert!(limit.stdout.contains("  최대 속도\n"), "{}", limit.describe("the first step"));
}

#[test]
fn help_explains_terms_in_the_language_that_is_asked_for() {
    let english = said(&[], "help p99");
    assert!(english.starts_with("percentile, p90, p95, p99, p99.9: p99 is"), "{english}");
    let korean = said(&[], "help P99 --lang ko");
    assert!(korean.starts_with("백분위수(percentile, p90, p95, p99, p99.9): p99는"), "{korean}");
    assert_eq!(said(&["LANG=ko_KR.UTF-8"], "help p99"), korean);
    assert!(said(&[], "help latency").contains("hard disk"));
    assert!(said(&[], "help queue depth").starts_with("queue depth, QD: "));
    assert!(said(&[], "help terms").contains("IOPS"));
    // A command comes before a term of its name, and its help is clap's.
    assert!(said(&[], "help run").contains("Usage: fathom run"));
    assert!(said(&[], "help run --lang ko").contains("사용법: fathom run"));
    for (line, advice) in [
        ("help latncy", "did you mean latency? `fathom help terms`"),
        ("help xyzzy", "`fathom help terms` lists all terms"),
        ("help mesure", "did you mean measure?"),
    ] {
        let outcome = run(&[], line);
        assert_eq!(outcome.code, Some(2), "{}", outcome.describe(line));
        assert!(outcome.stderr.contains(advice), "{}", outcome.describe(line));
    }
    let korean = run(&[], "help latncy --lang ko").stderr;
    assert!(korean.contains("혹시 latency입니까?"), "{korean}");
}

#[test]
fn what_is_for_machines_stays_english() {
    let text = said(&["LANG=ko_KR.UTF-8"], &format!("{PROMISE} --json"));
    assert!(!is_korean(&text), "{text}");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document["caveats"][0].as_str().is_some(), "{text}");
    let fio = said(&["LANG=ko_KR.UTF-8"], "fio --name=x --ioengine=null --size=4k");
    assert!(!is_korean(&fio), "{fio}");
}

/// Lines in which four words of English or more stand side by side, but for commands.
fn english_sentences(text: &str) -> Vec<&str> {
    let is_english = |word: &str| {
        // What stands between commas is a list of names.
        let word = if word.ends_with(',') { "" } else { word };
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_lowercase())
    };
    let is_sentence = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(4).any(|four| four.iter().all(|word| is_english(word)))
    };
    // Nor an example of a file, `name = "gp3 as in our contract"`.
    let is_example = |line: &&str| line.contains("fathom ") || line.contains(" = \"");
    text.lines().filter(|line| !is_example(line)).filter(is_sentence).collect()
}

/// What a person reads of a command in Korean: standard output and standard error.
fn read_in_korean(sandbox: &Sandbox, line: &str) -> String {
    let program = subject().display().to_string();
    let outcome = sandbox.shell(&format!("LC_ALL=ko_KR.UTF-8 exec '{program}' {line}"));
    outcome.assert_no_panic();
    format!("{}{}", outcome.stdout, outcome.stderr)
}

#[test]
fn plans_tables_errors_and_the_history_are_korean() {
    let sandbox = Sandbox::new();
    for folder in ["a", "b"] {
        std::fs::create_dir(sandbox.work().join(folder)).unwrap();
    }
    sandbox.write("data", vec![7; 1 << 20]);
    for line in [
        "measure . --size 16m --time 900ms --bs 4k",
        "measure . --verbose --dry-run",
        "measure . --rw randread --numjobs 4 --dry-run",
        "measure data --rw randread --dry-run",
        "check data --read-only --iops 3000 --dry-run",
        "sweep . --iodepth 1..8 --dry-run",
        "compare a b --dry-run",
        "check . --iops 3000 --latency p99=2ms --dry-run",
        "limit . --p99 5ms --dry-run",
        "history",
        "history show latest",
        "compare a b --rw randread --size 16m --time 900ms --repeat 3 --quiet",
        "history show latest",
        "clean --dry-run",
        "measure /nowhere-at-all",
        "measure . --rw randwrite --read-only",
        "mesure .",
        "sweep . --bs 4k,8k --repeat 2 --shuffle --dry-run",
        "run --name=x --filename=new --size=1m --rw=randread --dry-run",
        "run --name=x --filename=new --size=1m --rw=randread --assert 'p99.9999<60s'",
        "run --name=x --filename=new --size=1m --rw=randread --assert 'write.p99<60s'",
        "run --name=x --rw=randred",
        "run --name=x --iodepth=0",
        "run --name=x --ioengine=none-such",
        "run --name=x --asert=3",
        "run nowhere.fio",
        "history list --target nowhere",
        "history export -o runs.jsonl",
        "history import runs.jsonl",
        "measure . --iodepth 1..32",
        "measure . --iodpth 3",
        "measure --for oracle .",
        "sweep .",
        "limit .",
        "limit . --p99 1",
        "report nothing-of-that-name",
        "kube --kubeconfig nowhere",
        "kube measure -s gp3 /mnt/data",
        "kube sweep -s gp3 --pods 1,x",
        "kube measure --help",
        "measure 'nfs://127.0.0.1/x?nfsport=1&mountport=1'",
        "measure nfs://name.invalid/x",
        "history --help",
        "--help",
    ] {
        let text = read_in_korean(&sandbox, line);
        assert!(is_korean(&text), "{line}: {text}");
        assert_eq!(english_sentences(&text), Vec::<&str>::new(), "{line}: {text}");
    }
}

#[test]
fn folders_are_called_as_the_user_called_them() {
    let sandbox = Sandbox::new();
    for folder in ["latency", "host"] {
        std::fs::create_dir(sandbox.work().join(folder)).unwrap();
    }
    let line = "compare latency host --rw randread --size 16m --time 900ms --repeat 3 --verbose";
    let text = read_in_korean(&sandbox, line);
    assert!(is_korean(&text), "{text}");
    for taken in ["지연 시간  ", "호스트  "] {
        assert!(!text.contains(taken), "{taken:?} for a folder: {text}");
    }
    let names = |name: &str| text.lines().any(|line| line.trim_start().starts_with(name));
    assert!(names("latency  ") && names("host  "), "{text}");
}

#[test]
fn the_doctor_speaks_korean() {
    let sandbox = Sandbox::new();
    let text = read_in_korean(&sandbox, "doctor --quick -v .");
    for words in ["이 호스트", "시계", "파일 시스템", "열린 파일", "정상"] {
        assert!(text.contains(words), "{words:?} is missing: {text}");
    }
    let json = read_in_korean(&sandbox, "doctor --quick --json .");
    assert!(!is_korean(&json), "{json}");
}

#[test]
fn help_of_every_command_is_korean() {
    let sandbox = Sandbox::new();
    let of_kube = ["kube", "kubestr", "kubestr fio", "kubestr blockmount", "kubestr csicheck"];
    let of_kube = if cfg!(feature = "kube") { &of_kube[..] } else { &[] };
    let commands = [
        "measure",
        "run",
        "check",
        "sweep",
        "compare",
        "limit",
        "doctor",
        "clean",
        "watch",
        "history",
        "report",
        "serve",
        "promises",
        "agent",
        "completions",
    ];
    for command in commands.iter().chain(of_kube) {
        for help in ["-h", "--help"] {
            let text = read_in_korean(&sandbox, &format!("{command} {help}"));
            assert!(text.contains("사용법: ") && text.contains("도움말을 표시합니다"), "{text}");
            assert_eq!(english_sentences(&text), Vec::<&str>::new(), "{command} {help}");
        }
    }
}
