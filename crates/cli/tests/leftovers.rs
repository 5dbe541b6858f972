//! Test files that could not be removed: told when it happens, and found again after.

use crate::devices::{Mount, need, root, tool};
use crate::sandbox::{Outcome, Running, Sandbox, left_in, subject};
use rustix::process::Signal;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder in which files can be made and none removed, not even by root.
struct AppendOnly(PathBuf);

impl AppendOnly {
    fn make(folder: &Path) -> Result<AppendOnly, String> {
        root()?;
        tool("chattr", &["+a", &folder.display().to_string()])?;
        Ok(AppendOnly(folder.to_owned()))
    }
}

impl Drop for AppendOnly {
    fn drop(&mut self) {
        let _ = tool("chattr", &["-a", &self.0.display().to_string()]);
    }
}

fn test_files(folder: &Path) -> Vec<PathBuf> {
    let names = left_in(folder).into_iter().filter(|name| name.starts_with(".fathom-"));
    names.map(|name| folder.join(name)).collect()
}

#[test]
fn a_test_file_that_cannot_be_removed_is_told_and_ends_in_1() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("held");
    fs::create_dir(&folder).unwrap();
    let Some(guard) = need(AppendOnly::make(&folder)) else { return };
    let lines = [
        "measure held --size 16m --time 800ms --json",
        "sweep held --rw randread --bs 4k,8k --time-per-run 200ms --size 16m --json",
        "limit held --p99 1s --rw randread --time-per-run 150ms --max-steps 5 --size 16m --json",
        "check held --promise aws.gp3 --volume-size 8GiB --time-per-run 2s --size 64m --read-only --json",
        "compare held . --time 3s --repeat 3 --size 16m --json",
        "measure --for etcd held --size 16m --time 800ms --json",
    ];
    let mut known = Vec::new();
    for line in lines {
        let outcome = sandbox.fathom(line);
        let left = test_files(&folder);
        let fresh: Vec<&PathBuf> = left.iter().filter(|path| !known.contains(*path)).collect();
        let [path] = fresh[..] else { panic!("`{line}` left {fresh:?}") };
        let shown = path.display().to_string();
        assert!(outcome.code != Some(0), "`{line}` calls it a success");
        assert!(outcome.stderr.contains(&format!("Remove it: rm {shown}")), "{}", outcome.stderr);
        assert!(outcome.stderr.contains("not permitted"), "`{line}`: {}", outcome.stderr);
        assert_eq!(fs::metadata(path).unwrap().len(), 0, "its space is not given back");
        let tells =
            outcome.stderr.contains("`fathom clean held` removes those that are proved ours");
        assert_eq!(tells, !known.is_empty(), "`{line}`: {}", outcome.stderr);
        // What was measured is shown all the same.
        assert!(outcome.json().is_object(), "`{line}`");
        known = left;
    }
    drop(guard);
    // Its entry is still there: what could not be removed then can be now.
    sandbox.fathom("clean").assert_ended(0);
    assert_eq!(test_files(&folder), Vec::<PathBuf>::new());
}

#[test]
fn a_command_that_is_advised_can_be_pasted() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("a; touch pwned");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join(".fathom-0123456789abcdef-0"), "somebody's").unwrap();
    let (folder, fathom) = (folder.display(), subject().display().to_string());
    for command in ["measure --size 16m --time 800ms --no-record", "doctor --quick"] {
        let outcome = sandbox.shell(&format!("{fathom} {command} '{folder}' 2>&1"));
        let advice = format!("`fathom clean '{folder}'` removes those that are proved ours");
        let said = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&advice), "{}", outcome.describe(&advice));
    }
}

#[test]
fn a_file_that_a_job_was_to_remove_and_could_not_is_told() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("held");
    fs::create_dir(&folder).unwrap();
    let Some(_guard) = need(AppendOnly::make(&folder)) else { return };
    for command in ["fio", "run"] {
        let line = format!("{command} --name={command} --directory=held --size=64k --unlink=1");
        let outcome = sandbox.fathom(&line);
        outcome.assert_ended(1);
        let path = format!("held/{command}.0.0 cannot be removed");
        assert!(outcome.stderr.contains(&path), "`{line}`: {}", outcome.stderr);
        assert!(outcome.stdout.to_lowercase().contains("iops") || command == "run");
    }
}

