//! Snapshots of claims: created, awaited, and why they do not get ready.

use crate::cluster::kinds::SNAPSHOTS;
use crate::cluster::{Cluster, name, text};
use crate::error::KubeError;
use crate::names::RunId;
use crate::startup::StartWatcher;
use fathom_text::{Text, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The interval of checks of a snapshot.
const LOOK: Duration = Duration::from_millis(50);
/// The classes of snapshots.
const CLASSES: &str = "/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses";

/// A snapshot that is ready.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenSnapshot {
    /// Its name.
    pub name: String,
    /// As the server has it.
    pub object: Value,
    /// From the order to a snapshot that volumes can be made of.
    pub took: Duration,
}

impl Cluster {
    /// The snapshot class for this provisioner's volumes: the named one, otherwise the driver's
    /// default, otherwise its only one.
    ///
    /// # Errors
    /// If there is none, or it belongs to another driver.
    pub fn snapshot_class(
        &self,
        provisioner: &str,
        named: Option<&str>,
    ) -> Result<String, KubeError> {
        let classes = match self.list("VolumeSnapshotClasses", CLASSES, "") {
            // Without the kind there is no class either.
            Err(KubeError::NotFound { .. }) => Vec::new(),
            // A user may use a class without the right to read it.
            Err(KubeError::Forbidden { .. }) if named.is_some() => {
                return Ok(named.unwrap_or_default().to_owned());
            }
            classes => classes?,
        };
        chosen(&classes, provisioner, named)
    }

    /// Takes a snapshot of a claim for a run, and waits until volumes can be made of it.
    ///
    /// # Errors
    /// If it is refused, or is not ready in time.
    pub fn take_snapshot(
        &self,
        (run, owner): (&RunId, &str),
        (claim, class): (&str, &str),
        limit: Duration,
        watcher: &dyn StartWatcher,
    ) -> Result<TakenSnapshot, KubeError> {
        let order = snapshot(run, owner, claim, class);
        let own = name(&order).to_owned();
        let what = text!("snapshot {own} of class {class}");
        let begun = Instant::now();
        self.create(&what, &self.path(SNAPSHOTS, ""), &order)?;
        let mut said = String::new();
        while begun.elapsed() < limit {
            if watcher.stopping() {
                return Err(KubeError::Stopped);
            }
            match self.get(&what, &self.path(SNAPSHOTS, &own)) {
                Ok(Some(object)) if object["status"]["readyToUse"] == true => {
                    return Ok(TakenSnapshot { name: own, object, took: begun.elapsed() });
                }
                Ok(object) => {
                    let object = object.unwrap_or_default();
                    text(&object, "/status/error/message").clone_into(&mut said);
                }
                Err(why) if why.is_passing() => {}
                Err(why) => return Err(why),
            }
            self.pause(LOOK);
        }
        let why: Text = if said.is_empty() { "nothing says why".into() } else { said.into() };
        Err(KubeError::Snapshot(text!(
            "{what} is not ready within {} s: {why}; see the logs of the snapshot controller and \
             of the driver's csi-snapshotter (--wait gives more time)",
            limit.as_secs()
        )))
    }
}

fn chosen(classes: &[Value], provisioner: &str, named: Option<&str>) -> Result<String, KubeError> {
    let none = |why: Text| Err(KubeError::Snapshot(why));
    let own: Vec<&Value> =
        classes.iter().filter(|class| text(class, "/driver") == provisioner).collect();
    let names = own.iter().map(|class| name(class)).collect::<Vec<_>>().join(", ");
    let have = if names.is_empty() { "none".to_owned() } else { names };
    if let Some(named) = named {
        return match classes.iter().find(|class| name(class) == named) {
            Some(class) if provisioner.is_empty() || text(class, "/driver") == provisioner => {
                Ok(named.to_owned())
            }
            Some(class) => none(text!(
                "VolumeSnapshotClass {named} is of driver {}, and volumes come from {provisioner}, \
                 which has {have}; name one of those",
                text(class, "/driver")
            )),
            None => none(text!(
                "the cluster has no VolumeSnapshotClass {named}; {provisioner} has {have}"
            )),
        };
    }
    let default = "/metadata/annotations/snapshot.storage.kubernetes.io~1is-default-class";
    let is_default = |class: &&&Value| text(class, default) == "true";
    match (own.iter().find(is_default), own.as_slice()) {
        (Some(class), _) | (None, [class]) => Ok(name(class).to_owned()),
        (None, []) => none(text!(
            "no VolumeSnapshotClass is of driver {provisioner}, so its volumes take no snapshots; \
             make one, or choose another class"
        )),
        (None, _) => none(text!(
            "{provisioner} has several classes of snapshots, {have}; name one by \
             --volumesnapshotclass"
        )),
    }
}

/// A snapshot that is removed with the Job whose identity is `owner`.
fn snapshot(run: &RunId, owner: &str, claim: &str, class: &str) -> Value {
    json!({
        "apiVersion": "snapshot.storage.k8s.io/v1",
        "kind": "VolumeSnapshot",
        "metadata": {
            "name": claim,
            "labels": run.labels(),
            "ownerReferences": [{
                "apiVersion": "batch/v1", "kind": "Job", "name": run.job_name(), "uid": owner,
            }],
        },
        "spec": {
            "volumeSnapshotClassName": class,
            "source": {"persistentVolumeClaimName": claim},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_of_snapshots_is_the_named_the_default_or_the_only_one() {
        let class =
            |name: &str, driver: &str| json!({"metadata": {"name": name}, "driver": driver});
        let mut classes = vec![class("a", "x"), class("b", "y"), class("c", "y")];
        let of = |classes: &[Value], driver: &str, named| {
            chosen(classes, driver, named).unwrap_or_else(|why| why.to_string())
        };
        assert_eq!(of(&classes, "x", None), "a");
        assert_eq!(of(&classes, "y", Some("c")), "c");
        assert!(of(&classes, "y", None).contains("b, c; name one"));
        assert!(of(&classes, "y", Some("a")).contains("is of driver x"));
        assert!(of(&classes, "y", Some("z")).contains("no VolumeSnapshotClass z"));
        assert!(of(&classes, "z", None).contains("take no snapshots"));
        let default = "snapshot.storage.kubernetes.io/is-default-class";
        classes[2]["metadata"]["annotations"] = json!({default: "true"});
        assert_eq!(of(&classes, "y", None), "c");
    }
}
