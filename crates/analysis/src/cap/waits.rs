//! I/Os that wait in this machine while the device is idle.
//!
//! The kernel counts how long a device holds an I/O, from the moment that it has room for it. The
//! remaining latency was spent before: behind a throttle of a control group that this process
//! cannot see, or for lack of a processor. So busy threads exclude the sign, and so does a busy
//! device.

use crate::quantity::latency;
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// Minimum ratio of an I/O's latency to the device's part of it.
const LEAST_TIMES: f64 = 4.0;
/// Minimum wait. Less is the path through the kernel.
const LEAST_WAIT_NS: f64 = 100_000.0;
/// The device is busy for at most this share of the time.
const MOST_BUSY: f64 = 0.5;
/// The job's threads are busy for at most this share of the time: I/Os wait for those that are.
const MOST_THREAD: f64 = 0.4;

/// The kernel's counters of the device, and the load of the job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceTime {
    /// Mean time of an I/O in the device, in nanoseconds.
    pub service_ns: f64,
    /// The share of the time in which it had any, 0 to 1.
    pub busy: f64,
    /// The share of the time in which the busiest of the job's threads ran, 0 to 1.
    pub busiest_thread: f64,
}

/// I/Os wait before they reach a device that is mostly idle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitBefore {
    /// Mean latency of an I/O, in nanoseconds.
    pub latency_ns: f64,
    /// The part of it in the device, in nanoseconds.
    pub service_ns: f64,
    /// The share of the time in which the device had any I/O, 0 to 1.
    pub busy: f64,
}

/// The wait before the device, if there is one. `latency_ns` is the I/Os' mean latency.
pub fn wait_before(latency_ns: f64, device: DeviceTime) -> Option<WaitBefore> {
    let DeviceTime { service_ns, busy, busiest_thread } = device;
    let waits = latency_ns >= LEAST_TIMES * service_ns && latency_ns - service_ns >= LEAST_WAIT_NS;
    let idle = busy <= MOST_BUSY && busiest_thread <= MOST_THREAD;
    let known = latency_ns.is_finite() && service_ns >= 0.0;
    (known && waits && idle).then_some(WaitBefore { latency_ns, service_ns, busy })
}

impl Tell for WaitBefore {
    fn tell(&self) -> Message {
        Message::new("cap-sign-wait")
            .with("latency", latency(self.latency_ns))
            .with("service", latency(self.service_ns))
            .part("busy", in_percent(self.busy))
    }
}

shown_as_told!(WaitBefore);

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(latency_ns: f64, service_ns: f64, busy: f64, busiest_thread: f64) -> bool {
        wait_before(latency_ns, DeviceTime { service_ns, busy, busiest_thread }).is_some()
    }

    #[test]
    fn a_wait_before_an_idle_device_shows() {
        // Real ones: 20 IOPS at QD 8, 3,000 at QD 1, 50,000 of zram at QD 64.
        assert!(waits(392e6, 113e3, 0.001, 0.01));
        assert!(waits(333e3, 21e3, 0.05, 0.04));
        assert!(waits(1280e3, 1e3, 0.05, 0.1));
    }

    #[test]
    fn a_busy_device_or_a_busy_job_explains_a_wait() {
        assert!(!waits(333e3, 300e3, 0.05, 0.04), "the device itself takes so long");
        assert!(!waits(333e3, 21e3, 0.9, 0.04), "more is in flight than the device takes");
        assert!(!waits(333e3, 1e3, 0.05, 0.9), "the job has no time to take what is done");
        assert!(!waits(60e3, 1e3, 0.05, 0.1), "the way through the kernel");
        for odd in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(!waits(odd, 1e3, 0.0, 0.0) && !waits(1e9, -1.0, 0.0, odd));
        }
    }
}
