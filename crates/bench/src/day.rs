//! A day of I/O on a simulated clock: the memory use of a run of 24 hours.
//!
//! The loop, its timeline and its recorders are real; only the clock and the device are simulated
//! (`fathom_run::simulated`). Memory is the kernel's figure for this process. A separate test
//! checks that nothing is added after the first hour, `crates/run/tests/day.rs`.

use crate::figures::ContestantRun;
use crate::plan::DayLogs;
use anyhow::{Context, Result};
use fathom_engine::ScriptedOutcome as Answer;
use fathom_job::JobSpec;
use fathom_run::simulated::simulate;
use fathom_vocab::IoEngine;
use std::cell::RefCell;
use std::rc::Rc;

/// Each I/O takes this long, so that there are four a second.
const IO_NS: u64 = 250_000_000;
const IOS_AN_HOUR: u64 = 3_600_000_000_000 / IO_NS;
const HOURS: u64 = 24;
/// The series' intervals: those for more than 32 jobs, which grow for the longest time.
const INTERVAL_MS: u64 = 1000;

/// Runs the day: the I/Os, the memory at its end, and by how much that is more than after its
/// first hour.
///
/// # Errors
/// If the run cannot be made, or the kernel does not report memory.
pub fn go_round(logs: DayLogs) -> Result<ContestantRun> {
    let marks = Rc::new(RefCell::new(Vec::with_capacity(HOURS as usize)));
    let told = marks.clone();
    let script = move |n: u64, _: &_| {
        if n > 0 && n.is_multiple_of(IOS_AN_HOUR) {
            told.borrow_mut().push(memory_kib());
        }
        Answer::after(IO_NS)
    };
    let (result, logs) = simulate(&job(logs), 1 << 30, INTERVAL_MS, script)?;
    // The run's results exist until here.
    let (resident, at_end) = memory_kib().context("/proc/self/smaps_rollup")?;
    drop(logs);
    let first = marks.take().into_iter().next().flatten();
    let (_, after_an_hour) = first.context("/proc/self/smaps_rollup")?;
    Ok(ContestantRun {
        ios: result.dirs.read.total_ios,
        grown_kib: at_end as f64 - after_an_hour as f64,
        resident_mib: resident as f64 / 1024.0,
        ..ContestantRun::default()
    })
}

fn job(kept: DayLogs) -> JobSpec {
    let mut job = JobSpec { name: "day".to_owned(), ..JobSpec::default() };
    job.engine.engine = IoEngine::Psync;
    job.pattern.rw.random = true;
    job.extent.time_based = true;
    job.extent.runtime_us = HOURS * 3_600_000_000;
    if kept == DayLogs::EverySecond {
        let logs = &mut job.measure.logs;
        logs.avg_ms = 1000;
        for log in [&mut logs.bw, &mut logs.iops, &mut logs.lat] {
            *log = Some("log".to_owned());
        }
    }
    job
}

/// KiB of this process that are resident, and of them those that are no file's.
fn memory_kib() -> Option<(u64, u64)> {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    };
    Some((field("Rss:")?, field("Anonymous:")?))
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn a_day_is_gone_round_whole() {
        let day = go_round(DayLogs::None).expect("a day");
        assert_eq!(day.ios, HOURS * IOS_AN_HOUR);
        assert!(day.resident_mib > 1.0);
    }

    #[test]
    fn what_logs_hold_is_seen() {
        let day = go_round(DayLogs::EverySecond).expect("a day");
        // 23 hours of a line a second in each of four logs, of some 40 bytes.
        let least_kib = 23.0 * 3600.0 * 4.0 * 40.0 / 1024.0;
        assert!(day.grown_kib > least_kib, "{} KiB", day.grown_kib);
    }
}
