//! Measuring on other machines: real agents behind real pipes, and what is left of them when either
//! side goes.

use crate::devices::{DeviceCounters, LoopDevice, forbid_merges, need, root, tool};
use crate::sandbox::{HANG, Outcome, Running, Sandbox, left_in, subject, without_breaks};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// `measure` of the working folder on `hosts`, each a process of this machine.
fn line(sandbox: &Sandbox, hosts: &str, more: &str) -> Vec<String> {
    let agent = subject().display().to_string();
    let (work, via) = (sandbox.work().display().to_string(), "env HOST={}".to_owned());
    let own = ["measure", &work, "--on", hosts, "--agent", &agent, "--size", "16m"];
    let own = own.into_iter().chain(["--via", &via]).map(str::to_owned);
    own.chain(more.split_whitespace().map(str::to_owned)).collect()
}

fn start(sandbox: &Sandbox, hosts: &str, more: &str) -> Running {
    sandbox.start_program(subject(), &line(sandbox, hosts, more))
}

fn measure(sandbox: &Sandbox, hosts: &str, more: &str) -> Outcome {
    let outcome = start(sandbox, hosts, more).finish();
    outcome.assert_no_panic();
    outcome
}

/// Processes of agents that belong to this sandbox.
fn agents(sandbox: &Sandbox) -> Vec<Pid> {
    processes(sandbox, b"\0agent\0")
}

/// Processes of this sandbox whose command lines end so.
fn processes(sandbox: &Sandbox, end: &[u8]) -> Vec<Pid> {
    let home = format!("FATHOM_HOME={}\0", sandbox.home().display());
    let is_meant = |pid: &i32| {
        let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).unwrap_or_default();
        let (words, environment) = (read("cmdline"), read("environ"));
        // A shell that was given the same words is none.
        let is_shell = words.starts_with(b"sh\0") || words.starts_with(b"/bin/sh\0");
        !is_shell && words.ends_with(end) && String::from_utf8_lossy(&environment).contains(&home)
    };
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(is_meant).filter_map(Pid::from_raw).collect()
}

/// Waits for what happens in other processes, until it is or never will be.
fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < HANG, "{what}: not within {HANG:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn test_files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let names = left_in(&sandbox.work()).into_iter().filter(|name| name.starts_with(".fathom-"));
    names.map(|name| sandbox.work().join(name)).collect()
}

/// A measurement of a minute on `hosts`, once each of its test files is full.
fn under_way(sandbox: &Sandbox, hosts: &str, more: &str) -> Running {
    let running = start(sandbox, hosts, &format!("--time 60s {more}"));
    let is_full = |path: &PathBuf| fs::metadata(path).is_ok_and(|about| about.len() == 16 << 20);
    let count = hosts.split(',').count();
    wait_until("test files", || {
        let files = test_files(sandbox);
        files.iter().filter(|path| !path.display().to_string().contains("doctor")).count() == count
            && files.iter().all(is_full)
    });
    running
}

fn assert_nothing_left(sandbox: &Sandbox) {
    wait_until("agents are gone", || agents(sandbox).is_empty());
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn one_host_is_measured_as_this_one_is() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, "box", "--time 800ms --json --quiet");
    outcome.assert_success();
    let document = outcome.json();
    assert_eq!(document["phases"].as_array().unwrap().len(), 8);
    let name = document["volumes"][0]["name"].as_str().unwrap();
    assert_eq!(name, format!("box:{}", sandbox.work().display()));
    for phase in document["phases"].as_array().unwrap() {
        assert!(phase["figures"]["iops"].as_f64().unwrap() > 0.0, "{phase}");
        assert!(phase["command"].as_str().unwrap().contains(&sandbox.work().display().to_string()));
    }
    assert_nothing_left(&sandbox);
    let list = sandbox.fathom("history list --json").json();
    assert_eq!(list["runs"].as_array().unwrap().len(), 1, "it is kept in the history");
}

#[test]
fn several_hosts_run_at_once_and_are_added_up() {
    let sandbox = Sandbox::new();
    let outcome = measure(&sandbox, "a,b,c", "--time 800ms --json --quiet --seed 7");
    outcome.assert_success();
    let document = outcome.json();
    let sees = |of: &serde_json::Value| of["volumes"][0]["name"].as_str().map(str::to_owned);
    let seen: Vec<Option<String>> =
        document["clients"].as_array().unwrap().iter().map(sees).collect();
    assert_eq!(seen, vec![Some(sandbox.work().display().to_string()); 3], "what each host sees");
    for phase in document["phases"].as_array().unwrap() {
        let jobs = phase["result"]["jobs"].as_array().unwrap();
        let hosts: Vec<&str> = jobs
            .iter()
            .map(|job| job["name"].as_str().unwrap().split_once('@').unwrap().1)
            .collect();
        assert_eq!(hosts, ["a", "b", "c"], "{phase}");
        let direction = phase["direction"].as_str().unwrap();
        let ios = |job: &serde_json::Value| job["dirs"][direction]["total_ios"].as_u64().unwrap();
        assert!(jobs.iter().all(|job| ios(job) > 0), "{phase}");
        let notes = phase["result"]["notes"].to_string();
        assert!(notes.contains("3 clients ran this at once (a, b, c)"), "{notes}");
        let clients = phase["result"]["clients"].as_array().unwrap();
        let begun: Vec<u64> = clients.iter().map(|of| of["begun_ns"].as_u64().unwrap()).collect();
        assert_eq!((begun.len(), begun.iter().min()), (3, Some(&0)), "{clients:?}");
        // Their opening of files, and all else that differs, comes before.
        assert!(clients.iter().all(|of| of["ended_ns"].as_u64() > of["begun_ns"].as_u64()));
    }
    assert_nothing_left(&sandbox);
    let shown = measure(&sandbox, "a,b", "--time 800ms --quiet --read-only").stdout;
    assert!(shown.contains("4 KiB random read, QD 32, by client"), "{shown}");
    let client =
        |name: &str| shown.lines().filter(|line| line.trim_start().starts_with(name)).count();
    assert_eq!((client("a "), client("b "), client("all ")), (4, 4, 4), "{shown}");
    assert_eq!(shown.matches("I/O began within ").count(), 4, "{shown}");
}

#[test]
fn six_hosts_together_did_what_their_device_counted() {
    let sandbox = Sandbox::new();
    let Some(device) = need(LoopDevice::new(sandbox.root(), 64 << 20)) else { return };
    forbid_merges(&device.name());
    // The jobs write, because the device also counts what each agent reads to look for data on it;
    // and six may write to one device only with allow_mounted_write.
    let text = format!(
        "[j]\nfilename={}\nallow_mounted_write=1\nioengine=libaio\ndirect=1\nrw=randwrite\n\
         bs=4k\niodepth=4\ntime_based\nruntime=1\n",
        device.text()
    );
    let before = DeviceCounters::read(&device.name());
    let outcome = run_jobs(&sandbox, "a,b,c,d,e,f", &text, &["--json", "-q"]);
    let counted = DeviceCounters::read(&device.name()).since(before);
    outcome.assert_success();
    let document = outcome.json();
    let jobs = document["result"]["jobs"].as_array().unwrap();
    let writes: Vec<u64> =
        jobs.iter().map(|job| job["dirs"]["write"]["total_ios"].as_u64().unwrap()).collect();
    assert_eq!(writes.len(), 6, "{document}");
    assert_eq!(writes.iter().sum::<u64>(), counted.writes, "{writes:?}, {counted:?}");
    assert_eq!(counted.written_sectors, 8 * counted.writes);
    // Every latency crossed: each host's histogram holds as many as it did writes.
    for (job, writes) in jobs.iter().zip(&writes) {
        let histogram = job["dirs"]["write"]["clat"]["histogram"].as_array().unwrap();
        let count: u64 = histogram.iter().map(|bucket| bucket[1].as_u64().unwrap()).sum();
        assert_eq!(count, *writes);
    }
}

