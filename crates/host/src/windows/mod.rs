//! Windows: volumes, devices and the machine, by calls that safe crates wrap and by readers that
//! are passed in ([`DiskReaders`](crate::DiskReaders)).
//!
//! Decided here:
//! - A volume is what Linux calls a mount: where it appears (`Z:\`, a folder, a share), its file
//!   system and whether it refuses writes.
//! - What only Linux has (control groups, system call filters, loop devices) is empty or `None`, as
//!   on a Linux that lacks it; nothing is made up.
//! - A fixture cannot be asked: there are no files that hold what these calls answer.

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
