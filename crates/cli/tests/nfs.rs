//! `ioengine=nfs` in jobs: counts and bytes are the server's own, files are laid out with data,
//! durability is what was asked for, and each fault is one line.
//!
//! The server is one of this process, so that any machine can run these; `nfs_server.rs` has the
//! same against one of another make.

use crate::sandbox::{HANG, Outcome, Sandbox, without_breaks};
use fathom_nfs::proto::NfsProcedure;
use fathom_nfs::test_server::{ServerState, TestServer};
use fathom_nfs::{NfsStatus, RpcRefusal};
use rustix::process::Signal;
use serde_json::Value;
use std::time::{Duration, Instant};

fn server() -> TestServer {
    TestServer::start().expect("listens")
}

fn job_line(server: &TestServer, arguments: &str, options: &str) -> String {
    format!("--name=j --ioengine=nfs --nfs_url={} {options}", server.url(arguments))
}

fn line(server: &TestServer, arguments: &str, options: &str) -> String {
    format!("--output-format=json {}", job_line(server, arguments, options))
}

/// What `fathom run` prints of such a job with all notes: without `--verbose` it prints the first
/// few, which on a busy machine are those of the host.
fn printed_with_all_notes(server: &TestServer, arguments: &str, options: &str) -> String {
    let line = job_line(server, arguments, options);
    let outcome = Sandbox::new().fathom(&format!("run --no-record --verbose {line}"));
    outcome.assert_ended(0);
    without_breaks(&outcome.stdout)
}

/// Runs a job of these options to its end without an error; its result.
fn job(server: &TestServer, arguments: &str, options: &str) -> Value {
    let sandbox = Sandbox::new();
    let outcome = sandbox.run(&line(server, arguments, options));
    outcome.assert_success();
    assert_eq!(sandbox.files(), [], "nothing is left here");
    outcome.json()["jobs"][0].clone()
}

/// The same of a job that fails.
fn failed(server: &TestServer, arguments: &str, options: &str) -> Outcome {
    let outcome = Sandbox::new().run(&line(server, arguments, options));
    outcome.assert_no_panic();
    outcome.assert_ended(1);
    outcome
}

fn counts(state: &ServerState) -> (u64, u64, u64) {
    let count = |procedure| state.count(procedure);
    (count(NfsProcedure::Read), count(NfsProcedure::Write), count(NfsProcedure::Commit))
}

#[test]
fn counts_and_bytes_are_the_servers() {
    for (depth, connections) in [(1, 1), (4, 2), (32, 1), (32, 8)] {
        let server = server();
        let options = format!("--iodepth={depth} --bs=4k --size=2m --rw=randwrite");
        let arguments = format!("&nconnect={connections}");
        let wrote = &job(&server, &arguments, &options)["write"];
        assert_eq!((&wrote["total_ios"], &wrote["io_bytes"]), (&512.into(), &2_097_152.into()));
        assert_eq!(counts(&server.state()), (0, 512, 1), "and one COMMIT at the end");
        assert_eq!(server.state().written_bytes, 2_097_152);
        let options = format!("--iodepth={depth} --bs=4k --size=2m --rw=randread");
        let read = &job(&server, &arguments, &options)["read"];
        assert_eq!((&read["total_ios"], &read["io_bytes"]), (&512.into(), &2_097_152.into()));
        assert_eq!(counts(&server.state()), (512, 512, 1), "it was there, and is not laid out");
        assert_eq!(server.state().read_bytes, 2_097_152);
    }
}

#[test]
fn what_is_read_is_laid_out_with_data_and_stays_where_it_was_made() {
    let server = server();
    let options = "--size=3m --bs=64k --rw=read --nrfiles=2 --directory=a/b";
    assert_eq!(job(&server, "", options)["read"]["io_bytes"], 3_145_728);
    assert_eq!(server.state().store.names(), ["a"]);
    // Made once more, in the first folder, where it can be looked at.
    job(&server, "", "--size=3m --bs=64k --rw=read --filename=f");
    let state = server.state();
    let data = state.store.data("f").unwrap();
    assert_eq!(data.len(), 3 << 20);
    let zeros = data.chunks(4096).filter(|block| block.iter().all(|byte| *byte == 0)).count();
    assert_eq!(zeros, 0, "reading a hole would measure memory");
}

#[test]
fn data_is_what_was_asked_for() {
    let server = server();
    let options = "--size=10000 --bs=4097 --bs_unaligned=1 --rw=write --filename=f \
                   --buffer_pattern=0x61 --iodepth=4";
    job(&server, "&wsize=1000", options);
    let state = server.state();
    let data = state.store.data("f").unwrap();
    assert!(data.len() >= 8194 && data.iter().all(|byte| *byte == 0x61), "{}", data.len());
}

#[test]
fn a_job_removes_its_files_where_it_was_told_to() {
    let server = server();
    job(&server, "", "--size=64k --rw=write --unlink=1");
    assert_eq!(server.state().store.names(), [""; 0]);
}