#[test]
fn hosts_behind_relays_are_added_up_as_if_there_were_none() {
    let sandbox = Sandbox::new();
    // One test, long enough that no host of a busy machine begins after another has ended.
    let more = "--relays r,s --rw randread --time 3s --json --quiet";
    let outcome = measure(&sandbox, "a,b,c,d,e", more);
    outcome.assert_success();
    let document = outcome.json();
    let name = document["volumes"][0]["name"].as_str().unwrap();
    assert_eq!(name, format!("5 hosts:{}", sandbox.work().display()));
    for phase in document["phases"].as_array().unwrap() {
        let result = &phase["result"];
        let jobs = result["jobs"].as_array().unwrap();
        let hosts: Vec<&str> = jobs
            .iter()
            .map(|job| job["name"].as_str().unwrap().split_once('@').unwrap().1)
            .collect();
        assert_eq!(hosts, ["a", "b", "c", "d", "e"], "{phase}");
        let clients = result["clients"].as_array().unwrap();
        let names: Vec<&str> = clients.iter().map(|of| of["host"].as_str().unwrap()).collect();
        assert_eq!(names, hosts, "{clients:?}");
        let begun: Vec<u64> = clients.iter().map(|of| of["begun_ns"].as_u64().unwrap()).collect();
        let ended: Vec<u64> = clients.iter().map(|of| of["ended_ns"].as_u64().unwrap()).collect();
        assert_eq!(begun.iter().min(), Some(&0), "{clients:?}");
        // All wait for the moment that the first coordinator says: they run at the same time.
        assert!(begun.iter().max() < ended.iter().min(), "{clients:?}");
        assert!(result["common_span"].is_object(), "{result}");
        let notes = result["notes"].to_string();
        assert!(notes.contains("5 clients ran this at once (a, b, c, d, e)"), "{notes}");
    }
    assert_nothing_left(&sandbox);
}

#[test]
fn jobs_behind_relays_have_files_of_their_own_and_a_relay_that_is_killed_leaves_none() {
    let sandbox = Sandbox::new();
    let text = format!(
        "[global]\ndirectory={}\nsize=1m\nbs=4k\n[fill]\nrw=write\n[look]\nrw=randread\n",
        sandbox.work().display()
    );
    let outcome = run_jobs(&sandbox, "a,b,c,d", &text, &["--relays", "r,s", "--json", "-q"]);
    outcome.assert_success();
    let document = outcome.json();
    let jobs = document["result"]["jobs"].as_array().unwrap();
    let names: Vec<&str> = jobs.iter().map(|job| job["name"].as_str().unwrap()).collect();
    let of = |job: &'static str| ["a", "b", "c", "d"].map(|host| format!("{job}@{host}"));
    assert_eq!(names, [of("fill"), of("look")].concat());
    let ios = |job: &serde_json::Value, way: &str| job["dirs"][way]["total_ios"].as_u64();
    assert!(jobs[..4].iter().all(|job| ios(job, "write") == Some(256)), "{jobs:?}");
    assert!(jobs[4..].iter().all(|job| ios(job, "read") == Some(256)), "{jobs:?}");
    assert_eq!(left_in(&sandbox.work()).len(), 8, "{:?}", left_in(&sandbox.work()));
    left_in(&sandbox.work()).iter().for_each(|name| {
        fs::remove_file(sandbox.work().join(name)).unwrap();
    });
    let running = under_way(&sandbox, "a,b", "--relays r");
    let end = format!("--agent\0{}\0", subject().display());
    let [relay] = processes(&sandbox, end.as_bytes())[..] else { panic!("one relay") };
    kill_process(relay, Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("r: lost while "), "{}", outcome.stderr);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_coordinator_that_is_killed_leaves_no_agent_and_no_file() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox, "a,b", "");
    assert_eq!(agents(&sandbox).len(), 2);
    running.signal(Signal::KILL);
    assert_eq!(running.finish().signal, Some(9));
    assert_nothing_left(&sandbox);
}

#[test]
fn a_coordinator_that_stands_still_is_left_by_its_agents() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox, "box", "");
    running.signal(Signal::STOP);
    assert_nothing_left(&sandbox);
    running.signal(Signal::CONT);
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("fathom: box: lost while "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nothing was heard of "), "{outcome:?}");
}

#[test]
fn an_agent_that_stands_still_is_named_and_gone() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox, "box", "");
    let [agent] = agents(&sandbox)[..] else { panic!("one agent") };
    kill_process(agent, Signal::STOP).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("box: lost while "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("nothing was heard of it for 4"), "{}", outcome.stderr);
    assert_nothing_left(&sandbox);
}

#[test]
fn an_agent_that_is_killed_is_named_and_its_file_goes() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox, "a,b", "");
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains(": lost while "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("figures of this phase are missing"), "{}", outcome.stderr);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_pipe_that_is_closed_on_the_way_ends_the_agent_and_is_named() {
    let sandbox = Sandbox::new();
    // Something between the two sides, as a network is.
    let way = script(&sandbox, "cat - | \"$@\" | cat");
    let (work, agent) = (sandbox.work().display().to_string(), subject().display().to_string());
    let via = format!("{way} env HOST={{}}");
    let own = ["measure", &work, "--on", "box", "--agent", &agent, "--via", &via];
    let more = ["--size", "16m", "--time", "60s"];
    let mut running = sandbox.start_program(subject(), &[&own[..], &more[..]].concat());
    running.wait_for_stderr(|text| text.contains("1/8 "));
    let [inward] = processes(&sandbox, b"cat\0-\0")[..] else { panic!("one pipe") };
    kill_process(inward, Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("fathom: box: lost while "), "{}", outcome.stderr);
    assert_nothing_left(&sandbox);
}

#[test]
fn hosts_that_share_a_file_have_regions_of_it_or_all_of_it() {
    let sandbox = Sandbox::new();
    let of = |more: &str| {
        let outcome = measure(&sandbox, "a,b", &format!("--time 800ms --json --quiet {more}"));
        outcome.assert_success();
        let phases = outcome.json()["phases"].as_array().unwrap().clone();
        let offsets = phases.iter().map(|phase| {
            let jobs = phase["result"]["jobs"].as_array().unwrap();
            assert_eq!(jobs.len() % 2, 0, "{phase}");
            let of = |job: &serde_json::Value| {
                let options = job["options"].as_array().unwrap();
                let given = options.iter().rfind(|option| option[0] == "offset");
                given.map(|option| option[1].as_str().unwrap().parse::<u64>().unwrap())
            };
            jobs.iter().map(of).collect::<Vec<_>>()
        });
        offsets.collect::<Vec<_>>()
    };
    let half = Some(8 << 20);
    assert!(of("--shared-file").iter().all(|of| *of == [Some(0), half]));
    assert!(of("--shared-file=overlap").iter().all(|of| *of == [None, None]));
    assert_nothing_left(&sandbox);
    // Behind relays each has the region that it has without.
    let outcome = measure(
        &sandbox,
        "a,b,c,d",
        "--relays r,s --shared-file --time 800ms --json --quiet --read-only",
    );
    outcome.assert_success();
    for phase in outcome.json()["phases"].as_array().unwrap() {
        let jobs = phase["result"]["jobs"].as_array().unwrap();
        let offset = |job: &serde_json::Value| {
            let options = job["options"].as_array().unwrap();
            options.iter().rfind(|option| option[0] == "offset").unwrap()[1].clone()
        };
        let offsets: Vec<serde_json::Value> = jobs.iter().map(offset).collect();
        assert_eq!(offsets, ["0", "4194304", "8388608", "12582912"], "{phase}");
    }
    assert_nothing_left(&sandbox);
    let running = start(&sandbox, "a,b", "--time 60s --shared-file");
    let is_full = |path: &PathBuf| fs::metadata(path).is_ok_and(|about| about.len() == 16 << 20);
    let ours = || {
        let files = test_files(&sandbox).into_iter();
        files.filter(|path| !path.display().to_string().contains("doctor")).collect::<Vec<_>>()
    };
    wait_until("one test file", || ours().iter().filter(|path| is_full(path)).count() == 1);
    assert_eq!(ours().len(), 1, "one file for both");
    running.signal(Signal::INT);
    running.finish().assert_ended(130);
    assert_nothing_left(&sandbox);
}

