//! The storage of a cluster: its classes with their provisioners, and problems.

use crate::cluster::{Cluster, members, name, text};
use crate::error::KubeError;
use crate::promised::class_promise;
use serde::Serialize;
use serde_json::Value;

/// A StorageClass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassSurvey {
    /// Its name.
    pub name: String,
    /// Whether claims that name no class get it.
    pub is_default: bool,
    /// The provisioner of its volumes.
    pub provisioner: String,
    /// Whether the provisioner is a CSI driver that the cluster knows.
    pub is_csi: bool,
    /// When a claim is bound: `Immediate` or `WaitForFirstConsumer`.
    pub binding: String,
    /// The reclaim policy of a volume: `Delete` or `Retain`.
    pub reclaim: String,
    /// Whether claims can be made larger.
    pub expands: bool,
    /// VolumeSnapshotClasses of the same driver.
    pub snapshot_classes: Vec<String>,
    /// The probable promise of its provider, such as `aws.gp3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promise: Option<String>,
}

/// A problem, with advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SurveyFinding {
    /// The class, driver or part of the cluster.
    pub about: String,
    /// The problem, its effect, and advice.
    pub sentence: String,
}

/// The storage of a cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClusterSurvey {
    /// The cluster's version.
    pub version: String,
    /// Its StorageClasses.
    pub classes: Vec<ClassSurvey>,
    /// Its CSI drivers.
    pub drivers: Vec<String>,
    /// The problems.
    pub findings: Vec<SurveyFinding>,
}

/// The lists; none for those that could not be read.
#[derive(Default)]
struct Lists {
    classes: Vec<Value>,
    drivers: Option<Vec<Value>>,
    nodes: Option<Vec<Value>>,
    snapshot_classes: Option<Vec<Value>>,
    volumes: Option<Vec<Value>>,
}

impl Cluster {
    /// Examines the storage, without creating anything.
    ///
    /// # Errors
    /// If the cluster does not answer, or hides its classes.
    pub fn survey(&self) -> Result<ClusterSurvey, KubeError> {
        let version = self.get("its version", "/version")?.unwrap_or_default();
        let storage = "/apis/storage.k8s.io/v1";
        let classes = self.list("StorageClasses", &format!("{storage}/storageclasses"), "")?;
        let list = |what: &str, path: &str| self.list(what, path, "").ok();
        let snapshots = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses";
        let lists = Lists {
            classes,
            drivers: list("CSIDrivers", &format!("{storage}/csidrivers")),
            nodes: list("CSINodes", &format!("{storage}/csinodes")),
            snapshot_classes: list("VolumeSnapshotClasses", snapshots),
            volumes: list("PersistentVolumes", "/api/v1/persistentvolumes"),
        };
        Ok(survey(text(&version, "/gitVersion"), &lists))
    }
}

fn survey(version: &str, lists: &Lists) -> ClusterSurvey {
    let drivers: Vec<String> =
        lists.drivers.iter().flatten().map(|driver| name(driver).to_owned()).collect();
    let classes: Vec<ClassSurvey> =
        lists.classes.iter().map(|class| class_survey(class, &drivers, lists)).collect();
    let mut findings: Vec<SurveyFinding> = defaults(&classes).into_iter().collect();
    classes.iter().for_each(|class| findings.extend(unsound(class, lists)));
    for driver in drivers.iter().filter(|driver| !is_on_a_node(driver, lists)) {
        findings.push(finding(
            driver,
            "the driver is on no node, so no pod can mount its volumes; see whether its node \
             pods (a DaemonSet) run",
        ));
    }
    ClusterSurvey { version: version.to_owned(), classes, drivers, findings }
}

fn class_survey(class: &Value, drivers: &[String], lists: &Lists) -> ClassSurvey {
    let provisioner = text(class, "/provisioner");
    let snapshots = lists.snapshot_classes.iter().flatten();
    let own = snapshots.filter(|of| text(of, "/driver") == provisioner);
    let default = "/metadata/annotations/storageclass.kubernetes.io~1is-default-class";
    ClassSurvey {
        name: name(class).to_owned(),
        is_default: text(class, default) == "true",
        provisioner: provisioner.to_owned(),
        is_csi: drivers.iter().any(|driver| driver == provisioner),
        binding: text(class, "/volumeBindingMode").to_owned(),
        reclaim: text(class, "/reclaimPolicy").to_owned(),
        expands: class["allowVolumeExpansion"] == true,
        snapshot_classes: own.map(|of| name(of).to_owned()).collect(),
        promise: class_promise(class).map(|promise| promise.name),
    }
}

fn finding(about: &str, sentence: &str) -> SurveyFinding {
    SurveyFinding { about: about.to_owned(), sentence: sentence.to_owned() }
}

