//! Tests of figures that a busy machine cannot give: what a device under a known limit reads in a
//! few seconds, say, when other programs take the CPUs that would have read it.
//!
//! A control watches the machine while such a test runs. A test that fails while the control was on
//! time has failed. One that fails while it was late runs again, alone and after a wait for a quieter
//! time, and has failed when its attempts are used up.

use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle, sleep};
use std::time::{Duration, Instant};

/// How often a test is run at most.
const ATTEMPTS: u32 = 5;
/// The share of time in which some program waited for a CPU, from which on a machine is busy.
const BUSY: f64 = 0.10;
/// The share of time that a hypervisor gave to other machines, from which on it disturbs.
const STOLEN: f64 = 0.02;
/// How late a thread that sleeps may wake on a machine that does not disturb.
const LATE: Duration = Duration::from_millis(20);
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
            let control = Control::start();
            let ended = catch_unwind(AssertUnwindSafe(&test));
            (ended, control.disturbance())
        },
        wait_for_quiet,
    );
}

/// Runs what gives its outcome and what disturbed it; it learns whether it is to run alone.
fn attempts(mut run: impl FnMut(bool) -> (thread::Result<()>, Option<String>), wait: impl Fn()) {
    for attempt in 1.. {
        let (ended, disturbance) = run(attempt > 1);
        let Err(failure) = ended else { return };
        let Some(disturbance) = disturbance.filter(|_| attempt < ATTEMPTS) else {
            resume_unwind(failure)
        };
        let test = thread::current().name().unwrap_or("a test").to_owned();
        // Past libtest's capture, so that it shows in a run that passes.
        let _ =
            writeln!(std::io::stderr(), "BUSY: {test}: attempt {attempt} failed; {disturbance}");
        wait();
    }
}

/// What the machine did while a test ran.
struct Control {
    begin: Instant,
    waited: Option<Duration>,
    ticks: Option<CpuTicks>,
    stop: Arc<AtomicBool>,
    sleeper: JoinHandle<Duration>,
}

impl Control {
    fn start() -> Control {
        let stop = Arc::new(AtomicBool::new(false));
        let ended = stop.clone();
        Control {
            begin: Instant::now(),
            waited: waited(),
            ticks: CpuTicks::now(),
            stop,
            sleeper: thread::spawn(move || most_late(&ended)),
        }
    }

    /// What kept programs from running, if something did.
    fn disturbance(self) -> Option<String> {
        self.stop.store(true, Relaxed);
        let late = self.sleeper.join().unwrap_or_default();
        let waited = || Some(waited()?.saturating_sub(self.waited?).as_secs_f64());
        let pressure = waited().unwrap_or_default() / self.begin.elapsed().as_secs_f64();
        let stolen = || Some(CpuTicks::now()?.stolen_since(&self.ticks?));
        let stolen = stolen().unwrap_or_default();
        (pressure >= BUSY || stolen >= STOLEN || late >= LATE).then(|| {
            let (pressure, stolen) = (100.0 * pressure, 100.0 * stolen);
            format!(
                "programs waited for a CPU {pressure:.0} % of the time, other machines took \
                 {stolen:.1} %, a sleeping thread woke {late:.1?} late"
            )
        })
    }
}

/// The longest time by which a thread that sleeps a millisecond at a time woke late.
fn most_late(stop: &AtomicBool) -> Duration {
    let pause = Duration::from_millis(1);
    let mut most = Duration::ZERO;
    while !stop.load(Relaxed) {
        let begin = Instant::now();
        sleep(pause);
        most = most.max(begin.elapsed().saturating_sub(pause));
    }
    most
}

/// The machine's CPU time since it was started, in ticks of the kernel (`/proc/stat`).
struct CpuTicks {
    all: u64,
    stolen: u64,
}

impl CpuTicks {
    fn now() -> Option<CpuTicks> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let fields = text.lines().next()?.split_whitespace().skip(1);
        let fields: Vec<u64> = fields.filter_map(|field| field.parse().ok()).collect();
        // Time of guests, in the last two fields, is part of the first two.
        Some(CpuTicks { all: fields.iter().take(8).sum(), stolen: *fields.get(7)? })
    }

    fn stolen_since(&self, earlier: &CpuTicks) -> f64 {
        let share = |stolen: u64, all: u64| stolen as f64 / all.max(1) as f64;
        share(self.stolen - earlier.stolen, self.all - earlier.all)
    }
}

/// How long programs have waited for a CPU, by the kernel's account (`/proc/pressure/cpu`, the line
/// `some`); `None` where the kernel has no account.
fn waited() -> Option<Duration> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    let total = some.split_whitespace().find_map(|field| field.strip_prefix("total="))?;
    total.parse().ok().map(Duration::from_micros)
}

/// Returns when nothing disturbed for a second, or after a minute.
fn wait_for_quiet() {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let control = Control::start();
        sleep(Duration::from_secs(1));
        if control.disturbance().is_none() {
            return;
        }
    }
}

#[test]
fn a_failure_is_tried_again_only_if_the_machine_was_disturbed() {
    let failing = |disturbance: Option<&str>, passes_at: u32| {
        let mut runs = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            attempts(
                |is_alone| {
                    runs += 1;
                    assert_eq!(is_alone, runs > 1, "the first attempt runs beside others");
                    let ended =
                        if runs >= passes_at { Ok(()) } else { Err(Box::new("figures") as _) };
                    (ended, disturbance.map(str::to_owned))
                },
                || (),
            );
        }));
        (outcome.is_ok(), runs)
    };
    assert_eq!(failing(None, 1), (true, 1));
    assert_eq!(failing(None, 2), (false, 1), "quiet: it has failed");
    assert_eq!(failing(Some("busy"), 2), (true, 2), "busy: it is run again");
    assert_eq!(failing(Some("busy"), 99), (false, ATTEMPTS), "busy all the time: it has failed");
}

#[test]
fn the_control_sees_a_thread_that_wakes_late() {
    let mut control = Control::start();
    control.stop.store(true, Relaxed);
    control.sleeper = thread::spawn(|| LATE);
    assert!(control.disturbance().is_some_and(|why| why.contains("20.0ms late")));
    let ticks = |all, stolen| CpuTicks { all, stolen };
    assert!((ticks(300, 5).stolen_since(&ticks(100, 1)) - 0.02).abs() < 1e-9);
}
