//! The system's own clock, and whether it keeps time by the CPU's counter.

use std::sync::OnceLock;
use std::time::Duration;
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};

/// The base over which the counter's rate is measured: a step of the system's clock is 100 ns,
/// which over this time is 5 ppm.
pub(crate) const SHORT_BASE: Duration = Duration::from_millis(20);
pub(crate) const LONG_BASE: Duration = SHORT_BASE;

/// How [`crate::Clock::source`] names this clock.
pub(crate) const CLOCK_NAME: &str = "QueryPerformanceCounter";

/// The rate at which Windows counts if it keeps time by the CPU's counter (since version 1809), or
/// by a hypervisor's page for that counter.
const BY_COUNTER_HZ: u64 = 10_000_000;

/// QueryPerformanceCounter in nanoseconds.
#[inline(always)]
pub(crate) fn monotonic_ns() -> u64 {
    let mut ticks = 0i64;
    // SAFETY: the call writes one number, and never fails since Windows XP.
    unsafe { QueryPerformanceCounter(&raw mut ticks) };
    let ticks = ticks.cast_unsigned();
    match frequency() {
        // No division for the rate that nearly every machine has.
        BY_COUNTER_HZ => ticks * 100,
        hz => (u128::from(ticks) * 1_000_000_000 / u128::from(hz)) as u64,
    }
}

fn frequency() -> u64 {
    static HZ: OnceLock<u64> = OnceLock::new();
    *HZ.get_or_init(|| {
        let mut hz = 0i64;
        // SAFETY: the call writes one number, and never fails since Windows XP.
        unsafe { QueryPerformanceFrequency(&raw mut hz) };
        hz.cast_unsigned().max(1)
    })
}

/// Why the system itself does not trust the CPU's counter; none if it keeps time by it.
pub(crate) fn counter_doubt() -> Option<&'static str> {
    judge(frequency())
}

fn judge(hz: u64) -> Option<&'static str> {
    match hz {
        BY_COUNTER_HZ => None,
        _ => Some("Windows does not keep its own time by it"),
    }
}

/// Sleeps for this time: the standard library uses a high-resolution timer if there is one.
pub(crate) fn nap(time: Duration) {
    std::thread::sleep(time);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_says_what_time_is_kept_by() {
        assert_eq!(judge(10_000_000), None);
        // The timers of ACPI and HPET.
        assert!(judge(3_579_545).is_some() && judge(14_318_180).is_some());
    }

    #[test]
    fn time_goes_on() {
        let before = monotonic_ns();
        while monotonic_ns() == before {}
        assert!(monotonic_ns() > before);
    }
}
