//! The benchmark: the cost of Fathom, compared with bare loops and fio, on this machine.
//!
//! `cargo run --release -p fathom-bench` builds the measured binary, creates its devices, runs
//! every row of the plan (`plan.rs`), prints the results against the targets as a Markdown table,
//! and writes every run to a JSON file. `--instructions --check` is the part that CI runs:
//! instructions for each I/O by callgrind, which do not depend on the load of the machine, compared
//! with recorded numbers.
//! `--growth` measures the cost along four axes (`plan/growth.rs`), and `--count` compares every
//! engine with the kernel's counters (`count.rs`).
//!
//! Contestants take turns (A B C A B C …) and ratios are taken within a turn, so that a machine
//! that slows down slows all alike; medians are judged, and the spread is shown.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod args;
mod contest;
mod count;
mod counter;
mod day;
mod device;
mod digits;
mod document;
mod figures;
mod instructions;
mod nfs_server;
mod place;
mod plan;
mod process;
mod recorded;
mod setting;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result};
use args::Args;
use clap::Parser;
use contest::Contest;
use counter::Counter;
use place::Sizes;
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

/// Whether all checks passed; without `--check` or `--count` there are none.
fn run(args: &Args) -> Result<bool> {
    if args.list {
        return Ok(list());
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // On a signal the current run ends, and created objects are removed at the end.
        signal_hook::flag::register(signal, stop.clone()).context("cannot listen for ^C")?;
    }
    let programs = Programs::find(args.no_build)?;
    if args.instructions {
        return recorded::run(args, &programs, &stop);
    }
    if args.count {
        return count(args, &programs, &stop);
    }
    let (rows, file) = match args.growth {
        true => (plan::growth_rows(), "bench-growth.json"),
        false => (plan::rows(), "bench-result.json"),
    };
    let document = Contest::new(args, programs, stop)?.run(rows)?;
    let output = args.output(file);
    document::write_json(&document, &output)?;
    println!("\nall rounds: {}", output.display());
    Ok(true)
}

fn list() -> bool {
    for row in plan::rows() {
        println!("{:<28} {}", row.id, row.title);
    }
    for row in plan::growth_rows() {
        println!("{:<28} {} (--growth)", row.id, row.title);
    }
    true
}

fn count(args: &Args, programs: &Programs, stop: &AtomicBool) -> Result<bool> {
    let counts = Counter::new(args, programs, Sizes::default())?.run(stop)?;
    let output = args.output("bench-count.json");
    document::write_json(&counts, &output)?;
    println!("\nall runs: {}", output.display());
    Ok(counts.are_exact())
}
