//! The objects of a run: a claim for each new volume, and a Job whose pods mount them all.
//!
//! The pod meets PodSecurity's "restricted": no root, no capabilities, a read-only root file
//! system, no token. A raw device needs root in the pod, which "restricted" refuses, so root is
//! used only there. The container's shell waits for an agent and ends soon after it, so that a run
//! whose coordinator was killed ends by itself; the Job's time to live then removes it and its
//! dependents.

use crate::names::{RunId, VOLUME_LABEL, plain};
use crate::patch::merged;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The folder of an agent's binary, state and notes.
const FOLDER: &str = "/fathom";
/// The script in a pod that becomes the agent.
pub const AGENT_SCRIPT: &str = "/fathom/start";
/// The name of the container that agents run in.
pub(crate) const CONTAINER: &str = "fathom";
/// The label of a node with its architecture.
pub const ARCHITECTURE_LABEL: &str = "kubernetes.io/arch";
/// The user and group in a pod that needs no root.
const PLAIN_USER: i64 = 65_532;
/// Seconds after which the cluster removes an ended Job.
const TIME_TO_LIVE_S: u64 = 60;

/// The form of a volume in a pod.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VolumeMode {
    /// With a file system, as a folder.
    #[default]
    Filesystem,
    /// As a raw device.
    Block,
}

impl VolumeMode {
    /// As the cluster spells it.
    pub fn word(self) -> &'static str {
        match self {
            VolumeMode::Filesystem => "Filesystem",
            VolumeMode::Block => "Block",
        }
    }
}

/// A claim to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimOrder {
    /// The StorageClass.
    pub class: String,
    /// How large, as `10Gi`.
    pub size: String,
    /// `ReadWriteOnce` and the like.
    pub access: String,
    /// Folder or device.
    pub mode: VolumeMode,
    /// The snapshot that it is to be made of; none for an empty volume.
    pub snapshot: Option<String>,
}

/// The pods of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct PodOrder {
    /// The run.
    pub run: RunId,
    /// Claims that all pods mount, with their mount names.
    pub volumes: Vec<(String, String)>,
    /// Claims that each pod has for itself, by their mount names.
    pub own_claims: Vec<(String, ClaimOrder)>,
    /// Folders or devices.
    pub mode: VolumeMode,
    /// How many pods.
    pub pods: u32,
    /// Whether the other pods continue if one is lost.
    pub spares_others: bool,
    /// The image; it needs a shell and nothing else.
    pub image: String,
    /// Labels that a node must have.
    pub node_selector: BTreeMap<String, String>,
    /// The user in the pod, in place of the usual one.
    pub run_as: Option<i64>,
    /// Whether a claim existed before: files in its volume keep their owners.
    pub has_foreign_claims: bool,
    /// The architectures of nodes that there is a program for, as the cluster spells them; none if
    /// the node selector has one.
    pub architectures: Vec<String>,
    /// Seconds after which the cluster ends the pods in any case.
    pub deadline_s: u64,
    /// Seconds that pods wait for an agent before they end by themselves.
    pub idle_s: u64,
    /// The user's changes to the pod.
    pub patch: Option<Value>,
}

/// The name of a run's claim of a class.
pub fn volume_name(class: &str) -> String {
    plain(class)
}

/// Where in a pod a volume is found.
pub fn target_path(mode: VolumeMode, volume: &str) -> String {
    match mode {
        VolumeMode::Filesystem => format!("/volumes/{volume}"),
        VolumeMode::Block => format!("/dev/{volume}"),
    }
}

/// The name of a run's claim, mounted as `volume`.
pub(crate) fn claim_name(run: &RunId, volume: &str) -> String {
    format!("{}-{volume}", run.job_name())
}

/// A claim that is removed with the Job whose identity is `owner`.
pub fn claim(run: &RunId, volume: &str, order: &ClaimOrder, owner: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": claim_name(run, volume),
            "labels": claim_labels(run, volume),
            "ownerReferences": [{
                "apiVersion": "batch/v1", "kind": "Job", "name": run.job_name(), "uid": owner,
            }],
        },
        "spec": claim_spec(order),
    })
}

/// The labels of a claim: those of its run, and its mount name.
fn claim_labels(run: &RunId, volume: &str) -> Value {
    let mut labels = run.labels();
    labels[VOLUME_LABEL] = json!(volume);
    labels
}

fn claim_spec(order: &ClaimOrder) -> Value {
    let mut spec = json!({
        "storageClassName": order.class,
        "accessModes": [order.access],
        "volumeMode": order.mode.word(),
        "resources": {"requests": {"storage": order.size}},
    });
    if let Some(snapshot) = &order.snapshot {
        spec["dataSource"] = json!({
            "apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": snapshot,
        });
    }
    spec
}

