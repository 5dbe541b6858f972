//! Ceilings: the measurements and their method.

use crate::TestFiles;
use crate::machine::{
    LocalMachine, RunOrder, SCRATCH_BYTES, Scratch, ScratchFolders, ceiling_cases, measure_ceiling,
    try_engine,
};
use crate::tests::scripted::{OneJob, machine};
use fathom_host::Host;
use fathom_job::JobSpec;
use fathom_run::Control;
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::IoEngine;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Gives each clone the same figures, and keeps the jobs.
#[derive(Default)]
struct Fixed {
    jobs: Vec<JobSpec>,
    error: Option<&'static str>,
}

impl OneJob for Fixed {
    fn run_one(&mut self, spec: &JobSpec, _: &RunOrder) -> Result<RunResult, String> {
        self.jobs.push(spec.clone());
        let mut job = JobResult { runtime_ms: 1000, elapsed_ms: 1100, ..JobResult::default() };
        job.dirs.read.total_ios = 500_000;
        job.dirs.read.runtime_ms = 1000;
        job.cpu.user_us = 500_000;
        job.cpu.system_us = 50_000;
        if let Some(why) = self.error {
            job.error = 1.into();
            job.error_text = why.to_owned();
        }
        let clones = spec.process.numjobs as usize;
        Ok(RunResult { jobs: vec![job; clones], ..RunResult::default() })
    }

    fn stops(&self) -> bool {
        false
    }
}

fn scratch() -> Scratch {
    Scratch { tmpfs: Some("/shm/x".into()), page_cache: Some("/tmp/x".into()) }
}

#[test]
fn each_way_is_measured_once_and_all_cores_only_where_there_are_several() {
    let one = ceiling_cases(1);
    assert!(one.iter().all(|case| case.threads == 1));
    let four = ceiling_cases(4);
    assert_eq!((one.len() + 1, four[one.len()].threads), (four.len(), 4));
}

#[test]
fn clones_add_up_and_what_others_took_is_worked_out() {
    let case = ceiling_cases(2).pop().unwrap();
    let mut executor = Fixed::default();
    let measured =
        measure_ceiling(&case, &scratch(), Duration::from_secs(1), &mut machine(&mut executor));
    assert_eq!((measured.iops, measured.cpu_percent), (Some(1e6), Some(50.0)));
    assert_eq!((measured.undisturbed_iops(), measured.cpu_ns()), (Some(2e6), Some(1000.0)));
    let job = &executor.jobs[0];
    assert_eq!((job.extent.runtime_us, job.extent.ramp_time_us), (1_000_000, 100_000));
    // Else the first reads would come from the disk, and a file of others might be made.
    assert!(!job.target.invalidate && !job.target.allow_file_create && !job.engine.direct);
}

#[test]
fn a_ceiling_that_cannot_be_had_says_why() {
    let cases = ceiling_cases(1);
    let psync = cases.iter().find(|case| case.engine == IoEngine::Psync).unwrap();
    let time = Duration::from_secs(1);
    let no_file =
        measure_ceiling(psync, &Scratch::default(), time, &mut machine(&mut Fixed::default()));
    assert!(no_file.failure.unwrap().contains("/dev/shm"));
    let mut failing = Fixed { error: Some("no ring"), ..Fixed::default() };
    assert_eq!(
        try_engine(IoEngine::IoUring, &scratch(), &mut machine(&mut failing)),
        Some("no ring".into())
    );
    let failed = measure_ceiling(psync, &scratch(), time, &mut machine(&mut failing));
    assert_eq!((failed.failure.as_deref(), failed.iops), (Some("no ring"), None));
    assert_eq!(
        try_engine(IoEngine::IoUring, &scratch(), &mut machine(&mut Fixed::default())),
        None
    );
}

#[test]
fn real_ceilings_of_nothing_and_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scratch");
    std::fs::write(&path, []).unwrap();
    let scratch = Scratch { tmpfs: Some(path.clone()), page_cache: Some(path.clone()) };
    let (control, files) = (Arc::new(Control::default()), TestFiles::default());
    let mut executor = LocalMachine::new(Host::real(), control, &files, ScratchFolders::default());
    for case in ceiling_cases(2).into_iter().filter(|c| c.engine != IoEngine::Libaio) {
        let measured = measure_ceiling(&case, &scratch, Duration::from_millis(30), &mut executor);
        match &measured.failure {
            Some(why) if case.engine == IoEngine::IoUring => {
                fathom_skip::skip(&format!("io_uring: {why}"));
            }
            failure => assert_eq!(failure, &None, "{case:?}"),
        }
        assert!(measured.failure.is_some() || measured.iops.is_some_and(|iops| iops > 0.0));
    }
    assert_eq!(path.metadata().unwrap().len(), SCRATCH_BYTES);
    assert!(try_engine(IoEngine::Psync, &Scratch::default(), &mut executor).is_some());
    let missing = Scratch { page_cache: Some("/no/such/file".into()), ..Scratch::default() };
    assert!(try_engine(IoEngine::Psync, &missing, &mut executor).is_some());
    assert!(!Path::new("/no/such/file").exists());
}
