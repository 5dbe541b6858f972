//! What the machine says: which mount and which device a path stands on, what uses a device,
//! what its counters count, and which limits hold here.
//!
//! Decided here:
//! - Everything is read from `proc`, `sys` and `etc` under a root folder that is a parameter, so
//!   that a test can stand a machine up from a text file. The few questions that only the kernel
//!   answers by a call (`stat`, `statfs`, an exclusive open) live in [`Host`]'s `real` side and
//!   are refused, with [`HostError::NotReal`], for a fixture.
//! - The files are parsed here and not by the `procfs` crate: that one reads the real `/proc`
//!   only, and what we need of each file is a few columns. Each parser is a pure function of
//!   bytes that passes over lines it does not understand, because a newer kernel may add some.
//! - What cannot be read is `None`, not an error, wherever a container or an older kernel may
//!   lack it. An error is left for what the answer cannot do without.
//! - Plain data comes out, ready for serde; nothing here judges it.
#![forbid(unsafe_code)]

mod error;
mod file_id;
mod linux;
mod signature;
mod source;

pub use error::HostError;
pub use file_id::FileId;
pub use linux::backing::HostBacking;
pub use linux::cgroup::{CpuQuota, IoThrottle, ThrottleUnit};
pub use linux::cpu::{CpuTimes, cpu_deltas, parse_cpu_list, parse_cpu_times};
pub use linux::device::{BlockDevice, WriteCache};
pub use linux::diskstats::{DiskStats, disk_deltas, parse_disk_stats};
pub use linux::limits::{HostLimits, Ulimit};
pub use linux::mount::{Mount, parse_mounts};
pub use linux::nfs::{NfsBytes, NfsOperation, NfsStats, NfsTransport, parse_nfs_stats};
pub use linux::space::Space;
pub use linux::storage::Storage;
pub use linux::system::{System, Virtualisation};
pub use linux::tuning::{QueueTuning, Swap};
pub use linux::usage::InUse;
pub use signature::{SIGNATURE_BYTES, identify, is_partition_table};
pub use source::{Host, LoopReader};
