//! What goes wrong, and what is said and kept then.

use crate::support::*;
use fathom_host::Host;
use fathom_job::JobSize;
use fathom_run::{Control, Event, Pins, RunOptions, execute};
use std::sync::Arc;

#[test]
fn job_without_size_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("sizeless", folder.path(), READ, 1);
    job.target.size = None;
    let error = run(&[job]).unwrap_err().to_string();
    assert!(error.contains("you need to specify size="), "{error}");
}

#[test]
fn folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let job = job("nowhere", &folder.path().join("missing"), READ, 4096);
    let error = run(&[job]).unwrap_err().to_string();
    assert!(error.contains("missing is not a directory"), "{error}");
}

#[test]
fn offset_beyond_the_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short");
    std::fs::write(&path, [1; 8192]).unwrap();
    let mut job = job("beyond", folder.path(), READ, 1);
    job.target.size = None;
    job.target.filenames = vec![path];
    job.target.offset = JobSize::Bytes(8192);
    let error = run(&[job]).unwrap_err().to_string();
    assert!(error.contains("offset 8192"), "{error}");
}

#[test]
fn folder_as_a_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("folder", folder.path(), READ, 4096);
    job.target.filenames = vec![folder.path().to_owned()];
    let error = run(&[job]).unwrap_err().to_string();
    assert!(error.contains("is a folder"), "{error}");
}

#[test]
fn job_that_cannot_be_planned_fails_alone_where_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let mut bad = job("bad", folder.path(), READ, 1);
    bad.target.size = None;
    let jobs = [bad, job("good", folder.path(), WRITE, 4096)];
    assert!(run(&jobs).is_err());
    assert!(!folder.path().join("good.0.0").exists(), "nothing is written if none may run");

    let (control, mut errors) = (Arc::new(Control::default()), Vec::new());
    let mut note = |event: &Event| errors.extend(matches!(event, Event::Error(_)).then_some(()));
    let alone = RunOptions { jobs_fail_alone: true, ..options() };
    let (host, pins) = (Host::real(), Pins::default());
    let outcome = execute(&jobs, &alone, &host, &pins, &control, &mut Watcher(&mut note)).unwrap();
    let [bad, good] = &outcome.result.jobs[..] else { panic!("two jobs") };
    assert_eq!((bad.error.get(), good.error.get(), good.dirs.write.total_ios), (22, 0, 1));
    assert!(bad.error_text.contains("you need to specify size="), "{}", bad.error_text);
    assert_eq!(errors.len(), 1);
}

#[test]
fn file_that_cannot_be_made_fails_its_job_alone() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, b"").unwrap();
    let mut bad = job("bad", folder.path(), WRITE, 4096);
    bad.target.filenames = vec![blocked.join("below")];
    let good = job("good", folder.path(), WRITE, 4096);
    let outcome = run(&[bad, good]).unwrap();
    let jobs = &outcome.result.jobs;
    assert!(jobs[0].error.is_error());
    assert!(jobs[0].error_text.contains("file"), "{}", jobs[0].error_text);
    assert_eq!((jobs[1].error.get(), jobs[1].dirs.write.total_ios), (0, 1));
}
