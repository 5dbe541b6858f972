//! The binary for Windows, under Wine.
//!
//! `FATHOM_WINDOWS_EXE` names it (`scripts/windows.sh test` builds it and says so). Wine runs in a
//! prefix of its own whose drive Z: is an empty folder, so that the drive letters of the commands
//! are real and nothing else can be hit; every test has a folder there. What Wine cannot show
//! (unbuffered I/O, depth, speed) is not looked at: counts, shapes and files are.

use crate::devices::{need, tool};
use crate::sandbox::{HANG, Running, Sandbox, folder_in, subject};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const WINE: &str = "/usr/lib/wine/wine64";

/// A folder on drive Z: with a home of Fathom's in it.
struct Wine {
    exe: PathBuf,
    prefix: PathBuf,
    folder: TempDir,
}

impl Wine {
    /// Or why there is none here.
    fn new() -> Result<Wine, String> {
        let exe = std::env::var_os("FATHOM_WINDOWS_EXE").map(PathBuf::from);
        let exe = exe
            .ok_or("FATHOM_WINDOWS_EXE names no fathom.exe; scripts/windows.sh test builds one")?;
        if !Path::new(WINE).exists() {
            return Err(format!("no {WINE}: apt-get install wine64"));
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/windows.sh");
        let prefix = PathBuf::from(tool(script.to_str().expect("a path"), &["prefix"])?);
        let folder = folder_in(&prefix.join("z")).map_err(|why| why.to_string())?;
        Ok(Wine { exe, prefix, folder })
    }

    /// Its folder, as Windows names it.
    fn drive(&self) -> String {
        format!(r"Z:\{}", self.name())
    }

    fn name(&self) -> String {
        self.folder.path().file_name().expect("it has a name").to_string_lossy().into_owned()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("timeout");
        // In the foreground a signal goes to the program alone, and once.
        command.args(["--foreground", "--kill-after=60", "240", WINE]).arg(&self.exe).args(words);
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.env("WINEPREFIX", &self.prefix).env("WINEDEBUG", "-all,err+module");
        command.env("WINEDLLOVERRIDES", "mscoree,mshtml=");
        command.env("FATHOM_HOME", format!(r"{}\home", self.drive()));
        command.env("RUST_BACKTRACE", "0");
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("timeout is there")
    }

    /// Standard output of a run that ends with `code`.
    fn ended(&self, words: &[&str], code: i32) -> String {
        let output = self.run(words);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{out}\n{err}");
        assert!(!err.contains("panicked"), "{err}");
        out
    }

    fn json(&self, words: &[&str]) -> Value {
        let out = self.ended(words, 0);
        serde_json::from_str(&out).unwrap_or_else(|why| panic!("{words:?}: {why}\n{out}"))
    }

    /// The command by which a coordinator on Linux reaches Wine in place of a host.
    fn via(&self) -> String {
        let command = self.command(&[]);
        let set = command.get_envs().filter_map(|(name, value)| Some((name.to_str()?, value?)));
        // A document with that name in its command would be taken for a panic's text.
        let set = set.filter(|(name, _)| *name != "RUST_BACKTRACE");
        let words = set.map(|(name, value)| format!("'{name}={}'", value.to_string_lossy()));
        format!("env HOST={{}} {} {WINE}", words.collect::<Vec<_>>().join(" "))
    }

    /// Starts a command of Linux whose clients, `w1` and `w2`, are Windows.
    fn coordinate(&self, sandbox: &Sandbox, words: &[&str]) -> Running {
        let (via, agent) = (self.via(), self.exe.to_str().expect("a path"));
        let clients = [words[0], "--on", "w1,w2", "--via", &via, "--agent", agent];
        sandbox.start_program(subject(), &[&clients[..], &words[1..]].concat())
    }

    /// How many runs of `measure` its history has.
    fn measured(&self) -> usize {
        let list = self.json(&["history", "--json"]);
        let runs = list["runs"].as_array().unwrap_or_else(|| panic!("{list}"));
        runs.iter().filter(|run| run["kind"] == "measure").count()
    }

    /// Names in its folder, but for the home.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("it is there");
        let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
        names.filter(|name| name != "home").collect()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace("\r\n", "\n")
}

/// Small enough for Wine, in the words of the published commands.
const COMMON: [&str; 6] =
    ["--size=4m", "--fallocate=none", "--direct=1", "--runtime=1", "--time_based", "--ramp_time=1"];

#[test]
fn it_starts_and_says_what_it_is() {
    let Some(wine) = need(Wine::new()) else { return };
    assert!(wine.ended(&["--version"], 0).starts_with("fathom "));
    assert!(wine.ended(&["--help"], 0).contains("measure"));
    assert!(wine.ended(&["--lang", "ko", "--help"], 0).contains("볼륨"));
    wine.ended(&["measure", r"Q:\none"], 1);
    wine.ended(&["measure", "--no-such-option"], 2);
}

/// The three commands of a file service's page, with the drive letter as fio escapes it.
#[test]
fn a_file_services_three_figures_come_out_in_fios_shape() {
    let Some(wine) = need(Wine::new()) else { return };
    let directory = format!(r"--directory=Z\:\{}", wine.name());
    let jobs: [(&str, &[&str], &str, u64); 3] = [
        ("latency", &["--rw=randwrite", "--bs=4k", "--iodepth=1"], "write", 4096),
        ("iops", &["--rw=randread", "--bs=4k", "--iodepth=32", "--numjobs=4"], "read", 4096),
        ("throughput", &["--rw=read", "--bs=64k", "--iodepth=32", "--numjobs=4"], "read", 65536),
    ];
    for (name, options, direction, block) in jobs {
        let (own, shape) = (format!("--name={name}"), "--output-format=json");
        let mut words = vec!["fio"];
        words.extend(COMMON);
        words.extend([directory.as_str(), "--ioengine=windowsaio", "--thread", &own, shape]);
        words.extend(options);
        let result = wine.json(&words);
        for job in result["jobs"].as_array().expect("jobs") {
            assert_eq!(job["error"], 0, "{job}");
            let about = &job[direction];
            let ios = about["total_ios"].as_u64().expect("a count");
            assert!(ios > 0, "{about}");
            assert_eq!(about["io_bytes"].as_u64(), Some(ios * block), "{about}");
        }
        let options = &result["global options"]["ioengine"];
        let own = &result["jobs"][0]["job options"]["ioengine"];
        assert!(options == "windowsaio" || own == "windowsaio", "{result}");
    }
    let mut words = vec!["fio"];
    words.extend(COMMON);
    let rest = ["--ioengine=windowsaio", "--thread", "--rw=randread", "--bs=4k", "--name=iops"];
    words.extend([directory.as_str()].iter().chain(&rest));
    let said = wine.ended(&words, 0);
    assert!(said.contains("ioengine=windowsaio, iodepth=1"), "{said}");
    assert!(said.contains("iops: (groupid=0, jobs=1): err= 0"), "{said}");
}

/// A pass over a file writes each block once, where it belongs, and reads each once.
#[test]
fn every_block_is_written_and_read_once() {
    let Some(wine) = need(Wine::new()) else { return };
    let file = format!(r"--filename=Z\:\{}\blocks", wine.name());
    for engine in ["windowsaio", "psync", "mmap"] {
        let path = wine.folder.path().join("blocks");
        let _ = fs::remove_file(&path);
        let engine = format!("--ioengine={engine}");
        let common = ["fio", "--name=x", &file, &engine, "--size=1m", "--bs=4k", "--iodepth=8"];
        let pattern = ["--rw=randwrite", "--buffer_pattern=0x5a", "--output-format=json"];
        let written = wine.json(&[&common[..], &pattern].concat());
        assert_eq!(written["jobs"][0]["write"]["total_ios"], 256, "{engine}");
        let bytes = fs::read(&path).expect("it was written");
        assert!(bytes.len() == 1 << 20 && bytes.iter().all(|byte| *byte == 0x5a), "{engine}");
        let read = wine.json(&[&common[..], &["--rw=randread", "--output-format=json"]].concat());
        assert_eq!(read["jobs"][0]["read"]["total_ios"], 256, "{engine}");
        assert_eq!(read["jobs"][0]["read"]["short_ios"], 0, "{engine}");
    }
}

#[test]
fn what_only_linux_has_is_refused_by_name() {
    let Some(wine) = need(Wine::new()) else { return };
    let words = ["fio", "--name=x", "--size=1m", "--rw=read", "--ioengine=libaio"];
    let output = wine.run(&words);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("windowsaio"), "{said}");
}

