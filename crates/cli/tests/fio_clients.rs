//! fio's client mode: `fio --client=HOST JOBFILE`, over a stand-in for ssh that runs on this machine
//! what it is given.

use crate::devices::need;
use crate::sandbox::{HANG, Outcome, Sandbox, left_in, subject};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Debian's fio, which is the oracle.
const FIO: &str = "/usr/bin/fio";

/// A sandbox whose `ssh` reaches any host but `nobody`, each of which is this machine.
fn hosts() -> Sandbox {
    let sandbox = Sandbox::new();
    let bin = sandbox.root().join("bin");
    let ssh = "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n\
               if [ \"$2\" = nobody ]; then echo 'Connection refused' >&2; exit 255; fi\n\
               shift 2\nexec sh -c \"$*\"\n";
    fs::write(bin.join("ssh"), ssh).unwrap();
    fs::set_permissions(bin.join("ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink(subject(), bin.join("fathom")).unwrap();
    let work = sandbox.work().display().to_string();
    sandbox.write("fill.fio", format!("[fill]\ndirectory={work}\nrw=write\nbs=4k\nsize=1m\n"));
    sandbox
        .write("null.fio", "[first]\nioengine=null\nsize=1m\n[second]\nioengine=null\nsize=2m\n");
    sandbox
}

fn of_clients(outcome: &Outcome) -> Vec<(String, String, u64)> {
    let document = outcome.json();
    let text = |of: &Value, key: &str| of[key].as_str().unwrap().to_owned();
    let bytes = |of: &Value| {
        ["read", "write"].iter().map(|way| of[*way]["io_bytes"].as_u64().unwrap()).sum::<u64>()
    };
    let stats = document["client_stats"].as_array().unwrap();
    stats.iter().map(|of| (text(of, "jobname"), text(of, "hostname"), bytes(of))).collect()
}

fn rows(expected: &[(&str, &str, u64)]) -> Vec<(String, String, u64)> {
    let row =
        |(job, host, mib): &(&str, &str, u64)| ((*job).to_owned(), (*host).to_owned(), mib << 20);
    expected.iter().map(row).collect()
}

#[test]
fn clients_that_follow_one_another_run_the_same_jobs_and_are_added_up() {
    let sandbox = hosts();
    let outcome = sandbox.run("--client=a --client=b fill.fio --output-format=json");
    outcome.assert_success();
    let expected = rows(&[("fill", "a", 1), ("fill", "b", 1), ("All clients", "", 2)]);
    assert_eq!(of_clients(&outcome), expected);
    let all = &outcome.json()["client_stats"][2]["write"]["clat_ns"];
    assert_eq!(all["N"], 512, "{all}");
    assert!(all["percentile"]["99.000000"].as_u64() > Some(0), "{all}");
    let mut left = left_in(&sandbox.work());
    left.retain(|name| !name.ends_with(".fio"));
    left.sort();
    assert_eq!(left, ["a.fill.0.0", "b.fill.0.0"], "names begin with the host's");
}

#[test]
fn jobs_after_a_client_are_for_that_client() {
    let sandbox = hosts();
    let line = "--client=a null.fio --client=b fill.fio --output-format=json";
    let outcome = sandbox.run(line);
    outcome.assert_success();
    let expected =
        [("first", "a", 1), ("second", "a", 2), ("fill", "b", 1), ("All clients", "", 4)];
    assert_eq!(of_clients(&outcome), rows(&expected));
}

#[test]
fn a_client_that_refuses_costs_its_own_figures_and_ends_in_1() {
    let sandbox = hosts();
    fs::create_dir(sandbox.work().join("b.fill.0.0")).unwrap();
    let outcome = sandbox.run("--client=a --client=b fill.fio --output-format=json");
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("fio: b: job fill (fill.fio:1): "), "{}", outcome.stderr);
    assert_eq!(of_clients(&outcome), rows(&[("fill", "a", 1)]));
}

#[test]
fn the_text_names_hosts_and_ends_in_all_clients() {
    let sandbox = hosts();
    sandbox.write("hosts.list", "a\n# a remark\n\nip:b\n");
    let outcome = sandbox.run("--client=hosts.list null.fio");
    outcome.assert_success();
    let text = &outcome.stdout;
    for line in ["<a> first: (g=0): rw=read, ", "<b> second: (g=0): ", "<b> Starting 2 processes\n"]
    {
        assert!(text.contains(line), "{line}: {text}");
    }
    let count = |part: &str| text.lines().filter(|line| line.starts_with(part)).count();
    assert_eq!((count("first: (groupid=0"), count("Run status group 0")), (2, 2), "{text}");
    assert_eq!(count("All clients: (groupid=0, jobs=4): err= 0: pid=0: "), 1, "{text}");
    let sum = text.split("All clients").nth(1).unwrap();
    assert!(sum.contains("99.00th="), "percentiles of all: {sum}");
    let alone = sandbox.run("--client=a fill.fio");
    alone.assert_success();
    assert!(!alone.stdout.contains("All clients"), "{}", alone.stdout);
}

#[test]
fn unique_filename_0_leaves_names_as_the_job_says() {
    let sandbox = hosts();
    let work = sandbox.work().display().to_string();
    let text = format!("[fill]\ndirectory={work}\nunique_filename=0\nrw=write\nsize=64k\n");
    sandbox.write("shared.fio", text);
    sandbox.run("--client=a --client=b shared.fio --output-format=json").assert_success();
    let left = left_in(&sandbox.work());
    let made: Vec<&String> = left.iter().filter(|name| !name.ends_with(".fio")).collect();
    assert_eq!(made, ["fill.0.0"]);
}

#[test]
fn what_cannot_be_a_client_is_said_before_any_host_is_asked() {
    let sandbox = hosts();
    for (line, words) in [
        ("--client=a", "--client=a has no job file"),
        ("--client=a fill.fio --client=b", "--client=b has no job file"),
        ("fill.fio --client=a null.fio", "jobs come from job files"),
        ("--client=a --name=x --ioengine=null --size=1m", "jobs come from job files"),
        ("--client=a,8765 fill.fio", "leave out port and socket"),
        ("--client=sock:/tmp/x fill.fio", "leave out port and socket"),
    ] {
        let outcome = sandbox.run(line);
        outcome.assert_ended(1);
        assert!(outcome.stderr.contains(words), "{line}: {}", outcome.stderr);
    }
    let outcome = sandbox.run("--client=a --client=nobody fill.fio");
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("nobody: no agent there: ssh failed"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    let left = left_in(&sandbox.work());
    assert!(left.iter().all(|name| name.ends_with(".fio")), "{left:?}");
}

/// Debian's fio as a server.
struct FioServer {
    process: Child,
    port: u16,
}

impl Drop for FioServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl FioServer {
    fn start(sandbox: &Sandbox) -> FioServer {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let mut fio = Command::new(FIO);
        fio.arg(format!("--server=127.0.0.1,{port}")).current_dir(sandbox.work());
        fio.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let server = FioServer { process: fio.spawn().unwrap(), port };
        let begun = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(begun.elapsed() < HANG, "fio's server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }
}

fn keys(of: &Value) -> BTreeSet<String> {
    of.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn the_document_has_what_fio_s_own_has() {
    let is_there = Path::new(FIO).exists();
    let Some(()) = need(is_there.then_some(()).ok_or(format!("needs {FIO}"))) else { return };
    let sandbox = hosts();
    let servers = [FioServer::start(&sandbox), FioServer::start(&sandbox)];
    let list: String = servers.iter().map(|of| format!("127.0.0.1,{}\n", of.port)).collect();
    sandbox.write("servers.list", list);
    let line = ["--client=servers.list", "--output-format=json", "--output=fio.json", "null.fio"];
    sandbox.start_program(FIO, &line).finish().assert_ended(0);
    let theirs = fs::read_to_string(sandbox.work().join("fio.json")).unwrap();
    let theirs: Value = serde_json::from_str(&theirs[theirs.find('{').unwrap()..]).unwrap();
    let ours = sandbox.run("--client=a --client=b null.fio --output-format=json").json();
    assert_eq!(&keys(&theirs) - &keys(&ours), BTreeSet::new());
    let stats = |of: &Value| of["client_stats"].as_array().unwrap().clone();
    let (theirs, ours) = (stats(&theirs), stats(&ours));
    let names = |of: &[Value]| {
        let mut names: Vec<String> =
            of.iter().map(|job| job["jobname"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&theirs), names(&ours));
    assert_eq!(&keys(&theirs[0]) - &keys(&ours[0]), BTreeSet::new());
    let last = |of: &[Value]| keys(of.last().unwrap());
    assert_eq!(&last(&theirs) - &last(&ours), BTreeSet::new());
    assert_eq!(theirs.last().unwrap()["jobname"], "All clients");
}
