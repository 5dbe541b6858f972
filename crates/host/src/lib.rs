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

mod backing;
mod cgroup;
mod cpu;
mod device;
mod diskstats;
mod error;
mod file_id;
mod limits;
mod mount;
mod nfs;
mod signature;
mod source;
mod space;
mod storage;
mod system;
mod throttled;
mod tuning;
mod usage;

pub use backing::Backing;
pub use cgroup::{CpuQuota, IoThrottle, ThrottleUnit};
pub use cpu::{CpuTimes, cpu_deltas, parse_cpu_list, parse_cpu_times};
pub use device::{BlockDevice, WriteCache};
pub use diskstats::{DiskStats, disk_deltas, parse_disk_stats};
pub use error::HostError;
pub use file_id::FileId;
pub use limits::{Limits, Ulimit};
pub use mount::{Mount, parse_mounts};
pub use nfs::{NfsBytes, NfsOperation, NfsStats, NfsTransport, parse_nfs_stats};
pub use signature::{SIGNATURE_BYTES, identify, is_partition_table};
pub use source::Host;
pub use space::Space;
pub use storage::Storage;
pub use system::{System, Virtualisation};
pub use tuning::{QueueTuning, Swap};
pub use usage::InUse;