#[test]
fn an_interrupt_ends_all_hosts_in_their_results() {
    let sandbox = Sandbox::new();
    let mut running = under_way(&sandbox, "a,b", "--json");
    running.wait_for_stderr(|text| text.contains("1/8 "));
    running.signal(Signal::INT);
    let outcome = running.finish();
    outcome.assert_ended(130);
    let document = outcome.json();
    assert_eq!(document["interrupted"], true);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_host_that_dies_costs_its_own_figures_where_others_may_go_on() {
    let sandbox = Sandbox::new();
    let hosts = "a,b";
    let pages = "--markdown=x.md --report x.html";
    let more = format!("--time 8s --min-clients 1 --json --read-only {pages}");
    let mut running = start(&sandbox, hosts, &more);
    running.wait_for_stderr(|text| text.contains("1/4 "));
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_no_panic();
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 4, "the others went on: {}", outcome.stderr);
    let clients = |at: usize| phases[at]["result"]["jobs"].as_array().map_or(0, Vec::len);
    assert_eq!(clients(3), 1);
    assert!(outcome.stderr.contains(": lost while "), "{}", outcome.stderr);
    let notes = phases[3]["result"]["notes"].to_string();
    assert!(notes.contains("1 client ran") && notes.contains(": lost while "), "{notes}");
    // Whoever reads the result learns of it, in each form.
    let missing = phases[3]["result"]["missing_clients"][0].as_str().unwrap();
    let all = format!("Missing in some or all figures: {missing}.");
    assert!(document["summary"].as_str().unwrap().contains(&all), "{}", document["summary"]);
    let remark = format!("Measured without {missing}: do not compare it");
    assert!(phases[3]["remarks"].to_string().contains(&remark), "{}", phases[3]["remarks"]);
    for page in ["x.md", "x.html"] {
        let text = fs::read_to_string(sandbox.work().join(page)).unwrap();
        assert!(text.contains(&all) && text.contains(&remark), "{page}: {text}");
        fs::remove_file(sandbox.work().join(page)).unwrap();
    }
    wait_until("agents are gone", || agents(&sandbox).is_empty());
    // What a killed agent leaves is proved to be Fathom's, as after any killed run.
    sandbox.fathom("clean").assert_ended(0);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_host_that_dies_behind_a_relay_costs_its_own_figures_where_so_many_are_enough() {
    let sandbox = Sandbox::new();
    let more = "--relays r,s --time 8s --min-clients 3 --json --read-only";
    let mut running = start(&sandbox, "a,b,c,d", more);
    running.wait_for_stderr(|text| text.contains("1/4 "));
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_no_panic();
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 4, "the others went on: {}", outcome.stderr);
    let clients = |at: usize| phases[at]["result"]["jobs"].as_array().map_or(0, Vec::len);
    assert_eq!(clients(3), 3);
    assert!(outcome.stderr.contains(": 1 of 2 hosts behind this relay were lost while "));
    let notes = phases[3]["result"]["notes"].to_string();
    assert!(notes.contains("3 clients ran") && notes.contains(": lost while "), "{notes}");
    wait_until("agents are gone", || agents(&sandbox).is_empty());
    sandbox.fathom("clean").assert_ended(0);
    assert_nothing_left(&sandbox);
    // With fewer left than are needed all stop, and what was measured is kept.
    let more = "--relays r,s --time 16s --min-clients 4 --json --read-only";
    let mut running = start(&sandbox, "a,b,c,d", more);
    running.wait_for_stderr(|text| text.contains("1/4 "));
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("behind this relay were lost while "), "{}", outcome.stderr);
    wait_until("agents are gone", || agents(&sandbox).is_empty());
    sandbox.fathom("clean").assert_ended(0);
    assert_nothing_left(&sandbox);
}

#[test]
fn an_agent_ends_with_its_input() {
    let sandbox = Sandbox::new();
    let outcome = sandbox.fathom("agent");
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("the connection was closed"), "{}", outcome.stderr);
    assert_eq!(outcome.stdout, "");
    let shell = format!("printf 'GET / HTTP/1.1\\r\\n' | {} agent", subject().display());
    let outcome = sandbox.shell(&shell);
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("no frame of Fathom's: 'GET / HTTP/1.1'"), "{outcome:?}");
}

#[test]
fn what_is_typed_wrong_is_said_before_any_host_is_asked() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    for (args, words) in [
        (vec!["measure", ".", "--on", "a"], "give it from /"),
        (vec!["measure", &work, "--on", "a,a"], "a is named twice"),
        (vec!["measure", &work, "--on", ","], "no host is named"),
        (vec!["measure", &work, "--on=-oProxyCommand=x"], "begins with a dash"),
        (vec!["measure", &work, "--on", "a,b", "--via", "env"], "has no {} for the host"),
        (vec!["measure", &work, "--on", "a", "--min-clients", "2"], "more hosts than --on names"),
        (vec!["measure", &work, "--on", "a,b,c", "--relays", "r,s"], "than half of those of --on"),
        (vec!["measure", &work, "--on", "a,b", "--relays=-r"], "begins with a dash"),
    ] {
        let outcome = sandbox.start_program(subject(), &args).finish();
        outcome.assert_usage_in_a_sentence(words);
    }
}

/// `run` of a job file on `hosts`, each a process of this machine.
fn run_jobs(sandbox: &Sandbox, hosts: &str, text: &str, more: &[&str]) -> Outcome {
    let file = sandbox.root().join("own.fio");
    fs::write(&file, text).unwrap();
    let (file, agent) = (file.display().to_string(), subject().display().to_string());
    let own = ["run", &file, "--on", hosts, "--agent", &agent, "--via", "env HOST={}"];
    let outcome = sandbox.start_program(subject(), &[&own, more].concat()).finish();
    outcome.assert_no_panic();
    outcome
}

