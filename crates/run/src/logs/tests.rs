//! Logs of scripted runs with known times.

use super::{CloneLogs, Logged};
use crate::simulated::{Simulation, simulate};
use fathom_engine::{Request, ScriptedOutcome};
use fathom_job::JobSpec;
use fathom_stats::JobResult;
use fathom_stats::log::LogSample;
use fathom_vocab::{Direction, IoEngine};

/// Reads and writes of a millisecond each for 4.5 s, the last of which ends as the run does.
fn logged(set: impl FnOnce(&mut JobSpec)) -> (JobResult, CloneLogs) {
    let mut job = JobSpec::default();
    job.engine.engine = IoEngine::Psync;
    (job.pattern.rw.read, job.pattern.rw.write) = (true, true);
    job.extent.time_based = true;
    job.extent.runtime_us = 4_500_000;
    let logs = &mut job.measure.logs;
    for name in [&mut logs.bw, &mut logs.iops, &mut logs.lat, &mut logs.hist] {
        *name = Some("x".to_owned());
    }
    logs.hist_ms = 500;
    set(&mut job);
    simulate(&job, 1 << 20, 100, |_, _| ScriptedOutcome::after(1_000_000)).expect("a run")
}

fn lines_have_times_of_their_own(times: impl Iterator<Item = (Direction, u64)> + Clone) {
    for dir in Direction::ALL {
        let times: Vec<u64> = times.clone().filter(|line| line.0 == dir).map(|(_, t)| t).collect();
        assert!(times.windows(2).all(|two| two[0] < two[1]), "{dir:?}: {times:?}");
    }
}

/// Paced jobs have this recorder whether they log or not.
#[test]
fn a_job_without_logs_has_the_figures_of_the_usual_recorder_and_no_line() {
    let mut job = JobSpec::default();
    (job.pattern.rw.read, job.extent.runtime_us) = (true, 2_000_000);
    job.extent.time_based = true;
    let script = |at: u64, _: &Request| ScriptedOutcome::after(1_000_000 + at * 100);
    let run = Simulation { job: &job, size_bytes: 1 << 20, interval_ms: 100 };
    let (usual, _) = run.recorded::<_, true>(script, |full| full).expect("a run");
    let (result, logs) =
        run.recorded::<_, true>(script, |full| Logged::new(&job, full)).expect("a run");
    assert!(usual.total_ios() > 1000);
    assert_eq!(result.total_ios(), usual.total_ios());
    assert_eq!(result.dirs.read.clat.moments, usual.dirs.read.clat.moments);
    let lines = [&logs.bw, &logs.iops, &logs.lat, &logs.slat, &logs.clat].map(Vec::len);
    assert_eq!((lines, logs.hist.len()), ([0; 5], 0));
}

/// Readers divide by the time between two lines.
#[test]
fn a_run_that_ends_with_a_window_has_each_time_once() {
    let (result, logs) = logged(|job| job.measure.logs.avg_ms = 500);
    assert!(result.total_ios().abs_diff(4_500) <= 1);
    lines_have_times_of_their_own(logs.hist.iter().map(|line| (line.dir, line.time_ms)));
    assert_eq!(logs.hist.last().map(|line| line.time_ms), Some(4_500));
    let in_log: u64 = logs.hist.iter().map(|line| line.histogram.total()).sum();
    assert_eq!(in_log, result.total_ios(), "each I/O is in the log");
    let time = |line: &LogSample| (line.dir, line.time_ms);
    for log in [&logs.bw, &logs.iops, &logs.lat, &logs.clat] {
        assert!(log.len() >= 18);
        lines_have_times_of_their_own(log.iter().map(time));
    }
    // Windows of half a second: what a second would have had, twice over.
    let ios: u64 = logs.iops.iter().map(|line| line.value).sum();
    assert!((ios / 2).abs_diff(result.total_ios()) <= 20, "{ios}");
}

/// As fio 3.33 counts them.
#[test]
fn times_count_from_the_end_of_the_ramp() {
    for (ramp_us, avg_ms) in [(0, 500), (1_000_000, 0), (1_500_000, 500), (1_500_000, 1000)] {
        let (_, logs) = logged(|job| {
            (job.extent.ramp_time_us, job.measure.logs.avg_ms) = (ramp_us, avg_ms);
        });
        let each = [&logs.bw, &logs.iops, &logs.lat, &logs.clat];
        let lines = each.iter().flat_map(|log| log.iter().map(|line| line.time_ms));
        let times = lines.chain(logs.hist.iter().map(|line| line.time_ms));
        assert!(times.clone().all(|ms| ms <= 4_502), "{ramp_us}, {avg_ms}: {:?}", times.max());
        for log in each {
            let (first, last) = (log[0].time_ms, log[log.len() - 1].time_ms);
            assert!(first <= avg_ms + 2 && last > 4_450, "{ramp_us}, {avg_ms}: {first} to {last}");
        }
        lines_have_times_of_their_own(logs.hist.iter().map(|line| (line.dir, line.time_ms)));
    }
    let (_, logs) = logged(|job| {
        (job.extent.ramp_time_us, job.measure.logs.unix_epoch) = (1_500_000, true);
    });
    let times = || logs.clat.iter().map(|line| line.time_ms);
    assert!(times().all(|ms| ms > 1_500_000_000_000) && times().is_sorted());
}

