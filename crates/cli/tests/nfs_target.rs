//! `nfs://server/export/path` as a target of Fathom's own commands: what is measured is on the
//! server, test files go in the end, what is there is only read, and each fault is one line.

use crate::sandbox::{HANG, Outcome, Sandbox, subject, without_breaks};
use fathom_nfs::NfsStatus;
use fathom_nfs::proto::{NfsProcedure, kind};
use fathom_nfs::test_server::TestServer;
use rustix::process::Signal;
use serde_json::Value;
use std::time::{Duration, Instant};

/// As little as the suite takes.
const SMALL: &str = "--size 32m --time 1200ms --quiet --no-record";

fn server() -> TestServer {
    TestServer::start().expect("listens")
}

/// Runs a command of ours to its end; its document.
fn document(line: &str) -> Value {
    let sandbox = Sandbox::new();
    let outcome = sandbox.fathom(&format!("{line} --json"));
    outcome.assert_no_panic();
    assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe(line));
    assert_eq!(sandbox.files(), [], "nothing is made here");
    outcome.json()
}

fn refused(line: &str, words: &str) {
    let outcome = Sandbox::new().fathom(line);
    outcome.assert_refused_in_a_sentence(words);
}

fn reads(server: &TestServer) -> u64 {
    server.state().count(NfsProcedure::Read)
}

#[test]
fn an_export_is_measured_and_nothing_stays_on_it() {
    let server = server();
    let document = document(&format!("measure {} {SMALL}", server.url("&nconnect=2")));
    let volume = &document["volumes"][0];
    assert_eq!(volume["method"]["engine"], "nfs", "{volume}");
    assert_eq!(volume["storage"]["server"], "127.0.0.1");
    let io_path = volume["io_path"].as_str().unwrap();
    assert!(io_path.starts_with("nfs://127.0.0.1/export/.fathom-"), "{io_path}");
    let phases = document["phases"].as_array().unwrap();
    assert!(!phases.is_empty());
    for phase in phases {
        assert!(phase["figures"]["ios"].as_u64() > Some(0), "{}", phase["name"]);
        let command = phase["command"].as_str().unwrap();
        assert!(command.contains("--nfs_url='nfs://127.0.0.1/export?"), "{command}");
    }
    let state = server.state();
    assert_eq!(state.store.names(), [""; 0], "the test file is gone");
    assert!(state.written_bytes >= 32 << 20, "it was laid out with data");
    assert_eq!(state.stabilities[1], 0);
}

/// What a command prints and ends with, without a trace of a page cache that an export lacks here.
fn without_a_cache(line: &str) -> String {
    let outcome = Sandbox::new().fathom(line);
    assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe(line));
    let text = without_breaks(&(outcome.stdout + &outcome.stderr));
    assert!(!text.contains("DIRECT") && !text.contains("page cache ("), "{line}: {text}");
    text
}

#[test]
fn no_output_says_that_an_export_is_reached_past_a_page_cache() {
    let server = server();
    let url = server.url("");
    for command in ["measure", "sweep --iodepth 1,4", "limit --p99 10s", "check --iops 1"] {
        let text = without_a_cache(&format!("{command} --dry-run --no-record {url}"));
        assert!(text.contains("reached by connections of our own, without a mount"), "{text}");
        assert!(text.contains("file system nfs on 127.0.0.1:/export,"), "{text}");
    }
    let measured = without_a_cache(&format!("measure {url} {SMALL} --read-only --markdown"));
    let twice = "| 256 KiB sequential read, QD 32, 4 connections | read |";
    assert!(measured.contains(twice), "no two rows are called the same: {measured}");
    let line = "--size 16m --iodepth 1,4 --time-per-run 200ms --no-record";
    let swept = without_a_cache(&format!("sweep {url} {line} --markdown"));
    assert!(swept.contains("Random read, 4 KiB; varies: queue depth 1, 4"), "{swept}");
    assert!(swept.contains("File system: nfs (127.0.0.1:/export)"), "{swept}");
    let doctor = Sandbox::new().fathom(&format!("doctor {url} --verbose")).stdout;
    let doctor = without_breaks(&doctor);
    for sentence in
        ["nfs at 127.0.0.1:/export.", "Not needed: an export has no page cache", "in the URL"]
    {
        assert!(doctor.contains(sentence), "{sentence}: {doctor}");
    }
}

#[test]
fn the_port_of_a_server_may_stand_behind_its_name() {
    let server = server();
    let url = server.url("");
    let (_, port) = url.rsplit_once('=').expect("the server has one port for NFS and MOUNT");
    let url = format!("nfs://127.0.0.1:{port}/export?mountport={port}");
    document(&format!("measure {url} {SMALL} --read-only"));
    assert!(reads(&server) > 0);
    let refused = Sandbox::new().fathom("measure nfs://a!b/export");
    let why = "\"a!b\" is no name or address of a server";
    assert!(refused.stderr.contains(why), "{}", refused.describe(why));
}

