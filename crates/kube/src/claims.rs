//! A claim with its volume, as far as the cluster knows both.

use crate::cluster::{members, name, text};
use serde_json::Value;

/// The times of a volume, in milliseconds, as seen from here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimTimes {
    /// From the claim to a volume that is bound to it; none for one that was there.
    pub bound_ms: Option<u64>,
    /// From a pod that has a node and a bound claim to one that runs: attach, mount, image.
    pub start_ms: Option<u64>,
}

/// A claim that a pod mounts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodClaim {
    /// The name under which it is mounted.
    pub volume: String,
    /// The claim.
    pub claim: String,
    /// The pod that has it for itself; none if all pods share it.
    pub pod: Option<String>,
    /// Its StorageClass.
    pub class: String,
    /// The provisioner of the volume.
    pub provisioner: String,
    /// Its access modes.
    pub access: Vec<String>,
    /// Its size, as the cluster spells it.
    pub size: String,
    /// The PersistentVolume.
    pub pv: String,
    /// The provider's name for the volume: an id, a path, a server.
    pub handle: String,
    /// The reclaim policy.
    pub reclaim: String,
    /// How long it took.
    pub times: ClaimTimes,
}

impl PodClaim {
    /// The facts of a claim and its volume; unknown ones of the volume stay empty.
    pub(crate) fn of(volume: &str, claim: &Value, pv: &Value, class: &Value) -> PodClaim {
        let annotation = "/metadata/annotations/pv.kubernetes.io~1provisioned-by";
        let told =
            [text(class, "/provisioner"), text(pv, annotation), text(pv, "/spec/csi/driver")];
        let size = [text(claim, "/status/capacity/storage"), text(pv, "/spec/capacity/storage")];
        PodClaim {
            volume: volume.to_owned(),
            claim: name(claim).to_owned(),
            pod: members(claim, "/metadata/ownerReferences")
                .find(|owner| owner["kind"] == "Pod")
                .map(|owner| text(owner, "/name").to_owned()),
            class: text(claim, "/spec/storageClassName").to_owned(),
            provisioner: first(&told),
            access: members(claim, "/spec/accessModes")
                .filter_map(|mode| mode.as_str().map(str::to_owned))
                .collect(),
            size: first(&size),
            pv: text(claim, "/spec/volumeName").to_owned(),
            handle: handle(pv),
            reclaim: text(pv, "/spec/persistentVolumeReclaimPolicy").to_owned(),
            times: ClaimTimes::default(),
        }
    }
}

fn first(texts: &[&str]) -> String {
    texts.iter().find(|text| !text.is_empty()).map_or_else(String::new, |text| (*text).to_owned())
}

/// The provider's name for a volume.
fn handle(pv: &Value) -> String {
    let nfs = [text(pv, "/spec/nfs/server"), text(pv, "/spec/nfs/path")];
    if !nfs[0].is_empty() {
        return nfs.join(":");
    }
    let places = [
        "/spec/csi/volumeHandle",
        "/spec/local/path",
        "/spec/hostPath/path",
        "/spec/awsElasticBlockStore/volumeID",
        "/spec/gcePersistentDisk/pdName",
        "/spec/azureDisk/diskURI",
    ];
    first(&places.map(|place| text(pv, place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_volume_is_known_by_what_its_provider_calls_it() {
        let of = |spec: Value| handle(&json!({"spec": spec}));
        assert_eq!(of(json!({"csi": {"volumeHandle": "vol-1"}})), "vol-1");
        assert_eq!(of(json!({"nfs": {"server": "nas", "path": "/a"}})), "nas:/a");
        assert_eq!(of(json!({"hostPath": {"path": "/opt/x"}})), "/opt/x");
        assert_eq!(handle(&Value::Null), "");
    }

    #[test]
    fn a_claim_says_what_it_can_without_its_volume() {
        let claim = json!({
            "metadata": {"name": "data"},
            "spec": {
                "storageClassName": "gp3", "accessModes": ["ReadWriteOnce"], "volumeName": "pv",
            },
            "status": {"capacity": {"storage": "10Gi"}},
        });
        let known = PodClaim::of("gp3", &claim, &Value::Null, &Value::Null);
        assert_eq!(
            (known.class.as_str(), known.size.as_str(), known.pv.as_str()),
            ("gp3", "10Gi", "pv")
        );
        assert_eq!((known.provisioner.as_str(), known.handle.as_str()), ("", ""));
        let class = json!({"provisioner": "ebs.csi.aws.com"});
        assert_eq!(
            PodClaim::of("gp3", &claim, &Value::Null, &class).provisioner,
            "ebs.csi.aws.com"
        );
    }
}
