//! What users see: every command in every form and both languages, on a scripted machine.
//!
//! Each file in `outputs` holds what one command printed, wrote and ended with. `FATHOM_BLESS=1`
//! writes them anew; the difference is then reviewed like code. Only what changes from run to run is
//! masked: times, ids, folders and versions. Long lists in JSON are cut, and a block that
//! was printed before is named instead. All runs take simulated time on one processor
//! (`machine.rs`), so that neither the machine nor its load shows.

mod mask;

use crate::sandbox::{Sandbox, subject};
use mask::masked;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The environment of a run beside its command line: columns, language, and when the script
/// interrupts it.
#[derive(Clone, Copy)]
struct Setting {
    columns: u32,
    lang: &'static str,
    interrupted_at: &'static str,
}

const PLAIN: Setting = Setting { columns: 80, lang: "en", interrupted_at: "never" };
const WIDE: Setting = Setting { columns: 120, ..PLAIN };
const KOREAN: Setting = Setting { lang: "ko", ..PLAIN };
const WIDE_KOREAN: Setting = Setting { columns: 120, ..KOREAN };

/// The outputs of one command, as they are collected.
struct Golden {
    name: &'static str,
    sandbox: Sandbox,
    /// Held while the folder is in use.
    _lock: fs::File,
    text: String,
    seen: HashMap<String, String>,
}

impl Golden {
    fn new(name: &'static str) -> Golden {
        run_on_one_processor();
        // Where lines break depends on the length of paths, so the folder's is the same everywhere.
        let user = rustix::process::getuid().as_raw() % 1_000_000;
        let name_of_folder = format!("{user:06}-golden-{name}");
        let lock = fs::File::create(Path::new("/tmp").join(format!("{name_of_folder}.lock")));
        let lock = lock.unwrap();
        lock.lock().unwrap();
        let _ = fs::remove_dir_all(Path::new("/tmp").join(&name_of_folder));
        let mut root = tempfile::Builder::new();
        let root = root.prefix(&name_of_folder).rand_bytes(0).tempdir_in("/tmp").unwrap();
        let sandbox = Sandbox::at(root, &subject());
        for folder in ["vol", "slow", "broken", "closed", "latency"] {
            fs::create_dir(sandbox.work().join(folder)).unwrap();
        }
        Golden { name, sandbox, _lock: lock, text: String::new(), seen: HashMap::new() }
    }

    /// Runs a command and takes down its outputs, with the files that it wrote.
    fn shot(&mut self, setting: Setting, line: &str) {
        let Setting { columns, lang, interrupted_at } = setting;
        let variables = [
            format!("COLUMNS={columns}"),
            "LC_ALL=C.UTF-8".to_owned(),
            format!("FATHOM_SCRIPTED_MACHINE={interrupted_at}"),
        ];
        let program = subject().display().to_string();
        let mut args: Vec<&str> = variables.iter().map(String::as_str).collect();
        args.extend([program.as_str(), "--lang", lang]);
        args.extend(line.split_whitespace());
        let outcome = self.sandbox.start_program("/usr/bin/env", &args).finish();
        outcome.assert_no_panic();
        let when = match interrupted_at {
            "never" => String::new(),
            at => format!(", interrupted at run {at}"),
        };
        let title = format!("fathom {line} [{columns} {lang}{when}]");
        let ended = outcome.code.map_or("a signal".to_owned(), |code| code.to_string());
        writeln!(self.text, "==== {title}: {ended}").unwrap();
        self.block(&title, "stdout", &outcome.stdout);
        self.block(&title, "stderr", &outcome.stderr);
        for (name, _) in self.sandbox.files() {
            let path = self.sandbox.work().join(&name);
            if let Some(form) = name.strip_prefix("out.") {
                let content = fs::read_to_string(&path).unwrap();
                let content = if form == "html" { mask::visible_text(&content) } else { content };
                self.block(&title, form, &content);
                fs::remove_file(path).unwrap();
            }
        }
    }

