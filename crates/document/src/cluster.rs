//! The origin of a volume in a Kubernetes cluster, by which a result can be assigned to a class and
//! to a disk.

use fathom_message::{Message, Tell};
use serde::{Deserialize, Serialize};

/// What a cluster says of a volume that its pods were measured on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterVolume {
    /// The StorageClass.
    pub class: String,
    /// Who provisioned it; empty where that is not known.
    #[serde(default)]
    pub provisioner: String,
    /// The claim.
    pub claim: String,
    /// The PersistentVolume.
    #[serde(default)]
    pub volume: String,
    /// What the provider knows it by: an id, a path, a server; empty where that is not known.
    #[serde(default)]
    pub handle: String,
    /// Its size, as the cluster spells it.
    #[serde(default)]
    pub size: String,
    /// Ways in which it may be mounted.
    #[serde(default)]
    pub access: Vec<String>,
    /// `Filesystem` or `Block`.
    #[serde(default)]
    pub mode: String,
    /// The node of each pod.
    #[serde(default)]
    pub nodes: Vec<String>,
    /// The first node's zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The first node's kind of machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Milliseconds from the claim to a volume that is bound to it; none where it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_ms: Option<u64>,
    /// Milliseconds from a node and a bound claim to pods that run: attach, mount, image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// Where each pod has a claim of its own: all of them in the order of `nodes`. Claim, volume
    /// and handle above are then the first one's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClusterClaim>,
    /// How long volumes of the class took, where that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ClusterStep>,
}

/// `StorageClass gp3 by ebs.csi.aws.com, volume pvc-1 (vol-1) on n1`.
impl Tell for ClusterVolume {
    fn tell(&self) -> Message {
        Message::new("cluster-volume")
            .with("class", self.class.as_str())
            .with("provisioner", self.provisioner.as_str())
            .with("volume", self.volume.as_str())
            .with("handle", self.handle.as_str())
            .with("nodes", self.nodes.join(", "))
    }
}

/// How long one step took of several volumes of a class, made one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterStep {
    /// `provision` (claim to volume), `bind`, `attach` (to the pod's node), `mount`, `resize`,
    /// `snapshot`, `restore` (claim of a snapshot to bound volume) or `delete` (end of the pod to
    /// no volume).
    pub step: String,
    /// Of how many volumes.
    pub volumes: u64,
    /// Milliseconds that half of them did not exceed.
    pub p50_ms: u64,
    /// Milliseconds that 99 % of them did not exceed: of fewer than 100, the longest.
    pub p99_ms: u64,
    /// Milliseconds of the slowest.
    pub longest_ms: u64,
}

/// A claim that one pod has for itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterClaim {
    /// The claim.
    pub claim: String,
    /// The PersistentVolume.
    #[serde(default)]
    pub volume: String,
    /// What the provider knows it by.
    #[serde(default)]
    pub handle: String,
    /// Milliseconds from the order to a volume that is bound to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_ms: Option<u64>,
}
