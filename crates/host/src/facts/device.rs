//! A block device.
//!
//! A partition has few attributes of its own: model, scheduler and queue are its disk's, and are
//! returned with it, so that a caller need not distinguish the two.

use crate::source::lossy_option;
use crate::system;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Whether the device keeps written data in volatile memory until it is told to flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteCache {
    /// Volatile: a write may be lost with the power until a flush.
    WriteBack,
    /// None, or one that survives a power failure.
    WriteThrough,
}

/// A block device: a disk, a partition, or something that the kernel makes look like one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockDevice {
    /// The kernel's name, such as `nvme0n1p2`.
    pub name: String,
    /// The whole disk's name: `nvme0n1`; equal to `name` if this is no partition.
    pub disk: String,
    /// Number of the partition on its disk.
    pub partition: Option<u32>,
    /// Major device number.
    pub major: u32,
    /// Minor device number.
    pub minor: u32,
    /// Capacity.
    pub size_bytes: u64,
    /// Model, as the device gives it.
    pub model: Option<String>,
    /// Vendor, as the device gives it.
    pub vendor: Option<String>,
    /// Serial number; cloud volumes often put their identity here.
    pub serial: Option<String>,
    /// Firmware revision.
    pub firmware: Option<String>,
    /// How it is attached: `pcie`, `tcp`, `rdma`, `fc`, `virtio`, `usb`, `sata`, `iscsi`, `scsi`,
    /// `xen`, `memory`.
    pub transport: Option<String>,
    /// The I/O scheduler in use.
    pub scheduler: Option<String>,
    /// Whether the kernel takes it for a spinning disk.
    pub rotational: bool,
    /// Whether it can be pulled out.
    pub removable: bool,
    /// Whether it refuses writes.
    pub read_only: bool,
    /// The smallest addressable unit: what direct I/O must be aligned to.
    pub logical_block_bytes: u32,
    /// The smallest unit written without reading first.
    pub physical_block_bytes: u32,
    /// Whether it has a volatile write cache.
    pub write_cache: Option<WriteCache>,
    /// Requests that the kernel queues for it (`nr_requests`).
    pub queue_depth: Option<u32>,
    /// Largest request the kernel sends; bigger ones are split.
    pub max_request_bytes: Option<u64>,
    /// How far the page cache reads ahead.
    pub read_ahead_bytes: Option<u64>,
    /// Whether ranges can be discarded (trimmed).
    pub discard: bool,
    /// `host-managed` or `host-aware` for a zoned device.
    pub zoned: Option<String>,
    /// Names of the partitions on it.
    pub partitions: Vec<String>,
    /// Devices that stand on this one (device mapper, md).
    pub holders: Vec<String>,
    /// Devices that this one stands on (device mapper, md).
    pub slaves: Vec<String>,
    /// Name given by the device mapper, such as `vg0-data`.
    pub mapper_name: Option<String>,
    /// md's level, such as `raid1`.
    pub raid_level: Option<String>,
    /// The file behind a loop device.
    #[serde(serialize_with = "lossy_option")]
    pub backing_file: Option<PathBuf>,
    /// Whether a loop device bypasses the page cache on its way to that file; `None` for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct_backing: Option<bool>,
}

impl BlockDevice {
    /// Where it is usually opened: `/dev/` and the name, or `\\.\` and the name on Windows.
    pub fn node(&self) -> PathBuf {
        system::device::node_of(&self.name)
    }

    /// Whether writes stay in memory (zram, brd): its figures say nothing about a disk.
    pub fn is_memory(&self) -> bool {
        self.transport.as_deref() == Some("memory")
    }
}
