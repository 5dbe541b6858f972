//! What is seen of a command while it measures: a view on a terminal, which is left as it was; plain
//! lines elsewhere; and the feed for other processes, which is gone with the run.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fathom_store::live::{FeedState, LiveReader};
use rustix::process::Signal;
use serde_json::Value;

use crate::devices::need;
use crate::sandbox::{HANG, Outcome, Running, Sandbox, subject};

/// Four phases that last long, on a file that is there.
const LONG: &str = "measure data --bs 4k --time 120s";
/// Four phases of two seconds each.
const SHORT: &str = "measure data --bs 4k --time 8s";

fn start(sandbox: &Sandbox, line: &str) -> Running {
    sandbox.write("data", vec![7; 16 << 20]);
    sandbox.start_fathom(line)
}

fn finish(running: Running) -> Outcome {
    let outcome = running.finish();
    outcome.assert_no_panic();
    outcome
}

fn runs(sandbox: &Sandbox) -> Vec<Value> {
    let list = sandbox.fathom("history list --json").json();
    list["runs"].as_array().expect("a list").clone()
}

fn reader(sandbox: &Sandbox) -> LiveReader {
    LiveReader::new(&sandbox.home().join("history.sqlite3"))
}

/// A shell script on a terminal of its own, with whoever types there.
pub struct Terminal {
    child: Child,
    seen: String,
}

impl Terminal {
    /// Runs a script; none where the machine has no terminal to give.
    pub fn open(sandbox: &Sandbox, script: &str, environment: &[(&str, &str)]) -> Option<Terminal> {
        let there = Command::new("script").arg("--version").stdout(Stdio::null()).status();
        need(there.map_err(|error| format!("no script(1) of util-linux: {error}")))?;
        sandbox.write("data", vec![7; 16 << 20]);
        let child = Command::new("timeout")
            .args(["-k", "1", "90", "script", "-qec", script, "/dev/null"])
            .current_dir(sandbox.work())
            .env("FATHOM_HOME", sandbox.home())
            .env("FATHOM", subject())
            .env_remove("NO_COLOR")
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env("LC_ALL", "C.UTF-8")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("timeout is there");
        Some(Terminal { child, seen: String::new() })
    }

    fn press(&mut self, keys: &[u8]) {
        let input = self.child.stdin.as_mut().expect("piped");
        input.write_all(keys).and_then(|()| input.flush()).expect("somebody reads");
    }

