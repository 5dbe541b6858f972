//! Frames that hostile sides send, and whole fleets with faults, driven from a seed.
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a failing seed prints itself")]
#![forbid(unsafe_code)]

mod frames;
mod network;
mod simulation;
