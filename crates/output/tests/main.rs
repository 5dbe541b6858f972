//! One binary for the tests of this crate that need more than one module.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod compare;
mod import;
mod parity;
mod texts;
