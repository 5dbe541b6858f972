//! A folder to run the binary in, and a run of it that cannot outlive its test.
//!
//! A sandbox holds `bin/fio`, a link to the binary under test, because the drop-in is chosen by
//! the name it is called by, and `work`, the current folder of every run. Output arrives as
//! events, so that a test waits for the line it needs and never for a time; the one time there is
//! is the limit after which a hanging run is killed with its whole process group.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value;
use tempfile::TempDir;

/// Longer than anything here takes on a slow and busy machine; reached only by a hang. Pods of a test
/// cluster on two busy processors have taken 100 seconds.
pub const HANG: Duration = Duration::from_secs(300);

/// The binary under test.
pub fn subject() -> PathBuf {
    std::env::var_os("FATHOM_UNDER_TEST")
        .map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_fathom")), PathBuf::from)
}

/// A new folder, gone at its end. Its name is a number: letters by chance could be a word that a test
/// looks for in an output.
pub fn folder_in(parent: &Path) -> io::Result<TempDir> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = std::process::id().wrapping_mul(1000);
    loop {
        let number = first.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 1_000_000;
        let name = format!(".tmp{number:06}");
        match tempfile::Builder::new().prefix(&name).rand_bytes(0).tempdir_in(parent) {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}

/// A temporary folder with the binary under the name `fio` in it.
pub struct Sandbox {
    root: TempDir,
}

impl Sandbox {
    /// With the binary under test.
    pub fn new() -> Sandbox {
        Sandbox::with(&subject())
    }

    /// With any program in the place of the binary under test.
    pub fn with(program: &Path) -> Sandbox {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Sandbox::at(folder_in(parent).expect("a temporary folder"), program)
    }

    /// In an empty folder.
    pub fn at(root: TempDir, program: &Path) -> Sandbox {
        fs::create_dir(root.path().join("bin")).unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        std::os::unix::fs::symlink(program, root.path().join("bin/fio")).unwrap();
        // Tests of permissions come in as another user.
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        Sandbox { root }
    }

    /// The sandbox's top folder: for mount points, images and whatever the binary must not see.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The current folder of every run.
    pub fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    /// The link to the binary.
    pub fn fio(&self) -> PathBuf {
        self.root.path().join("bin/fio")
    }

    /// The folder of the runs' history; made when the first is kept.
    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    /// Writes a file into the current folder of the runs; returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    /// Runs the binary to its end; `line` is split at white space.
    pub fn run(&self, line: &str) -> Outcome {
        self.start(line).finish()
    }

    /// Starts the binary; `line` is split at white space.
    pub fn start(&self, line: &str) -> Running {
        let args: Vec<&str> = line.split_whitespace().collect();
        self.start_program(self.fio(), &args)
    }

    /// Starts `fathom`; `line` is split at white space.
    pub fn start_fathom(&self, line: &str) -> Running {
        let args: Vec<&str> = line.split_whitespace().collect();
        self.start_program(subject(), &args)
    }

    /// Runs `fathom` to its end, which is no panic; `line` is split at white space.
    pub fn fathom(&self, line: &str) -> Outcome {
        let outcome = self.start_fathom(line).finish();
        outcome.assert_no_panic();
        outcome
    }

    /// Runs a shell script in which `fio` is the binary under test and `sudo` changes nothing.
    pub fn shell(&self, script: &str) -> Outcome {
        let script = format!("sudo() {{ \"$@\"; }}\n{script}");
        self.start_program("/bin/sh", &["-ec", &script]).finish()
    }

    /// Starts any program in the sandbox.
    pub fn start_program<S: AsRef<OsStr>>(
        &self,
        program: impl AsRef<OsStr>,
        args: &[S],
    ) -> Running {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(self.work())
            .env("PATH", format!("{}:{path}", self.root.path().join("bin").display()))
            .env("LC_ALL", "C")
            // Runs are kept in the sandbox's own history, never in that of whoever tests.
            .env("FATHOM_HOME", self.home())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        Running::new(command)
    }

    /// Names and sizes of the files that runs left in the current folder, sorted.
    pub fn files(&self) -> Vec<(String, u64)> {
        let mut files: Vec<(String, u64)> = fs::read_dir(self.work())
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().unwrap().is_file())
            .map(|entry| {
                (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().len())
            })
            .collect();
        files.sort();
        files
    }
}

