//! A day on a simulated clock: what a long run holds in memory.
//!
//! Alone in its binary, so that the memory of the process is that of the loop: no other test
//! allocates meanwhile. It is the kernel's count of anonymous pages (`smaps_rollup`, which is
//! exact, where `statm` is off by some pages for each processor).
#![allow(clippy::print_stdout, reason = "what grew is told")]

use fathom_engine::ScriptedOutcome;
use fathom_job::JobSpec;
use fathom_run::CloneLogs;
use fathom_run::simulated::simulate;
use fathom_stats::{Interval, JobResult, LatencySlice, SeriesInterval};
use std::cell::RefCell;
use std::rc::Rc;

const HOURS: u64 = 24;
/// Each I/O takes 200 or 300 ms, so that an hour has this many of them.
const IOS_AN_HOUR: u64 = 14_400;
const PAGE_BYTES: u64 = 4096;

/// Bytes of anonymous memory that the process has.
fn anonymous_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/smaps_rollup").expect("Linux 4.14");
    let line = text.lines().find_map(|line| line.strip_prefix("Anonymous:")).expect("a count");
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kib * 1024
}

/// A mix of reads and writes that goes on for a day.
fn day_long(sync: bool) -> JobSpec {
    let mut job = JobSpec::default();
    job.engine.engine =
        if sync { fathom_vocab::IoEngine::Psync } else { fathom_vocab::IoEngine::Libaio };
    job.pattern.rw.read = true;
    job.pattern.rw.write = true;
    job.pattern.rw.random = true;
    job.extent.time_based = true;
    job.extent.runtime_us = HOURS * 3600 * 1_000_000;
    job
}

/// Runs the day; the process's memory after each hour.
fn go_round(job: &JobSpec, interval_ms: u64) -> (JobResult, CloneLogs, Vec<u64>) {
    let marks = Rc::new(RefCell::new(Vec::with_capacity(HOURS as usize)));
    // The first reading makes the buffer that all of them use.
    anonymous_bytes();
    let told = marks.clone();
    let script = move |n: u64, _: &_| {
        if n > 0 && n.is_multiple_of(IOS_AN_HOUR) {
            told.borrow_mut().push(anonymous_bytes());
        }
        ScriptedOutcome::after(if n.is_multiple_of(2) { 200_000_000 } else { 300_000_000 })
    };
    let (result, logs) = simulate(job, 1 << 30, interval_ms, script).expect("a run");
    (result, logs, marks.take())
}

/// That it was a day, and that each of its I/Os is in the figures.
fn check_whole(result: &JobResult, interval_ms: u64, marks: &[u64]) {
    assert!(marks.len() as u64 >= HOURS - 1, "{} hours", marks.len());
    let ios = result.dirs.read.total_ios + result.dirs.write.total_ios;
    assert!(ios.abs_diff(HOURS * IOS_AN_HOUR) <= 1, "{ios}");
    let in_series: u64 = result.series.intervals.iter().map(|i| i.ios.read + i.ios.write).sum();
    assert_eq!(in_series, ios);
    assert!(result.series.intervals.capacity() <= Interval::CAP);
    assert!(result.latencies.intervals.capacity() <= LatencySlice::CAP);
    let slices = &result.latencies.intervals;
    let in_slices: u64 = slices.iter().map(|s| s.0.read.total() + s.0.write.total()).sum();
    // Kept only where intervals are fine.
    assert_eq!(in_slices, if interval_ms < 1000 { ios } else { 0 });
}

/// One test, because two would share the process's memory.
#[test]
fn memory_is_flat_after_the_first_hour_of_a_day() {
    let mut kept = Vec::new();
    for (sync, interval_ms) in [(true, 100), (false, 100), (false, 1000), (true, 1000)] {
        let (result, logs, marks) = go_round(&day_long(sync), interval_ms);
        check_whole(&result, interval_ms, &marks);
        assert_eq!(logs.lat.len() + logs.bw.len() + logs.iops.len(), 0);
        let (first, last) = (marks[0], marks[marks.len() - 1]);
        println!("sync {sync}, intervals of {interval_ms} ms: {} KiB", (last - first) / 1024);
        assert!(last <= first + PAGE_BYTES, "{marks:?}");
        // Given back, its memory would hide what the next one takes.
        kept.push(result);
    }
    logs_hold_every_line();
}

/// Logs are kept until the end, as fio keeps them: they grow by their lines and by no more.
fn logs_hold_every_line() {
    let mut job = day_long(true);
    let logs = &mut job.measure.logs;
    logs.avg_ms = 1000;
    (logs.bw, logs.iops, logs.lat) = (some(), some(), some());
    let (result, logs, marks) = go_round(&job, 100);
    check_whole(&result, 100, &marks);
    let lines = logs.bw.len() + logs.iops.len() + logs.lat.len() + logs.clat.len();
    // At four I/Os a second, a window seldom lacks one of the directions.
    assert!((HOURS as usize * 3600 * 4..=HOURS as usize * 3600 * 8).contains(&lines), "{lines}");
    let line_bytes = size_of_val(&logs.bw[0]);
    let grown = marks[marks.len() - 1] - marks[0];
    println!("all logs, a line a second: {} MiB, {lines} lines", grown >> 20);
    // A vector that grows by doubling holds at most twice what is in it.
    assert!(grown <= (2 * lines * line_bytes) as u64, "{grown} bytes for {lines} lines");
}

fn some() -> Option<String> {
    Some("log".to_owned())
}