/// The Job of a run, its pod changed as the user wants it.
pub fn job(order: &PodOrder) -> Value {
    let pod = json!({"metadata": {"labels": order.run.labels()}, "spec": pod_spec(order)});
    let pod = match &order.patch {
        Some(patch) => merged(pod, patch),
        None => pod,
    };
    // By default a Job ends all its pods with the first lost one. Servers before 1.29 do not know
    // the other field: they create a new pod, which is not used.
    let limit = if order.spares_others { "backoffLimitPerIndex" } else { "backoffLimit" };
    json!({
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": order.run.job_name(), "labels": order.run.labels()},
        "spec": {
            "completionMode": "Indexed",
            "completions": order.pods,
            "parallelism": order.pods,
            limit: 0,
            "activeDeadlineSeconds": order.deadline_s,
            "ttlSecondsAfterFinished": TIME_TO_LIVE_S,
            "template": pod,
        },
    })
}

fn pod_spec(order: &PodOrder) -> Value {
    let mut volumes = vec![json!({"name": "fathom", "emptyDir": {}})];
    volumes.extend(order.volumes.iter().map(|(claim, volume)| {
        json!({"name": format!("v-{volume}"), "persistentVolumeClaim": {"claimName": claim}})
    }));
    volumes.extend(order.own_claims.iter().map(|(volume, own)| {
        // The cluster makes it for each pod by the pod's name, and removes it with the pod.
        let labels = claim_labels(&order.run, volume);
        let template = json!({"metadata": {"labels": labels}, "spec": claim_spec(own)});
        json!({"name": format!("v-{volume}"), "ephemeral": {"volumeClaimTemplate": template}})
    }));
    let mut spec = json!({
        "restartPolicy": "Never",
        "automountServiceAccountToken": false,
        "enableServiceLinks": false,
        "terminationGracePeriodSeconds": 5,
        "nodeSelector": node_labels(order),
        "securityContext": pod_security(order),
        "containers": [container(order)],
        "volumes": volumes,
    });
    if order.architectures.len() > 1 {
        spec["affinity"] = architectures(&order.architectures);
    }
    if order.pods > 1 {
        // Nodes that no pod may run on would count as empty ones without the last line.
        spec["topologySpreadConstraints"] = json!([{
            "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": order.run.labels()},
            "nodeTaintsPolicy": "Honor",
        }]);
    }
    spec
}

/// The labels that a node must have.
fn node_labels(order: &PodOrder) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::from([("kubernetes.io/os".to_owned(), "linux".to_owned())]);
    if let [architecture] = order.architectures.as_slice() {
        labels.insert(ARCHITECTURE_LABEL.to_owned(), architecture.clone());
    }
    labels.extend(order.node_selector.clone());
    labels
}

/// Nodes of any of these architectures: a label of the selector has one value.
fn architectures(names: &[String]) -> Value {
    let expression = json!({"key": ARCHITECTURE_LABEL, "operator": "In", "values": names});
    let terms = json!({"nodeSelectorTerms": [{"matchExpressions": [expression]}]});
    json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})
}

/// The user that the pod runs as.
fn user(order: &PodOrder) -> i64 {
    let usual = match order.mode {
        VolumeMode::Filesystem => PLAIN_USER,
        // Nodes give a device to root alone.
        VolumeMode::Block => 0,
    };
    order.run_as.unwrap_or(usual)
}

fn pod_security(order: &PodOrder) -> Value {
    let user = user(order);
    let mut security = json!({
        "runAsUser": user,
        "runAsGroup": user,
        "runAsNonRoot": user != 0,
        "seccompProfile": {"type": "RuntimeDefault"},
    });
    // With a group of its own a pod makes the kubelet change the group of every file in a volume.
    if order.mode == VolumeMode::Filesystem && !order.has_foreign_claims {
        security["fsGroup"] = json!(user);
        security["fsGroupChangePolicy"] = json!("OnRootMismatch");
    }
    security
}

