//! When jobs begin that are ready: what is open by then is read from `/proc`.

use crate::support::*;
use fathom_host::Host;
use fathom_run::{Control, Event, Observer, Pins, execute};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Has jobs begin a while after they are ready, and looks at what is open by then.
#[derive(Default)]
struct Starter {
    file: PathBuf,
    open: Vec<bool>,
    moments: Vec<Instant>,
}

impl Observer for Starter {
    fn event(&mut self, _: &Event) {}

    fn start(&mut self, _: &Control) -> Instant {
        let entries = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        let mut names = entries.filter_map(|entry| std::fs::read_link(entry.path()).ok());
        self.open.push(names.any(|name| name == self.file));
        self.moments.push(Instant::now() + Duration::from_millis(30));
        self.moments[self.moments.len() - 1]
    }
}

fn run_with(starter: &mut Starter, jobs: &[fathom_job::JobSpec]) -> fathom_run::RunOutcome {
    let (host, pins, control) = (Host::real(), Pins::default(), Arc::new(Control::default()));
    execute(jobs, &options(), &host, &pins, &control, starter).unwrap()
}

#[test]
fn jobs_that_are_ready_begin_at_the_moment_that_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let mut jobs = vec![job("one", folder.path(), READ, 64 << 10)];
    jobs[0].process.numjobs = 3;
    let file = |folder: &Path| folder.canonicalize().unwrap().join("one.0.0");
    let mut starter = Starter { file: file(folder.path()), ..Starter::default() };
    let outcome = run_with(&mut starter, &jobs);
    assert_eq!(starter.open, [true], "files are open before, and it is asked once");
    let io = outcome.io_span.unwrap();
    assert!(io.begun_ns <= io.ended_ns);
    let after = starter.moments[0] + Duration::from_nanos(io.ended_ns);
    assert!(after <= Instant::now(), "{io:?}: counted from the moment");
}

#[test]
fn jobs_that_wait_for_others_are_given_a_moment_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let first = job("first", folder.path(), WRITE, 64 << 10);
    let mut second = job("second", folder.path(), READ, 64 << 10);
    second.process.stonewall = true;
    let mut starter = Starter::default();
    let outcome = run_with(&mut starter, &[first, second]);
    assert_eq!(starter.moments.len(), 2);
    assert!(starter.moments[1] - starter.moments[0] >= Duration::from_millis(30));
    assert_eq!(outcome.result.jobs.iter().map(|job| job.group_id).collect::<Vec<_>>(), [0, 1]);
}
