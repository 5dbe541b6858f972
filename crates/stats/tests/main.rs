//! One binary for the tests of this crate that need more than one type: the laws of adding
//! results up, and their JSON.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod distribution;
mod json;
mod laws;
mod reports;
mod samples;
