//! Starts a script that drives a real browser; for the tests of every crate that has pages.
//!
//! Needs Chromium, node, and playwright-core, which `scripts/install-test-parts.sh` puts into the
//! cache. `FATHOM_SCREENSHOTS=FOLDER` keeps pages and screenshots there, and
//! `FATHOM_BROWSER_CHECK=NAME` runs the checks of that name alone.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Where a script finds its pages and leaves its screenshots; gone with this unless it was named.
pub struct Folder {
    pub path: PathBuf,
    _own: TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        let own = tempfile::tempdir().unwrap();
        let path = env::var_os("FATHOM_SCREENSHOTS").map_or(own.path().to_owned(), PathBuf::from);
        fs::create_dir_all(&path).unwrap();
        Folder { path, _own: own }
    }
}

/// Chromium, if possible without windows: it draws the same pages, and opens one in half the time.
const BROWSERS: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/// The first of them that is there.
fn program() -> Option<&'static str> {
    BROWSERS.into_iter().find(|program| Path::new(program).exists())
}

/// Where `install-test-parts.sh` puts what npm gives.
fn npm_folder() -> PathBuf {
    let home = env::var_os("HOME").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
    let cache = env::var_os("XDG_CACHE_HOME").map_or_else(|| home.join(".cache"), PathBuf::from);
    cache.join("fathom-ci/npm/node_modules")
}

/// Whether a browser can be driven here, or what is missing.
pub fn browser() -> Result<(), String> {
    let runs = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let folder = npm_folder().join("playwright-core");
    let why = match () {
        () if program().is_none() => format!("no {}", BROWSERS.join(", no ")),
        () if !runs("node") => "no node".to_owned(),
        () if !folder.exists() => format!("no playwright-core in {}", folder.display()),
        () => return Ok(()),
    };
    Err(format!("{why}: scripts/install-test-parts.sh installs it"))
}

/// Runs `script` on `folder` to its end; a check that does not hold there is a failure here.
pub fn drive(script: &Path, folder: &Folder) {
    let only: Vec<OsString> = env::var_os("FATHOM_BROWSER_CHECK").into_iter().collect();
    let mut node = Command::new("node");
    node.arg(script).arg(&folder.path).args(only).env("NODE_PATH", npm_folder());
    node.envs(program().map(|program| ("FATHOM_BROWSER", program)));
    let output = node.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    println!("{said}");
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{why}");
}
