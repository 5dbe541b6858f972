//! What a test does on a machine that lacks a program, a right or a device: it says `SKIP: REASON`
//! and passes. With `FATHOM_TESTS_REQUIRE=1`, as in CI, it fails. Only tests depend on this crate.
//!
//! The line goes past the capture of the test harness, so that it is seen although the test passes.
#![forbid(unsafe_code)]

use std::fmt::Display;
use std::io::Write;

/// Says that the rest of this test cannot run here.
///
/// # Panics
/// With `FATHOM_TESTS_REQUIRE=1`.
pub fn skip(reason: &str) {
    let required = std::env::var("FATHOM_TESTS_REQUIRE").is_ok_and(|value| value == "1");
    assert!(!required, "FATHOM_TESTS_REQUIRE=1 forbids this skip: {reason}");
    let _ = writeln!(std::io::stderr(), "SKIP: {reason}");
}

/// Says that the rest of this test cannot run here, for a reason that no script can mend, such as a
/// kernel without a feature. It passes, also where other skips are forbidden.
pub fn lacks(reason: &str) {
    let _ = writeln!(std::io::stderr(), "SKIP: {reason}");
}

/// The part that a test needs; `None` after saying why it is not here.
///
/// # Panics
/// Without the part, with `FATHOM_TESTS_REQUIRE=1`.
pub fn need<T, E: Display>(part: Result<T, E>) -> Option<T> {
    part.map_err(|reason| skip(&reason.to_string())).ok()
}
