//! The benchmark: the cost of Fathom, compared with bare loops and fio, on this machine.
//!
//! `cargo run --release -p fathom-bench` builds the measured binary, creates its devices, runs
//! every row of the plan (`plan.rs`), prints the results against the targets, and writes all of it
//! to a file. `--instructions --check` is the part that CI runs: instructions for each I/O by
//! callgrind, which do not depend on the load of the machine, compared with recorded numbers.
//! `--growth` measures the cost along four axes (`growth.rs`), `--count` compares every engine with
//! the kernel's counters (`count.rs`), and `--draw` makes charts of a result (`draw.rs`).
//!
//! Contestants take turns (A B C A B C …) and ratios are taken within a turn, so that a machine
//! that slows down slows all alike; medians are judged, and the spread is shown.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod args;
mod bars;
mod chart;
mod contest;
mod count;
mod counter;
mod day;
mod device;
mod digits;
mod document;
mod draw;
mod figures;
mod goal_line;
mod growth;
mod instructions;
mod nfs_server;
mod place;
mod plan;
mod process;
mod recorded;
mod setting;
mod svg;
mod table;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use args::Args;
use clap::Parser;
use contest::Contest;
use counter::Counter;
use growth::Growth;
use place::Sizes;
use process::Programs;
use setting::BenchSetting;
use std::path::PathBuf;
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
    if let Some(file) = &args.draw {
        told_of(&draw::draw_file(file, &args.charts())?);
        return Ok(true);
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
    if args.growth {
        return growth(args, programs, stop);
    }
    let mut contest = Contest::new(args, programs, stop)?;
    let document = contest.run()?;
    println!("\n{}", table::goals(&document));
    println!("\n{}", table::contestants(&document));
    let output = args.output("bench-result.json");
    document.write(&output)?;
    println!("\nall rounds: {}", output.display());
    Ok(true)
}

fn list() -> bool {
    for row in plan::rows() {
        println!("{:<28} {}", row.id, row.title);
    }
    for sweep in growth::sweeps() {
        println!("{:<28} CPU time an I/O by {} (--growth)", sweep.id, sweep.title);
    }
    true
}

fn count(args: &Args, programs: &Programs, stop: &AtomicBool) -> Result<bool> {
    let counts = Counter::new(args, programs, Sizes::default())?.run(stop)?;
    println!("\n{}", table::counts(&counts));
    let output = args.output("bench-count.json");
    document::write_json(&counts, &output)?;
    println!("\nall runs: {}", output.display());
    Ok(counts.are_exact())
}

fn growth(args: &Args, programs: Programs, stop: Arc<AtomicBool>) -> Result<bool> {
    let seconds = args.run_time().as_secs_f64();
    let setting = BenchSetting::now(&programs, args.turns(), seconds);
    let mut contest = Contest::new(args, programs, stop)?;
    let mut growth = Growth { setting, sweeps: Vec::new() };
    for sweep in growth::sweeps().into_iter().filter(|sweep| args.wants(sweep.id)) {
        growth.sweeps.push(sweep.run(&mut contest, |line| println!("{line}"))?);
    }
    ensure!(!growth.sweeps.is_empty(), "no axis has such a name; --list names them");
    println!("\n{}", table::growth(&growth));
    let output = args.output("bench-growth.json");
    document::write_json(&growth, &output)?;
    println!("\nall rounds: {}", output.display());
    told_of(&draw::draw_growth(&growth, &args.charts())?);
    Ok(true)
}

fn told_of(charts: &[PathBuf]) {
    for chart in charts {
        println!("drawn: {}", chart.display());
    }
}
