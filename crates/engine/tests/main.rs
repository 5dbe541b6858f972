//! The engines on real files and devices; see `parts` for what a test may need and how it skips.
#![allow(clippy::print_stdout)] // reasons for skipping
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod devices;
mod engines;
mod errors;
mod parts;
mod refusals;
mod storm;