#[test]
fn durability_is_what_was_asked_for() {
    // Of 16 writes: those of each stability, and COMMITs.
    for (options, stabilities, commits) in [
        ("", [16, 0, 0], 1),
        ("--sync=1", [0, 0, 16], 0),
        ("--sync=dsync", [0, 16, 0], 0),
        ("--direct=1", [0, 0, 16], 0),
        ("--fsync=4", [16, 0, 0], 4),
        ("--end_fsync=1", [16, 0, 0], 1),
    ] {
        let server = server();
        let options = format!("--size=64k --bs=4k --rw=write --filename=f {options}");
        let job = job(&server, "", &options);
        let state = server.state();
        let seen = (state.stabilities, state.count(NfsProcedure::Commit));
        assert_eq!(seen, (stabilities, commits), "{options}");
        if !options.contains("end_fsync") {
            assert_eq!(job["sync"]["total_ios"], commits, "COMMITs are timed: {options}");
        }
    }
}

#[test]
fn what_a_commit_takes_has_percentiles_and_a_row_of_its_own() {
    let server = server();
    let options = "--size=256k --bs=4k --rw=write --filename=f --fsync=4";
    let sync = job(&server, "", options)["sync"].clone();
    let at = |percent: &str| sync["lat_ns"]["percentile"][percent].as_u64().expect("a percentile");
    let percentiles = ["50.000000", "99.000000", "99.900000"].map(at);
    assert!(percentiles.is_sorted() && percentiles[0] > 0, "{sync}");
    let line = job_line(&server, "", options);
    let outcome = Sandbox::new().fathom(&format!("run --no-record {line}"));
    outcome.assert_ended(0);
    let rows: Vec<&str> =
        outcome.stdout.lines().filter(|row| row.trim_start().starts_with("j COMMIT")).collect();
    assert_eq!(rows.len(), 1, "{}", outcome.describe("a row"));
    let times = rows[0].split_whitespace().filter(|word| matches!(*word, "us" | "ms" | "s"));
    assert_eq!(times.count(), 5, "mean, three percentiles and the longest: {}", rows[0]);
    // Writes that are durable when they are answered have nothing to commit.
    let line = line.replace("--fsync=4", "--sync=1");
    let outcome = Sandbox::new().fathom(&format!("run --no-record {line}"));
    assert!(!outcome.stdout.contains("COMMIT"), "{}", outcome.describe("no row"));
}

#[test]
fn writes_that_the_server_lost_are_told_and_are_there_in_the_end() {
    let server = server();
    server.misbehave(|how| how.forgets_after = 100);
    let options = "--size=1m --bs=4k --rw=write --filename=f --iodepth=8 --buffer_pattern=0x61";
    let text = printed_with_all_notes(&server, "", options);
    assert!(text.contains("the server lost"), "{text}");
    let state = server.state();
    let data = state.store.data("f").unwrap();
    assert!(data.len() == 1 << 20 && data.iter().all(|byte| *byte == 0x61));
}

#[test]
fn connections_are_told_apart() {
    let server = server();
    let options = "--size=1m --bs=4k --rw=write --filename=f --iodepth=8";
    let line = job_line(&server, "&nconnect=2", options);
    let outcome = Sandbox::new().fathom(&format!("run --no-record --json {line}"));
    outcome.assert_ended(0);
    let document = outcome.json();
    let found = find(&document, "connections").expect("connections");
    let ios: Vec<u64> =
        found.as_array().unwrap().iter().map(|one| one["ios"].as_u64().unwrap()).collect();
    assert_eq!((ios.len(), ios.iter().sum::<u64>()), (2, 256), "{found}");
    assert!(ios.iter().all(|ios| *ios > 0), "{found}");
}

#[test]
fn each_connection_has_its_turn_and_a_row() {
    let server = server();
    // One I/O at a time, so that no connection ever has fewer in flight.
    let options = "--size=1m --bs=4k --rw=write --filename=f --iodepth=1";
    let line = job_line(&server, "&nconnect=4", options);
    let sandbox = Sandbox::new();
    let outcome = sandbox.fathom(&format!("run {line} --report {}", "r.md"));
    outcome.assert_ended(0);
    let text = &outcome.stdout;
    let at = text.find("Connections to the server").expect("a table");
    let rows: Vec<Vec<&str>> =
        text[at..].lines().skip(2).take(4).map(|row| row.split_whitespace().collect()).collect();
    let shares = |row: &Vec<&str>| row.windows(3).any(|words| *words == ["64", "25", "%"]);
    assert!(rows.len() == 4 && rows.iter().all(shares), "{text}");
    let report = std::fs::read_to_string(sandbox.work().join("r.md")).expect("a report");
    let at = report.find("Connections to the server").expect("a table");
    assert_eq!(report[at..].matches("| 25 % |").count(), 4, "{}", &report[at..]);
}

#[test]
fn a_connection_that_is_slower_than_the_others_is_named() {
    let server = server();
    server.misbehave(|how| how.slow_connections = (4, Duration::from_millis(10)));
    // One I/O at a time has each connection do as many.
    let options = "--size=2400k --bs=4k --rw=randread --filename=f";
    let text = printed_with_all_notes(&server, "&nconnect=4", options);
    assert!(text.contains("Connections are uneven: the one from port"), "{text}");
    assert!(text.contains("25 % of the calls of 4 connections"), "{text}");
}

