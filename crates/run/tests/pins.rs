//! Test files that a command holds: made, opened, told from others, and removed, on every system.

use crate::support::*;
use fathom_host::Host;
use fathom_run::{Control, Pin, Pins, execute, facts_of};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

#[test]
fn a_test_file_is_made_once_measured_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ours");
    let pin = Arc::new(Pin::create(&path).unwrap());
    assert_eq!(Pin::create(&path).unwrap_err().kind(), ErrorKind::AlreadyExists);
    let pins: Pins = [pin.clone()].into_iter().collect();
    for engine in file_engines() {
        let mut job = job("held", Path::new(""), RANDRW, 1 << 20);
        job.target.directories.clear();
        job.target.filenames = vec![path.clone()];
        job.engine.engine = engine;
        job.engine.iodepth = 8;
        let control = Arc::new(Control::default());
        let (options, host) = (options(), Host::real());
        let mut nothing = |_: &fathom_run::Event| {};
        let watcher = &mut Watcher(&mut nothing);
        let outcome = execute(&[job], &options, &host, &pins, &control, watcher).unwrap();
        let result = &outcome.result.jobs[0];
        assert_eq!(result.error, 0, "{engine:?}: {}", result.error_text);
        let ios = result.dirs.read.total_ios + result.dirs.write.total_ios;
        assert_eq!(ios, 256, "{engine:?}");
    }
    pin.remove().unwrap();
    drop((pins, pin));
    assert!(fs::symlink_metadata(&path).is_err_and(|e| e.kind() == ErrorKind::NotFound));
}

#[test]
fn what_stands_in_the_place_of_a_test_file_is_neither_written_nor_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (folder.path().join("ours"), folder.path().join("moved"));
    let pin = Arc::new(Pin::create(&path).unwrap());
    assert_eq!(facts_of(pin.handle()).unwrap().links, 1);
    fs::rename(&path, &moved).unwrap();
    fs::write(&path, [0xa5; 4096]).unwrap();
    let pins: Pins = [pin.clone()].into_iter().collect();
    let mut job = job("held", Path::new(""), WRITE, 4096);
    job.target.directories.clear();
    job.target.filenames = vec![path.clone()];
    job.target.allow_file_create = false;
    let control = Arc::new(Control::default());
    let mut nothing = |_: &fathom_run::Event| {};
    let watcher = &mut Watcher(&mut nothing);
    let outcome = execute(&[job], &options(), &Host::real(), &pins, &control, watcher);
    let failed = match outcome {
        Ok(outcome) => outcome.result.jobs[0].error.is_error(),
        Err(_) => true,
    };
    assert!(failed);
    let leftover = pin.remove().unwrap_err();
    assert!(!leftover.is_there && leftover.sentence.contains("somebody moved it"));
    assert_eq!(fs::read(&path).unwrap(), [0xa5; 4096]);
    assert_eq!(fs::metadata(&moved).unwrap().len(), 0, "it uses no space under its new name");
}
