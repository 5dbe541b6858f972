//! Reports and group status, on figures small enough to add by hand.

use crate::samples::blank;
use fathom_stats::{JobResult, RunResult};

fn job(number: u32, group_id: u32, together: bool, bytes: u64, runtime_ms: u64) -> JobResult {
    let mut job = blank();
    job.number = number;
    job.group_id = group_id;
    job.group_reporting = together;
    job.dirs.read.io_bytes = bytes;
    job.dirs.read.total_ios = bytes / 4096;
    job.dirs.read.runtime_ms = runtime_ms;
    job
}

fn result(jobs: Vec<JobResult>) -> RunResult {
    RunResult { jobs, ..RunResult::default() }
}

#[test]
fn a_group_is_one_report_and_others_are_their_own() {
    let jobs = vec![
        job(1, 0, true, 8192, 100),
        job(2, 0, true, 8192, 200),
        job(3, 0, false, 4096, 50),
        job(4, 1, true, 4096, 10),
    ];
    let result = result(jobs);
    let reports = result.reports();
    let brief: Vec<(u32, u32, u64, u64)> = reports
        .iter()
        .map(|r| (r.job.number, r.clones, r.job.dirs.read.io_bytes, r.job.dirs.read.runtime_ms))
        .collect();
    assert_eq!(brief, [(1, 2, 16_384, 200), (3, 1, 4096, 50), (4, 1, 4096, 10)]);
}

#[test]
fn group_status_spans_its_reports() {
    let jobs = vec![
        job(1, 0, false, 1_000_000, 1000),
        job(2, 0, false, 3_000_000, 2000),
        job(3, 0, false, 200_000, 800),
        job(4, 0, false, 0, 0),
    ];
    let groups = result(jobs).groups();
    let read = groups[0].dirs.read;
    assert_eq!(read.io_bytes, 4_200_000);
    assert_eq!(read.bw_bytes, 2_100_000);
    assert_eq!((read.bw_min_bytes, read.bw_max_bytes), (250_000, 1_500_000));
    assert_eq!((read.runtime_min_ms, read.runtime_max_ms), (800, 2000));
    assert!(!groups[0].dirs.write.is_used());
}

/// As fio 3.33 chooses the units of `Run status group`, and what a group shows.
#[test]
fn some_settings_are_the_last_ones() {
    let with = |together: bool, kb_bases: [u32; 3]| {
        let jobs = kb_bases.into_iter().zip(1..).map(|(kb_base, number)| {
            let mut job = job(number, 0, together, 4096, 10);
            (job.setup.rw, job.setup.kb_base) = ("read".to_owned(), kb_base);
            job.setup.percentile_list = vec![f64::from(number)];
            job.setup.iodepth = number;
            job
        });
        result(jobs.collect())
    };
    let apart = with(false, [1000, 1000, 1024]);
    assert_eq!(apart.jobs[apart.groups()[0].units_job].setup.kb_base, 1024);
    let group = with(true, [1000, 1024, 1024]);
    assert_eq!(group.jobs[group.groups()[0].units_job].setup.kb_base, 1000);
    let reports = group.reports();
    let shown = &reports[0].job.setup;
    assert_eq!((shown.percentile_list.as_slice(), shown.iodepth), ([3.0].as_slice(), 3));
}

#[test]
fn windows_of_clones_are_summed_and_their_deviation_pooled() {
    // Two clones with windows of 10, 20, 30 and of 100, 100, 130.
    let mut one = job(1, 0, true, 4096, 100);
    [10, 20, 30].into_iter().for_each(|kib| one.dirs.read.bw.record(kib));
    let mut two = job(2, 0, true, 4096, 100);
    [100, 100, 130].into_iter().for_each(|kib| two.dirs.read.bw.record(kib));
    let bw = result(vec![one, two]).reports()[0].bw.read;
    assert_eq!((bw.min, bw.max, bw.samples), (110, 160, 6));
    assert!((bw.mean - 130.0).abs() < 1e-9);
    // Squares around each clone's own mean: 200 and 600, over five degrees of freedom.
    assert!((bw.stddev() - 160f64.sqrt()).abs() < 1e-9);
}

#[test]
fn a_run_of_nothing_has_nothing_to_report() {
    assert!(result(Vec::new()).reports().is_empty());
    assert!(result(Vec::new()).groups().is_empty());
    let result = result(vec![JobResult::default()]);
    let idle = result.reports();
    assert_eq!(idle[0].job.dirs.read.bandwidth_bytes(), 0);
    assert_eq!(idle[0].job.dirs.read.iops_mean(), 0.0);
}
