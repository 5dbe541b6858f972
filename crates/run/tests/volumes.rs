//! How much I/O a job does: exactly what it was asked for, with every engine.

use crate::support::*;
use fathom_job::{Fallocate, JobSize, JobSpec};
use fathom_vocab::{Direction, IoEngine, PerDirection};

fn totals(job: JobSpec) -> PerDirection<(u64, u64)> {
    let outcome = run(&[job]).expect("the job runs");
    let result = &outcome.result.jobs[0];
    assert_eq!(result.error, 0, "{}", result.error_text);
    PerDirection::from_fn(|dir| (result.dirs[dir].total_ios, result.dirs[dir].io_bytes))
}

#[test]
fn every_engine_reads_and_writes_each_block_once() {
    for engine in file_engines() {
        for (rw, depth) in [(READ, 1), (RANDREAD, 8), (WRITE, 8), (RANDWRITE, 1)] {
            let folder = tempfile::tempdir().unwrap();
            let mut job = job("once", folder.path(), rw, 1 << 20);
            job.engine.engine = engine;
            job.engine.iodepth = depth;
            let totals = totals(job);
            let dir = if rw.read { Direction::Read } else { Direction::Write };
            assert_eq!(totals[dir], (256, 1 << 20), "{engine:?} {rw:?}");
        }
    }
}

#[test]
fn three_moments_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("sum", folder.path(), RANDREAD, 4 << 20);
    job.engine.engine = later_engine();
    job.engine.iodepth = 16;
    let outcome = run(&[job]).unwrap();
    let read = &outcome.result.jobs[0].dirs.read;
    assert_eq!(read.lat.moments.count, 1024);
    assert_eq!(read.slat.moments.sum + read.clat.moments.sum, read.lat.moments.sum);
    let job = &outcome.result.jobs[0];
    assert_eq!(job.depth.0.iter().sum::<u64>(), 1024);
    assert_eq!(job.lat_buckets.total(), 1024);
}

#[test]
fn mixed_job_moves_its_size_over_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let totals = totals(job("mix", folder.path(), RANDRW, 4 << 20));
    assert_eq!(totals.read.0 + totals.write.0, 1024);
    assert!(totals.read.0 > 300 && totals.write.0 > 300, "{totals:?}");
}

#[test]
fn loops_repeat_and_io_size_limits() {
    let folder = tempfile::tempdir().unwrap();
    let mut twice = job("twice", folder.path(), WRITE, 1 << 20);
    twice.extent.loops = 3;
    assert_eq!(totals(twice).write.0, 768);
    let mut less = job("less", folder.path(), READ, 1 << 20);
    less.extent.io_size = Some(JobSize::Bytes(64 << 10));
    assert_eq!(totals(less).read.0, 16);
    let mut more = job("more", folder.path(), RANDREAD, 1 << 20);
    more.extent.io_size = Some(JobSize::Bytes(3 << 20));
    assert_eq!(totals(more).read.0, 768);
}

#[test]
fn time_based_job_goes_on_past_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("timed", folder.path(), READ, 64 << 10);
    job.extent.time_based = true;
    job.extent.runtime_us = 200_000;
    assert!(totals(job).read.0 > 16);
}

#[test]
fn ramp_is_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("ramp", folder.path(), READ, 64 << 10);
    job.extent.time_based = true;
    job.extent.ramp_time_us = 300_000;
    job.extent.runtime_us = 100_000;
    let outcome = run(&[job]).unwrap();
    let result = &outcome.result.jobs[0];
    assert!(result.dirs.read.total_ios > 0);
    assert!(result.runtime_ms < 300, "{} ms measured", result.runtime_ms);
    assert!(result.elapsed_ms >= 400, "{} ms in all", result.elapsed_ms);
    assert_eq!(result.dirs.read.clat.moments.count, result.dirs.read.total_ios);
}

#[test]
fn files_share_the_size_and_begin_at_the_offset() {
    let folder = tempfile::tempdir().unwrap();
    let mut many = job("many", folder.path(), WRITE, 1 << 20);
    many.target.nrfiles = 4;
    assert_eq!(totals(many).write.1, 1 << 20);
    for file in 0..4 {
        let path = folder.path().join(format!("many.0.{file}"));
        assert_eq!(std::fs::metadata(path).unwrap().len(), 1 << 18);
    }
    let mut later = job("later", folder.path(), WRITE, 1 << 20);
    later.target.offset = JobSize::Bytes(1 << 19);
    assert_eq!(totals(later).write.1, 1 << 20);
    let length = std::fs::metadata(folder.path().join("later.0.0")).unwrap().len();
    assert_eq!(length, (1 << 20) + (1 << 19));
}

#[test]
fn read_job_fills_its_file_and_keeps_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fill.0.0");
    std::fs::write(&path, b"kept").unwrap();
    totals(job("fill", folder.path(), READ, 1 << 20));
    let content = std::fs::read(&path).unwrap();
    assert_eq!(&content[..4], b"kept");
    assert_eq!(content.len(), 1 << 20);
    assert!(content[4..].chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
    assert!(fathom_run::facts_at(&path).unwrap().used_bytes >= 1 << 20, "has no holes");
}

#[test]
fn null_engine_touches_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for depth in [1, 32] {
        let mut job = job("none", folder.path(), RANDREAD, 1 << 30);
        job.engine.engine = IoEngine::Null;
        job.engine.iodepth = depth;
        assert_eq!(totals(job).read.0, 1 << 18);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn flushes_are_counted_and_timed() {
    let folder = tempfile::tempdir().unwrap();
    for engine in [IoEngine::Psync, later_engine(), IoEngine::deep()[0]] {
        let mut job = job("flush", folder.path(), WRITE, 64 << 10);
        job.engine.engine = engine;
        job.flush.fdatasync_blocks = 4;
        job.flush.end_fsync = true;
        let outcome = run(&[job]).unwrap();
        // After every 4 of 16 writes but the last, which ends the job.
        assert_eq!(outcome.result.jobs[0].sync.moments.count, 3, "{engine:?}");
        assert_eq!(outcome.result.jobs[0].dirs.write.total_ios, 16, "{engine:?}");
    }
}

#[test]
fn write_job_lays_out_as_fallocate_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, fallocate) in [("a", Fallocate::None), ("b", Fallocate::Truncate)] {
        let mut job = job(name, folder.path(), WRITE, 10_000);
        job.target.fallocate = fallocate;
        totals(job);
    }
    let length = |name| std::fs::metadata(folder.path().join(name)).unwrap().len();
    assert_eq!(length("a.0.0"), 8192, "only what was written");
    assert_eq!(length("b.0.0"), 10_000, "the whole size");
}