#[test]
fn a_job_file_runs_on_several_hosts_with_files_of_their_own() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let text = format!(
        "[global]\ndirectory={work}\nsize=1m\nbs=4k\n[fill]\nrw=write\n[look]\nstonewall\n\
         rw=randread\nnumjobs=2\n"
    );
    let outcome = run_jobs(&sandbox, "a,b", &text, &["--json", "-q"]);
    outcome.assert_success();
    let document = outcome.json();
    let jobs = document["result"]["jobs"].as_array().unwrap();
    let names: Vec<&str> = jobs.iter().map(|job| job["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["fill@a", "fill@b", "look@a", "look@b", "look@a", "look@b"]);
    let ios = |job: &serde_json::Value, way: &str| job["dirs"][way]["total_ios"].as_u64();
    assert!(jobs[..2].iter().all(|job| ios(job, "write") == Some(256)), "each fills its own");
    assert!(jobs[2..].iter().all(|job| ios(job, "read") == Some(256)));
    let groups = document["groups"].as_array().unwrap();
    let groups: Vec<&str> = groups.iter().map(|group| group["jobs"].as_str().unwrap()).collect();
    assert_eq!(groups, ["fill", "look", "all jobs"]);
    assert_eq!(document["result"]["clients"].as_array().unwrap().len(), 2);
    let expected =
        ["a.fill.0.0", "a.look.0.0", "a.look.1.0", "b.fill.0.0", "b.look.0.0", "b.look.1.0"];
    let mut left = left_in(&sandbox.work());
    left.sort();
    assert_eq!(left, expected);
    wait_until("agents are gone", || agents(&sandbox).is_empty());
}

#[test]
fn the_table_of_a_job_file_has_sums_and_each_client() {
    let sandbox = Sandbox::new();
    let text = "[one]\nioengine=null\nsize=4m\n[two]\nioengine=null\nsize=8m\n";
    // Without --verbose only the first few notes are printed: on a busy machine those of the host.
    let outcome = run_jobs(&sandbox, "a,b,c", text, &["-q", "--verbose"]);
    outcome.assert_success();
    let shown = outcome.stdout;
    let rows = |name: &str| shown.lines().filter(|line| line.trim().starts_with(name)).count();
    assert_eq!((rows("one read"), rows("two read")), (1, 1), "{shown}");
    assert_eq!((rows("one, by client"), rows("two, by client")), (1, 1), "{shown}");
    assert_eq!((rows("a "), rows("c "), rows("all ")), (2, 2, 2), "{shown}");
    let sum = shown.lines().find(|line| line.trim().starts_with("one read")).unwrap();
    assert!(!sum.contains(" - "), "percentiles of the whole latency cross: {sum}");
    assert_eq!(shown.matches("I/O began within ").count(), 1, "{shown}");
    assert_nothing_left(&sandbox);
}

/// Jobs that write for long, in files of `size` that are named by host.
fn long_writes(sandbox: &Sandbox, size: &str) -> String {
    let work = sandbox.work().display().to_string();
    format!("[w]\ndirectory={work}\nrw=randwrite\nbs=4k\nsize={size}\ntime_based\nruntime=60\n")
}

#[test]
fn a_host_that_refuses_stops_all_before_one_of_them_writes() {
    let sandbox = Sandbox::new();
    let (own, others) = (sandbox.work().join("a.w.0.0"), sandbox.work().join("b.w.0.0"));
    let text = long_writes(&sandbox, "64k");
    let precious = vec![7; 64 << 10];
    fs::write(&own, &precious).unwrap();
    fs::create_dir(&others).unwrap();
    let outcome = run_jobs(&sandbox, "a,b", &text, &[]);
    outcome.assert_refused(&["fathom: b: job w (", "b.w.0.0 is a folder"]);
    assert!(fs::read(&own).unwrap() == precious, "a does not write");
    // Behind relays as well, each of which adds its name.
    fs::create_dir(sandbox.work().join("b.s.w.0.0")).unwrap();
    let relayed = run_jobs(&sandbox, "c,a,b,d", &text, &["--relays", "r,s"]);
    relayed.assert_refused(&["fathom: s: b: job w (", "b.s.w.0.0 is a folder"]);
    assert_eq!(fs::read_dir(sandbox.work()).unwrap().count(), 3, "none makes a file");
    // Where one is enough it goes on, and the result says who is missing.
    let text = text.replace("runtime=60", "runtime=1");
    let outcome = run_jobs(&sandbox, "a,b", &text, &["--min-clients", "1", "--json", "-q"]);
    outcome.assert_ended(0);
    let document = outcome.json();
    assert_eq!(document["result"]["missing_clients"], serde_json::json!(["b"]));
    assert_eq!(document["interrupted"], false);
    let summary = document["summary"].as_str().unwrap();
    assert!(summary.contains("Missing in some or all figures: b."), "{summary}");
    assert!(document["result"]["notes"].to_string().contains("b.w.0.0 is a folder"));
    wait_until("agents are gone", || agents(&sandbox).is_empty());
}

#[test]
fn a_host_that_may_not_write_stops_all_before_one_of_them_does() {
    let sandbox = Sandbox::new();
    let volume = SmallVolume::mount(sandbox.root().join("small"), "size=1m");
    let Some(volume) = need(volume) else { return };
    let (own, others) = (sandbox.work().join("a.w.0.0"), sandbox.work().join("b.w.0.0"));
    let text = long_writes(&sandbox, "64k");
    fs::write(volume.0.join("x"), vec![7; 64 << 10]).unwrap();
    std::os::unix::fs::symlink(volume.0.join("x"), &others).unwrap();
    let place = volume.0.display().to_string();
    tool("mount", &["-o", "remount,ro", &place]).unwrap();
    let outcome = run_jobs(&sandbox, "a,b", &text, &[]);
    outcome.assert_refused(&["fathom: b: ", "b.w.0.0: opening the file: Read-only file system"]);
    assert!(!own.exists(), "a does not write");
    // A lack of space is found after that, and before the start.
    tool("mount", &["-o", "remount,rw", &place]).unwrap();
    let text = text.replace("size=64k", "size=8m");
    let outcome = run_jobs(&sandbox, "a,b", &text, &["--json", "-q"]);
    outcome.assert_ended(1);
    let document = outcome.json();
    let jobs = document["result"]["jobs"].as_array().unwrap();
    let did = |at: usize| jobs[at]["dirs"]["write"]["total_ios"].as_u64();
    assert_eq!((did(0), did(1)), (Some(0), Some(0)), "none begins: {document}");
    assert!(jobs[1]["error_text"].as_str().unwrap().contains("No space left"), "{document}");
    wait_until("agents are gone", || agents(&sandbox).is_empty());
}

#[test]
fn a_lost_host_ends_a_run_in_its_results_and_with_1() {
    let sandbox = Sandbox::new();
    let file = sandbox.root().join("own.fio");
    fs::write(&file, long_writes(&sandbox, "64k")).unwrap();
    let (file, agent) = (file.display().to_string(), subject().display().to_string());
    let own = ["run", &file, "--on", "a,b", "--agent", &agent, "--via", "env HOST={}"];
    let mut running = sandbox.start_program(subject(), &[&own[..], &["--json"]].concat());
    // It shows a rate once all have begun.
    running.wait_for_stderr(|text| text.contains(" IOPS, "));
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    let outcome = running.finish();
    outcome.assert_ended(1);
    let document = outcome.json();
    let missing = document["result"]["missing_clients"][0].as_str().unwrap();
    let summary = document["summary"].as_str().unwrap();
    assert!(summary.contains(&format!("Missing in some or all figures: {missing}.")), "{summary}");
    let left = &document["result"]["jobs"][0];
    assert!(left["dirs"]["write"]["total_ios"].as_u64() > Some(0), "what is there is shown");
    wait_until("agents are gone", || agents(&sandbox).is_empty());
}

#[test]
fn an_engine_of_another_system_is_for_the_host_to_refuse() {
    let sandbox = Sandbox::new();
    let text = "[one]\nioengine=windowsaio\nfilename=/x\nsize=4m\nrw=read\n";
    let outcome = run_jobs(&sandbox, "a", text, &[]);
    outcome.assert_refused(&["fathom: a: ", "windowsaio not loadable: it is on Windows only"]);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_job_file_that_cannot_go_elsewhere_is_refused_before_any_host_is_asked() {
    let sandbox = Sandbox::new();
    let null = "[one]\nioengine=null\nsize=4m\n";
    for (text, more, words) in [
        ("[here]\nrw=read\nsize=1m\n", &[][..], "give it from /"),
        (null, &["--write_lat_log=x"], "job logs are written for one host"),
    ] {
        run_jobs(&sandbox, "a,b", text, more).assert_usage_in_a_sentence(words);
    }
}

#[test]
fn a_dry_run_on_hosts_asks_each_of_them_and_writes_nothing() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let jobs = |folder: &str| format!("[fill]\ndirectory={folder}\nsize=1m\nbs=4k\nrw=write\n");
    let outcome = run_jobs(&sandbox, "a,b", &jobs(&work), &["--dry-run"]);
    outcome.assert_success();
    let shown = without_breaks(&outcome.stdout);
    assert!(shown.contains("fill: write, 4 KiB") && shown.contains(&work), "{shown}");
    assert!(shown.contains("all 2 hosts say that these jobs can begin"), "{shown}");
    let programs = run_jobs(&sandbox, "a,b", &jobs(&work), &["--dry-run", "--json"]);
    assert_eq!(programs.json()["runs"], 2);
    for hosts in ["a", "a,b"] {
        let missing = run_jobs(&sandbox, hosts, &jobs(&format!("{work}/x")), &["--dry-run"]);
        missing.assert_ended(1);
        assert!(missing.stderr.contains("a: job fill"), "{}", missing.stderr);
    }
    let plan = on(&sandbox, &format!("measure {work} --size 16m --dry-run"), "a,b");
    let shown = without_breaks(&plan.stdout);
    assert!(shown.contains("2 test files of 16 MiB, one for each host"), "{shown}");
    assert!(shown.contains("32 MiB once"), "{shown}");
    assert_nothing_left(&sandbox);
}

#[test]
fn a_result_of_several_hosts_says_what_each_is_and_has_one_rate() {
    let sandbox = Sandbox::new();
    // They end at different moments.
    let text = "[one]\nioengine=null\nsize=64m\nrate_iops=20000\n[two]\nstonewall\n\
                ioengine=null\nsize=4m\n";
    let file = sandbox.root().join("own.json");
    let json = format!("--json={}", file.display());
    let outcome = run_jobs(&sandbox, "a,b,c", text, &["--csv", "-q", &json]);
    outcome.assert_ended(0);
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let clients = document["clients"].as_array().unwrap();
    let names: Vec<&str> = clients.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert!(clients.iter().all(|of| of["system"]["kernel"].is_string()), "{clients:?}");
    // One row for each job, with the rate that the table and the first sentence have.
    let rows: Vec<&str> = outcome.stdout.lines().skip(1).collect();
    assert_eq!(rows.len(), 2, "{}", outcome.stdout);
    let iops = document["figures"][0]["iops"].as_f64().unwrap();
    let cell: f64 = rows[0].split(',').nth(3).unwrap().parse().unwrap();
    assert!((cell / iops - 1.0).abs() < 1e-4, "{cell} and {iops}");
    assert!(rows[0].contains("a; b; c"), "the hosts are named: {}", rows[0]);
    assert_nothing_left(&sandbox);
}

#[test]
fn a_sweep_by_clients_runs_on_so_many_hosts_and_tells_how_they_scale() {
    let sandbox = Sandbox::new();
    let (work, agent) = (sandbox.work().display().to_string(), subject().display().to_string());
    let line = |hosts: &str, clients: &str, more: &str| {
        let text = format!(
            "sweep {work} --on {hosts} --agent {agent} --clients {clients} --size 16m --time-per-run 200ms \
             --iodepth 1 -q {more}"
        );
        let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        words.extend(["--via".to_owned(), "env HOST={}".to_owned()]);
        sandbox.start_program(subject(), &words).finish()
    };
    let outcome = line("a,b,c", "1..3/1", "--json");
    outcome.assert_success();
    let document = outcome.json();
    let cases = document["cases"].as_array().unwrap();
    let hosts: Vec<usize> =
        cases.iter().map(|case| case["result"]["clients"].as_array().unwrap().len()).collect();
    assert_eq!(hosts, [1, 2, 3]);
    let [curve] = document["curves"].as_array().unwrap().as_slice() else { panic!("one curve") };
    assert_eq!(curve["axis"], "clients");
    assert_eq!(curve["knee"]["load"], "clients");
    let points = curve["points"].as_array().unwrap();
    assert_eq!(points[0]["scaling_percent"], 100.0);
    let iops = |at: usize| points[at]["figures"]["total"]["iops"].as_f64().unwrap();
    let scaling = points[2]["scaling_percent"].as_f64().unwrap();
    assert!((scaling - 100.0 * iops(2) / 3.0 / iops(0)).abs() < 1e-6, "{scaling}");
    assert_nothing_left(&sandbox);
    let outcome = line("a,b,c,d", "1,3,4", "--relays r,s --json");
    outcome.assert_success();
    let document = outcome.json();
    let hosts = |case: &serde_json::Value| {
        let clients = case["result"]["clients"].as_array().unwrap();
        clients.iter().map(|of| of["host"].as_str().unwrap()).collect::<String>()
    };
    let hosts: Vec<String> = document["cases"].as_array().unwrap().iter().map(hosts).collect();
    assert_eq!(hosts, ["a", "abc", "abcd"]);
    assert_nothing_left(&sandbox);
    let shown = line("a,b", "1,2", "--no-record").stdout;
    // How far the heads stand apart depends on the figures.
    let is_head = |line: &str| line.split_whitespace().take(2).eq(["clients", "IOPS"]);
    assert!(shown.lines().any(is_head) && shown.contains("scaling"), "{shown}");
    line("a,b", "1..4", "").assert_usage_in_a_sentence("--on names 2 hosts");
    assert_nothing_left(&sandbox);
}

#[test]
fn a_check_holds_what_all_hosts_get_together_against_the_limit() {
    let sandbox = Sandbox::new();
    let (work, agent) = (sandbox.work().display().to_string(), subject().display().to_string());
    let own = ["check", &work, "--on", "a,b", "--agent", &agent, "--via", "env HOST={}"];
    let more = ["--iops", "10", "--time", "2s", "--size", "16m", "--read-only", "-q", "--json"];
    let outcome = sandbox.start_program(subject(), &[&own[..], &more[..]].concat()).finish();
    outcome.assert_no_panic();
    let document = outcome.json();
    let gate = document["gate"]["outcome"].as_str();
    assert!(matches!(gate, Some("pass" | "undecided")), "{}", outcome.stdout);
    let runs = document["runs"].as_array().unwrap();
    assert!(!runs.is_empty());
    for run in runs {
        assert_eq!(run["result"]["clients"].as_array().map(Vec::len), Some(2), "{run}");
    }
    assert_nothing_left(&sandbox);
}

/// A program in the sandbox that does not do what an agent does.
fn script(sandbox: &Sandbox, text: &str) -> String {
    let path = sandbox.root().join("bin/other");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn refused(sandbox: &Sandbox, agent: &str) -> String {
    let work = sandbox.work().display().to_string();
    let args = ["measure", &work, "--on", "box", "--via", "env HOST={}", "--agent", agent];
    let outcome = sandbox.start_program(subject(), &args).finish();
    outcome.assert_ended(1);
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("fathom: box: "), "{}", outcome.stderr);
    outcome.stderr
}

#[test]
fn what_is_no_agent_is_named_with_what_it_said() {
    let sandbox = Sandbox::new();
    let missing = refused(&sandbox, "/no/such/fathom");
    assert!(missing.contains("no agent there") && missing.contains("--agent PATH"), "{missing}");
    let greeting = refused(&sandbox, &script(&sandbox, "echo Welcome to box; cat"));
    assert!(greeting.contains("'Welcome to box'"), "{greeting}");
    let newer = refused(&sandbox, &script(&sandbox, r"printf '\372\173\011\001'; cat"));
    assert!(newer.contains("speaks version 9") && newer.contains("same Fathom"), "{newer}");
    let huge =
        refused(&sandbox, &script(&sandbox, r"printf '\372\173\003\001\377\377\377\377'; cat"));
    assert!(huge.contains("announced a greeting of 4294967295 bytes"), "{huge}");
    let crash = refused(&sandbox, &script(&sandbox, "echo 'disk full' >&2; exit 3"));
    assert!(crash.contains("exit code 3: disk full"), "{crash}");
    assert!(Path::new(&sandbox.work()).exists());
}

/// Where the system's programs are found. If Fathom's package is installed here, that is `folder`,
/// with links to all but Fathom.
fn system_programs(folder: &Path) -> String {
    const FOLDERS: [&str; 2] = ["/usr/bin", "/bin"];
    if FOLDERS.iter().all(|of| !Path::new(of).join("fathom").exists()) {
        return FOLDERS.join(":");
    }
    fs::create_dir(folder).unwrap();
    for program in FOLDERS.iter().flat_map(|of| fs::read_dir(of).unwrap()).map(Result::unwrap) {
        let link = folder.join(program.file_name());
        if program.file_name() != "fathom" && fs::symlink_metadata(&link).is_err() {
            std::os::unix::fs::symlink(program.path(), link).unwrap();
        }
    }
    folder.display().to_string()
}

/// Hosts that have no Fathom of their own, and what lies in the folders of each.
struct BareHosts<'a> {
    sandbox: &'a Sandbox,
    /// Where their programs are looked for.
    path: String,
}

