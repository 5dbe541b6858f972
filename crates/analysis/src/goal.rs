//! What a test of a volume is to find out.

use crate::quantity::{latency, megabytes_per_s, thousands};
use serde::{Deserialize, Serialize};

/// What a phase is to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// How long one I/O takes when nothing else is going on.
    Latency,
    /// How many small I/Os a second.
    Iops,
    /// How many bytes a second.
    Throughput,
}

impl Goal {
    /// The word for it in job names: `latency`, `iops`, `throughput`.
    pub fn name(self) -> &'static str {
        match self {
            Goal::Latency => "latency",
            Goal::Iops => "iops",
            Goal::Throughput => "throughput",
        }
    }

    /// A figure in the goal's unit: `3,000 IOPS`, `131 MB/s` of bytes a second, `1.00 ms` of
    /// nanoseconds.
    pub fn in_unit(self, value: f64) -> String {
        match self {
            Goal::Iops => format!("{} IOPS", thousands(value)),
            Goal::Throughput => format!("{} MB/s", megabytes_per_s(value / 1e6)),
            Goal::Latency => latency(value),
        }
    }
}
