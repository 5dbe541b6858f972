//! Runs that need what Linux alone has: its loop devices, its exchange of names, its modes. Where
//! tests are run for another system this file is left out (`--test run`).
#![allow(clippy::unwrap_used, reason = "a failing test is what a panic is for")]

mod loops;
mod refusals;
mod starts;
#[allow(dead_code, reason = "the tests of every system use the rest")]
mod support;
mod swaps;
