//! `fathom kube` against a real Kubernetes of one node, which `scripts/cluster.sh` starts for these
//! tests and stops when they end. Each test has a namespace of its own.

use crate::devices::{LoopDevice, need, root};
use crate::sandbox::{Outcome, Running, Sandbox, subject};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine; reached only where something is left.
const LIMIT: Duration = Duration::from_secs(90);
/// A measurement that is over soon.
const SHORT: &str = "--size 64Mi --file-size 16m --time 800ms";

/// The cluster. What holds it stops it when our end of its standard input closes.
struct Bed {
    kubeconfig: PathBuf,
    _holder: Child,
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/cluster.sh")
}

fn start_bed() -> Result<Bed, String> {
    root()?;
    let is_built = Command::new(script()).arg("built").status();
    if !is_built.map_err(|why| format!("scripts/cluster.sh: {why}"))?.success() {
        return Err("needs a test cluster; `scripts/cluster.sh build` builds its parts".to_owned());
    }
    let mut holder = Command::new(script());
    holder.arg("hold").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut holder = holder.spawn().map_err(|why| format!("scripts/cluster.sh: {why}"))?;
    let mut path = String::new();
    if let Some(stdout) = holder.stdout.take() {
        let read = BufReader::new(stdout).read_line(&mut path);
        read.map_err(|why| format!("scripts/cluster.sh: {why}"))?;
    }
    match path.trim() {
        "" => Err("the test cluster does not start; see above".to_owned()),
        path => Ok(Bed { kubeconfig: PathBuf::from(path), _holder: holder }),
    }
}

fn bed() -> Result<&'static Bed, String> {
    static BED: OnceLock<Result<Bed, String>> = OnceLock::new();
    BED.get_or_init(start_bed).as_ref().map_err(Clone::clone)
}

/// A namespace, which goes with the test.
struct Space {
    name: String,
    sandbox: Sandbox,
    kubeconfig: PathBuf,
}

impl Space {
    fn new(name: &str) -> Result<Space, String> {
        let bed = bed()?;
        let space = Space {
            name: format!("test-{name}"),
            sandbox: Sandbox::new(),
            kubeconfig: bed.kubeconfig.clone(),
        };
        space.kubectl(&["create", "namespace", &space.name]);
        Ok(space)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(script());
        command.arg("kubectl").args(args);
        command
    }

