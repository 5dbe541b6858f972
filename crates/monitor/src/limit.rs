//! Limits of control groups on a watched device, and whether its I/O has reached one.
//!
//! A limit applies to the processes of its group, while a device's counters count all processes. So
//! a rate near a limit is a hint, and is worded as one.

use super::disk::DiskRates;
use fathom_host::{BlockDevice, IoThrottle, ThrottleUnit};
use serde::{Deserialize, Serialize};

/// A rate from this share of a limit on counts as reaching it: the gap allows for the throttle's
/// unevenness over an interval.
const NEAR: f64 = 0.95;
/// Share of a limit up to which it may have held the rate: one slice of a tenth of a second more.
const BEYOND: f64 = 1.15;

/// The processes that a limit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitScope {
    /// This process's group or one above it.
    Ours,
    /// Those of another group.
    Others,
}

/// A control group's limit on a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupLimit {
    /// The group, as a path in its tree.
    pub cgroup: String,
    /// The processes that it applies to.
    pub whose: LimitScope,
    /// The limited unit.
    pub unit: ThrottleUnit,
    /// To how many a second.
    pub per_second: u64,
}

impl CgroupLimit {
    /// Whether a device's rates are within 5 % below this limit, or above it by no more than a time
    /// slice of the throttle explains: beyond that, processes outside the group made them.
    pub fn is_reached_by(&self, rates: &DiskRates) -> bool {
        let rate = match self.unit {
            ThrottleUnit::ReadIops => rates.reads_per_s,
            ThrottleUnit::WriteIops => rates.writes_per_s,
            ThrottleUnit::ReadBytes => rates.read_mb_per_s * 1e6,
            ThrottleUnit::WriteBytes => rates.write_mb_per_s * 1e6,
        };
        let limit = self.per_second as f64;
        rate > 0.0 && (limit * NEAR..=limit * BEYOND).contains(&rate)
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
    let ours = own.iter().filter(concerns).map(|throttle| limit(throttle, LimitScope::Ours));
    ours.chain(others.filter(concerns).map(|throttle| limit(throttle, LimitScope::Others)))
        .collect()
}
