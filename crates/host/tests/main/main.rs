//! Tests of the host room against whole machines: two laid out from text, and the real one.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, its parts as well")]
#![allow(clippy::print_stderr, reason = "a skipped test says why")]

mod laid_out;
mod machine;
mod parts;
mod real;