impl<'a> BareHosts<'a> {
    fn new(sandbox: &'a Sandbox) -> BareHosts<'a> {
        let programs = sandbox.root().join("host-bin");
        for folder in
            [&programs, &sandbox.root().join("host-tmp"), &sandbox.root().join("host-home")]
        {
            fs::create_dir(folder).unwrap();
        }
        let system = system_programs(&sandbox.root().join("host-usr-bin"));
        BareHosts { sandbox, path: format!("{}:{system}", programs.display()) }
    }

    /// Makes a program of theirs.
    fn program(&self, name: &str, bytes: &[u8]) {
        let path = self.sandbox.root().join("host-bin").join(name);
        fs::write(&path, bytes).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn via(&self) -> String {
        let root = self.sandbox.root().display();
        format!("env HOST={{}} TMPDIR={root}/host-tmp HOME={root}/host-home PATH={}", self.path)
    }

    fn start(&self, hosts: &str, more: &str) -> Running {
        let work = self.sandbox.work().display().to_string();
        let own = ["measure", &work, "--on", hosts, "--via", &self.via(), "--size", "16m"];
        let words: Vec<&str> = own.into_iter().chain(more.split_whitespace()).collect();
        self.sandbox.start_program(subject(), &words)
    }

    fn measure(&self, hosts: &str, more: &str) -> Outcome {
        let more = format!("--time 400ms --read-only --quiet {more}");
        let outcome = self.start(hosts, &more).finish();
        outcome.assert_no_panic();
        outcome
    }

    fn copies(&self) -> Vec<String> {
        left_in(&self.sandbox.root().join("host-tmp"))
    }

    fn assert_nothing_left(&self) {
        wait_until("copies are gone", || self.copies().is_empty());
        assert_nothing_left(self.sandbox);
    }
}

#[test]
fn a_host_without_fathom_has_a_copy_that_goes_with_its_agent() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    let outcome = hosts.measure("a,b", "--json");
    outcome.assert_success();
    assert_eq!(outcome.json()["phases"][0]["result"]["clients"].as_array().unwrap().len(), 2);
    assert!(!outcome.stderr.contains("another build"), "{}", outcome.stderr);
    hosts.assert_nothing_left();
    let start = || {
        let running = hosts.start("a,b", "--time 60s");
        wait_until("agents", || test_files(&sandbox).len() >= 2 && agents(&sandbox).len() == 2);
        assert_eq!(hosts.copies().len(), 2);
        let folder = sandbox.root().join("host-tmp").join(&hosts.copies()[0]);
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
        running
    };
    let running = start();
    running.signal(Signal::KILL);
    assert_eq!(running.finish().signal, Some(9));
    hosts.assert_nothing_left();
    let running = start();
    kill_process(agents(&sandbox)[0], Signal::KILL).unwrap();
    running.finish().assert_ended(1);
    hosts.assert_nothing_left();
}

#[test]
fn a_copy_that_is_to_stay_is_found_again() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    hosts.measure("a", "--keep-agent").assert_success();
    let store = sandbox.root().join("host-home/.cache/fathom");
    let [kept] = &left_in(&store)[..] else { panic!("one copy") };
    let binary = store.join(kept).join("fathom");
    let made = fs::metadata(&binary).unwrap().modified().unwrap();
    // Nothing can be copied any more, and nothing is.
    hosts.program("head", b"#!/bin/sh\nexit 1\n");
    hosts.measure("a", "").assert_success();
    assert_eq!(fs::metadata(&binary).unwrap().modified().unwrap(), made);
    // What was changed there is not run.
    fs::write(&binary, "#!/bin/sh\necho changed >&2\n").unwrap();
    let outcome = hosts.measure("a", "");
    outcome.assert_ended(1);
    assert!(!outcome.stderr.contains("changed"), "{}", outcome.stderr);
    hosts.assert_nothing_left();
}

