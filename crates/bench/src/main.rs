//! The benchmark: what Fathom costs, beside bare loops and fio, on this machine and now.
//!
//! `cargo run --release -p fathom-bench` builds the binary that is measured, makes the devices it
//! needs, runs every row of the plan (`plan.rs`), prints what came out against the targets, and
//! writes all of it to a file. `--instructions --check` is the part that CI runs: instructions an
//! I/O by callgrind, which do not depend on how busy the machine is, against recorded numbers.
//!
//! Contestants take turns (A B C A B C …) and ratios are taken within a turn, so that a machine
//! that gets slower meanwhile slows all alike; medians are judged, and the spread stands beside.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod args;
mod contest;
mod document;
mod figures;
mod instructions;
mod place;
mod plan;
mod process;
mod recorded;
mod table;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result};
use args::Args;
use clap::Parser;
use contest::Contest;
use process::Programs;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("fathom-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all that was checked holds; without `--check` nothing is.
fn run(args: &Args) -> Result<bool> {
    if args.list {
        for row in plan::rows() {
            println!("{:<28} {}", row.id, row.title);
        }
        return Ok(true);
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // Once asked, the run under way ends, and what was made is removed on the way out.
        signal_hook::flag::register(signal, stop.clone()).context("cannot listen for ^C")?;
    }
    let programs = Programs::find(args.no_build)?;
    if args.instructions {
        return recorded::run(args, &programs, &stop);
    }
    let mut contest = Contest::new(args, programs, stop)?;
    let document = contest.run()?;
    println!("\n{}", table::goals(&document));
    println!("\n{}", table::contestants(&document));
    document.write(&args.output)?;
    println!("\nall rounds: {}", args.output.display());
    Ok(true)
}