#[test]
fn the_doctor_knows_the_volume() {
    let Some(wine) = need(Wine::new()) else { return };
    let drive = wine.drive();
    let document = wine.json(&["doctor", "--quick", "--json", &drive]);
    let shown = document.to_string();
    assert!(shown.contains("NTFS"), "{shown}");
    assert_eq!(wine.left(), Vec::<String>::new());
}

#[test]
fn runs_are_measured_kept_compared_and_reported() {
    let Some(wine) = need(Wine::new()) else { return };
    let drive = wine.drive();
    let short = ["--size", "8m", "--time", "2s"];
    for tag in ["one", "two"] {
        let words = [&["measure", &drive, "--json", "--tag", tag][..], &short].concat();
        let document = wine.json(&words);
        assert_eq!(document["interrupted"], false, "{document}");
    }
    assert_eq!(wine.left(), Vec::<String>::new());
    assert_eq!(wine.measured(), 2);
    let said = wine.ended(&["compare", "previous", "latest"], 0);
    assert!(said.contains("4 KiB random read, QD 1"), "{said}");
    wine.ended(&["report", "latest", "-o", "report.html"], 0);
    let page = fs::read_to_string(wine.folder.path().join("report.html")).expect("a report");
    assert!(page.contains("4 KiB random read"));
    wine.ended(&["run", "--name=x", "--rw=randread", "--size=1m", "--bs=4k"], 0);
}