#[test]
fn another_build_gives_way_to_a_copy_and_measures_where_there_can_be_none() {
    let sandbox = Sandbox::new();
    let mut hosts = BareHosts::new(&sandbox);
    let mut other = fs::read(subject()).unwrap();
    other.push(0);
    hosts.program("fathom", &other);
    let outcome = hosts.measure("a", "");
    outcome.assert_success();
    assert!(!outcome.stderr.contains("another build"), "{}", outcome.stderr);
    hosts.assert_nothing_left();
    // No sh, and so no copy.
    hosts.path = sandbox.root().join("host-bin").display().to_string();
    let outcome = hosts.measure("a", "");
    outcome.assert_ended(0);
    assert!(outcome.stderr.contains("a: it runs another build"), "{}", outcome.stderr);
    fs::remove_file(sandbox.root().join("host-bin/fathom")).unwrap();
    let outcome = hosts.measure("a", "");
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains("a: no agent there: the host has no such command"));
    assert!(!outcome.stderr.contains("Copying"), "{}", outcome.stderr);
}

#[test]
fn a_host_that_takes_no_copy_is_named_with_what_to_do() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    let refused = |name: &str, text: &str| {
        hosts.program(name, format!("#!/bin/sh\n{text}\n").as_bytes());
        let outcome = hosts.measure("box", "");
        outcome.assert_ended(1);
        assert!(outcome.stderr.starts_with("fathom: box: no agent there: "), "{}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
        hosts.assert_nothing_left();
        fs::remove_file(sandbox.root().join("host-bin").join(name)).unwrap();
        outcome.stderr
    };
    let system = refused("uname", "echo ${1#-} | sed s/s/OpenBSD/\\;s/m/sparc64/");
    assert!(system.contains("it is OpenBSD sparc64 and this binary is for linux"), "{system}");
    assert!(system.contains("--agent PATH"), "{system}");
    let changed = refused("sha256sum", "echo 0000");
    assert!(changed.contains("is not what was sent"), "{changed}");
    let full = refused("head", "echo head: No space left on device >&2; exit 1");
    assert!(full.contains("no folder for programs with room for "), "{full}");
    let folder = refused("mktemp", "exit 1");
    assert!(folder.contains("no folder for programs"), "{folder}");
}

/// A file that says that it is a program for arm64.
fn program_for_arm(sandbox: &Sandbox, name: &str) -> PathBuf {
    let header = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\xb7\0".to_vec();
    let path = sandbox.root().join(name);
    fs::write(&path, header).unwrap();
    path
}

/// Has the host `arm` say that it is arm64, and run the subject in place of the program that it gets,
/// which no kernel here runs. The program goes to the file that is given.
fn arm_host(hosts: &BareHosts) -> PathBuf {
    let [got, sum] = ["got", "sum"].map(|name| hosts.sandbox.root().join(name));
    let program = |name: &str, is_meant: &str, text: String| {
        let text = format!(
            "#!/bin/sh\nPATH=/usr/bin:/bin\n\
             [ \"$HOST\" = arm ] && {is_meant} || exec {name} \"$@\"\n{text}\n"
        );
        hosts.program(name, text.as_bytes());
    };
    program("uname", "[ \"$1\" = -m ]", "echo aarch64".to_owned());
    program("sha256sum", &format!("[ -e {} ]", sum.display()), format!("cat {}", sum.display()));
    let script = format!("#!/bin/sh\nexec {} \"$@\"", subject().display());
    let (file, sum) = (got.display(), sum.display());
    // With a file named it makes sure that there is room.
    let take = format!("head \"$@\" >{file}\nsha256sum <{file} >{sum}\necho '{script}'");
    program("head", "[ $# = 2 ]", take);
    got
}

