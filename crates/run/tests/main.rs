//! Runs of whole jobs on real files, and what their results must say, on every system.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod errors;
mod groups;
mod pins;
mod support;
mod volumes;
mod wire;
