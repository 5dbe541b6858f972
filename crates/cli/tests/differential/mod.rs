//! Drawn jobs by fio 3.33 and by us: what was accepted, exit codes, files, totals, which figures
//! are zero, keys and types of JSON, lines of text, and the order of offsets where it is fixed.
//!
//! A difference counts if it shows again when the job is repeated, and if no row of
//! `docs/differences.md` excuses it. It is then reported with the smallest job that still shows it.
//! Jobs that crash fio or make it hang are left out, and counted.
//!
//! `FATHOM_DIFFERENTIAL_JOBS` is the number of jobs, `FATHOM_DIFFERENTIAL_SEED` the seed of all,
//! and `FATHOM_DIFFERENTIAL_JOB=seed:number` runs one job and prints what both said. From 3,000
//! jobs on, a row of the page that excuses nothing is a failure as well.

mod compare;
mod draw;
mod page;
mod trial;
mod values;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use self::compare::{Difference, differences};
use self::draw::DrawnJob;
use self::page::{ExpectedDifference, expected_differences};
use self::trial::{Observed, observe};
use crate::devices::{need, oracle};
use crate::sandbox::subject;

/// Jobs of a run of all tests.
const JOBS: u64 = 300;
/// From so many jobs on, every row of the page must have been needed.
const JOBS_FOR_THE_PAGE: u64 = 3000;
/// Jobs at the same time: fio waits for most of its time.
const AT_ONCE: usize = 6;
/// Differences that are made small before they are reported; more only take time.
const MADE_SMALL: u64 = 12;

/// Both programs, and what is expected of them.
struct Bench {
    fio: PathBuf,
    subject: PathBuf,
    expected: Vec<ExpectedDifference>,
    /// How often each expected difference was seen.
    excused: Vec<AtomicU64>,
}

impl Bench {
    fn new(fio: PathBuf) -> Bench {
        let expected = expected_differences();
        let excused = expected.iter().map(|_| AtomicU64::new(0)).collect();
        Bench { fio, subject: subject(), expected, excused }
    }

    /// What differs and is not excused; `None` where fio crashed.
    fn faults(&self, job: &DrawnJob) -> Option<Vec<Difference>> {
        let (their, our) = (observe(&self.fio, job), observe(&self.subject, job));
        if their.crashed() {
            return None;
        }
        let found = differences(job, &their, &our);
        Some(found.into_iter().filter(|difference| !self.is_excused(job, difference)).collect())
    }

    fn is_excused(&self, job: &DrawnJob, difference: &Difference) -> bool {
        let mut is_excused = false;
        for (row, excused) in self.expected.iter().zip(&self.excused) {
            if row.excuses(job, difference) {
                excused.fetch_add(1, Ordering::Relaxed);
                is_excused = true;
            }
        }
        is_excused
    }

    /// The job without all parts that it does not need to differ in this comparison, and what
    /// differs then.
    fn smallest(&self, mut job: DrawnJob, kind: &str) -> (DrawnJob, Vec<Difference>) {
        let (mut part, mut faults) = (0, Vec::new());
        while let Some(smaller) = job.without_part(part) {
            let remaining = self.faults(&smaller).unwrap_or_default();
            match remaining.iter().any(|fault| fault.kind == kind) {
                true => (job, faults) = (smaller, remaining),
                false => part += 1,
            }
        }
        (job, faults)
    }
}

/// What happened to the jobs of a run.
#[derive(Default)]
struct Tally {
    crashed: u64,
    faults: u64,
}

#[test]
fn drawn_jobs_do_the_same_as_in_fio() {
    let Some(fio) = need(oracle()) else { return };
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let jobs = number("FATHOM_DIFFERENTIAL_JOBS").unwrap_or(JOBS);
    let seed = number("FATHOM_DIFFERENTIAL_SEED").unwrap_or(1);
    let bench = Bench::new(fio);
    if let Ok(one) = std::env::var("FATHOM_DIFFERENTIAL_JOB") {
        return show_one(&bench, &one);
    }
    let tally = Mutex::new(Tally::default());
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < jobs)
                {
                    judge(&bench, seed, number, &tally);
                }
            });
        }
    });
    report(&bench, jobs, tally.into_inner().unwrap());
}

/// Runs a job, and again if it differs.
fn judge(bench: &Bench, seed: u64, number: u64, tally: &Mutex<Tally>) {
    let job = DrawnJob::draw(seed, number);
    let Some(faults) = bench.faults(&job) else {
        println!("== fio crashes, job {seed}:{number}\n{job}");
        tally.lock().unwrap().crashed += 1;
        return;
    };
    if faults.is_empty() {
        return;
    }
    let again = bench.faults(&job).unwrap_or_default();
    // The gravest of those that are there again.
    let kind = faults.iter().map(|f| f.kind).find(|kind| again.iter().any(|f| f.kind == *kind));
    let Some(kind) = kind else { return };
    let is_small = {
        let mut tally = tally.lock().unwrap();
        tally.faults += 1;
        tally.faults <= MADE_SMALL
    };
    let (job, faults) = match is_small {
        true => bench.smallest(job, kind),
        false => (job, again),
    };
    let details = faults.iter().take(12).map(|f| format!("  {}: {}\n", f.kind, f.detail));
    println!("== {kind}, job {seed}:{number}\n{job}{}", details.collect::<String>());
}

fn report(bench: &Bench, jobs: u64, tally: Tally) {
    println!("{jobs} jobs, {} crashed fio", tally.crashed);
    assert!(tally.faults == 0, "{} differences, printed above", tally.faults);
    assert!(tally.crashed * 10 < jobs, "{} of {jobs} jobs crashed fio", tally.crashed);
    if jobs >= JOBS_FOR_THE_PAGE {
        let rows = bench.expected.iter().zip(&bench.excused);
        let idle = rows.filter(|(_, excused)| excused.load(Ordering::Relaxed) == 0);
        let idle: Vec<_> = idle.map(|(row, _)| row).collect();
        assert!(idle.is_empty(), "rows of docs/differences.md that excused nothing: {idle:#?}");
    }
}

/// Runs one job by both and prints all.
fn show_one(bench: &Bench, one: &str) {
    let (seed, number) = one.split_once(':').expect("FATHOM_DIFFERENTIAL_JOB=seed:number");
    let job = DrawnJob::draw(seed.parse().unwrap(), number.parse().unwrap());
    let show = |program: &Path| {
        let seen: Observed = observe(program, &job);
        println!("---- {}\n{:?}\n{}", program.display(), seen.exit_code, seen.stderr);
        println!("{}\n{:?}", seen.text.join("\n"), seen.files);
        seen
    };
    println!("{job}");
    let (their, our) = (show(&bench.fio), show(&bench.subject));
    for difference in differences(&job, &their, &our) {
        let excused = if bench.is_excused(&job, &difference) { " (excused)" } else { "" };
        println!("{}: {}{excused}", difference.kind, difference.detail);
    }
}