#[test]
fn a_missed_promise_is_told_and_a_limit_is_searched() {
    let Some(wine) = need(Wine::new()) else { return };
    let drive = wine.drive();
    let short = ["--size", "8m", "--time", "2s", "--json"];
    // No volume gives that.
    let words = [&["check", &drive, "--read-only", "--iops", "900000000"][..], &short].concat();
    let output = wine.run(&words);
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole document");
    // Where others use the CPUs, the host may be what missed it.
    let outcome = match output.status.code() {
        Some(3) => "fail",
        Some(5) => "undecided",
        code => panic!("{code:?}: {}", text(&output.stderr)),
    };
    assert_eq!(document["gate"]["outcome"], outcome, "{document}");
    let words = [&["limit", &drive, "--p99", "10s", "--max-steps", "5"][..], &short].concat();
    // On a busy machine, five steps may not be enough for an answer.
    let output = wine.run(&words);
    assert!(matches!(output.status.code(), Some(0 | 5)), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole document");
    assert_eq!(document["interrupted"], false, "{document}");
    assert_eq!(wine.left(), Vec::<String>::new());
}

#[test]
fn a_sweep_that_was_ended_goes_on() {
    let Some(wine) = need(Wine::new()) else { return };
    let drive = wine.drive();
    let plan = ["--size", "8m", "--time-per-run", "5s", "--iodepth", "1,2,4", "--rw", "randread"];
    let words = [&["sweep", &drive, "--json"][..], &plan].concat();
    let mut child = started(&wine, &words);
    wait_for(&mut child, "2/3");
    interrupt(&child);
    // Its document is longer than a pipe.
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stdout));
    assert_eq!(wine.left(), Vec::<String>::new());
    let document = wine.json(&[&words[..], &["--resume"]].concat());
    assert_eq!(document["status"], "finished");
    assert_eq!(wine.left(), Vec::<String>::new());
}

