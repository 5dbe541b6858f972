//! Errors that only Linux gives at will.

use crate::support::*;

#[test]
fn writing_to_what_refuses_keeps_the_count() {
    // /dev/full takes no write: ENOSPC on the first.
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("full", folder.path(), WRITE, 8192);
    job.target.filenames = vec!["/dev/full".into()];
    let outcome = run(&[job.clone()]).unwrap();
    let result = &outcome.result.jobs[0];
    assert_eq!(result.error, 28);
    assert!(result.error_text.contains("/dev/full"), "{}", result.error_text);
    assert!(result.error_text.contains("write offset=0"), "{}", result.error_text);

    assert_eq!((result.dirs.write.total_ios, result.total_err), (1, 0));
    assert_eq!((result.dirs.write.io_bytes, result.dirs.write.runtime_ms), (0, 0));

    let errors = |job: &fathom_job::JobSpec| {
        let outcome = run(std::slice::from_ref(job)).unwrap();
        let result = &outcome.result.jobs[0];
        let ios = result.dirs.write.total_ios;
        (result.error.get(), result.total_err, result.first_error.get(), ios)
    };
    job.errors.continue_on.write = true;
    assert_eq!(errors(&job), (28, 1, 28, 1), "a full disk ends the job all the same");
    job.errors.ignore.write = vec![28.into()];
    assert_eq!(errors(&job), (0, 2, 28, 2));
    job.errors.ignore.write = vec![5.into()];
    assert_eq!(errors(&job), (28, 1, 28, 1));
}

#[test]
fn more_threads_than_the_system_takes_are_refused_before_each_has_a_plan() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job("many", folder.path(), WRITE, 8192);
    job.process.numjobs = u32::MAX;
    let why = run(&[job]).unwrap_err().to_string();
    assert!(why.contains("4294967295 threads are more than this system takes ("), "{why}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