#[test]
fn hosts_of_two_architectures_have_the_binary_that_fits_each() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    let got = arm_host(&hosts);
    let outcome = hosts.measure("box,arm", "");
    outcome.assert_ended(1);
    let folder = subject().parent().unwrap().display().to_string();
    let told = format!(
        "it is Linux aarch64 and this binary is for linux {}; put Fathom's binary for aarch64 here \
         as {folder}/fathom-aarch64, or name it by --agent-binary arm64=FILE; or install",
        std::env::consts::ARCH
    );
    assert!(outcome.stderr.contains(&told), "{}", outcome.describe(&told));
    assert_eq!(fs::read(&got).unwrap_or_default(), b"", "nothing was sent");
    hosts.assert_nothing_left();

    let file = program_for_arm(&sandbox, "for-arm");
    let named = format!("--json --agent-binary arm64={}", file.display());
    let outcome = hosts.measure("box,arm", &named);
    outcome.assert_success();
    let clients = outcome.json()["phases"][0]["result"]["clients"].as_array().unwrap().len();
    assert_eq!((clients, fs::read(&got).unwrap()), (2, fs::read(&file).unwrap()));
    hosts.assert_nothing_left();

    // One beside the binary needs no option.
    fs::remove_file(&got).unwrap();
    fs::remove_file(sandbox.root().join("sum")).unwrap();
    fs::copy(subject(), sandbox.root().join("own")).unwrap();
    fs::copy(&file, sandbox.root().join("fathom-aarch64")).unwrap();
    let (work, via) = (sandbox.work().display().to_string(), hosts.via());
    let words = ["measure", &work, "--on", "arm", "--via", &via, "--size", "16m"];
    let words = words.into_iter().chain(["--time", "400ms", "--read-only", "--quiet"]);
    let words: Vec<&str> = words.collect();
    let outcome = sandbox.start_program(sandbox.root().join("own"), &words).finish();
    outcome.assert_success();
    assert_eq!(fs::read(&got).unwrap(), fs::read(&file).unwrap());
    hosts.assert_nothing_left();
}

#[test]
fn a_binary_that_is_not_what_it_is_named_for_is_refused() {
    let sandbox = Sandbox::new();
    let refused = |file: &Path| {
        let words = format!("measure /x --on a --agent-binary s390x={}", file.display());
        sandbox.fathom(&words).assert_ended(2).stderr.clone()
    };
    let other = refused(&program_for_arm(&sandbox, "for-arm"));
    assert!(other.contains("for-arm is no Linux program for s390x, but for aarch64"), "{other}");
    let script = refused(&sandbox.write("script", "#!/bin/sh\n"));
    assert!(script.contains("script is no Linux program for s390x\n"), "{script}");
    let missing = refused(Path::new("/nowhere"));
    assert!(missing.contains("--agent-binary: cannot read /nowhere: "), "{missing}");
    let unknown = sandbox.fathom("measure /x --on a --agent-binary vax=/bin/true");
    assert!(unknown.assert_ended(2).stderr.contains("as arm64=fathom-aarch64"));
}

#[test]
fn a_copy_goes_where_there_is_room() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    let full = "#!/bin/sh\ncase $(readlink /proc/$$/fd/1) in *host-tmp*) exit 1;; esac\n\
                PATH=/usr/bin:/bin exec head \"$@\"\n";
    hosts.program("head", full.as_bytes());
    hosts.measure("box", "").assert_success();
    hosts.assert_nothing_left();
}

#[test]
fn a_copy_that_a_killed_shell_left_goes_a_day_later() {
    let sandbox = Sandbox::new();
    let hosts = BareHosts::new(&sandbox);
    let left = |name: &str| sandbox.root().join("host-tmp").join(name);
    for name in [".fathom-agent-old", ".fathom-agent-new", ".fathom-agent-file"] {
        match name.ends_with("file") {
            true => fs::write(left(name), "somebody's").unwrap(),
            false => fs::create_dir(left(name)).unwrap(),
        }
        let days_ago = if name.ends_with("new") { "now" } else { "2 days ago" };
        tool("touch", &["-d", days_ago, &left(name).display().to_string()]).unwrap();
    }
    hosts.measure("box", "").assert_success();
    wait_until("its own copy is gone", || hosts.copies().len() <= 2);
    let mut left = hosts.copies();
    left.sort();
    assert_eq!(left, [".fathom-agent-file", ".fathom-agent-new"]);
}

#[test]
fn a_host_whose_login_prints_is_named_with_what_to_do() {
    let sandbox = Sandbox::new();
    let agent = subject().display().to_string();
    let work = sandbox.work().display().to_string();
    let via = format!("sh -c 'echo Welcome to $0; exec {agent} agent' {{}}");
    let words = ["measure", &work, "--on", "h6", "--via", &via, "--agent", "x", "--time", "200ms"];
    let outcome = sandbox.start_program(subject(), &words).finish();
    outcome.assert_ended(1);
    let told = "h6: no agent there: it wrote what is no frame of Fathom's: 'Welcome to h6'; a \
                start-up file there may print it (~/.bashrc";
    assert!(outcome.stderr.contains(told), "{}", outcome.describe(told));
    assert!(!outcome.stderr.contains("install the same Fathom"), "{}", outcome.stderr);
}

#[test]
fn a_path_that_one_host_lacks_is_said_to_be_missing_there() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("own");
    fs::create_dir(&folder).unwrap();
    let agent = subject().display().to_string();
    // Each host has a root of its own in its place.
    let via = format!(
        "unshare -m sh -c '[ $0 = h1 ] || mount -t tmpfs none {}; exec \"$@\"' {{}}",
        sandbox.work().display()
    );
    if need(root()).is_none() {
        return;
    }
    let own = folder.display().to_string();
    let words = ["measure", &own, "--on", "h1,h2", "--via", &via, "--agent", &agent];
    let outcome = sandbox.start_program(subject(), &words).finish();
    outcome.assert_ended(1);
    let told = format!("{own} is a folder on h1 and not there on h2; give a path that is the same");
    assert!(outcome.stderr.contains(&told), "{}", outcome.describe(&told));
}

/// A command on `hosts`, each a process of this machine.
fn on(sandbox: &Sandbox, line: &str, hosts: &str) -> Outcome {
    let agent = subject().display().to_string();
    let more = ["--on", hosts, "--agent", &agent, "--via", "env HOST={}"];
    let words: Vec<&str> = line.split_whitespace().chain(more).collect();
    let outcome = sandbox.start_program(subject(), &words).finish();
    outcome.assert_no_panic();
    outcome
}

#[test]
fn volumes_are_compared_by_what_all_hosts_get_of_each() {
    let sandbox = Sandbox::new();
    let work = sandbox.work();
    for name in ["one", "other"] {
        fs::create_dir(work.join(name)).unwrap();
    }
    let (one, other) = (work.join("one"), work.join("other"));
    let line = format!(
        "compare {} {} --rw randread --repeat 3 --time 900ms --size 16m -q --json",
        one.display(),
        other.display()
    );
    let outcome = on(&sandbox, &line, "a,b");
    outcome.assert_success();
    let runs = outcome.json()["runs"].as_array().unwrap().clone();
    assert_eq!(runs.len(), 6);
    for run in &runs {
        assert_eq!(run["result"]["clients"].as_array().map(Vec::len), Some(2), "{run}");
    }
    wait_until("agents are gone", || agents(&sandbox).is_empty());
    assert_eq!((left_in(&one), left_in(&other)), (Vec::new(), Vec::new()));
    on(&sandbox, "compare one other", "a,b").assert_usage_in_a_sentence("give it from /");
}

#[test]
fn a_limit_is_the_rate_of_all_hosts_together() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let line = format!(
        "limit {work} --p50 30s --time-per-run 1s --max-steps 5 --size 16m --precision 50% -q --json"
    );
    let outcome = on(&sandbox, &line, "a,b,c");
    let steps = outcome.json()["steps"].as_array().unwrap().clone();
    let rated: Vec<_> =
        steps.iter().filter_map(|step| Some((step["rate_iops"].as_u64()?, step))).collect();
    assert!(!rated.is_empty(), "{}", outcome.stdout);
    for (rate, step) in rated {
        let jobs = step["result"]["jobs"].as_array().unwrap();
        let given = jobs.iter().map(|job| {
            let options = job["options"].as_array().unwrap();
            let rate = options.iter().rfind(|option| option[0] == "rate_iops").unwrap();
            rate[1].as_str().unwrap().split(',').next().unwrap().parse::<u64>().unwrap()
        });
        assert_eq!((jobs.len(), given.sum::<u64>()), (3, rate), "each offers its part");
        let ios: u64 =
            jobs.iter().map(|job| job["dirs"]["read"]["total_ios"].as_u64().unwrap()).sum();
        assert_eq!(step["reading"]["ios"].as_u64(), Some(ios), "what all did is read");
    }
    assert_nothing_left(&sandbox);
}