#[test]
fn a_folder_in_an_export_is_found_though_only_the_export_can_be_mounted() {
    let server = server();
    server.state().store.put_kind("sub", kind::FOLDER, Vec::new());
    let line = format!("measure {} {SMALL} --read-only", server.url_in("sub", ""));
    let io_path = document(&line)["volumes"][0]["io_path"].as_str().unwrap().to_owned();
    assert!(io_path.starts_with("nfs://127.0.0.1/export/sub/.fathom-"), "{io_path}");
}

#[test]
fn a_file_that_is_there_is_only_read_unless_its_data_may_be_destroyed() {
    let server = server();
    server.state().store.put("data", vec![7; 32 << 20]);
    let url = server.url_in("data", "");
    document(&format!("measure {url} {SMALL}"));
    assert_eq!(server.state().count(NfsProcedure::Write), 0);
    assert!(server.state().store.data("data").unwrap().iter().all(|byte| *byte == 7));
    document(&format!("measure {url} {SMALL} --destroy-data-on {url}"));
    let state = server.state();
    let data = state.store.data("data").unwrap();
    assert!(data.len() == 32 << 20 && data.iter().any(|byte| *byte != 7));
    assert_eq!(state.store.names(), ["data"], "it is not ours to remove");
}

#[test]
fn exports_are_compared_swept_searched_and_checked() {
    let (one, other) = (server(), server());
    let small = "--size 16m --time-per-run 200ms --quiet --no-record";
    let line = format!(
        "compare {} {} --size 16m --time 2s --read-only --quiet --no-record",
        one.url(""),
        other.url("")
    );
    document(&line);
    assert!(reads(&one) > 0 && reads(&other) > 0);
    let swept = document(&format!("sweep {} --iodepth 1,4 {small}", one.url("")));
    assert_eq!(swept["cases"].as_array().unwrap().len(), 2, "all cases");
    document(&format!("limit {} --p99 10s {small} --max-steps 5", one.url("")));
    let small = "--size 4m --time-per-run 2s --read-only --quiet --no-record";
    let checked = document(&format!("check {} --iops 1 {small}", one.url("")));
    assert_eq!(checked["standing"], "kept", "{}", checked["gate"]);
    assert_eq!((one.state().store.names(), other.state().store.names()), (vec![], vec![]));
}

/// What a sweep over 1, 2, 4 and 8 connections found: the finding, and MB/s at each.
fn swept(server: &TestServer) -> (Value, Vec<f64>) {
    server.state().store.put("data", vec![7; 4 << 20]);
    let url = server.url_in("data", "");
    let line = "--rw randread --bs 16k --iodepth 16 --nconnect 1..8 --time-per-run 1500ms --quiet";
    let swept = document(&format!("sweep {url} {line} --no-record"));
    let curve = &swept["curves"][0];
    assert_eq!((&curve["axis"], &curve["knee"]), (&"nconnect".into(), &Value::Null));
    let cases = swept["cases"].as_array().unwrap();
    let commands: Vec<&str> = cases.iter().filter_map(|of| of["command"].as_str()).collect();
    for (command, count) in commands.iter().zip([1, 2, 4, 8]) {
        assert!(command.contains(&format!("nconnect={count}'")), "{command}");
    }
    let rates = cases.iter().map(|of| of["figures"]["total"]["mb_per_s"].as_f64().expect("a rate"));
    (curve["connections"].clone(), rates.collect())
}

#[test]
fn a_limit_of_each_connection_below_that_of_the_link_is_found_with_its_knee() {
    let server = server();
    server.misbehave(|how| (how.connection_rate, how.link_rate) = (1 << 20, 4 << 20));
    let (found, rates) = swept(&server);
    let [one, two, four, eight] = rates[..] else { panic!("{rates:?}") };
    // Ceilings are never passed; a machine that stops for long may miss them.
    assert!(two > 1.6 * one && four > 1.6 * two && eight < 1.2 * four, "{rates:?}");
    assert_eq!(found["verdict"], "few_are_the_limit", "{found}");
    assert_eq!(found["first"]["connections"], 1, "{found}");
    // A machine that stopped during the third case leaves it below the level of the fourth.
    let level = if four >= 0.95 * eight { 4 } else { 8 };
    assert_eq!(found["at"]["connections"], level, "{found} {rates:?}");
}

#[test]
fn a_plain_link_is_not_made_faster_by_connections() {
    let server = server();
    server.misbehave(|how| how.link_rate = 4 << 20);
    let (found, rates) = swept(&server);
    assert_eq!(found["verdict"], "no_gain", "{found} {rates:?}");
}

