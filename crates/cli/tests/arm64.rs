//! Fathom for arm64, on an emulated machine with a kernel of its own (`scripts/arm64.sh`).
//!
//! `FATHOM_ARM64_BINARY` names the binary (`scripts/arm64.sh test` builds it and says so). Its speed
//! there says nothing: counts, contents and shapes are compared with those of this machine.

use crate::devices::need;
use crate::sandbox::{Outcome, Sandbox, parse_document, subject};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// The machine. It is stopped when our end of its standard input closes.
struct ArmMachine {
    port: String,
    binary: PathBuf,
    _holder: Child,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/arm64.sh")
}

fn start() -> Result<ArmMachine, String> {
    let binary = std::env::var_os("FATHOM_ARM64_BINARY").map(PathBuf::from);
    let binary = binary
        .ok_or("FATHOM_ARM64_BINARY names no binary for arm64; scripts/arm64.sh test builds one")?;
    let failed = |why: std::io::Error| format!("scripts/arm64.sh: {why}");
    let mut holder = Command::new(script());
    holder.arg("hold").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holder = holder.spawn().map_err(failed)?;
    let mut port = String::new();
    let stdout = holder.stdout.take().ok_or("it has no output")?;
    BufReader::new(stdout).read_line(&mut port).map_err(failed)?;
    match port.trim() {
        "" => Err("the machine does not start; see above".to_owned()),
        port => {
            let machine = ArmMachine { port: port.to_owned(), binary, _holder: holder };
            let copy = "cat >/disk/fathom && chmod 755 /disk/fathom";
            let file = File::open(&machine.binary).map_err(failed)?;
            let status = machine.command(&["sh", "-c", copy]).stdin(file).status();
            match status.map_err(failed)?.success() {
                true => Ok(machine),
                false => Err("the binary does not get to the machine".to_owned()),
            }
        }
    }
}

fn machine() -> Option<&'static ArmMachine> {
    static MACHINE: OnceLock<Result<ArmMachine, String>> = OnceLock::new();
    need(MACHINE.get_or_init(start).as_ref().map_err(Clone::clone))
}

impl ArmMachine {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(script());
        command.args(["run", &self.port]).args(words).stdin(Stdio::null());
        command
    }

    /// Standard output of a command that succeeds there.
    fn printed(&self, words: &[&str]) -> String {
        let output = self.command(words).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {:?}: {stderr}", output.status);
        String::from_utf8(output.stdout).unwrap()
    }

    fn shell(&self, text: &str) -> String {
        self.printed(&["sh", "-c", text])
    }

    /// How a host named `arm` is reached; others are this machine.
    fn via(&self) -> String {
        let script = script().display().to_string();
        format!(
            "sh -c 'case $0 in arm) exec {script} pipe {} arm \"$@\";; *) exec \"$@\";; esac' {{}}",
            self.port
        )
    }
}

fn measured(sandbox: &Sandbox, machine: &ArmMachine, hosts: &str, more: &[&str]) -> Outcome {
    let (work, via) = (sandbox.work().display().to_string(), machine.via());
    let mut words = vec!["measure", &work, "--on", hosts, "--via", &via, "--size", "16m"];
    words.extend(["--time", "2s", "--quiet", "--json"]);
    words.extend(more);
    let outcome = sandbox.start_program(subject(), &words).finish();
    outcome.assert_no_panic();
    outcome
}

