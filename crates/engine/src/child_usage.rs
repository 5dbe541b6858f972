//! The resource use of a child process: plain data.

use std::time::Duration;

/// The resource use of a child process, with its own children that it waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChildUsage {
    /// Time of its threads in its own code.
    pub user: Duration,
    /// Time of the kernel on its behalf.
    pub system: Duration,
    /// Maximum resident memory. The kernel counts from the fork, so it is never less than the
    /// waiting process had then.
    pub max_resident_bytes: u64,
}