#[test]
fn an_interrupted_run_ends_in_its_results_and_leaves_nothing() {
    let Some(wine) = need(Wine::new()) else { return };
    let drive = wine.drive();
    let mut child = started(&wine, &["measure", &drive, "--size", "8m", "--time", "60s", "--json"]);
    wait_for(&mut child, "1/8");
    interrupt(&child);
    let mut out = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{out}");
    let document: Value = serde_json::from_str(&out).expect("a whole document");
    assert_eq!(document["interrupted"], true);
    assert_eq!(wine.left(), Vec::<String>::new());
    assert_eq!(wine.measured(), 1);
}

#[test]
fn the_page_is_served() {
    let Some(wine) = need(Wine::new()) else { return };
    let mut child = started(&wine, &["serve", "--listen", "127.0.0.1:0"]);
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut peer = TcpStream::connect(&address).unwrap_or_else(|why| panic!("{line}: {why}"));
    write!(peer, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a pipe");
    let mut answer = String::new();
    peer.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    interrupt(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn windows_is_a_client_of_a_coordinator_on_linux() {
    let Some(wine) = need(Wine::new()) else { return };
    let (sandbox, drive) = (Sandbox::new(), wine.drive());
    let words = ["measure", &drive, "--size", "8m", "--time", "1200ms", "--json"];
    let measured = wine.coordinate(&sandbox, &words).finish();
    measured.assert_ended(0);
    assert!(!measured.stderr.contains("another build"), "{}", measured.stderr);
    let document = measured.json();
    assert_eq!(document["volumes"][0]["method"]["engine"], "windowsaio", "{document:#}");
    for phase in document["phases"].as_array().expect("phases") {
        let clients = phase["result"]["clients"].as_array().expect("clients");
        let hosts: Vec<&Value> = clients.iter().map(|client| &client["host"]).collect();
        assert_eq!(hosts, ["w1", "w2"]);
    }
    let directory = format!(r"--directory=Z\:\{}", wine.name());
    let engine = "--ioengine=windowsaio";
    let job = ["--name=r", engine, &directory, "--rw=randread", "--size=2m", "--unlink=1"];
    let ran = wine.coordinate(&sandbox, &[&["run", "--json"][..], &job].concat()).finish();
    ran.assert_ended(0);
    let jobs = ran.json()["result"]["jobs"].clone();
    let ios = |job: &Value| job["dirs"]["read"]["total_ios"].as_u64();
    let ios: Vec<Option<u64>> = jobs.as_array().expect("jobs").iter().map(ios).collect();
    assert_eq!(ios, [Some(512), Some(512)], "{jobs:#}");
    assert_eq!(wine.left(), Vec::<String>::new());
}

#[test]
fn a_client_on_windows_outlives_no_coordinator() {
    let Some(wine) = need(Wine::new()) else { return };
    let (sandbox, drive) = (Sandbox::new(), wine.drive());
    let words = ["measure", &drive, "--size", "8m", "--time", "300s"];
    let mut running = wine.coordinate(&sandbox, &words);
    running.wait_for_stderr(|said| said.contains("1/8"));
    assert!(!wine.left().is_empty(), "it measures in files");
    running.signal(Signal::KILL);
    running.finish();
    let begun = Instant::now();
    while !wine.left().is_empty() {
        assert!(begun.elapsed() < HANG, "{:?} stay", wine.left());
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn started(wine: &Wine, words: &[&str]) -> Child {
    let mut command = wine.command(words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("timeout is there")
}

/// Reads standard error until `words` are said; the rest is read away, so that nothing waits for it.
fn wait_for(child: &mut Child, words: &str) {
    let mut stderr = child.stderr.take().expect("a pipe");
    let (mut said, mut chunk) = (Vec::new(), [0; 1024]);
    while !text(&said).contains(words) {
        let count = stderr.read(&mut chunk).expect("a pipe");
        assert!(count > 0, "it ended before {words}: {}", text(&said));
        said.extend(&chunk[..count]);
    }
    std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
}

/// What Wine makes ^C of.
fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).expect("it goes on");
}
