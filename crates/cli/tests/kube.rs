//! `fathom kube` against a real Kubernetes of three nodes, which `scripts/cluster.sh` starts for these
//! tests and stops when they end. Each test has a namespace of its own.

use crate::devices::{LoopDevice, need, root};
use crate::sandbox::{HANG, Outcome, Running, Sandbox, subject};
use fathom_nfs::proto::NfsProcedure;
use fathom_nfs::test_server::TestServer;
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, Stdio};
use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant};

/// A measurement that is over soon.
pub const SHORT: &str = "--size 64Mi --file-size 16m --time 800ms";

/// The cluster. What holds it stops it when our end of its standard input closes.
struct Bed {
    kubeconfig: PathBuf,
    _holder: Child,
}

pub fn script() -> PathBuf {
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

/// The binary without symbols, which only a debugger reads: it is copied into every pod.
pub fn small_subject() -> &'static Path {
    static SMALL: OnceLock<PathBuf> = OnceLock::new();
    SMALL.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("small");
        let (small, new) = (folder.join("fathom"), folder.join(process::id().to_string()));
        let mut strip = Command::new("strip");
        strip.arg("-o").arg(&new).arg(subject());
        let is_done = fs::create_dir_all(&folder).is_ok()
            && strip.status().is_ok_and(|status| status.success())
            && fs::rename(&new, &small).is_ok();
        if is_done { small } else { subject().to_owned() }
    })
}

/// Who stops parts of the cluster has it alone.
static USERS: RwLock<()> = RwLock::new(());

