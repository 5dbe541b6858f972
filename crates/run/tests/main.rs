//! Runs of whole jobs on real files, and what their results must say.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod errors;
mod groups;
mod loops;
mod support;
mod swaps;
mod volumes;
mod wire;
