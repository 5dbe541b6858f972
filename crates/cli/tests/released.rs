//! What the release of November 2026 kept still opens: its history, and the document of each command.
//!
//! `released/history.sqlite3` was written by that release, with one run of each command.

use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A history as that release left it.
const HISTORY: &[u8] = include_bytes!("released/history.sqlite3");
/// The commands that it holds a run of.
const KINDS: [&str; 6] = ["measure", "sweep", "check", "limit", "compare", "run"];

pub fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.home()).unwrap();
    let path = sandbox.home().join("history.sqlite3");
    fs::write(&path, HISTORY).unwrap();
    // A history that others can read is warned of.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    sandbox
}

/// The names of its runs, by command.
pub fn runs(sandbox: &Sandbox) -> Vec<(String, String)> {
    let listed = sandbox.fathom("history --json");
    listed.assert_success();
    let listed = listed.json();
    let runs = listed.as_array().or_else(|| listed["runs"].as_array()).unwrap().iter();
    let word = |run: &Value, name: &str| run[name].as_str().unwrap().to_owned();
    runs.map(|run| (word(run, "kind"), word(run, "id"))).collect()
}

#[test]
fn every_kind_of_document_opens_and_is_reported_on() {
    let sandbox = sandbox();
    let runs = runs(&sandbox);
    let mut kinds: Vec<&str> = runs.iter().map(|(kind, _)| kind.as_str()).collect();
    kinds.sort_unstable();
    let mut wanted = KINDS.to_vec();
    wanted.sort_unstable();
    assert_eq!(kinds, wanted);
    for (kind, id) in &runs {
        sandbox.fathom(&format!("history show {id}")).assert_success();
        let document = sandbox.fathom(&format!("history show {id} --json"));
        // The text is that of the release: without line breaks.
        let document = &document.assert_success().stdout;
        let document: Value = serde_json::from_str(document).unwrap();
        assert_eq!(document["kind"], format!("fathom-{kind}"));
        let report = sandbox.fathom(&format!("report {id} --markdown={kind}.md"));
        report.assert_success();
        let text = fs::read_to_string(sandbox.work().join(format!("{kind}.md"))).unwrap();
        assert!(text.contains("IOPS"), "{kind}: {text}");
    }
}

#[test]
fn its_runs_compare_with_each_other() {
    let sandbox = sandbox();
    let runs = runs(&sandbox);
    let id = |kind: &str| runs.iter().find(|(of, _)| of == kind).unwrap().1.clone();
    let measured = id("measure");
    let outcome = sandbox.fathom(&format!("compare {measured} {measured}"));
    outcome.assert_no_panic();
    assert!(outcome.stdout.contains("IOPS"), "{}", outcome.describe("figures of both"));
}
