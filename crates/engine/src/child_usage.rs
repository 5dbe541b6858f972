//! What a child process used up: plain data.

use std::time::Duration;

/// What a child process used up, its own children that it waited for included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChildUsage {
    /// Time of its threads in its own code.
    pub user: Duration,
    /// Time of the kernel on its behalf.
    pub system: Duration,
    /// The most memory that was resident at once. The kernel counts from the fork, so it is never
    /// less than what the waiting process had then.
    pub max_resident_bytes: u64,
}
