//! `ioengine=nfs` against a server of another make (nfs-ganesha), which `scripts/nfs-server.sh`
//! starts for a test and stops when it ends: its counters, its files, its faults.

use crate::devices::{need, root};
use crate::sandbox::{HANG, Outcome, Running, Sandbox, subject};
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A server with an empty volume.
struct Bed {
    folder: PathBuf,
    sandbox: Sandbox,
    holder: Child,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/nfs-server.sh")
}

impl Bed {
    fn start() -> Result<Bed, String> {
        root()?;
        let wrong = |why: std::io::Error| format!("scripts/nfs-server.sh: {why}");
        if !Command::new(script()).arg("built").status().map_err(wrong)?.success() {
            let build = "scripts/nfs-server.sh build";
            return Err(format!("needs an NFS server; `{build}` fetches its parts"));
        }
        let sandbox = Sandbox::new();
        let folder = sandbox.root().join("server");
        let mut holder = Command::new(script());
        holder.arg("hold").arg(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut holder = holder.spawn().map_err(wrong)?;
        let mut said = String::new();
        if let Some(stdout) = holder.stdout.take() {
            BufReader::new(stdout).read_line(&mut said).map_err(wrong)?;
        }
        match said.trim() {
            "ready" => Ok(Bed { folder, sandbox, holder }),
            _ => Err("the NFS server does not start; see above".to_owned()),
        }
    }

    /// Has the script do something; what it says.
    fn script(&self, what: &str, args: &[&str]) -> String {
        let output = Command::new(script()).arg(what).arg(&self.folder).args(args).output();
        let output = output.expect("a script");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{what} {args:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn counts(&self) -> HashMap<String, u64> {
        let of = |line: &str| {
            let (name, count) = line.split_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        self.script("counts", &[]).lines().filter_map(of).collect()
    }

    /// Does shell commands where the volume is `all`.
    fn shell(&self, commands: &str) -> String {
        let all = self.folder.display();
        self.script("see", &["sh", "-ec", &format!("cd '{all}'; {commands}")])
    }

    fn begin(&self, export: &str, options: &str) -> Running {
        let url = format!("--nfs_url=nfs://127.0.0.1/{export}");
        let line = format!("--name=j --ioengine=nfs {url} --output-format=json {options}");
        let (server, fio) = (self.folder.display().to_string(), self.sandbox.fio());
        let mut args = vec!["run", &server, fio.to_str().expect("a path")];
        args.extend(line.split_whitespace());
        self.sandbox.start_program(script(), &args)
    }

    fn job(&self, export: &str, options: &str) -> Outcome {
        self.begin(export, options).finish()
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        // It stops the server when its input ends.
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

const PORTS: &str = "nfsport=20490&mountport=20491";

#[test]
fn counts_are_the_servers_own_and_data_is_in_its_files() {
    let Some(bed) = need(Bed::start()) else { return };
    let count = |counts: &HashMap<String, u64>, name| counts.get(name).copied().unwrap_or(0);
    for depth in [1, 4, 32] {
        for connections in [1, 2, 8] {
            let export = format!("all?{PORTS}&nconnect={connections}");
            // The server remembers names: one that is removed under it stays open there.
            let name = format!("f{depth}x{connections}");
            let common = format!("--filename={name} --bs=4k --size=4m --iodepth={depth}");
            let before = bed.counts();
            let pattern = "--buffer_pattern=0x61";
            let wrote = bed.job(&export, &format!("{common} --rw=randwrite {pattern}"));
            wrote.assert_success();
            let read = bed.job(&export, &format!("{common} --rw=randread"));
            read.assert_success();
            let after = bed.counts();
            for (name, ios) in [("WRITE", 1024), ("READ", 1024), ("COMMIT", 1)] {
                let seen = count(&after, name) - count(&before, name);
                assert_eq!(seen, ios, "{name} at depth {depth}, {connections} connections");
            }
            assert_eq!(wrote.json()["jobs"][0]["write"]["io_bytes"], 4 << 20);
            assert_eq!(read.json()["jobs"][0]["read"]["io_bytes"], 4 << 20);
            // Every byte is there, and none of another kind.
            let others = bed.shell(&format!("wc -c < all/{name}; tr -d a < all/{name} | wc -c"));
            assert_eq!(others.split_whitespace().collect::<Vec<_>>(), ["4194304", "0"]);
        }
    }
}

#[test]
fn the_port_mapper_leads_to_the_export_and_trusted_ports_are_used() {
    let Some(bed) = need(Bed::start()) else { return };
    bed.job("all", "--size=64k --rw=read").assert_success();
    // As root a port below 1024 is ours; from another the server refuses.
    let trusted = format!("trusted?{PORTS}");
    bed.job(&trusted, "--size=64k --rw=read").assert_success();
    let high = bed.job(&format!("{trusted}&sourceport=40000"), "--size=64k --rw=read");
    high.assert_refused(&["below 1024"]);
}

#[test]
fn each_fault_of_a_server_is_one_line() {
    let Some(bed) = need(Bed::start()) else { return };
    bed.job(&format!("all?{PORTS}"), "--filename=f --size=1m --rw=write").assert_success();
    let refused = |export: &str, options: &str, words: &[&str]| {
        bed.job(export, options).assert_refused(words);
    };
    let write = "--filename=f --size=1m --rw=write";
    let readonly = format!("readonly?{PORTS}");
    bed.job(&readonly, "--filename=f --size=1m --rw=read").assert_success();
    refused(&readonly, write, &["ROFS (30)", "nfs://127.0.0.1/readonly/f"]);
    refused(&format!("squashed?{PORTS}"), write, &["ACCES (13)"]);
    refused(&format!("nothing?{PORTS}"), write, &["does not export /nothing"]);
    refused("all?nfsport=1&mountport=20491", write, &["127.0.0.1:1", "nothing listens there"]);
    let small = format!("small?{PORTS}");
    refused(&small, "--size=8m --bs=64k --rw=write", &["No space left", "NOSPC (28)"]);
    refused(&small, "--size=8m --bs=64k --rw=read", &["laying out the file", "NOSPC (28)"]);
}

/// Waits until the server has done so many more READs or WRITEs.
fn wait_for_more(bed: &Bed, name: &str, more: u64) {
    let count = || bed.counts().get(name).copied().unwrap_or(0);
    let begun = count();
    let began = Instant::now();
    while count() < begun + more {
        assert!(began.elapsed() < HANG, "no {name} is done");
    }
}

#[test]
fn a_server_that_is_started_anew_loses_no_write() {
    let Some(bed) = need(Bed::start()) else { return };
    let options = "--filename=f --size=16m --bs=64k --rw=write --iodepth=4 --time_based \
                   --runtime=4 --buffer_pattern=0x61 --rate=40m";
    let running = bed.begin(&format!("all?{PORTS}&nconnect=2"), options);
    wait_for_more(&bed, "WRITE", 50);
    bed.script("kill", &[]);
    bed.script("again", &[]);
    let outcome = running.finish();
    outcome.assert_ended(0);
    let job = &outcome.json()["jobs"][0];
    assert_eq!(job["error"], 0);
    assert_eq!(bed.shell("tr -d a < all/f | wc -c").trim(), "0");
}

#[test]
fn a_file_that_was_removed_is_stale() {
    let Some(bed) = need(Bed::start()) else { return };
    let options = "--filename=f --size=1m --rw=randread --time_based --runtime=60";
    let running = bed.begin(&format!("all?{PORTS}"), options);
    wait_for_more(&bed, "READ", 50);
    bed.script("kill", &[]);
    bed.shell("rm all/f");
    bed.script("again", &[]);
    running.finish().assert_refused(&["STALE (70)"]);
}

/// What a sweep over 1, 2, 4 and 8 connections found, each connection from a port of its own.
fn swept(bed: &Bed) -> serde_json::Value {
    let url = format!("nfs://127.0.0.1/all/data?{PORTS}&sourceport=7000");
    let line = "--rw randread --bs 64k --iodepth 32 --nconnect 1..8 --time-per-run 1500ms";
    let (server, fathom) = (bed.folder.display().to_string(), subject());
    let mut args = vec!["run", &server, fathom.to_str().expect("a path"), "sweep", &url];
    args.extend(line.split(' '));
    args.extend(["--quiet", "--no-record", "--json"]);
    let outcome = bed.sandbox.start_program(script(), &args).finish();
    outcome.assert_ended(0);
    outcome.json()
}

/// Whether this kernel holds traffic to rates by classes.
fn shaped(bed: &Bed, args: &[&str]) -> Result<(), String> {
    let output = Command::new(script()).arg("limit").arg(&bed.folder).args(args).output();
    let output = output.map_err(|why| format!("scripts/nfs-server.sh: {why}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("needs tc and htb: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Sweeps until what was found of connections is `wanted`, or has been something else so often that
/// it is not for others taking the processor from a connection.
fn connections_found(bed: &Bed, wanted: impl Fn(&serde_json::Value) -> bool) {
    let mut others = Vec::new();
    while others.len() < 5 {
        let found = swept(bed)["curves"][0]["connections"].clone();
        if wanted(&found) {
            return;
        }
        others.push(found);
    }
    panic!("{others:#?}");
}

#[test]
fn a_network_that_holds_each_connection_to_a_rate_is_told_from_a_plain_link() {
    let Some(bed) = need(Bed::start()) else { return };
    bed.shell("head -c 16m /dev/urandom > all/data");
    let Some(()) = need(shaped(&bed, &["160", "40", "7000", "8"])) else { return };
    connections_found(&bed, |found| {
        let at = |end: &str| found[end]["connections"].as_u64();
        found["verdict"] == "few_are_the_limit" && (at("first"), at("at")) == (Some(1), Some(4))
    });
    bed.script("limit", &["160"]);
    connections_found(&bed, |found| found["verdict"] == "no_gain");
}
