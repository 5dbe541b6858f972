//! Pages of reports in a real browser: `browser/run.js` drives Chromium through them.
//!
//! Says SKIP where a part is missing, or fails where FATHOM_TESTS_REQUIRE=1; see `browser/driver.rs`.

#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

#[path = "browser/driver.rs"]
mod driver;
mod samples;

use driver::Folder;
use fathom_message::Lang;
use fathom_report::html;
use std::fs;
use std::path::Path;

const MAX_SWEEP_BYTES: usize = 6_000_000;

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
    if let Err(reason) = driver::browser() {
        return fathom_skip::skip(&reason);
    }
    let folder = Folder::new();
    pages(&folder.path);
    driver::drive(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/run.js"), &folder);
}

#[test]
fn a_sweep_of_500_cases_is_a_page_of_moderate_size() {
    let page = html(&samples::sweep()).unwrap();
    println!("a report of 500 charts: {} bytes", page.len());
    assert!(page.len() < MAX_SWEEP_BYTES, "{} bytes", page.len());
}
