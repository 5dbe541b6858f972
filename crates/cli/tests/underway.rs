//! A history while runs are under way, and where it should not be: what `latest` means, what is
//! said of a run that has no result, and who may read the files.

use crate::sandbox::{Running, Sandbox, subject};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn under_way(sandbox: &Sandbox) -> Running {
    let mut running = sandbox.start_fathom("measure . --size 16m --time 40s");
    running.wait_for_stderr(|text| text.contains("1/8 4 KiB"));
    running
}

fn newest_id(sandbox: &Sandbox) -> String {
    let list = sandbox.fathom("history list --json").json();
    list["runs"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_latest_run_is_one_that_has_a_result() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox);
    for line in
        ["report --markdown", "compare latest latest", "history show", "history show latest"]
    {
        let outcome = sandbox.fathom(line);
        outcome.assert_refused_in_a_sentence("no run of the history has ended with figures yet");
    }
    sandbox.fathom("run --name=first --ioengine=null --size=1m").assert_ended(0);
    let first = newest_id(&sandbox);
    let later = under_way(&sandbox);
    assert_ne!(newest_id(&sandbox), first);
    let report = sandbox.fathom("report --markdown");
    assert!(report.stdout.contains("first"), "{}", report.describe("the run that ended"));
    sandbox.fathom("compare latest latest").assert_ended(0);
    let shown = sandbox.fathom("history show latest");
    assert!(shown.stdout.starts_with(&first), "{}", shown.describe("the run that ended"));
    drop((running, later));
}

#[test]
fn a_run_without_a_result_is_named_as_running_or_killed() {
    let sandbox = Sandbox::new();
    let running = under_way(&sandbox);
    let id = newest_id(&sandbox);
    for line in [format!("report {id}"), format!("compare {id} {id}")] {
        sandbox.fathom(&line).assert_refused_in_a_sentence("still runs and has no result yet");
    }
    running.signal(rustix::process::Signal::KILL);
    running.finish();
    let outcome = sandbox.fathom(&format!("report {id}"));
    outcome.assert_refused_in_a_sentence("was killed before it had a result");
}

#[test]
fn what_is_no_file_is_refused_as_a_history_and_hangs_nobody() {
    for (make, kind) in [("mkfifo", "a pipe"), ("mkdir", "a folder")] {
        let sandbox = Sandbox::new();
        let script =
            format!("mkdir '{0}' && {make} '{0}/history.sqlite3'", sandbox.home().display());
        sandbox.shell(&script).assert_success();
        let outcome = sandbox.fathom("history");
        outcome.assert_refused_in_a_sentence(&format!("is {kind}, not a file"));
        let outcome = sandbox.fathom("run --name=x --ioengine=null --size=1m");
        outcome.assert_ended(0);
        assert!(outcome.stderr.contains(kind), "{}", outcome.describe("the warning"));
    }
}

#[test]
fn what_is_kept_is_for_its_user_alone() {
    let sandbox = Sandbox::new();
    let line = "sweep . --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2 --json";
    let script = format!("umask 0; exec '{}' {line}", subject().display());
    let mut running = sandbox.start_program("/bin/sh", &["-c", &script]);
    running.wait_for_stderr(|text| text.contains("1/2 iodepth=1"));
    let mut seen = modes(&sandbox.home());
    running.finish().assert_ended(0);
    seen.extend(modes(&sandbox.home()));
    assert!(seen.iter().any(|(path, _)| path.ends_with(".json")), "{seen:?}");
    assert!(seen.iter().any(|(path, _)| path.ends_with("history.sqlite3")), "{seen:?}");
    let open: Vec<_> = seen.iter().filter(|(_, mode)| mode & 0o077 != 0).collect();
    assert!(open.is_empty(), "{open:?}");
    // One that others can read is told, and left as it is.
    let history = sandbox.home().join("history.sqlite3");
    fs::set_permissions(&history, fs::Permissions::from_mode(0o644)).unwrap();
    let outcome = sandbox.fathom("history");
    assert!(outcome.stderr.contains("chmod 600"), "{}", outcome.describe("the warning"));
    assert_eq!(fs::metadata(&history).unwrap().permissions().mode() & 0o777, 0o644);
}

/// Everything under `top` that is still there, with its mode.
fn modes(top: &std::path::Path) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map(|entries| entries.flatten().collect::<Vec<_>>());
        let mode = |path: &std::path::Path| Some(fs::metadata(path).ok()?.permissions().mode());
        found.extend(mode(&folder).map(|mode| (folder.display().to_string(), mode & 0o777)));
        for entry in entries.unwrap_or_default() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.extend(mode(&path).map(|mode| (path.display().to_string(), mode & 0o777)));
            }
        }
    }
    found
}

#[test]
fn any_name_of_a_folder_can_be_measured_by_every_command() {
    let sandbox = Sandbox::new();
    for name in [&b"a\nb"[..], b"a:b", b"a\xffb", b"a b\t"] {
        use std::os::unix::ffi::OsStrExt;
        let folder = sandbox.work().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&folder).unwrap();
        for line in [
            "sweep --time-per-run 100ms --ramp 0 --size 8m --iodepth 1,2 --json",
            "limit --p99 1s --time-per-run 200ms --max-steps 5 --size 8m --json",
            "measure --time 800ms --size 8m --json",
        ] {
            let mut words: Vec<&std::ffi::OsStr> =
                line.split_whitespace().map(std::ffi::OsStr::new).collect();
            words.push(folder.as_os_str());
            let outcome = sandbox.start_program(subject(), &words).finish();
            // The disk may waver too much for a limit to be told.
            let undecided = line.starts_with("limit") && outcome.code == Some(5);
            outcome.assert_ended(if undecided { 5 } else { 0 });
            let document = outcome.json();
            let failed = document.to_string().contains("\"failure\":\"");
            assert!(!failed, "{}", outcome.describe("a case failed"));
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        }
    }
}
