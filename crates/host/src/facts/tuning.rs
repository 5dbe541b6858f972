//! Settings that affect a measurement indirectly.

use serde::{Deserialize, Serialize};

/// Swap space of the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swap {
    /// All of it; 0 where there is none.
    pub total_bytes: u64,
    /// What is taken.
    pub used_bytes: u64,
}

/// What a disk's queue does, from its folder in sysfs; `None` where the kernel does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueTuning {
    /// Whether the kernel counts its I/Os: without, no counter confirms a measurement.
    pub counted: Option<bool>,
    /// 0 neighbouring requests are merged, 1 only by simple means, 2 never.
    pub nomerges: Option<u32>,
    /// The latency in microseconds above which writeback is held back; 0 is never.
    pub writeback_target_us: Option<u64>,
}
