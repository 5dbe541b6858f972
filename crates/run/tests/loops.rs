//! What a loop device is set up over is no write target, under whatever name.

use crate::support::*;
use fathom_run::RunError;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A loop device, for as long as this lives.
struct LoopOver(String);

impl LoopOver {
    fn attach(file: &Path) -> Option<LoopOver> {
        let made = Command::new("losetup").args(["--find", "--show"]).arg(file).output().ok()?;
        let node = String::from_utf8(made.stdout).ok()?.trim().to_owned();
        made.status.success().then_some(LoopOver(node))
    }
}

impl Drop for LoopOver {
    fn drop(&mut self) {
        let _ = Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

#[test]
fn a_file_behind_a_loop_device_is_known_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    fs::write(&first, vec![7; 1 << 20]).unwrap();
    let Some(_device) = LoopOver::attach(&first) else {
        return fathom_skip::skip("no loop device can be set up here");
    };
    // Now sysfs names a file that is gone.
    fs::hard_link(&first, &second).unwrap();
    fs::remove_file(&first).unwrap();
    let mut job = job("x", folder.path(), WRITE, 1 << 16);
    job.target.filenames = vec![second.clone()];
    let refused = run(&[job]).unwrap_err();
    assert!(matches!(refused, RunError::InUse { .. }), "{refused}");
    assert_eq!(fs::read(&second).unwrap(), vec![7; 1 << 20]);
}