fn container(order: &PodOrder) -> Value {
    let mut mounts = vec![json!({"name": "fathom", "mountPath": FOLDER})];
    let mut devices = Vec::new();
    let own = order.own_claims.iter().map(|(volume, _)| volume);
    for volume in order.volumes.iter().map(|(_, volume)| volume).chain(own) {
        let (name, path) = (format!("v-{volume}"), target_path(order.mode, volume));
        match order.mode {
            VolumeMode::Filesystem => mounts.push(json!({"name": name, "mountPath": path})),
            VolumeMode::Block => devices.push(json!({"name": name, "devicePath": path})),
        }
    }
    let mut container = json!({
        "name": CONTAINER,
        "image": order.image,
        "command": ["/bin/sh", "-c", keeper(order.idle_s)],
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "readOnlyRootFilesystem": true,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": mounts,
    });
    if !devices.is_empty() {
        container["volumeDevices"] = json!(devices);
    }
    container
}

/// The pod's main process: waits this long for an agent, and ends after it.
fn keeper(idle_s: u64) -> String {
    format!(
        "trap 'exit 0' TERM INT\n\
         waited=0\n\
         while [ ! -s {FOLDER}/agent.pid ]; do\n  \
           [ $waited -lt {idle_s} ] || exit 3\n  \
           waited=$((waited + 1)); sleep 1\n\
         done\n\
         while kill -0 \"$(cat {FOLDER}/agent.pid)\" 2>/dev/null; do sleep 1; done\n"
    )
}

