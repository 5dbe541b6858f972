//! Tests of figures that a busy machine cannot give: what a device under a known limit reads in a
//! few seconds, say, when other programs take the CPUs that would have read it.
//!
//! These tests run beside each other first, because they mostly wait for a throttle. One that fails
//! so is run again alone, after a wait for a quieter time, and again where it failed while programs
//! had to wait for a CPU. Where it fails twice on a quiet machine, or each time, it has failed: a
//! virtual machine does not see all that keeps it from working.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{PoisonError, RwLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often a test is run at most.
const ATTEMPTS: u32 = 5;
/// The share of time in which some program waited for a CPU, from which on a machine is busy.
const BUSY: f64 = 0.10;
/// How often it may fail on a quiet machine.
const QUIET_FAILURES: u32 = 2;
/// How long a quieter time is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a test whose figures need the CPUs when they ask for them.
pub fn on_a_quiet_machine(test: impl Fn()) {
    static MACHINE: RwLock<()> = RwLock::new(());
    attempts(
        |is_alone| {
            let beside = || MACHINE.read().unwrap_or_else(PoisonError::into_inner);
            let alone = || MACHINE.write().unwrap_or_else(PoisonError::into_inner);
            let _locks = (is_alone.then(alone), (!is_alone).then(beside));
            let pressure = CpuPressure::start();
            let ended = catch_unwind(AssertUnwindSafe(&test));
            (ended, pressure.share())
        },
        wait_for_quiet,
    );
}

/// Runs what gives its outcome and the share of time in which programs waited for a CPU; it learns
/// whether it is to run alone.
fn attempts(mut run: impl FnMut(bool) -> (std::thread::Result<()>, Option<f64>), wait: fn()) {
    let mut quiet_failures = 0;
    for attempt in 1.. {
        let (ended, share) = run(attempt > 1);
        let Err(failure) = ended else { return };
        quiet_failures += u32::from(share.is_some_and(|share| share < BUSY));
        if attempt == ATTEMPTS || quiet_failures == QUIET_FAILURES {
            resume_unwind(failure);
        }
        let share = share.map_or("unknown".into(), |share| format!("{:.0} %", 100.0 * share));
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        // Past libtest's capture, so that it shows in a run that passes.
        let _ = writeln!(
            std::io::stderr(),
            "BUSY: {test}: attempt {attempt} failed; CPU pressure {share}"
        );
        wait();
    }
}

/// How long programs have waited for a CPU since it was started, by the kernel's account
/// (`/proc/pressure/cpu`, the line `some`).
struct CpuPressure {
    begun: Instant,
    waited: Option<Duration>,
}

impl CpuPressure {
    fn start() -> CpuPressure {
        CpuPressure { begun: Instant::now(), waited: waited() }
    }

    /// The share of the time since then, 0 to 1; `None` where the kernel keeps no account.
    fn share(&self) -> Option<f64> {
        let waited = waited()?.saturating_sub(self.waited?);
        Some(waited.as_secs_f64() / self.begun.elapsed().as_secs_f64())
    }
}

fn waited() -> Option<Duration> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    let total = some.split_whitespace().find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

/// Returns when no program had to wait for a CPU for a second, or after a minute.
fn wait_for_quiet() {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let pressure = CpuPressure::start();
        sleep(Duration::from_secs(1));
        if pressure.share().is_some_and(|share| share < BUSY) {
            return;
        }
    }
}

#[test]
fn a_failure_is_tried_again_alone_and_then_only_where_the_machine_was_busy() {
    let failing = |share: f64, passes_at: u32| {
        let mut runs = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            attempts(
                |is_alone| {
                    runs += 1;
                    assert_eq!(is_alone, runs > 1, "the first attempt runs beside others");
                    let ended =
                        if runs >= passes_at { Ok(()) } else { Err(Box::new("figures") as _) };
                    (ended, Some(share))
                },
                || (),
            );
        }));
        (outcome.is_ok(), runs)
    };
    assert_eq!(failing(0.0, 2), (true, 2), "others may have disturbed the first attempt");
    assert_eq!(failing(0.0, 9), (false, QUIET_FAILURES), "quiet: it has failed");
    assert_eq!(failing(0.9, 2), (true, 2), "busy: it is run again");
    assert_eq!(failing(0.9, 99), (false, ATTEMPTS), "busy all the time: it has failed");
}
