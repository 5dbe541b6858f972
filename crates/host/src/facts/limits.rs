//! The limits that decide which engine can run and at which depth: asynchronous contexts, locked
//! memory, open files, io_uring's switch.

use serde::{Deserialize, Serialize};

/// A resource limit of this process; `None` is unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ulimit {
    /// What holds now.
    pub soft: Option<u64>,
    /// How far it may be raised without privileges.
    pub hard: Option<u64>,
}

/// Limits of the machine and of this process; `None` where the kernel does not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostLimits {
    /// Events that all libaio contexts of the machine may hold.
    pub aio_max_nr: Option<u64>,
    /// Events that they hold now.
    pub aio_nr: Option<u64>,
    /// Memory that may be locked, in bytes.
    pub memlock: Option<Ulimit>,
    /// Files that may be open.
    pub nofile: Option<Ulimit>,
    /// 0 io_uring is open to all, 1 to its group only, 2 to nobody; absent before Linux 6.6.
    pub io_uring_disabled: Option<u32>,
    /// Files that may be open on the whole machine.
    pub file_max: Option<u64>,
    /// Threads that may exist on the whole machine.
    pub threads_max: Option<u64>,
}
