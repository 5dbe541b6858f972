//! The CPU's counter: whether to trust it, and its rate.
//!
//! Trust needs two things. The CPU promises that the counter runs at one rate in every state of
//! power and speed: the time stamp counter of x86-64 by CPUID 80000007h, EDX bit 8, and the generic
//! timer of arm64 by its architecture, if the firmware has set its frequency. And the kernel, which
//! compares the counter with other clocks and across CPUs, keeps its own time by it (`time.rs` of
//! each system). The second covers cases that the CPU cannot know: boards whose sockets disagree,
//! or guests that were moved.
//!
//! The rate is measured on both, because the kernel's clock, by which hosts are compared, is
//! adjusted by NTP and may differ from the frequency that arm64 states. There a tick can last
//! 40 ns. That costs no accuracy: the kernel's clock steps with the same ticks, so that a reading
//! between two equal ones of the counter is exact.

use crate::system::time::{self, LONG_BASE, SHORT_BASE};
use std::sync::OnceLock;
use std::time::Duration;

/// The share of the base that both readings' uncertainty may take before it is made longer.
const GOOD_PPM: u64 = 8;
/// Number of readings, of which the narrowest counts.
const TRIES: u32 = 50;

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The counter; 0 if there is none.
    ticks: u64,
    /// The system's monotonic clock.
    pub(crate) ns: u64,
    /// Ticks between the readings that enclose `ns`.
    width: u64,
}

/// From ticks to nanoseconds: `base_ns` at the counter's `base`, and `mult` / 2^32 ns a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CounterRate {
    base: u64,
    base_ns: u64,
    mult: u64,
}

impl CounterRate {
    /// The time at a reading of the counter. A product of 128 bits, one instruction on the CPUs
    /// that have the counter, never overflows. Readings before the base count as the base.
    #[inline(always)]
    pub(crate) fn ns_at(&self, reading: u64) -> u64 {
        let ticks = reading.saturating_sub(self.base);
        self.base_ns + ((u128::from(ticks) * u128::from(self.mult)) >> 32) as u64
    }

    /// The rate between two samples, with the time of `from` as zero.
    fn between(from: &Sample, to: &Sample) -> CounterRate {
        let ticks = to.ticks.saturating_sub(from.ticks).max(1);
        let ns = u128::from(to.ns.saturating_sub(from.ns));
        CounterRate { base: from.ticks, base_ns: 0, mult: ((ns << 32) / u128::from(ticks)) as u64 }
    }
}

/// Reads the counter.
#[inline(always)]
pub(crate) fn read() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: reading the counter has no effect but its value.
    unsafe {
        core::arch::x86_64::_rdtsc()
    }
    #[cfg(target_arch = "aarch64")]
    {
        let ticks;
        // SAFETY: reading the counter has no effect but its value.
        unsafe {
            core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks,
                options(nomem, nostack, preserves_flags));
        }
        ticks
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    0
}

/// How [`crate::Clock::source`] names the counter.
pub(crate) const COUNTER_NAME: &str = if cfg!(target_arch = "aarch64") { "cntvct" } else { "tsc" };

/// How Linux names the counter among its clock sources.
pub(crate) const KERNEL_NAME: &str =
    if cfg!(target_arch = "aarch64") { "arch_sys_counter" } else { "tsc" };

/// Orders the next reading of the counter after all loads before it.
#[cfg(test)]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a fence orders, and does nothing else.
    unsafe {
        core::arch::x86_64::_mm_lfence()
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: barriers order, and do nothing else.
    unsafe {
        core::arch::asm!("dsb ishld", "isb", options(nostack, preserves_flags));
    }
}

/// Both clocks now, as close together as they were caught in a number of tries: an interrupt
/// between the readings only spoils a try.
fn sample() -> Sample {
    let once = |_| {
        let before = read();
        let ns = time::monotonic_ns();
        let after = read();
        Sample { ticks: before.midpoint(after), ns, width: after.saturating_sub(before) }
    };
    let mut best = once(0);
    for sample in (1..TRIES).map(once) {
        if sample.width < best.width {
            best = sample;
        }
    }
    best
}

