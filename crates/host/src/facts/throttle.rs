//! The limits of a system on a program's I/O and processor time.

use serde::{Deserialize, Serialize};

/// What a throttle counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThrottleUnit {
    /// Reads a second.
    ReadIops,
    /// Writes a second.
    WriteIops,
    /// Bytes read a second.
    ReadBytes,
    /// Bytes written a second.
    WriteBytes,
}

/// A limit on this process's I/O to one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoThrottle {
    /// The group that has the limit, as a path in its tree.
    pub cgroup: String,
    /// The device's name, where it is known.
    pub device: Option<String>,
    /// Major device number.
    pub major: u32,
    /// Minor device number.
    pub minor: u32,
    /// What is limited.
    pub unit: ThrottleUnit,
    /// To how many a second.
    pub per_second: u64,
}

/// A limit on the processor time of a control group of this process, and how often it was felt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CpuQuota {
    /// Processors' worth of time that may be used.
    pub cpus: f64,
    /// The group that has the limit, as a path in its tree.
    pub cgroup: String,
    /// The file of the group that sets it.
    pub file: String,
    /// How often the group was stopped because its time was used up.
    pub throttled_count: u64,
    /// For how long in all, summed over processors.
    pub throttled_us: u64,
}

impl CpuQuota {
    /// The same with what was felt of it since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &CpuQuota) -> CpuQuota {
        CpuQuota {
            throttled_count: self.throttled_count.saturating_sub(earlier.throttled_count),
            throttled_us: self.throttled_us.saturating_sub(earlier.throttled_us),
            ..self.clone()
        }
    }

    /// Whether both are the same limit.
    pub fn is_same(&self, other: &CpuQuota) -> bool {
        (&self.cgroup, &self.file) == (&other.cgroup, &other.file)
    }
}
