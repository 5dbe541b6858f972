//! Windows: volumes, devices and the machine, through safe wrapper crates and reader functions
//! ([`DiskReaders`](crate::DiskReaders)).
//!
//! Decided here:
//! - A volume is what Linux calls a mount: its mount point (`Z:\`, a folder, a share), its file
//!   system and whether it refuses writes.
//! - Features that only Linux has (control groups, system call filters, loop devices) are empty or
//!   `None`, as on a Linux without them; nothing is made up.
//! - A fixture cannot be queried: no files contain the answers of these calls.

pub(crate) mod access;
pub(crate) mod child_group;
pub(crate) mod device;
pub(crate) mod folder;
pub(crate) mod hold;
pub(crate) mod identity;
pub(crate) mod machine;
pub(crate) mod process;
mod registry;
pub(crate) mod unnamed;
pub(crate) mod usage;
pub(crate) mod volume;

pub use usage::HostBacking;