#[test]
fn connections_that_were_lost_are_told() {
    let server = server();
    server.misbehave(|how| how.hang_ups = 2);
    let options = "--size=256k --bs=4k --rw=write --filename=f --iodepth=4";
    let text = printed_with_all_notes(&server, "&nconnect=2", options);
    assert!(text.contains("lost and made anew 2 times"), "{text}");
}

/// The first value of this name in a document, wherever it stands.
fn find<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    match value {
        Value::Object(fields) => {
            fields.get(name).or_else(|| fields.values().find_map(|value| find(value, name)))
        }
        Value::Array(values) => values.iter().find_map(|value| find(value, name)),
        _ => None,
    }
}

#[test]
fn a_server_that_hangs_up_jukes_and_shortens_changes_no_count() {
    let server = server();
    job(&server, "", "--size=1m --rw=write --filename=f");
    server.misbehave(|how| {
        (how.hang_ups, how.jukebox, how.short, how.fragment) = (3, 2, 9, 33);
        (how.repeats, how.reversed) = (true, true);
    });
    let options = "--size=1m --bs=4k --rw=randread --filename=f --iodepth=16";
    let read = &job(&server, "&nconnect=2", options)["read"];
    assert_eq!((&read["total_ios"], &read["io_bytes"]), (&256.into(), &1_048_576.into()));
    assert_eq!(read["short_ios"], 0, "the engine reads the rest itself");
}

#[test]
fn each_fault_is_one_line() {
    let mut server = server();
    job(&server, "", "--size=64k --rw=write --filename=f");
    let write = "--size=64k --rw=write --filename=f";
    let told = |server: &TestServer, options: &str, words: &[&str]| {
        failed(server, "", options).assert_refused(words);
    };
    server.misbehave(|how| how.read_only = true);
    let before = counts(&server.state());
    told(&server, write, &["nfs://127.0.0.1/export/f", "ROFS (30)", "read-only"]);
    assert_eq!(counts(&server.state()), before, "known before the first I/O");
    server.misbehave(|how| (how.read_only, how.room) = (false, 80 << 10));
    told(&server, "--size=1m --bs=4k --rw=write", &["No space left", "NOSPC (28)", "offset=81920"]);
    told(&server, "--size=1m --rw=read", &["laying out the file", "NOSPC (28)"]);
    server.misbehave(|how| *how = Default::default());
    for (status, words) in
        [(NfsStatus::STALE, "STALE (70)"), (NfsStatus(69), "DQUOT (69)"), (NfsStatus(5), "IO (5)")]
    {
        server.misbehave(|how| how.status = Some((NfsProcedure::Write, status)));
        told(&server, write, &[words]);
    }
    server.misbehave(|how| {
        *how = Default::default();
        how.unexported = true;
    });
    told(&server, write, &["does not export /export", "showmount"]);
    server.misbehave(|how| {
        (how.unexported, how.refusal) = (false, Some(RpcRefusal::Denied(5)));
    });
    told(&server, write, &["below 1024"]);
    server.misbehave(|how| *how = Default::default());
    told(&server, "--size=64k --rw=write --filename=../f", &["is no name of a file in an export"]);
    server.stop();
    told(&server, write, &["nothing listens there"]);
}

#[test]
fn a_url_that_is_none_is_refused_before_anything_is_done() {
    let sandbox = Sandbox::new();
    let job = "--name=j --ioengine=nfs --rw=write --size=64k";
    sandbox.run(job).assert_refused(&["needs nfs_url=nfs://SERVER/EXPORT"]);
    for (url, words) in [
        ("http://server/x", "nfs://SERVER/EXPORT"),
        ("nfs://server", "names no export"),
        ("nfs://server/x?version=4", "version 3 only"),
        ("nfs://server/x?debug=1", "debug"),
    ] {
        sandbox.run(&format!("{job} --nfs_url={url}")).assert_refused(&[words]);
    }
    assert_eq!(sandbox.files(), []);
}

#[test]
fn a_server_that_is_gone_for_good_ends_the_job_at_once_when_it_is_told_to() {
    let server = server();
    job(&server, "", "--size=1m --rw=write --filename=f");
    let sandbox = Sandbox::new();
    let options = "--size=1m --rw=randread --filename=f --time_based --runtime=60 --iodepth=4";
    let running = sandbox.start(&line(&server, "", options));
    // It reads; then nothing is answered any more.
    let began = Instant::now();
    while server.state().count(NfsProcedure::Read) < 100 {
        assert!(began.elapsed() < HANG, "it does not read");
        std::thread::sleep(Duration::from_millis(5));
    }
    server.misbehave(|how| how.silent = true);
    running.signal(Signal::INT);
    let outcome = running.finish();
    outcome.assert_no_panic();
    let told = format!("{}{}", outcome.stdout, outcome.stderr);
    assert!(told.contains("127.0.0.1") && told.contains("does not answer"), "{told}");
}