/// A share of the cluster, or all of it.
enum Share {
    One(#[expect(dead_code, reason = "held")] RwLockReadGuard<'static, ()>),
    All(#[expect(dead_code, reason = "held")] RwLockWriteGuard<'static, ()>),
}

/// A namespace, which goes with the test.
pub struct Space {
    pub name: String,
    pub sandbox: Sandbox,
    pub kubeconfig: PathBuf,
    _share: Share,
}

impl Space {
    pub fn new(name: &str) -> Result<Space, String> {
        let bed = bed()?;
        Ok(Space::with(bed, name, Share::One(USERS.read().unwrap_or_else(PoisonError::into_inner))))
    }

    /// A namespace while no other test uses the cluster.
    pub fn alone(name: &str) -> Result<Space, String> {
        let bed = bed()?;
        let share = Share::All(USERS.write().unwrap_or_else(PoisonError::into_inner));
        Ok(Space::with(bed, name, share))
    }

    fn with(bed: &Bed, name: &str, share: Share) -> Space {
        let space = Space {
            name: format!("test-{name}"),
            sandbox: Sandbox::new(),
            kubeconfig: bed.kubeconfig.clone(),
            _share: share,
        };
        let create = ["create", "namespace", &space.name];
        let made = space.command(&create).output().unwrap();
        if String::from_utf8_lossy(&made.stderr).contains("AlreadyExists") {
            // A run that was killed left it in a cluster that this run shares.
            space.kubectl(&["delete", "namespace", &space.name, "--wait"]);
            space.kubectl(&create);
        } else {
            assert!(made.status.success(), "{made:?}");
        }
        space
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(script());
        command.arg("kubectl").args(args);
        command
    }

    /// What kubectl prints; it must not fail.
    pub fn kubectl(&self, args: &[&str]) -> String {
        let output = self.command(args).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "kubectl {}: {said}", args.join(" "));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn apply(&self, objects: &str) {
        let mut child = self.command(&["apply", "-f", "-"]).stdin(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(objects.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success(), "{objects}");
    }

    pub fn start(&self, line: &str) -> Running {
        let kubeconfig = self.kubeconfig.display();
        let access = format!("--kubeconfig {kubeconfig} --namespace {}", self.name);
        let line = format!("kube {line} {access}");
        let args: Vec<&str> = line.split_whitespace().collect();
        self.sandbox.start_program(small_subject(), &args)
    }

    /// A PersistentVolume of the class `raw` that is a folder of this machine, for any node.
    pub fn folder_volume(&self, name: &str, access: &str) {
        self.folder_volume_of(("raw", "64Mi"), name, access);
    }

    /// The same of another class, said to be so large.
    pub fn folder_volume_of(&self, (class, size): (&str, &str), name: &str, access: &str) {
        let folder = self.sandbox.work().join(name);
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        self.apply(&format!(
            "{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: {name}}}, spec: {{\
               storageClassName: {class}, capacity: {{storage: {size}}}, accessModes: [{access}], \
               persistentVolumeReclaimPolicy: Retain, hostPath: {{path: {}}}}}}}",
            folder.display()
        ));
    }

    pub fn fathom(&self, line: &str) -> Outcome {
        let outcome = self.start(line).finish();
        outcome.assert_no_panic();
        outcome
    }

    /// Objects of runs that are there, by name.
    pub fn objects(&self) -> String {
        let label = "app.kubernetes.io/managed-by=fathom";
        self.kubectl(&["get", "jobs,pods,pvc", "-n", &self.name, "-l", label, "-o", "name"])
    }

    /// Volumes that are bound to claims of this namespace.
    pub fn volumes(&self) -> Vec<Value> {
        let all: Value = serde_json::from_str(&self.kubectl(&["get", "pv", "-o", "json"])).unwrap();
        let is_own = |pv: &&Value| pv["spec"]["claimRef"]["namespace"] == self.name.as_str();
        all["items"].as_array().unwrap().iter().filter(is_own).cloned().collect()
    }

    pub fn assert_nothing_left(&self) {
        assert_eq!(self.objects(), "");
        assert_eq!(self.volumes(), Vec::<Value>::new());
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        let name = &self.name;
        let _ = self.command(&["delete", "namespace", name, "--wait=false"]).output();
        // Rights that belong to no namespace do not go with one.
        let (kinds, own) = ("clusterrole,clusterrolebinding", format!("fathom-{name}"));
        let _ = self.command(&["delete", kinds, &own, "--ignore-not-found"]).output();
    }
}

pub fn wait_until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < HANG, "{what}: not within {HANG:?}");
        // Each question to the cluster starts kubectl, which takes 0.3 seconds of CPU time.
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// Snapshots that are there, and what they rest on.
fn snapshots(space: &Space) -> String {
    let all = space.kubectl(&["get", "volumesnapshots", "-n", &space.name, "-o", "name"]);
    let contents = "jsonpath={.items[*].spec.volumeSnapshotRef.namespace}";
    let contents = space.kubectl(&["get", "volumesnapshotcontents", "-o", contents]);
    let own = contents.split_whitespace().filter(|of| *of == space.name).count();
    format!("{all}{}", "content ".repeat(own))
}

#[test]
fn snapshots_that_keep_data_are_told_from_those_that_lose_some() {
    let Some(mut space) = need(Space::new("csi")) else { return };
    with_least_rights(&mut space);
    let good = space.fathom("check-csi -s csi -v snapclass --json");
    good.assert_ended(0);
    let document = good.json();
    assert_eq!(document["kind"], "fathom-kube-csi");
    let check = &document["check"];
    assert_eq!(
        (&check["bytes"], &check["provisioner"]),
        (&16_777_216.into(), &"csi.test.fathom".into())
    );
    let steps: Vec<&str> =
        check["steps"].as_array().unwrap().iter().map(|of| of["step"].as_str().unwrap()).collect();
    let all = ["provision", "start", "snapshot", "restore", "start restored", "delete"];
    assert_eq!(steps, all);
    space.assert_nothing_left();
    assert_eq!(snapshots(&space), "");
    let lossy = space.fathom("check-csi -s csi -v lossy");
    lossy.assert_ended(1);
    let said = "1 of 4096 blocks of 4 KiB differ, the first at byte 8388608";
    assert!(lossy.stderr.contains(said), "{}", lossy.stderr);
    space.assert_nothing_left();
    assert_eq!(snapshots(&space), "");
    let refused = |line: &str, said: &str| {
        let outcome = space.fathom(&format!("check-csi {line}"));
        outcome.assert_ended(1);
        assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
        assert_eq!(space.objects(), "");
    };
    refused("-s csi", "csi.test.fathom has several classes of snapshots, lossy, snapclass");
    refused("-s local-path -v snapclass", "is of driver csi.test.fathom");
    refused("-s local-path", "take no snapshots");
}

#[test]
fn how_long_volumes_take_stands_beside_what_they_give() {
    let Some(mut space) = need(Space::new("volumes")) else { return };
    with_least_rights(&mut space);
    let times = "--volumes 1 --volumesnapshotclass snapclass --report times.html";
    let outcome = space.fathom(&format!("measure -s csi {times} {SHORT} --json"));
    outcome.assert_ended(0);
    let document = outcome.json();
    let cluster = &document["volumes"][0]["cluster"];
    let of = cluster["steps"].as_array().unwrap();
    let names: Vec<&str> = of.iter().map(|step| step["step"].as_str().unwrap()).collect();
    let all = ["provision", "bind", "attach", "mount", "resize", "snapshot", "restore", "delete"];
    assert_eq!(names, all, "{cluster:#}");
    for step in of {
        let ms = |key: &str| step[key].as_u64().unwrap();
        assert!(ms("volumes") == 1 && ms("p50_ms") == ms("longest_ms"), "{step}");
    }
    let report = fs::read_to_string(space.sandbox.work().join("times.html")).unwrap();
    assert!(report.contains("StorageClass csi by csi.test.fathom"));
    assert!(report.contains("of 1 volumes, seconds at p50 (p99): provision "));
    space.assert_nothing_left();
    assert_eq!(snapshots(&space), "");
}

#[test]
fn kubestrs_csicheck_has_its_text_and_json() {
    let Some(space) = need(Space::new("csicheck")) else { return };
    let text = kubestr(&space, &format!("csicheck -s csi -v snapclass -n {}", space.name));
    text.assert_ended(0);
    let lines: Vec<&str> = text.stdout.lines().collect();
    for (at, begin) in [
        (0, "Creating application"),
        (1, "  -> Created pod (fathom-"),
        (2, "Taking a snapshot"),
        (3, "  -> Created snapshot (fathom-"),
        (4, "Restoring application"),
        (5, "  -> Restored pod (fathom-"),
        (6, "Cleaning up resources"),
        (7, "CSI checker test:"),
        (8, "  CSI application successfully snapshotted and restored.  -  OK"),
    ] {
        assert!(lines[at].starts_with(begin), "{begin}: {}", text.stdout);
    }
    space.assert_nothing_left();
    let json = kubestr(&space, &format!("csicheck -s csi -v lossy -n {} -o json", space.name));
    json.assert_ended(1);
    let results: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(results[0]["Status"][0]["StatusCode"], "Error");
    for (key, kind) in [
        ("OriginalPVC", "PersistentVolumeClaim"),
        ("OriginalPod", "Pod"),
        ("Snapshot", "VolumeSnapshot"),
        ("ClonedPVC", "PersistentVolumeClaim"),
        ("ClonedPod", "Pod"),
    ] {
        assert_eq!(results[0]["Raw"][key]["kind"], kind, "{key}: {}", json.stdout);
    }
    assert_eq!(
        results[0]["Raw"]["OriginalPod"]["metadata"]["labels"]["created-by-kubestr-csi"],
        "yes"
    );
    space.assert_nothing_left();
    assert_eq!(snapshots(&space), "");
}

/// A kubeconfig of the service account that docs/kube-rbac.yaml gives its rights to.
fn with_least_rights(space: &mut Space) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/kube-rbac.yaml");
    with_rights(space, &fs::read_to_string(file).unwrap());
}

/// A kubeconfig of a service account that has these rights.
pub fn with_rights(space: &mut Space, rights: &str) {
    // What belongs to no namespace has a name of its own for each test.
    let own = format!("fathom-{}", space.name);
    let rights = rights
        .replace("namespace: default", &format!("namespace: {}", space.name))
        .replace("metadata: {name: fathom}", &format!("metadata: {{name: {own}}}"))
        .replace("kind: ClusterRole, name: fathom", &format!("kind: ClusterRole, name: {own}"));
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
    let on_node1 = "-N kubernetes.io/hostname=node1";
    let outcome = space.fathom(&format!("measure -s local-path {SHORT} {on_node1} --json"));
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
    // Beside those of the cluster stand those of tests that run at the same time.
    assert!(class.contains("no StorageClass gp4; it has csi, "), "{class}");
    assert!(["local-path", "never", "raw"].iter().all(|name| class.contains(name)), "{class}");
    let node = said(&format!("measure -s local-path {SHORT} -N disk=none"));
    assert!(node.contains("no node has disk=none"), "{node}");
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
    let assertions = "--assert iops>1 --assert p99<1000s --junit fathom.xml";
    let line = format!("run -f configmap/jobs -s local-path --size 64Mi --json {assertions}");
    let outcome = space.fathom(&line);
    outcome.assert_ended(0);
    assert_eq!(outcome.json()["assertions"].as_array().unwrap().len(), 2);
    let junit = fs::read_to_string(space.sandbox.work().join("fathom.xml")).unwrap();
    assert!(junit.contains("tests=\"2\"") && junit.contains("failures=\"0\""), "{junit}");
    let jobs = outcome.json();
    let job = &jobs["result"]["jobs"][0];
    assert!(job["dirs"]["read"]["total_ios"].as_u64().unwrap() > 0, "{job}");
    space.assert_nothing_left();
    let missing = space.fathom("run -f configmap/none -s local-path");
    missing.assert_ended(1);
    assert!(missing.stderr.contains("ConfigMap none"), "{}", missing.stderr);
}

#[test]
fn pods_on_three_nodes_share_a_volume_and_their_sums_are_exact() {
    let Some(space) = need(Space::new("shared")) else { return };
    space.folder_volume("fathom-test-shared", "ReadWriteMany");
    let what = "--rwmix 100:0,0:100 --time-per-run 300ms --ramp 0 --size 64Mi --file-size 16m";
    let pods = "--access ReadWriteMany --pods 1,3";
    let outcome = space.fathom(&format!("sweep -s raw {pods} {what} --json"));
    space.kubectl(&["delete", "pv", "fathom-test-shared", "--wait=false"]);
    outcome.assert_ended(0);
    let spread = "3 pods on 3 nodes: node1 1, node2 1, node3 1";
    assert!(outcome.stderr.contains(spread), "{}", outcome.stderr);
    let document = outcome.json();
    let cases = document["cases"].as_array().unwrap();
    let mut clients = Vec::new();
    for case in cases {
        let jobs = case["result"]["jobs"].as_array().unwrap();
        let of_job = |job: &Value| {
            let ios = |way: &str| job["dirs"][way]["total_ios"].as_u64().unwrap();
            ios("read") + ios("write")
        };
        assert!(jobs.iter().all(|job| of_job(job) > 0), "{case:#}");
        let sum: u64 = jobs.iter().map(of_job).sum();
        assert_eq!(case["figures"]["total"]["ios"], sum);
        clients.push(jobs.len());
    }
    clients.sort_unstable();
    assert_eq!(clients, [1, 1, 3, 3]);
    let curve = &document["curves"][0];
    assert_eq!(curve["axis"], "clients", "{curve:#}");
    assert_eq!(space.objects(), "");
    let left = fs::read_dir(space.sandbox.work().join("fathom-test-shared")).unwrap();
    assert_eq!(left.count(), 0);
    pods_that_cannot_be_spread_evenly_say_so(&space);
}

/// A volume of one node is none for pods on three.
fn pods_that_cannot_be_spread_evenly_say_so(space: &Space) {
    space.folder_volume("fathom-test-uneven", "ReadWriteMany");
    let on_node1 = "[{op: add, path: /spec/nodeAffinity, value: {required: {nodeSelectorTerms: [\
                    {matchExpressions: [{key: kubernetes.io/hostname, operator: In, \
                    values: [node1]}]}]}}}]";
    space.kubectl(&["patch", "pv", "fathom-test-uneven", "--type=json", "-p", on_node1]);
    let pods = "--access ReadWriteMany --pods 2";
    let mut waiting = space.start(&format!("measure -s raw {pods} {SHORT}"));
    waiting.wait_for_stderr(|text| text.contains("ask for fewer --pods"));
    waiting.signal(Signal::INT);
    waiting.finish().assert_ended(130);
    space.kubectl(&["delete", "pv", "fathom-test-uneven", "--wait=false"]);
    assert_eq!(space.objects(), "");
}

#[test]
fn each_pod_has_a_volume_of_its_own_unless_nodes_may_share_it() {
    let Some(space) = need(Space::new("own")) else { return };
    let outcome = space.fathom(&format!("measure -s local-path --pods 3 {SHORT} --json"));
    outcome.assert_ended(0);
    let document = outcome.json();
    let cluster = &document["volumes"][0]["cluster"];
    assert_eq!(cluster["nodes"], serde_json::json!(["node1", "node2", "node3"]));
    let claims = cluster["claims"].as_array().unwrap();
    let volumes: BTreeSet<&str> =
        claims.iter().map(|claim| claim["volume"].as_str().unwrap()).collect();
    assert!(volumes.len() == 3 && volumes.iter().all(|name| name.starts_with("pvc-")));
    for phase in document["phases"].as_array().unwrap() {
        let clients = phase["result"]["clients"].as_array().unwrap();
        let hosts: Vec<&str> = clients.iter().map(|of| of["host"].as_str().unwrap()).collect();
        assert_eq!(hosts, ["pod1", "pod2", "pod3"]);
    }
    space.assert_nothing_left();
    // A claim that one node alone may mount is none for several.
    let name = &space.name;
    space.apply(&format!(
        "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: one, namespace: {name}}}, \
          spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 64Mi}}}}}}}}"
    ));
    let refused = space.fathom(&format!("measure --claim one --pods 2 {SHORT}"));
    refused.assert_ended(1);
    assert!(refused.stderr.contains("claim one can be mounted by one node"), "{}", refused.stderr);
    space.assert_nothing_left();
}

/// Where pods reach this machine.
const THIS_MACHINE: &str = "10.233.0.254";

#[test]
fn pods_measure_an_export_without_a_mount() {
    let Some(space) = need(Space::new("export")) else { return };
    let Some(server) = need(TestServer::start_at(THIS_MACHINE).map_err(|why| why.to_string()))
    else {
        return;
    };
    // The cluster's network of pods leads nowhere; that of its nodes leads here.
    space.sandbox.write("node.yaml", "{spec: {hostNetwork: true}}");
    let options = "--patch node.yaml --pods 3 --json";
    let url = server.url("");
    let measured = space.fathom(&format!("measure {url} --file-size 16m --time 1s {options}"));
    measured.assert_ended(0);
    let document = measured.json();
    let volume = &document["volumes"][0];
    assert_eq!(volume["method"]["engine"], "nfs", "{document:#}");
    assert_eq!(volume["name"], url.as_str());
    for phase in document["phases"].as_array().unwrap() {
        let clients = phase["result"]["clients"].as_array().unwrap();
        let hosts: Vec<&str> = clients.iter().map(|of| of["host"].as_str().unwrap()).collect();
        assert_eq!(hosts, ["pod1", "pod2", "pod3"]);
    }
    let names = server.state().store.names();
    assert!(names.is_empty(), "test files are gone: {names:?}");
    jobs_of_pods_count_what_the_server_does(&space, &server, options);
    space.assert_nothing_left();
}

/// Each pod reads what the job says, and no I/O is counted that the server has not answered.
fn jobs_of_pods_count_what_the_server_does(space: &Space, server: &TestServer, options: &str) {
    let before = server.state().count(NfsProcedure::Read);
    space.sandbox.write("reads.fio", "[reads]\nrw=randread\nbs=4k\nsize=2m\n");
    let ran = space.fathom(&format!("run -f reads.fio {} {options}", server.url("")));
    ran.assert_ended(0);
    let jobs = ran.json()["result"]["jobs"].clone();
    let ios = |job: &Value| job["dirs"]["read"]["total_ios"].as_u64().unwrap();
    let ios: Vec<u64> = jobs.as_array().unwrap().iter().map(ios).collect();
    assert_eq!(ios, [512, 512, 512], "{jobs:#}");
    assert_eq!(server.state().count(NfsProcedure::Read) - before, 3 * 512);
}

#[test]
fn two_classes_are_compared_from_one_pod() {
    let Some(space) = need(Space::new("compare")) else { return };
    space.folder_volume("fathom-test-other", "ReadWriteOnce");
    let what = "--rw randread --time 900ms --repeat 3 --size 64Mi --file-size 16m";
    let outcome = space.fathom(&format!("compare -s local-path,raw {what} --json"));
    space.kubectl(&["delete", "pv", "fathom-test-other", "--wait=false"]);
    outcome.assert_ended(0);
    let document = outcome.json();
    let volumes = document["volumes"].as_array().unwrap();
    let names: Vec<&str> = volumes.iter().map(|of| of["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["local-path", "raw"], "{document:#}");
    let node = |at: usize| &volumes[at]["cluster"]["nodes"][0];
    assert_eq!(node(0), node(1));
    assert_eq!(space.objects(), "");
}

#[test]
fn a_claim_that_was_there_is_measured_in_a_patched_pod_and_stays() {
    let Some(space) = need(Space::new("claim")) else { return };
    let name = &space.name;
    space.apply(&format!(
        "{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{name: data, namespace: {name}}}, \
          spec: {{accessModes: [ReadWriteOnce], resources: {{requests: {{storage: 64Mi}}}}}}}}"
    ));
    let patch = "{metadata: {annotations: {team: storage}}, spec: {containers: [\
                 {name: fathom, resources: {limits: {memory: 900Mi}}}]}}";
    space.sandbox.write("patch.yaml", patch);
    let line = "measure --claim data --file-size 16m --time 60s --patch patch.yaml";
    let mut running = space.start(line);
    running.wait_for_stdout(|text| text.contains("data:"));
    let fields = "jsonpath={.items[0].metadata.annotations.team} \
                  {.items[0].spec.containers[0].resources.limits.memory}";
    let label = "app.kubernetes.io/managed-by=fathom";
    let pod = space.kubectl(&["get", "pods", "-n", name, "-l", label, "-o", fields]);
    running.signal(Signal::INT);
    running.finish().assert_ended(130);
    assert_eq!(pod, "storage 900Mi");
    assert_eq!(space.objects(), "");
    let phase = ["get", "pvc", "data", "-n", name, "-o", "jsonpath={.status.phase}"];
    assert_eq!(space.kubectl(&phase), "Bound");
}

/// `fathom kubestr`, whose namespace is a flag of its own.
fn kubestr(space: &Space, line: &str) -> Outcome {
    let line = format!("kubestr {line} --kubeconfig {}", space.kubeconfig.display());
    let args: Vec<&str> = line.split_whitespace().collect();
    let outcome = space.sandbox.start_program(small_subject(), &args).finish();
    outcome.assert_no_panic();
    outcome
}

#[test]
fn kubestrs_fio_has_its_text_and_json_and_loses_no_result() {
    let Some(space) = need(Space::new("kubestr")) else { return };
    let job = "[global]\nioengine=psync\ndirect=1\nrandrepeat=0\ngtod_reduce=1\n[a]\nname=reads\nbs=4K\nsize=4m\n\
               readwrite=randread\ntime_based\nruntime=1s\nfilename=/dataset/own\n";
    space.sandbox.write("own.fio", job);
    let line = format!("fio -s local-path -z 64Mi -f own.fio -n {} -o json", space.name);
    let outcome = kubestr(&space, &line);
    outcome.assert_ended(0);
    let results: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let result = &results[0];
    assert_eq!(result["TestName"], "FIO test results");
    let status = &result["Status"][0];
    assert_eq!(status["StatusCode"], "OK");
    let text = status["StatusMessage"].as_str().unwrap();
    let job = "JobName: reads\n  blocksize=4K filesize=4m iodepth= rw=randread\nread:\n  IOPS=";
    assert!(text.starts_with("\nFIO version - fio-") && text.contains(job), "{text}");
    let raw = &result["Raw"];
    assert_eq!((&raw["size"], &raw["fioConfig"].is_string()), (&"64Mi".into(), &true));
    assert_eq!(raw["storageClass"]["provisioner"], "rancher.io/local-path");
    let read = &raw["result"]["jobs"][0]["read"];
    for figure in ["total_ios", "iops_min", "iops_mean", "bw_max", "bw_mean"] {
        assert!(read[figure].as_f64() > Some(0.0), "{figure}: {raw:#}");
    }
    assert!(!text.contains("avg=0.000000"), "{text}");
    for part in ["PVC created fathom-", "Pod created fathom-", "Running FIO test (own.fio) on"] {
        assert!(outcome.stderr.contains(part), "{part}: {}", outcome.stderr);
    }
    space.assert_nothing_left();
    let missing = kubestr(&space, &format!("fio -s gp4 -n {}", space.name));
    missing.assert_ended(1);
    assert!(missing.stdout.starts_with("FIO test results:\n  the cluster has no StorageClass gp4"));
    assert!(missing.stdout.ends_with("  -  Error\n"), "{}", missing.stdout);
    assert!(missing.stderr.starts_with("Error: "), "{}", missing.stderr);
}

#[test]
fn kubestr_alone_checks_the_cluster() {
    let Some(space) = need(Space::new("baseline")) else { return };
    let text = kubestr(&space, "").stdout;
    let ok = "  -  OK\n\n";
    let checks = format!(
        "Kubernetes Version Check:\n  Valid kubernetes version (v1.33.13){ok}\
         RBAC Check:\n  Kubernetes RBAC is enabled{ok}\
         Aggregated Layer Check:\n  The Kubernetes Aggregated Layer is enabled{ok}\
         Available Storage Provisioners:\n\n"
    );
    assert!(text.starts_with(&checks), "{text}");
    assert!(text.contains("    Storage Classes:\n      * local-path\n"), "{text}");
    let json = kubestr(&space, "-o json -e out/result.json");
    json.assert_ended(0);
    assert_eq!(json.stdout, "");
    let file = fs::read_to_string(space.sandbox.work().join("out/result.json")).unwrap();
    let results: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(results[2]["Status"][0]["StatusCode"], "OK");
    assert_eq!(results[1]["Raw"]["name"], "rbac.authorization.k8s.io");
    assert_eq!(results[2]["Raw"]["groupVersion"], "apiregistration.k8s.io/v1");
    assert!(results[2]["Raw"]["resources"].is_array(), "{file}");
    // Nothing can be made below a file.
    let full = kubestr(&space, "-o json -e out/result.json/x");
    full.assert_ended(2);
    assert!(full.stderr.contains("Error writing output"), "{}", full.stderr);
    for (line, said) in [("fio", "--storageclass"), ("browse pvc x", "is not in Fathom's kubestr")]
    {
        let refused = kubestr(&space, line);
        refused.assert_ended(1);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

#[test]
fn a_class_with_raw_devices_is_told_from_one_without() {
    let Some(space) = need(Space::new("block")) else { return };
    let Some(device) = need(LoopDevice::new(space.sandbox.root(), 64 << 20)) else { return };
    let volume = |name: &str| {
        space.apply(&format!(
            "{{apiVersion: v1, kind: PersistentVolume, metadata: {{name: {name}}}, spec: {{\
               storageClassName: raw, capacity: {{storage: 63Mi}}, accessModes: [ReadWriteOnce], \
               volumeMode: Block, persistentVolumeReclaimPolicy: Retain, local: {{path: {}}}, \
               nodeAffinity: {{required: {{nodeSelectorTerms: [{{matchExpressions: [{{\
                 key: kubernetes.io/hostname, operator: In, values: [node1]}}]}}]}}}}}}}}",
            device.text()
        ));
    };
    volume("fathom-test-block");
    let own = space.fathom("check-block -s raw --size 63Mi");
    space.kubectl(&["delete", "pv", "fathom-test-block", "--wait=false"]);
    own.assert_ended(0);
    let said =
        "raw: raw devices work: of 63Mi on node node1, 16 MiB were written, read and compared";
    assert!(own.stdout.starts_with(said), "{}", own.stdout);
    assert_eq!(space.objects(), "");
    volume("fathom-test-block-again");
    let line = format!("blockmount -s raw -n {} --pvc-size 63Mi", space.name);
    let mounted = kubestr(&space, &line);
    space.kubectl(&["delete", "pv", "fathom-test-block-again", "--wait=false"]);
    mounted.assert_ended(0);
    assert!(mounted.stdout.starts_with("Fetching StorageClass raw ...\n -> Provisioner: kubern"));
    let good = "Block VolumeMode test:\n  StorageClass (raw) supports Block VolumeMode  -  ";
    assert!(mounted.stdout.contains(good), "{}", mounted.stdout);
    for part in ["Deleting Pod ", " -> Deleted pod (", "Deleting PVC ", " -> Deleted PVC ("] {
        assert!(mounted.stdout.contains(&format!("\n{part}")), "{part}: {}", mounted.stdout);
    }
    assert_eq!(space.objects(), "");
    let never = kubestr(&space, &format!("blockmount -s never -n {} -w 1", space.name));
    never.assert_ended(1);
    let bad = "StorageClass (never) does not appear to support Block VolumeMode  -  ";
    assert!(never.stdout.contains(bad), "{}", never.stdout);
    space.assert_nothing_left();
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
    assert_eq!(names, ["csi", "local-path", "never", "raw"]);
    let classes = &document["classes"];
    assert_eq!(classes[1]["is_default"], true);
    assert_eq!(classes[0]["snapshot_classes"], serde_json::json!(["lossy", "snapclass"]));
    assert_eq!((&classes[0]["is_csi"], &classes[0]["expands"]), (&true.into(), &true.into()));
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
    assert!(said("measure -s a --pods 1..6").contains("is no number of pods"));
    assert!(said("measure -s a --time 100ms").contains("are too short; 100 ms each at least"));
    assert!(said("check -s a,b --iops 1").contains("check takes one class, claim or export"));
    assert!(said("check --claim a").contains("no promise is known of this volume"));
    assert!(said("measure -s a --pods 0").contains("from 1 to 1000"));
    assert!(said("sweep -s a --pods 1..100000").contains("from 1 to 1000"));
    assert!(said("sweep -s a,b").contains("one class, claim or export"));
    assert!(said("run -f f -s a nfs://nas/export").contains("one class, claim or export"));
    assert!(said("check nfs://nas/export").contains("no promise is known of this volume"));
    assert!(said("measure nfs://nas/export --volumes 3").contains("--storageclass"));
    assert!(said("sweep -s a /mnt/data").contains("'/mnt/data' is a path"));
    assert!(said("compare -s a,b --on host").contains("leave it out"));
    assert!(said("cleanup --run A").contains("'A' is no run"));
    let no_file = sandbox.fathom("kube --kubeconfig /nonexistent");
    no_file.assert_ended(1);
    assert!(no_file.stderr.contains("/nonexistent"), "{}", no_file.stderr);
    let planned = sandbox.fathom("kube measure -s gp3 --dry-run");
    planned.assert_success();
    assert_eq!(planned.json()["items"][1]["spec"]["storageClassName"], "gp3");
    let planned = sandbox.fathom("kube measure nfs://nas/export --pods 6 --dry-run");
    planned.assert_success();
    let items = planned.json()["items"].clone();
    assert_eq!(items.as_array().map(Vec::len), Some(1), "a Job and no claim: {items:#}");
    assert_eq!(items[0]["spec"]["parallelism"], 6);
}