/// Names of everything in `folder`, hidden or not.
pub fn left_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("readable").file_name();
    entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
}

enum Event {
    Out(Vec<u8>),
    Err(Vec<u8>),
    Closed,
    Exited(ExitStatus),
}

/// A run that has been started.
pub struct Running {
    shown: String,
    pid: Pid,
    events: Receiver<Event>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    open_streams: u8,
    status: Option<ExitStatus>,
    started: Instant,
}

impl Running {
    fn new(mut command: Command) -> Running {
        let shown = show(&command);
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{shown}: {e}"));
        let pid = Pid::from_child(&child);
        let (sender, events) = channel();
        forward(child.stdout.take().expect("piped"), sender.clone(), Event::Out);
        forward(child.stderr.take().expect("piped"), sender.clone(), Event::Err);
        thread::spawn(move || {
            let status = child.wait().expect("a child can be waited for");
            let _ = sender.send(Event::Exited(status));
        });
        let (stdout, stderr) = (Vec::new(), Vec::new());
        let started = Instant::now();
        Running { shown, pid, events, stdout, stderr, open_streams: 2, status: None, started }
    }

    /// Sends a signal to the binary itself, as `kill` does.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).unwrap_or_else(|e| panic!("{}: {e}", self.shown));
    }

    /// What stood on standard output so far.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Waits until standard output satisfies `enough`; a run that ends before is a failure.
    pub fn wait_for_stdout(&mut self, enough: impl Fn(&str) -> bool) {
        self.wait_for(|running| enough(&running.stdout()));
    }

    /// The same for standard error.
    pub fn wait_for_stderr(&mut self, enough: impl Fn(&str) -> bool) {
        self.wait_for(|running| enough(&String::from_utf8_lossy(&running.stderr)));
    }

    fn wait_for(&mut self, enough: impl Fn(&Running) -> bool) {
        while !enough(self) {
            assert!(
                self.status.is_none() || self.open_streams > 0,
                "{} ended before its output was there:\n{}\n{}",
                self.shown,
                head(&self.stdout()),
                head(&String::from_utf8_lossy(&self.stderr))
            );
            self.next_event();
        }
    }

    /// Waits for the end of the run.
    pub fn finish(mut self) -> Outcome {
        while self.status.is_none() || self.open_streams > 0 {
            self.next_event();
        }
        let status = self.status.expect("the loop ended with it");
        Outcome {
            shown: std::mem::take(&mut self.shown),
            code: status.code(),
            signal: status.signal(),
            stdout: String::from_utf8_lossy(&self.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&self.stderr).into_owned(),
            wall: self.started.elapsed(),
        }
    }

    fn next_event(&mut self) {
        let left = HANG.saturating_sub(self.started.elapsed());
        match self.events.recv_timeout(left) {
            Ok(Event::Out(bytes)) => self.stdout.extend(bytes),
            Ok(Event::Err(bytes)) => self.stderr.extend(bytes),
            Ok(Event::Closed) => self.open_streams -= 1,
            Ok(Event::Exited(status)) => self.status = Some(status),
            Err(_) => panic!(
                "hangs, killed after {HANG:?}: {}\n{}\n{}",
                self.shown,
                head(&self.stdout()),
                head(&String::from_utf8_lossy(&self.stderr))
            ),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.status.is_none() {
            let _ = kill_process_group(self.pid, Signal::KILL);
        }
    }
}

/// The command as it would be typed, its program without its folders.
fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    [program.to_string_lossy().into_owned()].into_iter().chain(args).collect::<Vec<_>>().join(" ")
}

fn forward(mut from: impl Read + Send + 'static, to: Sender<Event>, wrap: fn(Vec<u8>) -> Event) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count) = from.read(&mut buffer) {
            if count == 0 || to.send(wrap(buffer[..count].to_vec())).is_err() {
                break;
            }
        }
        let _ = to.send(Event::Closed);
    });
}

/// How a run ended, and everything it said.
#[derive(Debug)]
pub struct Outcome {
    /// The command, for messages.
    pub shown: String,
    /// Its exit code, where it was not killed.
    pub code: Option<i32>,
    /// The signal that killed it.
    pub signal: Option<i32>,
    /// All of standard output.
    pub stdout: String,
    /// All of standard error.
    pub stderr: String,
    /// From start to end.
    pub wall: Duration,
}