    /// Reads until the text is there, or to the end, and gives all that was seen.
    pub fn read_until(&mut self, text: Option<&str>) -> &str {
        let output = self.child.stdout.as_mut().expect("piped");
        let mut bytes = self.seen.clone().into_bytes();
        let mut buffer = [0; 4096];
        loop {
            let seen = String::from_utf8_lossy(&bytes).into_owned();
            if text.is_some_and(|text| seen.contains(text)) {
                self.seen = seen;
                break;
            }
            match output.read(&mut buffer) {
                Ok(0) | Err(_) => {
                    self.seen = seen;
                    assert!(text.is_none(), "{text:?} never came:\n{}", self.seen);
                    break;
                }
                Ok(count) => bytes.extend(&buffer[..count]),
            }
        }
        &self.seen
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_terminal_shows_a_view_and_is_itself_again_after_an_interrupt() {
    let sandbox = Sandbox::new();
    // The shell is interrupted as well, and goes on.
    let script = format!(
        "trap : INT; stty cols 80 rows 24; before=$(stty -g); \"$FATHOM\" {LONG}; code=$?; \
         [ \"$before\" = \"$(stty -g)\" ] && echo same terminal, code $code"
    );
    let Some(mut terminal) = Terminal::open(&sandbox, &script, &[]) else { return };
    // The bar begins with the command, the latencies come with the first phase.
    terminal.read_until(Some("max "));
    terminal.read_until(Some("█"));
    // The terminal makes a signal of it, as it does only where nobody took that from it.
    terminal.press(b"\x03");
    let seen = terminal.read_until(None).to_owned();
    for words in ["1/4 4 KiB random read, QD 1", " left", " IOPS", " MB/s", "p99 ", "░", "█"] {
        assert!(seen.contains(words), "{words:?}: {seen}");
    }
    assert!(seen.contains("same terminal, code 130"), "{seen}");
    for hidden in ["\x1b[?25l", "\x1b[?1049h"] {
        assert!(!seen.contains(hidden), "{hidden:?}: neither cursor nor screen is touched");
    }
    // What was drawn is taken away before anything else is said.
    let (_, said) = seen.rsplit_once("\x1b[J").expect("frames end so");
    assert!(said.contains("fathom: stopped") && !said.contains('░'), "{said}");
}

#[test]
fn a_terminal_without_colour_and_letters_shows_neither() {
    let sandbox = Sandbox::new();
    let script = format!("stty cols 40 rows 24; exec \"$FATHOM\" {LONG}");
    let plain = [("NO_COLOR", "1"), ("LC_ALL", "C")];
    let Some(mut terminal) = Terminal::open(&sandbox, &script, &plain) else { return };
    terminal.read_until(Some("max "));
    terminal.press(b"\x03");
    let seen = terminal.read_until(None);
    assert!(seen.is_ascii(), "{seen}");
    assert!(!seen.contains("\x1b[1m") && !seen.contains("\x1b[3"), "{seen}");
    let frames = seen.split("\x1b[J").next().expect("a frame").replace("\x1b[K", "");
    let (_, frame) = frames.split_once("1/4 ").expect("a frame begins so");
    assert!(frame.lines().all(|line| line.trim().len() <= 40), "{frame}");
}

#[test]
fn quiet_shows_nothing_on_a_terminal_either() {
    let sandbox = Sandbox::new();
    let script = "\"$FATHOM\" measure data --bs 4k --time 1s --quiet --json >figures";
    let Some(mut terminal) = Terminal::open(&sandbox, script, &[]) else { return };
    assert_eq!(terminal.read_until(None), "");
}

#[test]
fn without_a_terminal_there_are_plain_lines_and_a_feed_that_goes_with_the_run() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, SHORT);
    running.wait_for_stderr(|text| text.contains("1/4 4 KiB random read, QD 1: "));
    let found = reader(&sandbox).runs().unwrap();
    let [Ok(run)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((run.state, run.header.kind.as_str()), (FeedState::Alive, "measure"));
    assert_eq!(run.header.targets, [sandbox.work().join("data").display().to_string()]);
    let points = reader(&sandbox).follow(&run.header.id, 0).unwrap().unwrap().points;
    let point = points.iter().find(|point| point.p99_ns.is_some()).expect("a point with latency");
    assert_eq!((point.phase.as_str(), point.all), ("4 KiB random read, QD 1", Some(4)));
    assert!(point.iops > 0 && point.read_bytes_per_s > 0 && point.left_s.is_some(), "{point:?}");
    assert!(point.p50_ns <= point.p99_ns && point.p99_ns <= point.max_ns, "{point:?}");
    let listed = runs(&sandbox);
    assert_eq!((&listed[0]["outcome"], &listed[0]["killed"]), (&"running".into(), &Value::Null));
    assert_eq!(listed[0]["id"], run.header.id.as_str());
    running.signal(Signal::INT);
    let outcome = finish(running);
    assert_eq!(outcome.code, Some(130), "{}", outcome.describe("exit code"));
    assert!(!outcome.stderr.contains('\x1b'), "{}", outcome.stderr);
    assert!(reader(&sandbox).runs().unwrap().is_empty());
    assert_eq!(runs(&sandbox)[0]["outcome"], "interrupted");
}

#[test]
fn a_run_that_was_killed_does_not_go_on_for_ever() {
    let sandbox = Sandbox::new();
    let mut running = start(&sandbox, SHORT);
    running.wait_for_stderr(|text| text.contains("1/4 "));
    running.signal(Signal::KILL);
    assert_eq!(finish(running).signal, Some(9));
    let found = reader(&sandbox).runs().unwrap();
    assert!(matches!(found.as_slice(), [Ok(run)] if run.state == FeedState::Dead), "{found:?}");
    let listed = runs(&sandbox);
    assert_eq!((&listed[0]["outcome"], &listed[0]["killed"]), (&"running".into(), &true.into()));
    let table = sandbox.fathom("history").stdout;
    assert!(table.contains("KILLED"), "{table}");
}

#[test]
fn a_feed_ends_no_earlier_than_the_result_is_there() {
    let sandbox = Sandbox::new();
    let running = start(&sandbox, "run --name=a --ioengine=null --size=1g --rate_iops=1000");
    let feeds = || reader(&sandbox).runs().unwrap().len();
    let wait_for = |count| {
        let began = Instant::now();
        while feeds() != count {
            assert!(began.elapsed() < HANG, "{} feeds, not {count}", feeds());
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    wait_for(1);
    // A run that did nothing yet leaves no result.
    let id = reader(&sandbox).runs().unwrap()[0].as_ref().unwrap().header.id.clone();
    let has_begun = || {
        let followed = reader(&sandbox).follow(&id, 0).unwrap().unwrap();
        followed.points.iter().any(|point| point.p99_ns.is_some())
    };
    let began = Instant::now();
    while !has_begun() {
        assert!(began.elapsed() < HANG, "no point with an I/O");
        std::thread::sleep(Duration::from_millis(1));
    }
    running.signal(Signal::INT);
    wait_for(0);
    assert_ne!(runs(&sandbox)[0]["outcome"], "running");
    finish(running);
}

#[test]
fn every_command_has_a_feed_and_one_that_comes_to_nothing_leaves_nothing() {
    let lines = [
        ("sweep", "sweep data --rw randread --bs 4k,8k --time-per-run 200ms"),
        ("check", "check data --iops 1 --time-per-run 2s --read-only"),
        ("limit", "limit data --p99 1s --time-per-run 200ms --max-steps 5"),
        ("run", "run --name=a --filename=data --rw=randread --size=16m --runtime=1 --time_based"),
    ];
    for (kind, line) in lines {
        let sandbox = Sandbox::new();
        // Where a folder should be, nothing can be written: the run says so once and goes on.
        fs::create_dir_all(sandbox.home()).unwrap();
        fs::write(sandbox.home().join("live"), "").unwrap();
        let outcome = finish(start(&sandbox, line));
        let warned = outcome.stderr.matches("other processes cannot see this run").count();
        assert_eq!(warned, 1, "{}", outcome.describe(kind));
        let runs = runs(&sandbox);
        assert_eq!((runs.len(), &runs[0]["kind"]), (1, &kind.into()));
        assert_ne!(runs[0]["outcome"], "running");
    }
    let sandbox = Sandbox::new();
    let failing = "run --name=a --filename=data --rw=randread --ioengine=libaio --bs=3k --direct=1 \
                   --size=2k";
    let outcome = finish(start(&sandbox, failing));
    assert_ne!(outcome.code, Some(0), "{}", outcome.describe("it cannot be run"));
    assert!(reader(&sandbox).runs().unwrap().is_empty());
    let running = runs(&sandbox).into_iter().filter(|run| run["outcome"] == "running").count();
    assert_eq!(running, 0);
}

#[test]
fn a_run_that_is_not_kept_has_no_feed() {
    let sandbox = Sandbox::new();
    let outcome = finish(start(&sandbox, "measure data --bs 4k --time 1s --no-record"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("exit code"));
    assert!(!sandbox.home().exists(), "nothing is written there");
}
