//! The load of a check: pattern, block size, depth, and the promise for it.

use crate::goal::Goal;
use crate::promise::Reachable;
use crate::quantity::binary_bytes;
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// One run of a check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckLoad {
    /// What it is to find out.
    pub goal: Goal,
    /// Read or write.
    pub direction: Direction,
    /// Bytes of each I/O.
    pub block_bytes: u64,
    /// I/Os that each job keeps in flight.
    pub depth: u32,
    /// Jobs that run at once.
    pub jobs: u32,
    /// What is promised of it.
    pub promised: Promised,
}

/// What is promised of a run, in its own terms; what is not is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Promised {
    /// For as long as it is asked for.
    pub rate: Option<Reachable>,
    /// For a while, where that is more.
    pub burst: Option<Reachable>,
    /// Latency in nanoseconds.
    pub latency_ns: Option<f64>,
}

impl CheckLoad {
    /// In words, as every test is called: `4 KiB random read, QD 64, 2 jobs`.
    pub fn title(&self) -> String {
        let order = if self.is_random() { "random" } else { "sequential" };
        let block = binary_bytes(self.block_bytes);
        let jobs = match self.jobs {
            1 => String::new(),
            jobs => format!(", {jobs} jobs"),
        };
        format!("{block} {order} {}, QD {}{jobs}", self.direction.name(), self.depth)
    }

    /// I/Os in flight over all jobs.
    pub fn in_flight(&self) -> u32 {
        self.depth.saturating_mul(self.jobs)
    }

    /// Whether its I/Os go anywhere on the volume.
    pub fn is_random(&self) -> bool {
        self.goal != Goal::Throughput
    }
}
