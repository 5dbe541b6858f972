//! Facts about the machine: the mount and device of a path, the users of a device, its counters,
//! and limits.
//!
//! Decided here:
//! - Facts are plain data (`facts`), the same on every system, ready for serde; nothing here judges
//!   them. The code that finds them is in a folder for each system.
//! - On Linux everything is read from `proc`, `sys` and `etc` under a root folder that is a
//!   parameter, so that a test can define a machine by a text file. The few facts that need a
//!   system call (`stat`, `statfs`, an exclusive open) are in [`Host`]'s `real` side and are
//!   refused, with [`HostError::NotReal`], for a fixture.
//! - The files are parsed here and not by the `procfs` crate, which reads only the real `/proc`; we
//!   need only a few columns of each file. Each parser is a pure function of bytes that skips
//!   unknown lines, because a newer kernel may add some.
//! - Handling files and child processes differs, too: those few calls are here, so that no higher
//!   crate depends on the system (`access`, `hold`, `folder`, `unnamed`, `child_group`, `process`).
//! - An unreadable fact is `None`, not an error, if a container or an older kernel may lack it.
//!   Only facts that an answer needs give errors.
#![forbid(unsafe_code)]

mod access;
mod child_group;
mod entry_kind;
mod error;
mod facts;
mod file_id;
mod folder;
mod hold;
mod process;
mod signature;
mod source;
mod unnamed;

// The system that this is built for.
#[cfg(unix)]
mod linux;
#[cfg(unix)]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

pub use access::{
    allocated_bytes, is_ours_alone, link_count, make_private_folder, may_write, mode_of,
    permissions, take_after, with_mode, without_waiting,
};
pub use child_group::{in_own_group, kill_group, wake_group};
pub use entry_kind::EntryKind;
pub use error::HostError;
pub use facts::cpu::{CpuTimes, cpu_deltas};
pub use facts::device::{BlockDevice, WriteCache};
pub use facts::diskstats::{DiskStats, disk_deltas};
pub use facts::limits::{HostLimits, Ulimit};
pub use facts::mount::Mount;
pub use facts::nfs::{NfsBytes, NfsOperation, NfsStats, NfsTransport};
pub use facts::space::Space;
pub use facts::storage::Storage;
pub use facts::system::{System, Virtualisation};
pub use facts::throttle::{CpuQuota, IoThrottle, ThrottleUnit};
pub use facts::tuning::{QueueTuning, Swap};
pub use facts::usage::InUse;
pub use file_id::FileId;
pub use folder::{FolderEntry, HeldFolder};
pub use hold::{hold_new, lets_go_to_replace, open_held};
#[cfg(unix)]
pub use linux::cpu::{parse_cpu_list, parse_cpu_times};
#[cfg(unix)]
pub use linux::diskstats::parse_disk_stats;
#[cfg(unix)]
pub use linux::mount::parse_mounts;
#[cfg(unix)]
pub use linux::nfs::parse_nfs_stats;
pub use process::{ProcessSpace, process_start};
pub use signature::{SIGNATURE_BYTES, identify, is_partition_table};
pub use source::{DiskCounters, DiskFacts, DiskReaders, Host, LoopReader};
pub use system::HostBacking;
pub use unnamed::{name_file, unnamed_file};