#[test]
fn what_was_mounted_over_the_folder_hides_no_test_file() {
    let sandbox = Sandbox::new();
    let folder = sandbox.work().join("a");
    fs::create_dir(&folder).unwrap();
    let running = sandbox.start_fathom("measure a --size 16m --time 2s");
    wait_for_test_file(&folder);
    let Some(mount) = need(Mount::new(&["-t", "tmpfs", "none"], &folder)) else { return };
    let outcome = running.finish();
    drop(mount);
    assert_eq!(outcome.code, Some(0), "{}", outcome.describe("it has the folder's handle"));
    assert_eq!(left_in(&folder), Vec::<String>::new());
}

fn wait_for_test_file(folder: &Path) -> PathBuf {
    loop {
        let measured = |path: &PathBuf| !path.display().to_string().contains("doctor");
        if let Some(path) = test_files(folder).into_iter().find(measured) {
            return path;
        }
        std::thread::yield_now();
    }
}

/// A measurement that is killed once its test file has its blocks.
fn killed(sandbox: &Sandbox) -> PathBuf {
    let running: Running = sandbox.start_fathom("measure . --size 16m --time 60s");
    let path = loop {
        let path = wait_for_test_file(&sandbox.work());
        if fs::metadata(&path).is_ok_and(|about| about.len() == 16 << 20) {
            break path;
        }
    };
    running.signal(Signal::KILL);
    assert_eq!(running.finish().signal, Some(9));
    path
}

#[test]
fn what_a_killed_run_left_is_told_listed_and_removed() {
    let sandbox = Sandbox::new();
    let path = killed(&sandbox);
    let shown = path.display().to_string();
    let foreign = sandbox.write(".fathom-0123456789abcdef-0", "somebody's");
    let has = |outcome: &Outcome, words: &str| {
        assert!(outcome.stderr.contains(words) || outcome.stdout.contains(words), "{outcome:?}");
    };
    let measured = sandbox.fathom("measure . --size 16m --time 800ms");
    has(measured.assert_ended(0), "`fathom clean .`");
    let doctor = sandbox.fathom("doctor --quick --json .");
    let findings = doctor.assert_ended(0).json()["targets"][0]["findings"].clone();
    let finding = findings.as_array().unwrap().iter().find(|f| f["topic"] == "test_files").unwrap();
    assert!(finding["evidence"].as_str().unwrap().contains("2, 16.8"), "{finding}");

    let listed = sandbox.fathom("clean --dry-run");
    has(listed.assert_ended(0), &format!("{shown} (16.8"));
    has(&listed, "would be removed");
    assert!(path.exists());
    // A name alone is no proof.
    let cleaned = sandbox.fathom("clean .");
    has(cleaned.assert_ended(1), &format!("{shown} (16.8"));
    has(&cleaned, "no entry of this user says that Fathom made it");
    assert!(!path.exists() && fs::read(&foreign).unwrap() == b"somebody's");
    fs::remove_file(&foreign).unwrap();
    has(sandbox.fathom("clean .").assert_ended(0), "No test files");
    assert!(!sandbox.home().join("test-files").exists(), "its entry is left");
}

#[test]
fn a_run_that_goes_on_keeps_its_file() {
    let sandbox = Sandbox::new();
    let running = sandbox.start_fathom("measure . --size 16m --time 60s");
    let path = wait_for_test_file(&sandbox.work());
    for line in ["clean", "clean ."] {
        let outcome = sandbox.fathom(line);
        outcome.assert_ended(0);
        assert!(outcome.stdout.contains("No test files"), "{outcome:?}");
        assert!(path.exists());
    }
    running.signal(Signal::INT);
    assert_eq!(running.finish().code, Some(130));
    assert!(!path.exists());
}
