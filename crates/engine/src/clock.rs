//! The clock of the hot path: the CPU's counter if it can be trusted, otherwise the system's own:
//! CLOCK_MONOTONIC, or QueryPerformanceCounter on Windows.
//!
//! Reading the counter costs 10 ns and a call into the vDSO 23 ns, twice for each I/O. It is
//! trusted if the CPU reports it as invariant and the kernel itself keeps time by it
//! ([`crate::counter`]). All clocks of a process count from one moment, so that threads, and clocks
//! of different sources, can be compared.
//!
//! The counter's rate is measured against CLOCK_MONOTONIC over a few milliseconds, between two
//! readings with an error of some 20 ns, which leaves single digits of ppm. A longer base is
//! better, and costs nothing if it is used later: [`Clock::recalibrated`], between two phases.
//!
//! Readings are not fenced: the CPU may read the counter some nanoseconds early. A difference of
//! two readings from different threads can therefore be a little below zero: use saturating
//! subtraction.

use crate::counter::{self, COUNTER_NAME, CounterRate};
use crate::system::time::{self, CLOCK_NAME};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The clock to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// The CPU's counter if it can be trusted, otherwise CLOCK_MONOTONIC.
    #[default]
    Auto,
    /// `clock_gettime(CLOCK_MONOTONIC)`.
    Monotonic,
    /// The CPU's counter if the CPU reports it as invariant, whatever the kernel thinks of it;
    /// otherwise CLOCK_MONOTONIC, as [`Clock::source`] then says.
    Counter,
}

/// Reads time in nanoseconds since one moment that all threads of the process share.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Counter(CounterRate),
    Monotonic { epoch_ns: u64 },
    Simulated(SimulatedTime),
}

impl Clock {
    /// Sets the zero of all clocks and begins to measure the counter's rate. Called early in the
    /// program, it shortens the first [`Clock::new`] by a few milliseconds.
    pub fn begin() {
        counter::first_sample();
    }

    /// A clock on `source`. The first one on the counter takes up to 10 ms, less the time since
    /// [`Clock::begin`].
    pub fn new(source: ClockSource) -> Clock {
        let rate = match source {
            ClockSource::Monotonic => None,
            ClockSource::Auto if counter::distrust().is_some() => None,
            ClockSource::Counter if !counter::is_invariant() => None,
            ClockSource::Auto | ClockSource::Counter => Some(counter::rate()),
        };
        match rate {
            Some(rate) => Clock { kind: Kind::Counter(rate) },
            None => Clock { kind: Kind::Monotonic { epoch_ns: counter::first_sample().ns } },
        }
    }

    /// A clock on `clock_gettime(CLOCK_MONOTONIC)`.
    pub fn monotonic() -> Clock {
        Clock::new(ClockSource::Monotonic)
    }

    /// A clock that stays at `start_ns` until the handle moves it. Each call leaks eight bytes: it
    /// is for tests.
    pub fn simulated(start_ns: u64) -> (Clock, SimulatedTime) {
        let time = SimulatedTime { ns: Box::leak(Box::new(AtomicU64::new(start_ns))) };
        (Clock { kind: Kind::Simulated(time) }, time)
    }

    /// Nanoseconds since the process's first clock.
    #[inline(always)]
    pub fn now_ns(&self) -> u64 {
        // One comparison on the hot path.
        match &self.kind {
            Kind::Counter(rate) => rate.ns_at(counter::read()),
            _ => self.now_ns_without_counter(),
        }
    }

    #[inline(never)]
    fn now_ns_without_counter(&self) -> u64 {
        match self.kind {
            Kind::Counter(rate) => rate.ns_at(counter::read()),
            Kind::Monotonic { epoch_ns } => time::monotonic_ns() - epoch_ns,
            Kind::Simulated(time) => time.now_ns(),
        }
    }

    /// The actual source: `tsc`, `cntvct` (arm64), `simulated` or the system's clock
    /// (`clock_gettime`, `QueryPerformanceCounter`).
    pub fn source(&self) -> &'static str {
        match self.kind {
            Kind::Counter(_) => COUNTER_NAME,
            Kind::Monotonic { .. } => CLOCK_NAME,
            Kind::Simulated(_) => "simulated",
        }
    }

    /// Why [`ClockSource::Auto`] does not read the CPU's counter here; `None` if it does.
    pub fn why_not_counter() -> Option<&'static str> {
        counter::distrust()
    }

    /// This clock with its rate measured again, over all the time since the process's first clock.
    /// It continues from this one's reading without a step, at most some ppm faster or slower; one
    /// thread creates it between two phases and gives copies to the others.
    pub fn recalibrated(&self) -> Clock {
        match self.kind {
            Kind::Counter(rate) => Clock { kind: Kind::Counter(counter::refine(&rate)) },
            Kind::Monotonic { .. } | Kind::Simulated(_) => *self,
        }
    }

    /// Sleeps until the clock reads `ns` or a little more (the kernel's timer slack, 50 us by
    /// default, and the time to wake up); may return early on a signal. A simulated clock is
    /// moved there.
    pub fn sleep_until(&self, ns: u64) {
        if let Kind::Simulated(time) = self.kind {
            time.advance_to(ns);
            return;
        }
        let left = ns.saturating_sub(self.now_ns());
        if left > 0 {
            time::nap(Duration::from_nanos(left));
        }
    }
}

