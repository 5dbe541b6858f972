//! Limits that control groups set on a watched device, and when its I/O is at one.
//!
//! A limit holds for the processes of its group, while a device's counters count everybody. So a
//! rate near a limit is a hint, and is worded as one.

use super::disk::DiskRates;
use fathom_host::{BlockDevice, IoThrottle, ThrottleUnit};
use serde::{Deserialize, Serialize};

/// How near to a limit a rate counts as being at it: what is between is the throttle's own
/// unevenness over an interval.
const NEAR: f64 = 0.95;

/// Whose processes a limit holds for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Whose {
    /// This process's group or one above it.
    Ours,
    /// Another group's.
    Others,
}

/// A control group's limit on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupLimit {
    /// The group, as a path in its tree.
    pub cgroup: String,
    /// Whose processes it holds for.
    pub whose: Whose,
    /// What is limited.
    pub unit: ThrottleUnit,
    /// To how many a second.
    pub per_second: u64,
}

impl CgroupLimit {
    /// Whether a device's rates are within 5 % below this limit, or above it.
    pub fn is_reached_by(&self, rates: &DiskRates) -> bool {
        let rate = match self.unit {
            ThrottleUnit::ReadIops => rates.reads_per_s,
            ThrottleUnit::WriteIops => rates.writes_per_s,
            ThrottleUnit::ReadBytes => rates.read_mb_per_s * 1e6,
            ThrottleUnit::WriteBytes => rates.write_mb_per_s * 1e6,
        };
        rate > 0.0 && rate >= self.per_second as f64 * NEAR
    }
}

/// The limits on `device`, ours first.
///
/// `own` are those of this process's groups, `visible` those of all groups. A limit names a whole
/// disk, so that of a partition's disk is the partition's; `disk` is its number.
pub fn limits_on(
    device: &BlockDevice,
    disk: (u32, u32),
    own: &[IoThrottle],
    visible: &[IoThrottle],
) -> Vec<CgroupLimit> {
    let concerns = |throttle: &&IoThrottle| {
        let number = (throttle.major, throttle.minor);
        number == (device.major, device.minor) || number == disk
    };
    let limit = |throttle: &IoThrottle, whose| CgroupLimit {
        cgroup: throttle.cgroup.clone(),
        whose,
        unit: throttle.unit,
        per_second: throttle.per_second,
    };
    let others = visible.iter().filter(|throttle| !own.contains(throttle));
    let ours = own.iter().filter(concerns).map(|throttle| limit(throttle, Whose::Ours));
    ours.chain(others.filter(concerns).map(|throttle| limit(throttle, Whose::Others))).collect()
}
