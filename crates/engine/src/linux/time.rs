//! The kernel's own clock, and its time source.

use crate::counter::KERNEL_NAME;
use std::time::Duration;

/// The base over which the counter's rate is first measured, and the longest.
pub(crate) const SHORT_BASE: Duration = Duration::from_millis(2);
pub(crate) const LONG_BASE: Duration = Duration::from_millis(10);

/// How [`crate::Clock::source`] names this clock.
pub(crate) const CLOCK_NAME: &str = "clock_gettime";

/// CLOCK_MONOTONIC in nanoseconds.
#[inline(always)]
pub(crate) fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Why the kernel itself does not trust the CPU's counter; none if it keeps time by it.
///
/// kvm-clock does not count as the counter: a guest's kernel chooses tsc by itself if the counter
/// is reliable, and kvm-clock means that it is not, or that an administrator chose it.
pub(crate) fn counter_doubt() -> Option<&'static str> {
    let path = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    judge(std::fs::read_to_string(path).ok().as_deref())
}

fn judge(clocksource: Option<&str>) -> Option<&'static str> {
    match clocksource.map(str::trim) {
        Some(KERNEL_NAME) => None,
        Some(_) => Some("the kernel does not keep its own time by it"),
        None => Some("which clock the kernel keeps its time by cannot be read from /sys"),
    }
}

/// Sleeps for this time. An interruption also ends it: the caller checks its stop flag and returns.
pub(crate) fn nap(time: Duration) {
    let request = rustix::time::Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    };
    let _ = rustix::thread::nanosleep(&request);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_needs_the_kernels_word() {
        assert_eq!(judge(Some(&format!("{KERNEL_NAME}\n"))), None);
        assert!(judge(Some("hpet\n")).is_some_and(|why| why.contains("kernel")));
        assert!(judge(Some("kvm-clock\n")).is_some());
        assert!(judge(None).is_some_and(|why| why.contains("/sys")));
    }
}
