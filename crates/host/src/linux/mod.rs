//! Linux: facts from `proc` and `sys`, and from calls that only it has. Another system is a folder
//! beside this one that answers the same queries with the same plain types.

pub(crate) mod access;
pub(crate) mod backing;
pub(crate) mod cgroup;
pub(crate) mod child_group;
pub(crate) mod cpu;
pub(crate) mod device;
pub(crate) mod diskstats;
mod files;
pub(crate) mod folder;
pub(crate) mod hold;
pub(crate) mod identity;
pub(crate) mod limits;
pub(crate) mod mount;
pub(crate) mod nfs;
pub(crate) mod process;
pub(crate) mod space;
pub(crate) mod storage;
pub(crate) mod system;
pub(crate) mod throttled;
pub(crate) mod tuning;
pub(crate) mod unnamed;
pub(crate) mod usage;

pub use backing::HostBacking;