/// The process's first sample, whose time is every clock's zero.
pub(crate) fn first_sample() -> &'static Sample {
    static FIRST: OnceLock<Sample> = OnceLock::new();
    FIRST.get_or_init(sample)
}

/// The counter's rate; measured by the first call, which takes up to 10 ms.
pub(crate) fn rate() -> CounterRate {
    static RATE: OnceLock<CounterRate> = OnceLock::new();
    *RATE.get_or_init(|| {
        let first = first_sample();
        let mut base = SHORT_BASE;
        loop {
            wait_until_ns(first.ns + base.as_nanos() as u64);
            let now = sample();
            let unsure = (first.width + now.width) / 2;
            let good = unsure * 1_000_000 <= GOOD_PPM * (now.ticks - first.ticks);
            if good || base >= LONG_BASE {
                return CounterRate::between(first, &now);
            }
            base += Duration::from_millis(2);
        }
    })
}

/// `rate` measured again over all the time since the first sample, continuing from its present
/// reading.
pub(crate) fn refine(rate: &CounterRate) -> CounterRate {
    let now = sample();
    let mult = CounterRate::between(first_sample(), &now).mult;
    let base = read();
    CounterRate { base, base_ns: rate.ns_at(base), mult }
}

fn wait_until_ns(until: u64) {
    while let Some(left @ 1..) = until.checked_sub(time::monotonic_ns()) {
        std::thread::sleep(Duration::from_nanos(left));
    }
}

/// Whether the CPU promises a counter of constant rate.
pub(crate) fn is_invariant() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::__cpuid;
        const POWER: u32 = 0x8000_0007;
        __cpuid(0x8000_0000).eax >= POWER && __cpuid(POWER).edx & (1 << 8) != 0
    }
    #[cfg(target_arch = "aarch64")]
    {
        stated_hz() != 0
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    false
}

/// The counter's frequency, as the firmware has set it.
#[cfg(target_arch = "aarch64")]
fn stated_hz() -> u64 {
    let hz;
    // SAFETY: reading the frequency has no effect but its value.
    unsafe {
        core::arch::asm!("mrs {}, cntfrq_el0", out(reg) hz,
            options(nomem, nostack, preserves_flags));
    }
    hz
}

/// Why the counter is not to be trusted here; `None` if it is.
pub(crate) fn distrust() -> Option<&'static str> {
    static VERDICT: OnceLock<Option<&'static str>> = OnceLock::new();
    *VERDICT.get_or_init(|| match is_invariant() {
        false => Some("the CPU does not promise a counter of constant rate"),
        true => time::counter_doubt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Over ten weeks at any plausible frequency the conversion stays within the rounding
        /// of its multiplier (one part in 2^28 at 10 GHz) and never runs backwards.
        #[test]
        fn conversion_holds_for_weeks(
            mhz in 19u64..10_000, base in any::<u32>(), seconds in 0u64..6_048_000
        ) {
            let hz = mhz * 1_000_000;
            let from = Sample { ticks: base.into(), ns: 77, width: 0 };
            let to = Sample { ticks: from.ticks + hz, ns: 77 + 1_000_000_000, width: 0 };
            let rate = CounterRate::between(&from, &to);
            let at = from.ticks + hz * seconds;
            let ns = rate.ns_at(at);
            let truth = seconds * 1_000_000_000;
            prop_assert!(ns.abs_diff(truth) <= 1 + truth / (1 << 27), "{ns} for {truth}");
            prop_assert!(rate.ns_at(at + 1) >= ns);
        }
    }

    #[test]
    fn readings_before_the_base_do_not_wrap() {
        let rate = CounterRate { base: 1000, base_ns: 5, mult: 1 << 32 };
        assert_eq!((rate.ns_at(0), rate.ns_at(1000), rate.ns_at(1010)), (5, 5, 15));
    }

    /// NTP changes the kernel's clock by at most 500 ppm.
    #[cfg(target_arch = "aarch64")]
    #[test]
    fn the_measured_rate_is_the_one_that_the_firmware_states() {
        let stated = (1_000_000_000u128 << 32) / u128::from(stated_hz());
        let off = u128::from(rate().mult).abs_diff(stated);
        assert!(off * 1_000_000 <= stated * 1000, "{:?} and {stated}", rate());
    }
}