    fn block(&mut self, title: &str, name: &str, text: &str) {
        let text = masked(text, self.sandbox.root());
        if text.is_empty() {
            return;
        }
        let place = format!("{name} of {title}");
        match self.seen.get(&text) {
            Some(place) => writeln!(self.text, "-- {name}: as {place}").unwrap(),
            None => {
                writeln!(self.text, "-- {name}\n{}", text.trim_end()).unwrap();
                self.seen.insert(text, place);
            }
        }
    }

    /// Every form of a command that measures: `line` has its options, `target` the volume.
    fn measuring(&mut self, command: &str, target: &str, line: &str) {
        let whole = format!("{command} {target} {line}");
        for setting in [PLAIN, WIDE, KOREAN, WIDE_KOREAN] {
            self.shot(setting, &format!("{whole} --no-record"));
        }
        for more in ["--quiet", "--verbose", "--verdicts"] {
            self.shot(PLAIN, &format!("{whole} --no-record {more}"));
        }
        self.shot(KOREAN, &format!("{whole} --no-record --verbose"));
        for form in ["--json", "--csv", "--markdown", "--report=out.html", "--report=out.md"] {
            self.shot(PLAIN, &format!("{whole} --no-record {form}"));
            self.shot(KOREAN, &format!("{whole} --no-record --quiet {form}"));
        }
        for setting in [PLAIN, WIDE, KOREAN] {
            self.shot(setting, &format!("{whole} --dry-run"));
        }
        self.shot(PLAIN, &format!("{whole} --dry-run --json"));
        self.shot(PLAIN, &format!("{command} -h"));
        for setting in [PLAIN, KOREAN] {
            self.shot(setting, &format!("{command} --help"));
            for bad in ["broken", "closed", "absent"] {
                self.shot(setting, &format!("{command} {} {line}", target.replace("vol", bad)));
            }
            for at in ["0", "1", "2"] {
                self.shot(Setting { interrupted_at: at, ..setting }, &whole);
            }
        }
        self.shot(PLAIN, &format!("{command} {} {line} --json", target.replace("vol", "broken")));
        self.shot(Setting { interrupted_at: "2", ..PLAIN }, &format!("{whole} --json --no-record"));
        self.shot(PLAIN, &whole);
        self.shot(PLAIN, "history list");
        self.shot(KOREAN, "history show latest");
    }

    /// The outcome for CI systems, of a success and of an interruption.
    fn judged(&mut self, line: &str) {
        let line = format!("{line} --no-record --junit out.xml");
        self.shot(PLAIN, &line);
        self.shot(Setting { interrupted_at: "0", ..PLAIN }, &line);
        self.shot(Setting { interrupted_at: "1", ..PLAIN }, &line);
        self.shot(Setting { interrupted_at: "2", ..KOREAN }, &line);
    }