fn defaults(classes: &[ClassSurvey]) -> Option<SurveyFinding> {
    let defaults: Vec<&str> =
        classes.iter().filter(|of| of.is_default).map(|of| of.name.as_str()).collect();
    match defaults.len() {
        _ if classes.is_empty() => Some(finding(
            "cluster",
            "there is no StorageClass, so no claim gets a volume; install a provisioner",
        )),
        0 => Some(finding(
            "cluster",
            "no class is the default, so claims that name none wait for ever; annotate one with \
             storageclass.kubernetes.io/is-default-class=true",
        )),
        1 => None,
        _ => Some(finding(
            "cluster",
            &format!(
                "{} are all the default, and the newest of them wins; keep one",
                defaults.join(", ")
            ),
        )),
    }
}

fn unsound(class: &ClassSurvey, lists: &Lists) -> Vec<SurveyFinding> {
    let mut found = Vec::new();
    let mut say = |sentence: String| found.push(finding(&class.name, &sentence));
    let of_class = |phase: &str| {
        let volumes = lists.volumes.iter().flatten();
        let own = volumes.filter(|pv| text(pv, "/spec/storageClassName") == class.name);
        own.filter(|pv| text(pv, "/status/phase") == phase).count()
    };
    let has_none_free = lists.volumes.is_some() && of_class("Available") == 0;
    provisioner(class, has_none_free, lists.drivers.is_some()).into_iter().for_each(&mut say);
    if class.reclaim == "Retain" {
        say("volumes stay when their claims go, and may cost money; remove them by hand after a \
             measurement"
            .to_owned());
    }
    let left = of_class("Released") + of_class("Failed");
    if left > 0 {
        say(format!(
            "{left} of its volumes have lost their claims and are still there; look at them by \
             `kubectl get pv`"
        ));
    }
    found
}

/// Problems of a class's provisioner.
fn provisioner(class: &ClassSurvey, has_none_free: bool, knows_drivers: bool) -> Option<String> {
    match class.provisioner.as_str() {
        "kubernetes.io/no-provisioner" => has_none_free.then(|| {
            "nobody provisions it, and no PersistentVolume of it is free; make one first".to_owned()
        }),
        in_tree if in_tree.starts_with("kubernetes.io/") => Some(format!(
            "{in_tree} is built into old versions of Kubernetes and removed from newer ones; make \
             a class of its CSI driver"
        )),
        driver if driver.contains(".csi.") && !class.is_csi && knows_drivers => Some(format!(
            "no CSIDriver {driver} is registered, so its claims wait for ever; install the driver"
        )),
        _ => None,
    }
}

fn is_on_a_node(driver: &str, lists: &Lists) -> bool {
    // Without the right to read nodes nothing is known.
    let Some(nodes) = &lists.nodes else { return true };
    nodes.iter().any(|node| members(node, "/spec/drivers").any(|of| of["name"] == driver))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn class(name: &str, provisioner: &str, more: Value) -> Value {
        let base = json!({"metadata": {"name": name}, "provisioner": provisioner,
            "reclaimPolicy": "Delete", "volumeBindingMode": "WaitForFirstConsumer"});
        crate::patch::merged(base, &more)
    }

    fn default() -> Value {
        let name = "storageclass.kubernetes.io/is-default-class";
        json!({"metadata": {"annotations": {name: "true"}}})
    }

    fn said(lists: &Lists) -> Vec<String> {
        let found = survey("v1.33.1", lists).findings;
        found.into_iter().map(|of| format!("{}: {}", of.about, of.sentence)).collect()
    }

    #[test]
    fn a_sound_cluster_has_no_findings() {
        let lists = Lists {
            classes: vec![class("local-path", "rancher.io/local-path", default())],
            drivers: Some(Vec::new()),
            ..Lists::default()
        };
        assert_eq!(said(&lists), Vec::<String>::new());
        let class = &survey("v1", &lists).classes[0];
        assert!(class.is_default && !class.is_csi && !class.expands, "{class:?}");
    }

    #[test]
    fn what_is_unsound_is_named_with_what_to_do() {
        let lists = Lists {
            classes: vec![
                class("gp3", "ebs.csi.aws.com", json!({"reclaimPolicy": "Retain"})),
                class("old", "kubernetes.io/aws-ebs", json!({})),
                class("local", "kubernetes.io/no-provisioner", json!({})),
            ],
            drivers: Some(vec![json!({"metadata": {"name": "nfs.csi.k8s.io"}})]),
            nodes: Some(Vec::new()),
            volumes: Some(vec![json!({
                "spec": {"storageClassName": "old"}, "status": {"phase": "Released"},
            })]),
            snapshot_classes: None,
        };
        let all = said(&lists).join("\n");
        for part in [
            "cluster: no class is the default",
            "gp3: no CSIDriver ebs.csi.aws.com",
            "gp3: volumes stay when",
            "old: kubernetes.io/aws-ebs is built into",
            "old: 1 of its volumes",
            "local: nobody provisions it",
            "nfs.csi.k8s.io: the driver is on no node",
        ] {
            assert!(all.contains(part), "{part}\n{all}");
        }
    }

    #[test]
    fn what_is_hidden_is_not_held_against_the_cluster() {
        let lists =
            Lists { classes: vec![class("gp3", "ebs.csi.aws.com", default())], ..Lists::default() };
        assert_eq!(said(&lists), Vec::<String>::new());
    }
}
