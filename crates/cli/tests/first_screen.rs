//! The report of every command on its first screen, in a real browser: the sentence, the tiles and
//! one chart, with all else folded and no label cut; and what each says of how to get it again.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::devices::need;
use crate::driver::{self, Folder};
use crate::sandbox::Sandbox;

/// A command of each kind, as short as its figures allow.
const COMMANDS: [(&str, &str); 7] = [
    ("measure", "measure . --size 16m --time 2400ms --quiet"),
    (
        "sweep",
        "sweep . --iodepth 1,4,8 --rw randread --size 16m --time-per-run 200ms --ramp 0 --quiet",
    ),
    (
        "compare",
        "compare a b --size 16m --time 2s --repeat 3 --rw randread,write --bs 64k --iodepth 4 -q",
    ),
    ("check", "check . --iops 100 --latency 1s --size 16m --time-per-run 2s --quiet"),
    (
        "limit",
        "limit . --p99 1s --rw randread --size 16m --time-per-run 200ms --max-steps 6 --quiet",
    ),
    ("run", "run --name=t --filename=t.dat --size=16m --rw=randrw --quiet"),
    ("for", "measure --for etcd . --time 2s --quiet"),
];

#[test]
fn every_kind_of_report_says_it_on_one_screen() {
    if need(driver::browser()).is_none() {
        return;
    }
    let (sandbox, folder) = (Sandbox::new(), Folder::new());
    for name in ["a", "b"] {
        fs::create_dir(sandbox.work().join(name)).unwrap();
    }
    for (kind, line) in COMMANDS {
        let page = folder.path.join(format!("{kind}.html"));
        let made = sandbox.fathom(&format!("{line} --report {}", page.display()));
        assert!(page.is_file(), "{}", made.describe(kind));
        let report: Value = sandbox.fathom("report --json").assert_ended(0).json();
        let command = report["repeat"][0]["command"].as_str().unwrap();
        let typed = format!("&& fathom {line} --report {}", page.display());
        assert!(command.starts_with("cd ") && command.ends_with(&typed), "{kind}: {command}");
    }
    driver::drive(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/first_screen.js"),
        &folder,
    );
}