/// As fio 3.33 leaves them out.
#[test]
fn what_is_not_measured_is_not_logged() {
    let counts = |set: fn(&mut JobSpec)| {
        let (_, logs) = logged(set);
        [&logs.bw, &logs.iops, &logs.lat, &logs.clat].map(|log| log.len() > 100)
    };
    assert_eq!(counts(|_| {}), [true, true, true, true]);
    assert_eq!(counts(|job| job.measure.disable_lat = true), [true, true, false, true]);
    assert_eq!(counts(|job| job.measure.disable_clat = true), [true, true, true, false]);
    assert_eq!(counts(|job| job.measure.disable_bw = true), [false, true, true, true]);
    assert_eq!(counts(|job| job.measure.measure_no_latency()), [false; 4]);
    assert_eq!(
        counts(|job| {
            job.measure.measure_no_latency();
            job.measure.disable_clat = false;
        }),
        [false, true, false, true],
        "single I/Os are measured"
    );
    assert_eq!(
        counts(|job| {
            job.measure.measure_no_latency();
            job.measure.logs.avg_ms = 40;
        }),
        [true, true, false, false],
        "windows need no measurement of single I/Os"
    );
    let hist = |set: fn(&mut JobSpec)| logged(set).1.hist.len();
    assert_eq!((hist(|_| {}), hist(|job| job.measure.disable_clat = true)), (18, 0));
}

/// Samples are taken by time, whatever else is not measured.
#[test]
fn only_a_log_of_each_io_takes_the_place_of_samples_by_time() {
    let samples = |set: fn(&mut JobSpec)| {
        let (result, _) = logged(|job| {
            job.measure.logs = Default::default();
            set(job);
        });
        [result.dirs.read.bw, result.dirs.read.iops].map(|of| (of.count, of.mean().round() as u64))
    };
    let usual = samples(|_| {});
    assert_eq!(usual.map(|(count, _)| count), [9, 9], "half seconds of 4.5 s");
    assert!(usual[0].1.abs_diff(2000) < 100 && usual[1].1.abs_diff(500) < 25, "{usual:?}");
    assert_eq!(samples(|job| job.measure.disable_bw = true), usual);
    assert_eq!(samples(|job| job.measure.measure_no_latency()), usual);
    let logged = |job: &mut JobSpec| {
        job.measure.measure_no_latency();
        job.measure.logs.bw = Some("x".to_owned());
    };
    assert_eq!(samples(logged).map(|(count, _)| count), [0, 9], "fio 3.33 has no bandwidth then");
}

/// As in fio 3.33: a log's windows are the samples, unless the job gives their length.
#[test]
fn samples_and_log_lines_have_the_same_windows() {
    let counts = |set: fn(&mut JobSpec)| {
        let (result, logs) = logged(|job| {
            job.measure.logs.avg_ms = 900;
            set(job);
        });
        let lines = |log: &[LogSample]| log.iter().filter(|l| l.dir == Direction::Read).count();
        let read = &result.dirs.read;
        [(read.bw.count, lines(&logs.bw) as u64), (read.iops.count, lines(&logs.iops) as u64)]
    };
    assert_eq!(counts(|_| {}), [(5, 5), (5, 5)]);
    assert_eq!(counts(|job| job.measure.bwavgtime_ms = Some(100)), [(45, 45), (5, 5)]);
    assert_eq!(counts(|job| job.measure.iopsavgtime_ms = Some(1500)), [(5, 5), (3, 3)]);
}

/// Where a log has each I/O, so have the `bw` and `iops` lines of the report, as in fio: also
/// where the run is too short for a window.
#[test]
fn each_line_is_a_sample() {
    let (result, logs) = logged(|job| job.extent.runtime_us = 100_000);
    let samples = |dir: Direction| {
        let stats = &result.dirs[dir];
        (stats.bw.count, stats.iops.count)
    };
    let lines = |dir| logs.bw.iter().filter(|line| line.dir == dir).count() as u64;
    for dir in [Direction::Read, Direction::Write] {
        assert!(lines(dir) > 0);
        assert_eq!(samples(dir), (lines(dir), lines(dir)));
    }
}