    /// What kubectl prints; it must not fail.
    fn kubectl(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "kubectl {}: {said}", args.join(" "));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn apply(&self, objects: &str) {
        let mut child = self.command(&["apply", "-f", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(objects.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{objects}");
    }

    fn start(&self, line: &str) -> Running {
        let kubeconfig = self.kubeconfig.display();
        let access = format!("--kubeconfig {kubeconfig} --namespace {}", self.name);
        let line = format!("kube {line} {access}");
        let args: Vec<&str> = line.split_whitespace().collect();
        self.sandbox.start_program(subject(), &args)
    }

    fn fathom(&self, line: &str) -> Outcome {
        let outcome = self.start(line).finish();
        outcome.assert_no_panic();
        outcome
    }

    /// Objects of runs that are there, by name.
    fn objects(&self) -> String {
        let label = "app.kubernetes.io/managed-by=fathom";
        self.kubectl(&["get", "jobs,pods,pvc", "-n", &self.name, "-l", label, "-o", "name"])
    }

    /// Volumes that are bound to claims of this namespace.
    fn volumes(&self) -> Vec<Value> {
        let all: Value = serde_json::from_str(&self.kubectl(&["get", "pv", "-o", "json"])).unwrap();
        let is_own = |pv: &&Value| pv["spec"]["claimRef"]["namespace"] == self.name.as_str();
        all["items"].as_array().unwrap().iter().filter(is_own).cloned().collect()
    }

    fn assert_nothing_left(&self) {
        assert_eq!(self.objects(), "");
        assert_eq!(self.volumes(), Vec::<Value>::new());
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        let name = &self.name;
        let _ = self.command(&["delete", "namespace", name, "--wait=false"]).output();
    }
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < LIMIT, "{what}: not within {LIMIT:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A kubeconfig of the service account that docs/kube-rbac.yaml gives its rights to.
fn with_least_rights(space: &mut Space) {
    let rights =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kube-rbac.yaml"));
    let rights =
        rights.unwrap().replace("namespace: default", &format!("namespace: {}", space.name));
    space.kubectl(&["create", "serviceaccount", "fathom", "-n", &space.name]);
    space.apply(&rights);
    let token = space.kubectl(&["create", "token", "fathom", "-n", &space.name]);
    let own = fs::read_to_string(&space.kubeconfig).unwrap();
    let own = own.replace("token: fathom-admin", &format!("token: {token}"));
    space.kubeconfig = space.sandbox.write("least.kubeconfig", own);
}

#[test]
fn a_class_is_measured_with_least_rights_in_a_restricted_namespace() {
    let Some(mut space) = need(Space::new("restricted")) else { return };
    let name = space.name.clone();
    let level = "pod-security.kubernetes.io/enforce=restricted";
    space.kubectl(&["label", "namespace", &name, level]);
    with_least_rights(&mut space);
    let outcome = space.fathom(&format!("measure -s local-path {SHORT} --json"));
    outcome.assert_ended(0);
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    assert_eq!(phases.len(), 8);
    assert!(phases.iter().all(|phase| phase["figures"]["iops"].as_f64().unwrap() > 0.0));
    let volume = &document["volumes"][0];
    assert_eq!(volume["name"], "local-path");
    let cluster = &volume["cluster"];
    assert_eq!(cluster["class"], "local-path", "{volume:#}");
    assert_eq!(cluster["provisioner"], "rancher.io/local-path");
    assert!(cluster["volume"].as_str().unwrap().starts_with("pvc-"), "{cluster}");
    assert!(cluster["handle"].as_str().unwrap().starts_with("/opt/local-path/"), "{cluster}");
    assert_eq!(cluster["nodes"][0], "node1");
    assert!(cluster["bound_ms"].is_u64() && cluster["start_ms"].is_u64(), "{cluster}");
    assert!(outcome.stderr.contains("on node node1"), "{}", outcome.stderr);
    space.assert_nothing_left();
    // The same namespace takes no pod that is root.
    let refused = space.fathom(&format!("measure -s raw --volume-mode Block {SHORT}"));
    refused.assert_ended(1);
    assert!(refused.stderr.contains("PodSecurity"), "{}", refused.stderr);
    assert!(refused.stderr.contains("leave out --volume-mode Block"), "{}", refused.stderr);
    space.assert_nothing_left();
}

#[test]
fn a_raw_device_is_written_to_and_its_volume_is_named_when_it_stays() {
    let Some(space) = need(Space::new("raw")) else { return };
    let Some(device) = need(LoopDevice::new(space.sandbox.root(), 64 << 20)) else { return };
    let name = "fathom-test-raw";
    space.apply(&format!(
        "{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: {name}}}, spec: {{\
           storageClassName: raw, capacity: {{storage: 64Mi}}, accessModes: [ReadWriteOnce], \
           volumeMode: Block, persistentVolumeReclaimPolicy: Retain, local: {{path: {}}}, \
           nodeAffinity: {{required: {{nodeSelectorTerms: [{{matchExpressions: [{{\
             key: kubernetes.io/hostname, operator: In, values: [node1]}}]}}]}}}}}}}}",
        device.text()
    ));
    let outcome = space.fathom(&format!("measure -s raw --volume-mode Block {SHORT} --json"));
    space.kubectl(&["delete", "pv", name, "--wait=false"]);
    outcome.assert_ended(0);
    let document = outcome.json();
    let phases = document["phases"].as_array().unwrap();
    let writes = phases.iter().filter(|phase| phase["direction"] == "write");
    assert_eq!(writes.count(), 4, "a new device may be written to");
    let volume = &document["volumes"][0];
    assert_eq!((&volume["name"], &volume["kind"]["is"]), (&"raw".into(), &"device".into()));
    assert_eq!(volume["cluster"]["mode"], "Block");
    assert!(outcome.stderr.contains("since the class retains volumes"), "{}", outcome.stderr);
    assert_eq!(space.objects(), "");
}

#[test]
fn a_signal_at_any_time_leaves_nothing() {
    let Some(space) = need(Space::new("signal")) else { return };
    // While the claim waits for a volume that never comes, and in the midst of measuring.
    let mut waiting = space.start(&format!("measure -s never {SHORT}"));
    waiting.wait_for_stderr(|text| text.contains("waiting: "));
    waiting.signal(Signal::TERM);
    waiting.finish().assert_ended(143);
    space.assert_nothing_left();
    let line = "measure -s local-path --size 64Mi --file-size 16m --time 60s";
    let mut running = space.start(line);
    running.wait_for_stdout(|text| text.contains("local-path:"));
    running.signal(Signal::INT);
    let outcome = running.finish();
    outcome.assert_ended(130);
    assert!(outcome.stderr.contains("is removed from the cluster"), "{}", outcome.stderr);
    space.assert_nothing_left();
}

#[test]
fn what_keeps_a_pod_from_running_is_told_with_what_to_do() {
    let Some(space) = need(Space::new("hindered")) else { return };
    let said = |line: &str| {
        let outcome = space.fathom(line);
        outcome.assert_ended(1);
        space.assert_nothing_left();
        outcome.stderr
    };
    let never = said(&format!("measure -s never {SHORT} --wait 5s"));
    assert!(never.contains("did not start within 5 s"), "{never}");
    assert!(never.contains("test.fathom/nobody") && never.contains("provisioner runs"), "{never}");
    let image = said(&format!("measure -s local-path {SHORT} --image example.org/none:1"));
    assert!(image.contains("example.org/none:1") && image.contains("by --image"), "{image}");
    let class = said(&format!("measure -s gp4 {SHORT}"));
    assert!(class.contains("no StorageClass gp4; it has local-path, never, raw"), "{class}");
    let node = said(&format!("measure -s local-path {SHORT} -N disk=none --wait 5s"));
    assert!(node.contains("has no node") && node.contains("--nodeselector"), "{node}");
    space.apply(&format!(
        "{{apiVersion: v1, kind: ResourceQuota, metadata: {{name: small, namespace: {}}}, \
          spec: {{hard: {{requests.storage: 1Mi}}}}}}",
        space.name
    ));
    let quota = said(&format!("measure -s local-path {SHORT}"));
    assert!(quota.contains("exceeded quota: small"), "{quota}");
}

#[test]
fn a_run_that_was_killed_ends_by_itself_and_cleanup_removes_it() {
    let Some(space) = need(Space::new("killed")) else { return };
    let line = "measure -s local-path --size 64Mi --file-size 16m --time 60s";
    let mut running = space.start(line);
    running.wait_for_stdout(|text| text.contains("local-path:"));
    assert!(space.fathom("cleanup").stdout.contains("its pod runs, so it is left"));
    running.signal(Signal::KILL);
    running.finish();
    let left = space.objects();
    assert!(left.contains("job") && left.contains("persistentvolumeclaim"), "{left}");
    let job = left.lines().find(|line| line.contains("job")).unwrap();
    let time_to_live = "jsonpath={.spec.ttlSecondsAfterFinished} {.spec.activeDeadlineSeconds}";
    let switch = space.kubectl(&["get", job, "-n", &space.name, "-o", time_to_live]);
    assert_eq!(switch, "60 21600");
    // The agent ends with its connection, and the pod with its agent.
    let phase = ["get", "pods", "-n", &space.name, "-o", "jsonpath={.items[*].status.phase}"];
    wait_until("the pod ends", || space.kubectl(&phase) != "Running");
    let listed = space.fathom("cleanup --dry-run");
    assert!(listed.stdout.contains("would be removed"), "{}", listed.stdout);
    let removed = space.fathom("cleanup");
    removed.assert_success();
    assert!(removed.stdout.contains("removed"), "{}", removed.stdout);
    space.assert_nothing_left();
    assert!(space.fathom("cleanup").stdout.starts_with("Nothing of any run is in namespace"));
}

#[test]
fn jobs_of_a_config_map_run_in_the_folder_of_the_volume() {
    let Some(space) = need(Space::new("jobs")) else { return };
    let job = "[global]\\nioengine=libaio\\ndirect=1\\nbs=4k\\nruntime=1\\ntime_based=1\\n\
               iodepth=16\\nnumjobs=4\\ngroup_reporting\\nsize=4m\\nrw=randread\\n[read]\\n";
    space.apply(&format!(
        "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: jobs, namespace: {}}}, \
          data: {{fio.job: \"{job}\"}}}}",
        space.name
    ));
    let outcome = space.fathom("run -f configmap/jobs -s local-path --size 64Mi --json");
    outcome.assert_ended(0);
    let jobs = outcome.json();
    let job = &jobs["result"]["jobs"][0];
    assert!(job["dirs"]["read"]["total_ios"].as_u64().unwrap() > 0, "{job}");
    space.assert_nothing_left();
    let missing = space.fathom("run -f configmap/none -s local-path");
    missing.assert_ended(1);
    assert!(missing.stderr.contains("ConfigMap none"), "{}", missing.stderr);
}

#[test]
fn a_survey_lists_classes_and_what_is_unsound() {
    let Some(space) = need(Space::new("survey")) else { return };
    let outcome = space.fathom("--json");
    outcome.assert_success();
    let document = outcome.json();
    assert_eq!(document["kind"], "fathom-kube");
    assert_eq!(document["version"], "v1.33.13");
    let names: Vec<&str> = document["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| class["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["local-path", "never", "raw"]);
    assert_eq!(document["classes"][0]["is_default"], true);
    let text = space.fathom("").stdout;
    assert!(text.contains("local-path (default)  rancher.io/local-path"), "{text}");
    assert!(text.contains("raw: volumes stay when their claims go"), "{text}");
}

#[test]
fn what_is_wrong_in_the_command_line_is_said_before_a_cluster_is_asked() {
    let sandbox = Sandbox::new();
    let said = |line: &str| {
        let outcome = sandbox.fathom(&format!("kube {line} --kubeconfig /nonexistent"));
        outcome.assert_ended(2);
        outcome.stderr
    };
    assert!(said("measure").contains("--storageclass"));
    assert!(said("measure -s a /mnt/data").contains("'/mnt/data' is a path"));
    assert!(said("measure -s a --on host").contains("leave it out"));
    assert!(said("compare -s a").contains("two classes or more"));
    assert!(said("measure -s a -N disk").contains("as disk=nvme"));
    assert!(said("cleanup --run A").contains("'A' is no run"));
    let no_file = sandbox.fathom("kube --kubeconfig /nonexistent");
    no_file.assert_ended(1);
    assert!(no_file.stderr.contains("/nonexistent"), "{}", no_file.stderr);
    let planned = sandbox.fathom("kube measure -s gp3 --dry-run");
    planned.assert_success();
    assert_eq!(planned.json()["items"][1]["spec"]["storageClassName"], "gp3");
}