#[test]
fn the_logs_of_all_hosts_are_held_against_what_a_program_needs() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let line = format!("measure {work} --for etcd --time 1s --size 16m -q --json");
    let outcome = on(&sandbox, &line, "a,b");
    let runs = outcome.json()["runs"].as_array().unwrap().clone();
    for run in &runs {
        let jobs = run["result"]["jobs"].as_array().unwrap();
        assert_eq!(jobs.len(), 2, "{run}");
        if run["method"] == "fdatasync" {
            let of = |job: &serde_json::Value| job["sync"]["moments"]["count"].as_u64().unwrap();
            let all: u64 = jobs.iter().map(of).sum();
            assert_eq!(run["flush"]["flushes"].as_u64(), Some(all), "{run}");
        }
    }
    assert!(runs.iter().any(|run| run["method"] == "fdatasync"), "{}", outcome.stdout);
    assert_nothing_left(&sandbox);
}

#[test]
fn the_doctor_looks_at_each_host_by_itself() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let outcome = on(&sandbox, &format!("doctor {work} --quick --json"), "a,b");
    outcome.assert_success();
    let document = outcome.json();
    assert_eq!(document["kind"], "fathom-doctor-hosts");
    let hosts = document["hosts"].as_array().unwrap();
    let names: Vec<&str> = hosts.iter().map(|of| of["host"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b"]);
    for of in hosts {
        let diagnosis = &of["diagnosis"];
        assert_eq!(diagnosis["targets"][0]["path"], work.as_str(), "{of}");
        assert!(diagnosis["host"]["load"]["over_ms"].as_u64() > Some(0), "it listened there: {of}");
        assert!(diagnosis["host"]["clock"]["reading_ns"].as_f64() > Some(0.0), "{of}");
    }
    let shown = on(&sandbox, "doctor --quick -v", "a,b");
    shown.assert_success();
    assert_eq!(shown.stdout.matches("This host").count(), 2, "{}", shown.stdout);
    assert!(shown.stdout.contains("== a ==") && shown.stdout.contains("== b =="));
    on(&sandbox, &format!("doctor {work}/no/such --quick"), "a").assert_ended(1);
    assert_nothing_left(&sandbox);
}

#[test]
fn devices_are_watched_on_all_hosts() {
    let sandbox = Sandbox::new();
    let work = sandbox.work().display().to_string();
    let alone = sandbox.fathom(&format!("watch {work} --interval 50ms --count 1 --json"));
    alone.assert_success();
    let event = |outcome: &Outcome, name: &str| -> serde_json::Value {
        let events = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut events = events.filter(|event: &serde_json::Value| event["event"] == name);
        events.next().unwrap()
    };
    let begin = event(&alone, "begin");
    let own: Vec<&str> = begin["watched"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["name"].as_str().unwrap())
        .collect();
    let outcome = on(&sandbox, &format!("watch {work} --interval 50ms --count 3 --json"), "a,b");
    outcome.assert_success();
    let named = |host: &str| own.iter().map(|name| format!("{host}:{name}")).collect::<Vec<_>>();
    let expected = [named("a"), named("b")].concat();
    let interval = event(&outcome, "interval");
    let lines = interval["lines"].as_array().unwrap();
    let names: Vec<&str> = lines.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, expected);
    assert!(lines.iter().all(|of| of["elapsed_s"].as_f64() > Some(0.0)), "{interval}");
    let none = on(&sandbox, "watch /no/such --count 1", "a");
    none.assert_ended(1);
    assert!(none.stderr.contains("a: /no/such does not exist"), "{}", none.stderr);
    wait_until("agents are gone", || agents(&sandbox).is_empty());
}

/// A small file system in memory, until it goes.
struct SmallVolume(PathBuf);

impl SmallVolume {
    fn mount(at: PathBuf, options: &str) -> Result<SmallVolume, String> {
        root()?;
        fs::create_dir(&at).unwrap();
        let place = at.display().to_string();
        tool("mount", &["-t", "tmpfs", "-o", options, "tmpfs", &place])?;
        Ok(SmallVolume(at))
    }
}

impl Drop for SmallVolume {
    fn drop(&mut self) {
        let _ = tool("umount", &["-l", &self.0.display().to_string()]);
    }
}

#[test]
fn a_full_disk_is_named_and_nothing_stays_on_it() {
    let sandbox = Sandbox::new();
    let volume = SmallVolume::mount(sandbox.root().join("small"), "size=24m");
    let Some(volume) = need(volume) else { return };
    let place = volume.0.display().to_string();
    let text = format!("[fill]\ndirectory={place}\nrw=write\nbs=64k\nsize=64m\n");
    let outcome = run_jobs(&sandbox, "a,b", &text, &["-q"]);
    outcome.assert_ended(1);
    for host in ["a", "b"] {
        let whole = format!("{place}/{host}.fill.0.0: reserving space: No space left on device");
        assert!(outcome.stderr.contains(&whole), "{}", outcome.stderr);
    }
    let told = without_breaks(&outcome.stdout);
    // The first sentence has the failure of one host, and a note that of the other.
    assert!(told.starts_with("FAILED: ") && told.contains("fill@b: FAILED: "), "{told}");
    let refused = on(&sandbox, &format!("measure {place} --size 64m -q"), "a,b");
    refused.assert_ended(1);
    assert!(refused.stderr.contains("2 hosts:") && refused.stderr.contains("free some space"));
    wait_until("agents are gone", || agents(&sandbox).is_empty());
    assert_eq!(left_in(&volume.0), Vec::<String>::new());
}

#[test]
fn a_home_that_takes_no_file_stops_no_agent() {
    let sandbox = Sandbox::new();
    let home = SmallVolume::mount(sandbox.root().join("read-only"), "ro");
    let Some(home) = need(home) else { return };
    let (work, agent) = (sandbox.work().display().to_string(), subject().display().to_string());
    let home = home.0.display();
    let via = format!("env HOST={{}} HOME={home} FATHOM_HOME={home}/state XDG_CACHE_HOME={home}");
    let own = ["measure", &work, "--on", "a", "--agent", &agent, "--via", &via, "--size", "16m"];
    let more = ["--time", "400ms", "--read-only", "-q"];
    let outcome = sandbox.start_program(subject(), &[&own[..], &more[..]].concat()).finish();
    outcome.assert_success();
    assert_eq!(left_in(&sandbox.work()), Vec::<String>::new());
}

#[test]
fn what_all_hosts_did_at_once_is_told_beside_the_whole() {
    let sandbox = Sandbox::new();
    let text = "[one]\nioengine=null\nsize=4m\ntime_based\nruntime=1\nrate_iops=1000\n";
    let outcome = run_jobs(&sandbox, "a,b", text, &["--json", "-q"]);
    outcome.assert_success();
    let result = &outcome.json()["result"];
    let clients = result["clients"].as_array().unwrap();
    let moments = |key: &'static str| clients.iter().map(move |of| of[key].as_u64().unwrap());
    let span = &result["common_span"];
    assert_eq!(span["begun_ns"].as_u64(), moments("begun_ns").max(), "{span}");
    assert_eq!(span["ended_ns"].as_u64(), moments("ended_ns").min(), "{span}");
    let iops = span["dirs"]["read"]["iops"].as_f64().unwrap();
    assert!((1000.0..3000.0).contains(&iops), "two at 1000 a second each: {span}");
    let shown = run_jobs(&sandbox, "a,b", text, &["-q"]).stdout;
    assert_eq!(shown.matches("While all ran, for ").count(), 1, "{shown}");
}
