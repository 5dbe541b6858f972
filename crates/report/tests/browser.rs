//! Pages of reports in a real browser: `browser/run.js` drives Debian's Chromium through them.
//!
//! Needs chromium, node, and playwright-core, which `scripts/install-test-parts.sh` puts into the
//! cache; says SKIP without them, or fails where FATHOM_TESTS_REQUIRE=1. `FATHOM_SCREENSHOTS=FOLDER`
//! keeps pages and screenshots there, and `FATHOM_BROWSER_CHECK=NAME` runs the checks of that name.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod samples;

use fathom_message::Lang;
use fathom_report::html;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MAX_SWEEP_BYTES: usize = 6_000_000;

/// Where `install-test-parts.sh` puts what npm gives.
fn npm_folder() -> PathBuf {
    let home = env::var_os("HOME").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(|| home.join(".cache"), PathBuf::from);
    cache.join("fathom-ci/npm/node_modules")
}

/// What is missing, if anything.
fn missing() -> Option<String> {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let folder = npm_folder().join("playwright-core");
    match () {
        () if !Path::new("/usr/bin/chromium").exists() => Some("no /usr/bin/chromium".into()),
        () if !runs("node") => Some("no node".into()),
        () if !folder.exists() => Some(format!("no playwright-core in {}", folder.display())),
        () => None,
    }
}

fn pages(folder: &Path) {
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("every-en.html", html(&samples::every_kind(Lang::En)).unwrap());
    write("every-ko.html", html(&samples::every_kind(Lang::Ko)).unwrap());
    write("hostile.html", html(&samples::hostile()).unwrap());
    write("sweep.html", html(&samples::sweep()).unwrap());
    write("texts.json", serde_json::to_string(&samples::HOSTILE).unwrap());
}

#[test]
fn pages_do_in_a_browser_what_they_should() {
    if let Some(reason) = missing() {
        let must = env::var_os("FATHOM_TESTS_REQUIRE") == Some("1".into());
        assert!(!must, "{reason}: scripts/install-test-parts.sh installs it");
        println!("SKIP: {reason}");
        return;
    }
    let own = tempfile::tempdir().unwrap();
    let folder = env::var_os("FATHOM_SCREENSHOTS").map_or(own.path().to_owned(), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    pages(&folder);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/run.js");
    let only: Vec<OsString> = env::var_os("FATHOM_BROWSER_CHECK").into_iter().collect();
    let mut node = Command::new("node");
    node.arg(script).arg(&folder).args(only).env("NODE_PATH", npm_folder());
    let output = node.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{why}");
}

#[test]
fn a_sweep_of_500_cases_is_a_page_of_moderate_size() {
    let page = html(&samples::sweep()).unwrap();
    println!("a report of 500 charts: {} bytes", page.len());
    assert!(page.len() < MAX_SWEEP_BYTES, "{} bytes", page.len());
}