    /// Compares the outputs with those that were taken down before, or takes them down.
    fn check(self) {
        let path = folder().join(format!("{}.txt", self.name));
        if std::env::var_os("FATHOM_BLESS").is_some() {
            fs::create_dir_all(folder()).unwrap();
            return fs::write(path, self.text).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if expected != self.text {
            let actual = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.txt", self.name));
            fs::write(&actual, &self.text).unwrap();
            let (expected_lines, lines) = (expected.lines(), self.text.lines());
            let first = expected_lines.zip(lines).position(|(old, new)| old != new);
            panic!(
                "what users see has changed, first in line {}: diff {} {}\n\
                 if that is intended, FATHOM_BLESS=1 takes it down",
                first.map_or("at the end".to_owned(), |line| (line + 1).to_string()),
                path.display(),
                actual.display()
            );
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/outputs")
}

/// Children then have one processor on every machine.
fn run_on_one_processor() {
    let allowed = sched_getaffinity(None).unwrap();
    let first = (0..CpuSet::MAX_CPU).find(|cpu| allowed.is_set(*cpu)).unwrap();
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).unwrap();
}

const SMALL: &str = "--size 16m --seed 1";

#[test]
fn measure() {
    let mut golden = Golden::new("measure");
    golden.measuring("measure", "vol", &format!("{SMALL} --time 4s"));
    let two = format!("measure vol slow {SMALL} --time 4s --repeat 2 --no-record");
    for setting in [PLAIN, WIDE, KOREAN] {
        golden.shot(setting, &two);
    }
    golden.shot(PLAIN, &format!("{two} --markdown"));
    golden.shot(PLAIN, &format!("{two} --verbose"));
    golden.shot(PLAIN, &format!("{two} --dry-run"));
    golden.shot(PLAIN, "measure vol --time 1ms");
    golden.shot(PLAIN, "measure vol vol");
    golden.shot(PLAIN, "measure");
    golden.shot(KOREAN, "measure vol --wrong");
    golden.check();
}

#[test]
fn measure_for() {
    let mut golden = Golden::new("measure-for");
    golden.measuring("measure --for etcd", "vol", &format!("{SMALL} --time 2s"));
    golden.judged(&format!("measure --for etcd vol {SMALL} --time 2s"));
    golden.shot(PLAIN, "measure --for etc vol");
    golden.shot(KOREAN, "measure --for mysql vol");
    golden.shot(PLAIN, "measure --for etcd vol slow");
    golden.check();
}

#[test]
fn sweep() {
    let mut golden = Golden::new("sweep");
    let line = format!("{SMALL} --time-per-run 500ms --iodepth 1,8 --bs 4k,64k");
    golden.measuring("sweep", "vol", &line);
    golden.shot(PLAIN, &format!("sweep vol {line} --resume"));
    golden.shot(PLAIN, "sweep vol");
    golden.check();
}

#[test]
fn compare() {
    let mut golden = Golden::new("compare");
    let line = format!("{SMALL} --time 6s --repeat 3 --rw randread");
    golden.measuring("compare", "slow vol", &line);
    golden.judged(&format!("compare slow vol {line} --fail-if-worse 10"));
    golden.judged(&format!("compare vol slow {line} --fail-if-worse 10"));
    golden.shot(KOREAN, &format!("compare latency slow {line} --no-record"));
    golden.shot(PLAIN, &format!("compare vol slow latency {line} --no-record --markdown"));
    golden.shot(PLAIN, "compare vol");
    golden.check();
}

#[test]
fn compare_runs() {
    let mut golden = Golden::new("compare-runs");
    golden.shot(PLAIN, &format!("measure vol {SMALL} --time 4s --json=a.json --quiet"));
    golden.shot(PLAIN, &format!("measure slow {SMALL} --time 4s --json=b.json --quiet"));
    for setting in [PLAIN, WIDE, KOREAN] {
        golden.shot(setting, "compare a.json b.json");
        golden.shot(setting, "compare latest~1 latest");
        golden.shot(setting, "compare a.json b.json --verbose");
    }
    for form in ["--json", "--csv", "--markdown", "--report=out.html"] {
        golden.shot(PLAIN, &format!("compare a.json b.json {form}"));
        golden.shot(KOREAN, &format!("compare a.json b.json {form}"));
    }
    golden.shot(PLAIN, "compare a.json b.json --fail-if-worse 10 --junit out.xml");
    golden.shot(KOREAN, "compare b.json a.json --fail-if-worse 10 --junit out.xml");
    golden.shot(PLAIN, "compare a.json b.json --more");
    golden.shot(PLAIN, "compare latest~1 latest --fail-if-worse 10 --more=24h");
    golden.shot(PLAIN, "compare a.json vol");
    golden.shot(PLAIN, "compare latest nothing");
    golden.check();
}

#[test]
fn check() {
    let mut golden = Golden::new("check");
    let line = format!("{SMALL} --time-per-run 2s --iops 1000 --latency 3ms");
    golden.measuring("check", "vol", &line);
    golden.judged(&format!("check vol {line}"));
    golden.judged(&format!("check vol {SMALL} --time-per-run 2s --iops 100 --latency 1us"));
    golden.shot(PLAIN, &format!("check vol {SMALL} --time-per-run 2s --promise aws.gp3"));
    golden.shot(KOREAN, "check vol --promise nothing");
    golden.shot(PLAIN, "check vol --iops 1000 --time 1ms");
    golden.check();
}

#[test]
fn limit() {
    let mut golden = Golden::new("limit");
    let line = format!("{SMALL} --time-per-run 500ms --iodepth 8");
    golden.measuring("limit", "vol", &format!("{line} --p99 5ms"));
    golden.judged(&format!("limit vol {line} --p99 5ms"));
    golden.judged(&format!("limit vol {line} --p99 1us"));
    golden.shot(PLAIN, "limit vol");
    golden.check();
}

#[test]
fn run() {
    let mut golden = Golden::new("run");
    let job = "--name=t --size=16m --rw=randrw --bs=4k --iodepth=8 --ioengine=libaio \
               --direct=1 --runtime=1s --time_based --directory=";
    golden.measuring("run", &format!("{job}vol"), "");
    golden.judged(&format!("run {job}vol --assert p99<1ms --assert iops>10"));
    golden.shot(PLAIN, &format!("run {job}vol --assert p99<1s --no-record"));
    let two = format!("run {job}vol --name=u --stonewall --rw=write --numjobs=2 {job}vol");
    golden.shot(PLAIN, &format!("{two} --no-record"));
    golden.shot(KOREAN, &format!("{two} --no-record --verbose"));
    golden.shot(PLAIN, "run --name=t --output=x");
    golden.shot(PLAIN, "run");
    golden.check();
}

#[test]
fn history_and_report() {
    let mut golden = Golden::new("history");
    golden.shot(PLAIN, "history list");
    golden.shot(PLAIN, &format!("measure vol {SMALL} --time 4s --quiet --tag before"));
    golden.shot(PLAIN, &format!("check slow {SMALL} --time-per-run 2s --iops 1000 --quiet"));
    for setting in [PLAIN, WIDE, KOREAN] {
        for line in ["list", "show latest", "show latest~1", "show before --verbose"] {
            golden.shot(setting, &format!("history {line}"));
        }
    }
    for line in ["list --json", "list --csv", "show before --json", "show latest --markdown"] {
        golden.shot(PLAIN, &format!("history {line}"));
    }
    for form in ["html", "md", "csv"] {
        golden.shot(PLAIN, &format!("report latest before -o out.{form}"));
        golden.shot(KOREAN, &format!("report before -o out.{form}"));
    }
    golden.shot(PLAIN, "report nothing");
    golden.shot(PLAIN, "history tag latest after");
    golden.shot(PLAIN, "history rm latest");
    golden.check();
}

#[test]
fn others() {
    let mut golden = Golden::new("others");
    for setting in [PLAIN, KOREAN] {
        golden.shot(setting, "");
        golden.shot(setting, "--help");
        for command in ["doctor", "watch", "clean", "history", "report", "serve", "promises"] {
            golden.shot(setting, &format!("{command} --help"));
        }
        for command in ["agent", "kube", "completions", "help p99", "help latency", "help xyz"] {
            golden.shot(setting, &format!("{command} --help"));
        }
        golden.shot(setting, "promises");
        golden.shot(setting, "promises aws.gp3 --volume-size 500GiB --iops 6000");
        golden.shot(setting, "promises nothing");
        golden.shot(setting, "clean vol");
        golden.shot(setting, "clean absent");
        golden.shot(setting, "watch absent");
        golden.shot(setting, "doctor absent");
        golden.shot(setting, "measur vol");
    }
    golden.shot(PLAIN, "promises aws.gp3 --volume-size 500GiB --iops 6000 --json");
    golden.shot(WIDE, "promises");
    golden.check();
}
