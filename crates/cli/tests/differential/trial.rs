//! One job run by one program, in a folder of its own, and all that can be seen of it afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::draw::DrawnJob;
use crate::sandbox::Sandbox;

/// Seconds that a job may take on a busy machine; only a hang takes longer.
const LIMIT_SECONDS: &str = "20";
/// Runs its arguments with that limit, and with files for their outputs: jobs that a hanging fio
/// leaves behind would hold a pipe open.
const LIMITED: &str = "exec timeout -k 3 $0 \"$@\" > ../stdout 2> ../stderr";
/// The exit codes of timeout(1) when the limit was reached.
const TIMED_OUT: [i32; 2] = [124, 137];

/// A file after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLeft {
    pub size: u64,
    /// Whether it was there before, with the same bytes.
    pub is_unchanged: bool,
}

/// All that is compared of a run.
pub struct Observed {
    pub exit_code: Option<i32>,
    pub has_hung: bool,
    pub stderr: String,
    pub json: Option<Value>,
    /// Lines for people.
    pub text: Vec<String>,
    /// Terse lines.
    pub terse: Vec<String>,
    pub files: BTreeMap<String, FileLeft>,
    /// Contents of the log files.
    pub logs: BTreeMap<String, String>,
}

impl Observed {
    /// Whether it was killed, by itself or by the limit.
    pub fn crashed(&self) -> bool {
        self.has_hung
            || self.exit_code.is_none_or(|code| (129..160).contains(&code))
            || ["panicked at", "got signal="].iter().any(|text| self.stderr.contains(text))
    }
}

/// Runs the job by the program.
pub fn observe(program: &Path, job: &DrawnJob) -> Observed {
    let sandbox = Sandbox::with(program);
    let before = prepare(job, &sandbox);
    let mut words: Vec<String> = ["-c", LIMITED, LIMIT_SECONDS].map(str::to_owned).into();
    words.push(sandbox.fio().display().to_string());
    words.push("--output-format=normal,json,terse".into());
    match job.is_file {
        true => {
            fs::write(sandbox.root().join("job.fio"), job.file_text()).unwrap();
            words.push("../job.fio".into());
        }
        false => words.extend(job.arguments()),
    }
    let exit_code = sandbox.start_program("/bin/sh", &words).finish().code;
    let has_hung = exit_code.is_some_and(|code| TIMED_OUT.contains(&code));
    if has_hung {
        kill_all_below(sandbox.root());
    }
    let output =
        |name| String::from_utf8_lossy(&fs::read(sandbox.root().join(name)).unwrap()).into_owned();
    // fio looks at every disk in /sys and says so where one is gone: other tests remove theirs.
    let stderr = output("stderr").replace("stat: No such file or directory\n", "");
    let (text, json, terse) = parts_of(&output("stdout"));
    let (files, logs) = parted(files_below(&sandbox.work(), &before));
    Observed { exit_code, has_hung, stderr, json, text, terse, files, logs }
}

/// Makes the folder and the files of the job; their contents.
fn prepare(job: &DrawnJob, sandbox: &Sandbox) -> BTreeMap<String, Vec<u8>> {
    fs::create_dir(sandbox.work().join("folder")).unwrap();
    let mut before = BTreeMap::new();
    for (name, size) in &job.existing {
        // Bytes that no program would write by itself.
        let bytes: Vec<u8> = (0..*size).map(|at| (at.wrapping_mul(7) % 251) as u8).collect();
        fs::write(sandbox.work().join(name), &bytes).unwrap();
        before.insert(name.clone(), bytes);
    }
    before
}

/// Names relative to `folder`, and contents.
fn files_below(folder: &Path, before: &BTreeMap<String, Vec<u8>>) -> Vec<(String, Vec<u8>, bool)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
                continue;
            }
            let path = entry.path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            let bytes = fs::read(&path).unwrap();
            let is_unchanged = before.get(&name) == Some(&bytes);
            files.push((name, bytes, is_unchanged));
        }
    }
    files
}

/// Text, JSON and terse lines of an output with all of them.
fn parts_of(stdout: &str) -> (Vec<String>, Option<Value>, Vec<String>) {
    let (mut text, mut json, mut terse) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_json = false;
    for line in stdout.lines() {
        is_json |= line == "{";
        match () {
            () if is_json => json.push(line),
            () if line.starts_with("3;fio-") => terse.push(line.to_owned()),
            () => text.push(line.to_owned()),
        }
        is_json &= line != "}";
    }
    (text, serde_json::from_str(&json.join("\n")).ok(), terse)
}

/// The files, and the contents of logs among them, whose size depends on times.
fn parted(
    left: Vec<(String, Vec<u8>, bool)>,
) -> (BTreeMap<String, FileLeft>, BTreeMap<String, String>) {
    let (mut files, mut logs) = (BTreeMap::new(), BTreeMap::new());
    for (name, bytes, is_unchanged) in left {
        if name.ends_with(".log") {
            files.insert(name.clone(), FileLeft { size: 0, is_unchanged });
            logs.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        } else {
            files.insert(name, FileLeft { size: bytes.len() as u64, is_unchanged });
        }
    }
    (files, logs)
}

/// Ends the processes that a hanging fio left in its folder: its jobs are processes of their own.
fn kill_all_below(folder: &Path) {
    let Ok(folder) = folder.canonicalize() else { return };
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().parse().ok().and_then(Pid::from_raw);
        let is_inside =
            fs::read_link(entry.path().join("cwd")).is_ok_and(|c| c.starts_with(&folder));
        if let Some(pid) = pid.filter(|_| is_inside) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}