#[test]
fn a_coordinator_drives_an_agent_of_another_architecture() {
    let Some(machine) = machine() else { return };
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    machine.shell(&format!("mkdir -p /disk/work $(dirname {work}) && ln -s /disk/work {work}"));
    let outcome = measured(&sandbox, machine, "arm", &[]);
    outcome.assert_ended(1);
    let told = "it is Linux aarch64 and this binary is for linux";
    assert!(outcome.stderr.contains(told), "{}", outcome.describe(told));

    let named = format!("arm64={}", machine.binary.display());
    let outcome = measured(&sandbox, machine, "arm", &["--agent-binary", &named]);
    outcome.assert_success();
    let document = outcome.json();
    assert_eq!(document["host"]["architecture"], "aarch64", "{}", document["host"]);
    for phase in document["phases"].as_array().unwrap() {
        assert!(phase["figures"]["iops"].as_f64().unwrap() > 0.0, "{phase}");
    }

    let outcome = measured(&sandbox, machine, "arm,box", &["--agent-binary", &named]);
    outcome.assert_success();
    let document = outcome.json();
    let clients = document["clients"].as_array().unwrap();
    let architectures: Vec<&Value> =
        clients.iter().map(|client| &client["system"]["architecture"]).collect();
    assert_eq!(architectures, ["aarch64", std::env::consts::ARCH]);
    let left = machine.shell("ls -A /disk/work; ls -d /tmp/.fathom-agent-* 2>/dev/null || :");
    assert_eq!(left, "", "files are left");
}

#[test]
fn the_counter_of_the_cpu_is_read() {
    let Some(machine) = machine() else { return };
    let document = machine.shell("./fathom doctor --json /disk; :");
    let document = parse_document(&document).unwrap();
    let clock = &document["host"]["clock"];
    assert_eq!((&clock["source"], &clock["why_not_tsc"]), (&"cntvct".into(), &Value::Null));
}

/// The I/Os of a log with offsets: direction, size, offset.
fn logged(text: &str) -> Vec<Vec<String>> {
    let fields = |line: &str| line.split(", ").skip(2).take(3).map(str::to_owned).collect();
    text.lines().map(fields).collect()
}

/// The paths of all members of a document, without the indexes of lists.
fn keys(of: &Value, path: &str, into: &mut BTreeSet<String>) {
    match of {
        Value::Object(members) => {
            for (name, member) in members {
                // Percentiles and times in which there were I/Os depend on the speed.
                let is_bin = name.parse::<f64>().is_ok();
                keys(member, &format!("{path}/{}", if is_bin { "N" } else { name }), into);
            }
        }
        Value::Array(members) => {
            members.iter().for_each(|member| keys(member, &format!("{path}/"), into));
        }
        _ => {
            into.insert(path.to_owned());
        }
    }
}

#[test]
fn a_job_of_one_seed_is_the_same_on_both() {
    let Some(machine) = machine() else { return };
    let jobs = [
        "--ioengine=psync --rw=randrw --rwmixread=70 --bsrange=4k-64k --direct=1",
        "--ioengine=io_uring --rw=randrw --iodepth=8 --bs=4k --direct=1 --verify=crc32c",
        "--ioengine=libaio --rw=randwrite --iodepth=4 --bs=8k --direct=1 --norandommap=1",
    ];
    for (at, job) in jobs.iter().enumerate() {
        let sandbox = Sandbox::new();
        let job = format!(
            "--name=j --filename=data --size=8m --randseed=77 {job} --write_lat_log=j --log_offset=1 \
             --output-format=json"
        );
        let here = sandbox.run(&job);
        here.assert_success();
        let folder = format!("/disk/job{at}");
        let there =
            machine.shell(&format!("mkdir {folder} && cd {folder} && /disk/fathom fio {job}"));
        let (here, there) = (here.json(), parse_document(&there).unwrap());
        for direction in ["read", "write", "trim"] {
            for total in ["total_ios", "io_bytes"] {
                let of = |document: &Value| document["jobs"][0][direction][total].clone();
                assert_eq!(of(&here), of(&there), "{direction}: {total}: {job}");
            }
        }
        let [mut own, mut other] = [BTreeSet::new(), BTreeSet::new()];
        keys(&here["jobs"], "", &mut own);
        keys(&there["jobs"], "", &mut other);
        assert_eq!(own, other, "{job}");
        let log = fs::read_to_string(sandbox.work().join("j_clat.1.log")).unwrap();
        let (mut log, mut other) =
            (logged(&log), logged(&machine.shell(&format!("cat {folder}/j_clat.1.log"))));
        // Several in flight may end in any order.
        if job.contains("iodepth") {
            log.sort();
            other.sort();
        }
        assert!(log.len() > 100 && log == other, "{job}: {log:?}\n{other:?}");
    }
}
