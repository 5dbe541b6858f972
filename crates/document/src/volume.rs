//! A target and its devices: facts only, no decision.
//!
//! A target is a folder, a file (existing or not), or a block device. The kind decides whether it
//! may be written, so it is determined once.

use crate::cluster::ClusterVolume;
use fathom_host::{BlockDevice, InUse, Mount, Space, Storage};
use fathom_vocab::Target;
use serde::{Deserialize, Serialize};

/// What stands at a target's path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum TargetKind {
    /// A folder: a test file of our own is made in it.
    Folder,
    /// Nothing yet: a test file is made there.
    NewFile,
    /// A file with somebody's data.
    ExistingFile {
        /// Its length in bytes.
        size_bytes: u64,
        /// Bytes that were written; less than its length means holes or blocks without data.
        allocated_bytes: u64,
        /// Who uses it as a device: loop devices over it, the kernel that swaps to it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        in_use: Vec<InUse>,
    },
    /// A block device.
    Device {
        /// Its capacity in bytes.
        size_bytes: u64,
        /// Who uses it: evidence, a sentence each.
        in_use: Vec<InUse>,
        /// Why that could not be found out, if it could not.
        in_use_unknown: Option<String>,
        /// What its first bytes look like, such as `ext4`.
        data: Option<String>,
    },
}

impl TargetKind {
    /// Whether the target contains data that is not ours.
    pub fn holds_foreign_data(&self) -> bool {
        matches!(self, TargetKind::ExistingFile { .. } | TargetKind::Device { .. })
    }
}

/// A target with what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Volume {
    /// The path as given, for showing.
    pub name: String,
    /// The target as given; documents keep its name alone.
    #[serde(skip)]
    pub target: Target,
    /// What stands there.
    pub kind: TargetKind,
    /// The mount that it lies on.
    pub mount: Mount,
    /// The device, server or memory beneath.
    pub storage: Storage,
    /// Size and free space of its file system; none for a device.
    pub space: Option<Space>,
    /// Where it comes from, where it belongs to a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<ClusterVolume>,
    /// Where the files of several clients lie; none of one machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clients: Option<ClientFiles>,
}

/// The files that several clients make on a volume, or each on its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientFiles {
    /// How many: one for each client, or one for all.
    pub count: u32,
    /// Whether all lie on one file system.
    pub share_space: bool,
    /// The free space that each client sees.
    pub spaces: Vec<ClientSpace>,
}

/// The free space that a client sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientSpace {
    /// The client.
    pub client: String,
    /// Its bytes.
    pub available_bytes: u64,
}

impl ClientFiles {
    /// The client with the least free space.
    pub fn fullest(&self) -> Option<&ClientSpace> {
        self.spaces.iter().min_by_key(|of| of.available_bytes)
    }
}

impl Volume {
    /// Whether the target is in memory.
    pub fn is_memory(&self) -> bool {
        matches!(beneath(&self.storage), Storage::Memory { .. })
            || self.storage.device().is_some_and(BlockDevice::is_memory)
    }

    /// The disk with its model, or the server; none where neither is known.
    pub fn device_name(&self) -> Option<String> {
        if let Storage::Network { server, .. } = beneath(&self.storage) {
            return Some(server.clone());
        }
        let device = self.storage.device()?;
        let words = [Some(&device.name), device.vendor.as_ref(), device.model.as_ref()];
        Some(words.into_iter().flatten().map(|word| word.trim()).collect::<Vec<_>>().join(" "))
    }

    /// How many files of each of our test files' sizes are made, over all clients.
    pub fn file_count(&self) -> u32 {
        self.clients.as_ref().map_or(1, |of| of.count)
    }

    /// Whether both are on the same file system or device, so that a comparison is meaningless.
    pub fn same_place_as(&self, other: &Volume) -> bool {
        let number = |volume: &Volume| (volume.mount.major, volume.mount.minor);
        number(self) == number(other) && self.mount.source == other.mount.source
    }
}

/// The storage below an overlay, or the storage itself.
fn beneath(storage: &Storage) -> &Storage {
    match storage {
        Storage::Overlay { beneath: Some(inner), .. } => beneath(inner),
        other => other,
    }
}