#[test]
fn a_measurement_proves_with_more_connections_whether_one_is_the_limit() {
    let server = server();
    server.state().store.put("data", vec![7; 8 << 20]);
    server.misbehave(|how| how.connection_rate = 2 << 20);
    let url = server.url_in("data", "");
    let line = "--rw read --bs 16k --iodepth 16 --time 3s --quiet --no-record";
    let document = document(&format!("measure {url} {line}"));
    let names: Vec<&str> = document["phases"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|of| of["name"].as_str())
        .collect();
    assert_eq!(names, ["read-16k", "read-16k-nconnect4"]);
    let verdicts = document["over_phases"][0]["verdicts"].as_array().unwrap();
    let told = verdicts.iter().find(|of| of["question"] == "connections").expect("a verdict");
    let sentence = told["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("One connection is the limit"), "{sentence}");
}

#[test]
fn connections_of_what_has_none_are_refused() {
    let refused = Sandbox::new().fathom("sweep . --nconnect 1,2");
    assert!(refused.stderr.contains("is no export"), "{}", refused.describe("refused"));
    let refused = Sandbox::new().fathom("sweep nfs://nas/export --nconnect 0,2");
    assert!(refused.stderr.contains("from 1 to 64"), "{}", refused.describe("refused"));
    let refused = Sandbox::new().fathom("sweep nfs://nas/export --cache in,out");
    refused.assert_usage_in_a_sentence("has no page cache here");
}

#[test]
fn a_job_is_laid_on_an_export() {
    let server = server();
    let job = "--name=j --filename=f --size=64k --rw=write --bs=4k";
    let line = format!("run {job} {} --no-record --json", server.url(""));
    let outcome = Sandbox::new().fathom(&line);
    outcome.assert_ended(0);
    assert_eq!(server.state().store.data("f").map(<[u8]>::len), Some(64 << 10));
    assert_eq!(outcome.json()["result"]["jobs"][0]["setup"]["ioengine"], "nfs");
    let two = format!("run {job} {0} {0}", server.url(""));
    Sandbox::new().fathom(&two).assert_usage_in_a_sentence("one export at a time");
    let none = format!("run {job} nfs://server");
    Sandbox::new().fathom(&none).assert_usage_in_a_sentence("names no export");
}

#[test]
fn agents_measure_an_export_each_in_a_file_of_its_own() {
    let server = server();
    let agent = subject().display().to_string();
    let sandbox = Sandbox::new();
    let url = server.url("");
    let mut words = vec!["measure", &url, "--json", "--read-only", "--on", "a,b"];
    words.extend(["--agent", &agent, "--via", "env HOST={}"]);
    words.extend(SMALL.split(' '));
    let outcome = sandbox.start_program(subject(), &words).finish();
    outcome.assert_ended(0);
    let files = server.state().count(NfsProcedure::Create);
    assert_eq!(files, 2, "{}", outcome.describe("one file for each"));
    assert_eq!(server.state().store.names(), [""; 0]);
}

#[test]
fn a_signal_ends_it_and_leaves_no_file() {
    for signal in [Signal::INT, Signal::TERM] {
        let server = server();
        let sandbox = Sandbox::new();
        let line = format!("measure {} --size 16m --time 60s --quiet --no-record", server.url(""));
        let running = sandbox.start_fathom(&line);
        let began = Instant::now();
        while reads(&server) < 100 {
            assert!(began.elapsed() < HANG, "it does not read");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(server.state().store.names().len(), 1);
        running.signal(signal);
        let outcome: Outcome = running.finish();
        outcome.assert_no_panic();
        assert_eq!(outcome.code, Some(128 + signal.as_raw()), "{}", outcome.describe("code"));
        assert_eq!(server.state().store.names(), [""; 0]);
    }
}

#[test]
fn what_is_in_the_way_is_said_before_anything_is_measured() {
    let mut server = server();
    let url = server.url("");
    let line = format!("measure {url} {SMALL}");
    refused(&format!("measure {} {SMALL}", server.url_in("missing", "")), "does not exist");
    refused(&format!("measure {} {SMALL}", server.url("&readonly")), "mounted read-only");
    refused(&format!("{line} --engine libaio"), "reached by the engine nfs");
    let watched = Sandbox::new().fathom(&format!("watch {url}"));
    watched.assert_ended(2);
    assert!(watched.stderr.contains("has no counters on this machine"), "{}", watched.stderr);
    server.misbehave(|how| how.room = 8 << 20);
    refused(&line, "need");
    server.misbehave(|how| (how.room, how.read_only) = (0, true));
    refused(&line, "cannot make a test file");
    server.misbehave(|how| how.read_only = false);
    server.misbehave(|how| how.status = Some((NfsProcedure::Create, NfsStatus::ACCES)));
    refused(&line, "ACCES (13)");
    assert_eq!(server.state().store.names(), [""; 0]);
    server.stop();
    refused(&line, "nothing listens there");
}

/// A measurement on the export that is killed once it reads.
fn killed(sandbox: &Sandbox, server: &TestServer) -> String {
    let line = format!("measure {} --size 16m --time 60s --quiet --no-record", server.url(""));
    let before = reads(server);
    let running = sandbox.start_fathom(&line);
    let began = Instant::now();
    while reads(server) < before + 100 {
        assert!(began.elapsed() < HANG, "it does not read");
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal(Signal::KILL);
    assert_eq!(running.finish().signal, Some(9));
    let names = server.state().store.names();
    assert_eq!(names.len(), 1, "{names:?}");
    names[0].clone()
}

#[test]
fn a_server_that_was_away_is_told_in_the_first_sentence() {
    let (server, sandbox) = (server(), Sandbox::new());
    let line = "--rw randread --iodepth 4 --size 16m --time 8s --no-record";
    let words = [vec!["measure".to_owned(), server.url("")], split(line)].concat();
    let running = sandbox.start_program(subject(), &words);
    let (before, began) = (reads(&server), Instant::now());
    while reads(&server) < before + 200 {
        assert!(began.elapsed() < HANG, "it does not read");
        std::thread::sleep(Duration::from_millis(5));
    }
    server.misbehave(|how| how.silent = true);
    // How long it is away is what is measured; nothing is waited for.
    std::thread::sleep(Duration::from_millis(1500));
    server.misbehave(|how| how.silent = false);
    server.hang_up();
    let outcome = running.finish();
    let said = without_breaks(&outcome.stdout);
    assert!(said.contains("The server was away: no I/O completed for "), "{}", outcome.stdout);
    for wrong in ["A burst of", "held at", "throttle"] {
        assert!(!said.contains(wrong), "{}", outcome.describe(wrong));
    }
}

fn split(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn what_a_killed_run_left_on_an_export_is_listed_and_removed() {
    let (server, sandbox) = (server(), Sandbox::new());
    for asked in [String::new(), server.url("")] {
        let name = killed(&sandbox, &server);
        let shown = format!("nfs://127.0.0.1/export/{name} (16.8 MB");
        let listed = sandbox.fathom(&format!("clean --dry-run {asked}"));
        listed.assert_ended(0);
        assert!(listed.stdout.contains(&shown), "{listed:?}");
        assert!(listed.stdout.contains("would be removed"), "{listed:?}");
        assert_eq!(server.state().store.names(), [name]);
        let cleaned = sandbox.fathom(&format!("clean {asked}"));
        cleaned.assert_ended(0);
        assert!(cleaned.stdout.contains(": removed"), "{cleaned:?}");
        assert_eq!(server.state().store.names(), [""; 0]);
        assert!(!sandbox.home().join("test-files").exists(), "its entry is left");
        let again = sandbox.fathom(&format!("clean {asked}"));
        assert!(again.stdout.contains("No test files"), "{again:?}");
    }
}

#[test]
fn what_is_not_proved_ours_on_an_export_is_told_and_left() {
    let (mut server, sandbox) = (server(), Sandbox::new());
    let left = |line: &str, words: &str| {
        let outcome = sandbox.fathom(line);
        outcome.assert_ended(1);
        assert!(outcome.stderr.contains(words), "{}", outcome.describe(words));
    };
    let own = format!("clean {}", server.url(""));
    let foreign = ".fathom-0123456789abcdef-0";
    server.state().store.put(foreign, b"somebody's".to_vec());
    left(&own, "no entry of this user says that Fathom made it");
    assert_eq!(server.state().store.names(), [foreign]);
    server.state().store.take_away(foreign);
    // One of ours with another in its place.
    let name = killed(&sandbox, &server);
    server.state().store.take_away(&name);
    server.state().store.put(&name, b"somebody's".to_vec());
    for line in [own.as_str(), "clean"] {
        left(line, "it is another file than the one that was made there");
        assert_eq!(server.state().store.data(&name), Some(&b"somebody's"[..]));
    }
    server.stop();
    left("clean", "it cannot be looked at");
    left("clean", "`fathom clean --forget` forgets it");
    refused(&own, "nothing listens there");
    let forgotten = sandbox.fathom("clean --forget");
    forgotten.assert_ended(0);
    let line = format!("{}: forgotten", format_args!("nfs://127.0.0.1/export/{name}"));
    assert!(forgotten.stdout.contains(&line), "{}", forgotten.describe("without size and age"));
    assert!(sandbox.fathom("clean").stdout.contains("No test files"));
}