/// The script that becomes the agent, with the arguments `program` for its binary.
pub(crate) fn agent_script(program: &str) -> String {
    format!(
        "mkdir -p {FOLDER}/home {FOLDER}/tmp\n\
         export HOME={FOLDER}/home FATHOM_HOME={FOLDER}/home TMPDIR={FOLDER}/tmp\n\
         [ \"$1\" != agent ] || echo $$ >{FOLDER}/agent.pid\n\
         exec {program} \"$@\"\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mode: VolumeMode) -> PodOrder {
        PodOrder {
            run: RunId::of(7),
            volumes: vec![("fathom-00000007-gp3".to_owned(), "gp3".to_owned())],
            own_claims: Vec::new(),
            mode,
            pods: 1,
            spares_others: false,
            image: "busybox:1".to_owned(),
            node_selector: BTreeMap::from([("disk".to_owned(), "nvme".to_owned())]),
            run_as: None,
            has_foreign_claims: false,
            architectures: vec!["amd64".to_owned()],
            deadline_s: 3600,
            idle_s: 600,
            patch: None,
        }
    }

    fn gp3() -> ClaimOrder {
        ClaimOrder {
            class: "gp3".to_owned(),
            size: "10Gi".to_owned(),
            access: "ReadWriteOnce".to_owned(),
            mode: VolumeMode::Filesystem,
            snapshot: None,
        }
    }

    /// The requirements of PodSecurity's "restricted" on a pod and its containers.
    fn is_restricted(job: &Value) -> bool {
        let pod = &job["spec"]["template"]["spec"];
        let own = &pod["containers"][0]["securityContext"];
        pod["securityContext"]["runAsNonRoot"] == true
            && pod["securityContext"]["runAsUser"] != 0
            && pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault"
            && own["allowPrivilegeEscalation"] == false
            && own["capabilities"] == json!({"drop": ["ALL"]})
            && pod["volumes"].as_array().unwrap().iter().all(|volume| {
                let kinds = ["emptyDir", "persistentVolumeClaim", "ephemeral"];
                kinds.iter().any(|kind| volume.get(kind).is_some())
            })
    }

    #[test]
    fn a_pod_with_a_folder_is_restricted_and_one_with_a_device_is_root_without_rights() {
        let folder = job(&order(VolumeMode::Filesystem));
        assert!(is_restricted(&folder), "{folder:#}");
        let pod = &folder["spec"]["template"]["spec"];
        assert_eq!(pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"], true);
        assert_eq!(pod["automountServiceAccountToken"], false);
        let device = job(&order(VolumeMode::Block));
        let pod = &device["spec"]["template"]["spec"];
        assert_eq!(pod["securityContext"]["runAsUser"], 0);
        assert_eq!(pod["containers"][0]["volumeDevices"][0]["devicePath"], "/dev/gp3");
        assert_eq!(pod["containers"][0]["securityContext"]["capabilities"]["drop"][0], "ALL");
        let plain = job(&PodOrder { run_as: Some(1000), ..order(VolumeMode::Block) });
        assert!(is_restricted(&plain));
    }

    #[test]
    fn what_is_in_a_volume_that_was_there_keeps_its_owners() {
        let security =
            |of: &PodOrder| job(of)["spec"]["template"]["spec"]["securityContext"].clone();
        let new = order(VolumeMode::Filesystem);
        assert_eq!(security(&new)["fsGroup"], PLAIN_USER);
        let there = PodOrder { has_foreign_claims: true, ..new };
        assert_eq!(security(&there).get("fsGroup"), None);
        assert_eq!(security(&there).get("fsGroupChangePolicy"), None);
    }

    #[test]
    fn a_job_ends_by_itself_and_takes_its_claims_along() {
        let order = order(VolumeMode::Filesystem);
        let job = job(&order);
        assert_eq!(job["spec"]["activeDeadlineSeconds"], 3600);
        assert_eq!(job["spec"]["ttlSecondsAfterFinished"], 60);
        assert_eq!(job["spec"]["backoffLimit"], 0);
        let spared = super::job(&PodOrder { spares_others: true, ..order.clone() });
        assert_eq!(spared["spec"].get("backoffLimit"), None, "it ends all pods with the first");
        assert_eq!(spared["spec"]["backoffLimitPerIndex"], 0);
        let claim = claim(&order.run, "gp3", &gp3(), "uid-1");
        assert_eq!(claim["metadata"]["ownerReferences"][0]["uid"], "uid-1");
        for (label, value) in job["metadata"]["labels"].as_object().unwrap() {
            assert_eq!(&claim["metadata"]["labels"][label], value);
        }
        assert_eq!(claim["spec"]["resources"]["requests"]["storage"], "10Gi");
        let restored = ClaimOrder { snapshot: Some("before".to_owned()), ..gp3() };
        let source = &claim_spec(&restored)["dataSource"];
        assert_eq!(
            (&source["kind"], &source["name"]),
            (&json!("VolumeSnapshot"), &json!("before"))
        );
    }

    #[test]
    fn pods_are_spread_and_go_where_the_user_says() {
        let one = job(&order(VolumeMode::Filesystem));
        let spec = &one["spec"]["template"]["spec"];
        assert!(spec.get("topologySpreadConstraints").is_none());
        assert_eq!(spec["nodeSelector"]["disk"], "nvme");
        assert_eq!(spec["nodeSelector"]["kubernetes.io/arch"], "amd64");
        assert!(spec.get("affinity").is_none());
        let both = vec!["amd64".to_owned(), "arm64".to_owned()];
        let mixed = job(&PodOrder { architectures: both, ..order(VolumeMode::Filesystem) });
        let spec = &mixed["spec"]["template"]["spec"];
        assert_eq!(spec["nodeSelector"].get("kubernetes.io/arch"), None);
        let required = "/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution";
        let term = &spec.pointer(required).unwrap()["nodeSelectorTerms"][0]["matchExpressions"][0];
        assert_eq!(term["values"], json!(["amd64", "arm64"]));
        let six = job(&PodOrder { pods: 6, ..order(VolumeMode::Filesystem) });
        assert_eq!(
            (&six["spec"]["parallelism"], &six["spec"]["completions"]),
            (&json!(6), &json!(6))
        );
        let spread = &six["spec"]["template"]["spec"]["topologySpreadConstraints"][0];
        assert_eq!(spread["topologyKey"], "kubernetes.io/hostname");
        assert_eq!(spread["whenUnsatisfiable"], "DoNotSchedule");
    }

    #[test]
    fn each_of_several_pods_may_have_a_claim_of_its_own() {
        let own_claims = vec![("gp3".to_owned(), gp3())];
        let order = order(VolumeMode::Filesystem);
        let six = job(&PodOrder { pods: 6, volumes: Vec::new(), own_claims, ..order.clone() });
        assert!(is_restricted(&six), "{six:#}");
        let spec = &six["spec"]["template"]["spec"];
        let template = &spec["volumes"][1]["ephemeral"]["volumeClaimTemplate"];
        let claim = claim(&order.run, "gp3", &gp3(), "uid-1");
        assert_eq!(template["spec"], claim["spec"]);
        assert_eq!(template["metadata"]["labels"], claim["metadata"]["labels"]);
        assert_eq!(spec["containers"][0]["volumeMounts"][1]["mountPath"], "/volumes/gp3");
    }

    #[test]
    fn a_patch_changes_the_pod_and_its_container_by_name() {
        let patch = json!({"spec": {
            "tolerations": [{"key": "storage"}],
            "containers": [{"name": "fathom", "resources": {"limits": {"cpu": "2"}}}],
        }});
        let job = job(&PodOrder { patch: Some(patch), ..order(VolumeMode::Filesystem) });
        let spec = &job["spec"]["template"]["spec"];
        assert_eq!(spec["tolerations"][0]["key"], "storage");
        assert_eq!(spec["containers"][0]["resources"]["limits"]["cpu"], "2");
        assert_eq!(spec["containers"][0]["image"], "busybox:1");
        assert!(is_restricted(&job));
    }
}
