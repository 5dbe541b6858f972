//! The engines on real files and devices; see `parts` for what a test may need and how it skips.
#![allow(clippy::print_stdout)] // reasons for skipping
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

#[cfg(target_os = "linux")]
mod devices;
mod engines;
#[cfg(target_os = "linux")]
mod errors;
#[cfg(target_os = "linux")]
mod linux;
mod parts;
#[cfg(target_os = "linux")]
mod refusals;
mod storm;
