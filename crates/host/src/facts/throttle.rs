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

/// A limit on this process's processor time, and how often it was felt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CpuQuota {
    /// Processors' worth of time that may be used: the tightest of ours and the groups above.
    pub cpus: Option<f64>,
    /// How often our group was stopped because its time was used up.
    pub throttled_count: u64,
    /// For how long in all.
    pub throttled_us: u64,
}
