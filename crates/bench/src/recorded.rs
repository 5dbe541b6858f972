//! `--instructions`: the counts that CI compares with recorded ones.
//!
//! Recorded numbers depend on a compiler and an instruction set, so there is a margin; an intended
//! change is recorded by `--record`, and the diff shows it.

use crate::args::Args;
use crate::instructions;
use crate::place::{BenchDevice, Places, Sizes};
use crate::process::Programs;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// By how much a count may exceed the recorded one.
const MARGIN: f64 = 0.10;
/// How often a case with real I/O is counted at most.
const TRIES: u32 = 3;
/// The file of the recorded counts.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");
const HEAD: &str = "# Instructions an I/O outside of the kernel, by callgrind on the release \
                    binary.\n# `cargo run --release -p fathom-bench -- --instructions --record` \
                    writes this file.\n";

/// Name, device, and arguments of the job. Batches are requested if there is a queue.
const CASES: &[(&str, BenchDevice, &str)] = &[
    ("null-1", BenchDevice::Nothing, "--ioengine=null --rw=randread --size=1g"),
    ("null-32", BenchDevice::Nothing, "--ioengine=null --rw=randread --size=1g {batches=32}"),
    (
        "null-32-write",
        BenchDevice::Nothing,
        "--ioengine=null --rw=randwrite --size=1g {batches=32}",
    ),
    (
        "null-1-counts",
        BenchDevice::Nothing,
        "--ioengine=null --rw=randread --size=1g --gtod_reduce=1",
    ),
    (
        "psync",
        BenchDevice::Cached,
        "--ioengine=psync --rw=randread --invalidate=0 --filename={file}",
    ),
    (
        "libaio-16",
        BenchDevice::Cached,
        "--ioengine=libaio {batches=16} --rw=randread --invalidate=0 --filename={file}",
    ),
    (
        "io_uring-16",
        BenchDevice::Cached,
        "--ioengine=io_uring {batches=16} --rw=randread --invalidate=0 --filename={file}",
    ),
];

/// The options behind a word: the file's name, or a depth in whole batches.
fn expand(word: &str, file: &str) -> Vec<String> {
    match word.strip_prefix("{batches=").and_then(|rest| rest.strip_suffix('}')) {
        Some(size) => ["iodepth", "iodepth_batch", "iodepth_batch_complete_max"]
            .map(|option| format!("--{option}={size}"))
            .to_vec(),
        None => vec![word.replace("{file}", file)],
    }
}

/// Counts, and compares or records; returns whether none exceeds its margin.
pub fn run(args: &Args, programs: &Programs, stop: &AtomicBool) -> Result<bool> {
    let sizes = Sizes { memory_bytes: 16 << 20, disk_bytes: 0 };
    let mut places = Places::new(&std::path::absolute(&args.dir)?, sizes)?;
    let recorded = if Path::new(FILE).exists() {
        parse(&std::fs::read_to_string(FILE).context(FILE)?)?
    } else {
        BTreeMap::new()
    };
    let mut held = true;
    let mut text = HEAD.to_owned();
    for (name, place, words) in CASES.iter().filter(|(name, ..)| args.wants(name)) {
        ensure!(!stop.load(Relaxed), "interrupted; nothing was left behind");
        let file = places.path(*place)?.display().to_string();
        let words: Vec<String> = words.split(' ').flat_map(|word| expand(word, &file)).collect();
        let sizes =
            if *place == BenchDevice::Nothing { instructions::OURS } else { [50_000, 250_000] };
        let count = || instructions::each(programs, false, &words, sizes, places.folder(), None);
        let before = recorded.get(*name).copied();
        let least = least_of(*place, before, || Ok(count()?.instructions))?;
        let (verdict, fine) = verdict(least, before);
        println!("{name:<16} {least:>7.1} instructions an I/O; {verdict}");
        held &= fine;
        text += &format!("{name} {least:.1}\n");
    }
    if args.record {
        ensure!(args.only.is_none(), "--record writes all of them; leave out --only");
        std::fs::write(FILE, text).context(FILE)?;
    }
    Ok(held || !args.check)
}

/// Counts a case, and one that does real I/O again if it exceeds the margin: the number of I/Os
/// that complete at once depends on other users of the machine's disk. The minimum is the code's
/// own.
fn least_of(
    place: BenchDevice,
    recorded: Option<f64>,
    count: impl Fn() -> Result<f64>,
) -> Result<f64> {
    let mut least = count()?;
    for _ in 1..TRIES {
        if place == BenchDevice::Nothing || verdict(least, recorded).1 {
            break;
        }
        least = least.min(count()?);
    }
    Ok(least)
}

/// The message on a count, and whether it is within the margin.
fn verdict(count: f64, recorded: Option<f64>) -> (String, bool) {
    let Some(recorded) = recorded else { return ("not recorded".into(), false) };
    let change = (count / recorded - 1.0) * 100.0;
    let said = format!("recorded {recorded:.1}, {change:+.1} %");
    if count > recorded * (1.0 + MARGIN) {
        let why = "OVER the margin: make it cheaper, or --record it and say why";
        (format!("{said}: {why}"), false)
    } else if count < recorded * (1.0 - MARGIN) {
        (format!("{said}: cheaper, --record it"), true)
    } else {
        (said, true)
    }
}

fn parse(text: &str) -> Result<BTreeMap<String, f64>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let (name, count) = line.split_once(' ').with_context(|| format!("{FILE}: {line}"))?;
            let count = count.trim().parse().with_context(|| format!("{FILE}: {line}"))?;
            Ok((name.to_owned(), count))
        })
        .collect()
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn a_count_holds_within_the_margin() {
        assert!(verdict(109.0, Some(100.0)).1);
        assert!(!verdict(111.0, Some(100.0)).1);
        assert!(verdict(50.0, Some(100.0)).1);
        assert!(!verdict(50.0, None).1);
    }

    #[test]
    fn every_case_is_recorded() {
        let recorded = parse(include_str!("../instructions.txt")).unwrap();
        let names: Vec<&str> = recorded.keys().map(String::as_str).collect();
        let mut wanted: Vec<&str> = CASES.iter().map(|case| case.0).collect();
        wanted.sort_unstable();
        assert_eq!(names, wanted);
        assert!(parse("null-1 many\n").is_err());
    }
}
