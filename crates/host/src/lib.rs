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

// The system that this is built for.
use linux as system;

pub use error::HostError;
pub use file_id::FileId;
pub use signature::{SIGNATURE_BYTES, identify, is_partition_table};
pub use source::{Host, LoopReader};
pub use system::backing::HostBacking;
pub use system::cgroup::{CpuQuota, IoThrottle, ThrottleUnit};
pub use system::cpu::{CpuTimes, cpu_deltas, parse_cpu_list, parse_cpu_times};
pub use system::device::{BlockDevice, WriteCache};
pub use system::diskstats::{DiskStats, disk_deltas, parse_disk_stats};
pub use system::limits::{HostLimits, Ulimit};
pub use system::mount::{Mount, parse_mounts};
pub use system::nfs::{NfsBytes, NfsOperation, NfsStats, NfsTransport, parse_nfs_stats};
pub use system::space::Space;
pub use system::storage::Storage;
pub use system::system::{System, Virtualisation};
pub use system::tuning::{QueueTuning, Swap};
pub use system::usage::InUse;
