//! Several clones and jobs: numbers, groups, order, and who ends whom.

use crate::support::*;
use fathom_job::{JobSpec, ReadWrite};
use fathom_run::{Control, Event};
use fathom_vocab::IoEngine;
use std::path::Path;
use std::sync::Arc;

#[test]
fn clones_have_files_numbers_and_seeds_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("c", folder.path(), RANDREAD, 64 << 10);
    job.process.numjobs = 3;
    let outcome = run(&[job]).unwrap();
    let numbers: Vec<u32> = outcome.result.jobs.iter().map(|job| job.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    let mut seeds: Vec<u64> = outcome.result.jobs.iter().map(|job| job.setup.seed).collect();
    seeds.dedup();
    assert_eq!(seeds.len(), 3);
}

/// Runs jobs on one file: the name of each that lays it out, and how many bytes of data it writes.
fn laid_out(path: &Path, jobs: &[(&str, ReadWrite, u64)], numjobs: u32) -> Vec<(String, u64)> {
    let on_file = |(name, rw, bytes): &(&str, ReadWrite, u64)| {
        let mut job = job(name, path.parent().unwrap(), *rw, *bytes);
        (job.target.filenames, job.target.directories) = (vec![path.to_owned()], Vec::new());
        job.process.numjobs = numjobs;
        job
    };
    let jobs: Vec<JobSpec> = jobs.iter().map(on_file).collect();
    let mut all: Vec<(String, u64)> = Vec::new();
    run_watched(&jobs, &Arc::new(Control::default()), &mut |event| match event {
        Event::LayingOut { job, .. } => all.push((job.clone(), 0)),
        Event::LaidOut { bytes } => all.last_mut().expect("it was announced").1 += bytes,
        _ => {}
    })
    .unwrap();
    all
}

#[test]
fn a_file_that_jobs_share_is_laid_out_once() {
    const SIZE: u64 = 2 << 20;
    let folder = tempfile::tempdir().unwrap();
    let once = |name: &str, bytes| (name.to_owned(), bytes);
    let file = |name: &str| folder.path().join(name);
    let clones = laid_out(&file("clones"), &[("a", RANDREAD, SIZE)], 4);
    assert_eq!(clones, [once("a", SIZE)]);
    let jobs = [("a", RANDREAD, SIZE), ("b", READ, SIZE), ("c", RANDREAD, 2 * SIZE)];
    let grown = laid_out(&file("grown"), &jobs, 1);
    assert_eq!(grown, [once("a", SIZE), once("c", SIZE)], "its end alone");
    // Blocks that were only reserved hold nothing to read.
    let jobs = [("w", RANDWRITE, SIZE), ("v", RANDWRITE, SIZE), ("r", READ, SIZE)];
    let reserved = laid_out(&file("reserved"), &jobs, 1);
    assert_eq!(reserved, [once("w", 0), once("r", SIZE)]);
}

#[test]
fn stonewall_waits_and_begins_a_group() {
    let folder = tempfile::tempdir().unwrap();
    let first = job("first", folder.path(), WRITE, 1 << 20);
    let mut second = job("second", folder.path(), READ, 1 << 20);
    second.process.stonewall = true;
    second.process.numjobs = 2;
    let outcome = run(&[first, second]).unwrap();
    let jobs = &outcome.result.jobs;
    assert_eq!(jobs.iter().map(|job| job.group_id).collect::<Vec<_>>(), [0, 1, 1]);
    // Both are rounded to milliseconds.
    assert!(jobs[1].job_start_ms + 1 >= jobs[0].job_start_ms + jobs[0].runtime_ms);
}

#[test]
fn wait_for_needs_an_earlier_job() {
    let folder = tempfile::tempdir().unwrap();
    let mut lonely = job("lonely", folder.path(), READ, 1 << 20);
    lonely.process.wait_for = Some("nobody".into());
    let error = run(&[lonely]).unwrap_err().to_string();
    assert!(error.contains("wait_for=nobody"), "{error}");
}

#[test]
fn exitall_ends_the_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    let mut short = job("short", folder.path(), READ, 64 << 10);
    short.process.exitall = true;
    let mut endless = job("endless", folder.path(), READ, 64 << 10);
    endless.engine.engine = IoEngine::Null;
    endless.extent.time_based = true;
    endless.extent.runtime_us = 600_000_000;
    let outcome = run(&[short, endless]).unwrap();
    assert!(outcome.result.jobs.iter().all(|job| !job.error.is_error()));
}

#[test]
fn a_stopped_run_keeps_what_it_measured() {
    let folder = tempfile::tempdir().unwrap();
    let mut endless = job("endless", folder.path(), RANDREAD, 1 << 30);
    endless.engine.engine = IoEngine::Null;
    endless.extent.time_based = true;
    endless.extent.runtime_us = 600_000_000;
    let control = Arc::new(Control::default());
    let mut reported = 0;
    let mut act = |event: &Event| match event {
        Event::Live(live) if live.rate_iops.read > 0 && reported == 0 => control.request_status(),
        Event::Status(result) => {
            reported = result.jobs[0].dirs.read.total_ios;
            control.stop();
        }
        _ => {}
    };
    let outcome = run_watched(&[endless], &control, &mut act).unwrap();
    assert!(outcome.result.interrupted);
    assert!(reported > 0);
    assert!(outcome.result.jobs[0].dirs.read.total_ios > reported);
    assert!(outcome.result.jobs[0].runtime_ms > 0);
}

#[test]
fn series_adds_up_to_the_totals() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("series", folder.path(), RANDREAD, 1 << 30);
    job.engine.engine = IoEngine::Null;
    job.extent.time_based = true;
    job.extent.runtime_us = 450_000;
    let outcome = run(&[job]).unwrap();
    let result = &outcome.result.jobs[0];
    let sum: u64 = result.series.intervals.iter().map(|i| i.ios.read).sum();
    assert!(result.series.intervals.len() >= 4);
    assert_eq!(sum, result.dirs.read.total_ios);
}