impl Outcome {
    /// Exit code 0 and nothing on standard error, or what was wrong.
    pub fn success(&self) -> Result<(), String> {
        if self.code != Some(0) {
            return Err(
                self.describe(&format!("ended with {:?}, signal {:?}", self.code, self.signal))
            );
        }
        if !self.stderr.is_empty() {
            return Err(self.describe("wrote to standard error"));
        }
        Ok(())
    }

    /// Panics unless the run ended with exit code 0 and nothing on standard error.
    pub fn assert_success(&self) -> &Outcome {
        if let Err(why) = self.success() {
            panic!("{why}");
        }
        self
    }

    /// Panics unless the run ended with this exit code, whatever it said on standard error.
    pub fn assert_ended(&self, code: i32) -> &Outcome {
        assert_eq!(self.code, Some(code), "{}", self.describe("exit code"));
        self.assert_no_panic();
        self
    }

    /// Panics unless the run was refused with exit code 1 and one line of Fathom's with `words`.
    pub fn assert_refused_in_a_sentence(&self, words: &str) {
        self.assert_sentence(1, words);
    }

    /// Panics unless the command line was refused as wrong usage in one sentence with `words`.
    pub fn assert_usage_in_a_sentence(&self, words: &str) {
        self.assert_sentence(2, words);
    }

    fn assert_sentence(&self, code: i32, words: &str) {
        self.assert_ended(code);
        let one_line = self.stderr.lines().count() == 1;
        let said = self.stderr.starts_with("fathom: ") && self.stderr.contains(words);
        assert!(one_line && said, "{}", self.describe(&format!("one sentence with {words:?}")));
    }

    /// Panics unless the run failed cleanly: an exit code that is neither 0 nor a panic's, no
    /// signal, no trace of a panic, and every one of `words` on standard error (case aside).
    pub fn assert_refused(&self, words: &[&str]) -> &Outcome {
        assert!(
            self.code.is_some_and(|code| code != 0 && code != 101),
            "{}",
            self.describe("should have failed with an exit code of its own")
        );
        self.assert_no_panic();
        let said = self.stderr.to_lowercase();
        assert!(!said.trim().is_empty(), "{}", self.describe("said nothing on standard error"));
        for word in words {
            assert!(
                said.contains(&word.to_lowercase()),
                "{}",
                self.describe(&format!("standard error lacks {word:?}"))
            );
        }
        self
    }

    /// Panics if the run did.
    pub fn assert_no_panic(&self) {
        for stream in [&self.stdout, &self.stderr] {
            assert!(
                !stream.contains("panicked at") && !stream.contains("RUST_BACKTRACE"),
                "{}",
                self.describe("panicked")
            );
        }
    }

    /// Standard output as one JSON document that starts in the first line.
    pub fn json(&self) -> Value {
        parse_document(&self.stdout).unwrap_or_else(|e| panic!("{}", self.describe(&e)))
    }

    /// `why`, the command and what it said.
    pub fn describe(&self, why: &str) -> String {
        format!(
            "{why}\n  command: {}\n  stdout:\n{}\n  stderr:\n{}",
            self.shown,
            head(&self.stdout),
            head(&self.stderr)
        )
    }
}

/// The words of `text` with one blank between them: where its lines break depends on the width of
/// the screen and on the length of names.
pub fn without_breaks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads `text` as exactly one JSON document whose first line is `{`.
pub fn parse_document(text: &str) -> Result<Value, String> {
    if text.lines().next() != Some("{") {
        return Err("the first line of JSON output is not {".into());
    }
    serde_json::from_str(text).map_err(|e| format!("not one JSON document: {e}"))
}

/// The first lines of `text`, none longer than a screen's.
fn head(text: &str) -> String {
    const LINES: usize = 40;
    const COLUMNS: usize = 160;
    let cut = |line: &str| line.chars().take(COLUMNS).collect::<String>();
    let mut shown: String =
        text.lines().take(LINES).map(|line| format!("    | {}\n", cut(line))).collect();
    if text.lines().count() > LINES {
        shown.push_str("    | …\n");
    }
    shown
}