impl Clock {
    /// Spins until the clock reads `ns` or more; returns the reading. A simulated clock is moved
    /// there.
    pub fn spin_until(&self, ns: u64) -> u64 {
        if let Kind::Simulated(time) = self.kind {
            time.advance_to(ns);
        }
        loop {
            let now_ns = self.now_ns();
            if now_ns >= ns {
                return now_ns;
            }
            std::hint::spin_loop();
        }
    }
}

/// The hand of a simulated clock; copies move the same clock, from any thread.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedTime {
    ns: &'static AtomicU64,
}

impl SimulatedTime {
    /// The clock's reading.
    #[inline]
    pub fn now_ns(&self) -> u64 {
        self.ns.load(Ordering::Acquire)
    }

    /// Moves the clock on by `ns`.
    pub fn advance(&self, ns: u64) {
        self.ns.fetch_add(ns, Ordering::AcqRel);
    }

    /// Moves the clock on to `ns`; never back.
    pub fn advance_to(&self, ns: u64) {
        self.ns.fetch_max(ns, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// The reading of `clock` at the middle of the narrowest of many brackets by CLOCK_MONOTONIC:
    /// (clock's ns, monotonic ns, half the bracket).
    fn bracketed(clock: &Clock) -> (u64, u64, u64) {
        let once = |_| {
            let before = time::monotonic_ns();
            let reading = clock.now_ns();
            let after = time::monotonic_ns();
            (reading, before.midpoint(after), (after - before).div_ceil(2))
        };
        (0..2000).map(once).min_by_key(|sample| sample.2).expect("some samples")
    }

    /// ppm by which `clock` differs from CLOCK_MONOTONIC over 100 ms, and the uncertainty of that.
    fn drift_ppm(clock: &Clock) -> (f64, f64) {
        let first = bracketed(clock);
        let end = Instant::now() + Duration::from_millis(100);
        while Instant::now() < end {
            std::thread::yield_now();
        }
        let last = bracketed(clock);
        let truth = (last.1 - first.1) as f64;
        let off = (last.0 - first.0) as f64 - truth;
        (off / truth * 1e6, (first.2 + last.2) as f64 / truth * 1e6)
    }

    #[test]
    fn counter_agrees_with_the_kernels_clock() {
        if let Some(reason) = Clock::why_not_counter() {
            return fathom_skip::skip(reason);
        }
        let clock = Clock::new(ClockSource::Auto);
        assert_eq!(clock.source(), COUNTER_NAME);
        for (name, clock) in [("first", clock), ("recalibrated", clock.recalibrated())] {
            let (drift, unsure) = drift_ppm(&clock);
            println!("{name}: {drift:.2} ppm, known to {unsure:.2}");
            assert!(drift.abs() < 50.0 + unsure, "{name}: {drift} ppm");
        }
    }

    #[test]
    fn sources_share_their_zero() {
        let monotonic = Clock::monotonic();
        let clock = Clock::new(ClockSource::Auto);
        let near = (0..1000).any(|_| {
            let before = monotonic.now_ns();
            let reading = clock.now_ns();
            let after = monotonic.now_ns();
            // 50 us is far more than the error of the rate in a test's lifetime.
            reading + 50_000 > before && reading < after + 50_000
        });
        assert!(near);
    }

    #[test]
    fn recalibration_does_not_step() {
        let clock = Clock::new(ClockSource::Auto);
        let before = clock.now_ns();
        let fresh = clock.recalibrated();
        let (reading, after) = (fresh.now_ns(), clock.now_ns());
        assert!(before <= reading && reading <= after + 10_000, "{before} {reading} {after}");
    }

    #[test]
    fn time_never_runs_backwards_from_thread_to_thread() {
        let clock = Clock::new(ClockSource::Auto);
        let latest = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200_000 {
                        let seen = latest.load(Ordering::SeqCst);
                        counter::fence();
                        let now = clock.now_ns();
                        assert!(now >= seen, "{now} after {seen}");
                        latest.fetch_max(now, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn simulated_time_moves_only_when_told() {
        let (clock, time) = Clock::simulated(5);
        assert_eq!(clock.now_ns(), 5);
        time.advance(10);
        clock.sleep_until(100);
        clock.sleep_until(50);
        assert_eq!((clock.now_ns(), clock.source()), (100, "simulated"));
    }

    #[test]
    fn sleeping_reaches_the_moment() {
        let clock = Clock::monotonic();
        let due = clock.now_ns() + 200_000;
        while clock.now_ns() < due {
            clock.sleep_until(due);
        }
        assert!(clock.now_ns() >= due);
    }
}
