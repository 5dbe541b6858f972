//! Parts of a cluster that go in the midst of a measurement: a pod, a node's kubelet, the API
//! server. Each test has the cluster for itself, since it takes parts of it away.

use crate::devices::need;
use crate::kube::{Space, script, wait_until};
use crate::sandbox::{Outcome, Running};
use rustix::process::Signal;
use std::fs;
use std::process::Command;

/// Eight phases of which each lasts: time enough for a fault in the midst of the third.
const LONG: &str = "--size 64Mi --file-size 16m --time 24s --json";

/// A part of the cluster that is held down, until this goes.
struct Stopped(&'static str);

fn order(word: &str, part: &str) {
    let status = Command::new(script()).args([word, part]).status();
    assert!(status.is_ok_and(|status| status.success()), "scripts/cluster.sh {word} {part}");
}

impl Stopped {
    fn stop(part: &'static str) -> Stopped {
        order("stop", part);
        Stopped(part)
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        let _ = Command::new(script()).args(["resume", self.0]).status();
    }
}

/// Processes of agents in pods, wherever they run: nodes are processes of this machine.
fn agents() -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let words = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    let is_agent = |words: &Vec<u8>| {
        let words = String::from_utf8_lossy(words);
        words.contains("/fathom/bin/fathom\0agent\0")
    };
    words.filter(is_agent).count()
}

/// A measurement of which three phases are over.
fn under_way(space: &Space, line: &str) -> Running {
    let mut running = space.start(line);
    running.wait_for_stderr(|text| text.contains("3/8 "));
    running
}

/// What was measured before is there, and nothing else is.
fn assert_kept(space: &Space, outcome: &Outcome) {
    outcome.assert_ended(1);
    assert!(outcome.stderr.contains(": lost while running "), "{}", outcome.stderr);
    let phases = outcome.json()["phases"].as_array().unwrap().clone();
    let measured = phases.iter().filter(|phase| phase["figures"]["iops"].as_f64() > Some(0.0));
    assert!((3..8).contains(&measured.count()), "{}", outcome.stdout);
    space.assert_nothing_left();
    wait_until("agents are gone", || agents() == 0);
}

#[test]
fn a_pod_that_is_deleted_is_named_and_what_was_measured_is_there() {
    let Some(space) = need(Space::alone("deleted")) else { return };
    let running = under_way(&space, &format!("measure -s local-path {LONG}"));
    assert_eq!(agents(), 1);
    let label = "app.kubernetes.io/managed-by=fathom";
    space.kubectl(&["delete", "pods", "-n", &space.name, "-l", label, "--wait=false"]);
    let outcome = running.finish();
    assert_kept(&space, &outcome);
    assert!(outcome.stderr.contains("who drains nodes or deletes pods"), "{}", outcome.stderr);
}

#[test]
fn a_pod_that_is_deleted_costs_its_own_figures_where_others_may_go_on() {
    let Some(space) = need(Space::alone("fewer")) else { return };
    let pods = "--access ReadWriteMany --pods 3 --min-pods 2 --read-only";
    let line = format!("measure -s csi {pods} --size 64Mi --file-size 16m --time 12s --json");
    let mut running = space.start(&line);
    running.wait_for_stderr(|text| text.contains("2/4 "));
    let label = "app.kubernetes.io/managed-by=fathom";
    let all = space.kubectl(&["get", "pods", "-n", &space.name, "-l", label, "-o", "name"]);
    let first = all.lines().next().unwrap();
    space.kubectl(&["delete", first, "-n", &space.name, "--wait=false"]);
    let outcome = running.finish();
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 4, "the others went on: {}", outcome.stderr);
    let clients = |at: usize| phases[at]["result"]["clients"].as_array().map_or(0, Vec::len);
    assert_eq!((clients(0), clients(3)), (3, 2), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(": lost while running "), "{}", outcome.stderr);
    space.assert_nothing_left();
    wait_until("agents are gone", || agents() == 0);
}

#[test]
fn a_node_whose_kubelet_stops_is_named_and_all_is_removed_once_it_is_back() {
    let Some(space) = need(Space::alone("kubelet")) else { return };
    let on_node2 = "-N kubernetes.io/hostname=node2";
    let mut running = under_way(&space, &format!("measure -s local-path {on_node2} {LONG}"));
    let kubelet = Stopped::stop("node2-kubelet");
    running.wait_for_stderr(|text| text.contains("see that node's kubelet"));
    drop(kubelet);
    let outcome = running.finish();
    assert_kept(&space, &outcome);
    assert!(outcome.stderr.contains("as running on node node2"), "{}", outcome.stderr);
}

#[test]
fn an_api_server_that_is_killed_is_named_and_all_is_removed_once_it_is_back() {
    let Some(space) = need(Space::alone("server")) else { return };
    let mut running = under_way(&space, &format!("measure -s local-path {LONG}"));
    let server = Stopped::stop("apiserver");
    running.wait_for_stderr(|text| text.contains("the cluster does not answer"));
    wait_until("the agent hears nothing and goes", || agents() == 0);
    drop(server);
    let outcome = running.finish();
    assert_kept(&space, &outcome);
    let ready = ["get", "--raw", "/readyz"];
    wait_until("the server is back", || {
        space.command(&ready).output().is_ok_and(|output| output.status.success())
    });
}

#[test]
fn a_volume_on_its_way_is_waited_for_when_its_claim_goes() {
    let Some(space) = need(Space::new("unborn")) else { return };
    let class = format!("slow-{}", space.name);
    let gate = space.sandbox.root().join("open");
    space.apply(&format!(
        "{{apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {{name: {class}}}, \
          provisioner: csi.test.fathom, parameters: {{waits-for: {}}}, reclaimPolicy: Delete}}",
        gate.display()
    ));
    let mut running = space.start(&format!("measure -s {class} --size 64Mi"));
    let begun = ["get", "events", "-n", &space.name, "-o", "jsonpath={.items[*].reason}"];
    wait_until("the provisioner begins", || {
        space.kubectl(&begun).split_whitespace().any(|reason| reason == "Provisioning")
    });
    running.signal(Signal::TERM);
    running.wait_for_stderr(|text| text.contains("was on its way"));
    fs::write(&gate, "").unwrap();
    let outcome = running.finish();
    space.kubectl(&["delete", "storageclass", &class]);
    outcome.assert_ended(143);
    // It came and went, and somebody looked.
    assert!(!outcome.stderr.contains("none came within"), "{}", outcome.stderr);
    space.assert_nothing_left();
}
