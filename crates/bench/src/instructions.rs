//! Instructions an I/O outside of the kernel, by callgrind.
//!
//! Two runs that differ in nothing but the number of I/Os; what is between them is the I/Os' own,
//! and start, calibration and report cancel. It does not vary with the load of the machine, so
//! that it can be held against a recorded number.

use crate::figures::ContestantRun;
use crate::process::{Programs, run};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Numbers of I/Os of the two runs of ours.
pub const OURS: [u64; 2] = [100_000, 600_000];
/// The same of fio, which needs twenty times as long for each.
pub const FIO: [u64; 2] = [50_000, 250_000];

/// Counts for a job that `words` describe, without its number of I/Os.
pub fn each(
    programs: &Programs,
    fio: bool,
    words: &[String],
    sizes: [u64; 2],
    folder: &Path,
) -> Result<ContestantRun> {
    let mut counts = [0u64; 2];
    for (count, ios) in counts.iter_mut().zip(sizes) {
        let mut words = words.to_vec();
        // In a thread, so that all of it is one process; and as far as it needs, over and over.
        words.extend(["--name=b", "--bs=4k", "--thread", "--io_size=1t"].map(str::to_owned));
        words.push(format!("--number_ios={ios}"));
        // A job begins with its name.
        words.rotate_right(5);
        *count = total(programs, fio, &words, folder)?;
    }
    let ios = sizes[1] - sizes[0];
    let instructions = counts[1].saturating_sub(counts[0]) as f64 / ios as f64;
    ensure!(instructions > 1.0, "callgrind counted nothing of the I/Os: {counts:?}");
    Ok(ContestantRun { ios, instructions, ..ContestantRun::default() })
}

/// Instructions of a whole run.
fn total(programs: &Programs, fio: bool, words: &[String], folder: &Path) -> Result<u64> {
    let valgrind = programs.valgrind.as_ref().context("valgrind is not installed")?;
    let profile = folder.join("callgrind.out");
    let mut command = Command::new(valgrind);
    command.arg("--tool=callgrind").arg("--quiet");
    command.arg(format!("--callgrind-out-file={}", profile.display()));
    if fio {
        command.arg(programs.fio.as_ref().context("fio is not installed")?);
    } else {
        command.arg(&programs.ours).arg("fio");
    }
    command.args(words);
    run(command, folder)?;
    let text = std::fs::read_to_string(&profile).context("callgrind's file")?;
    sum(&text).context("callgrind's file has no totals")
}

/// The totals at the end of a profile.
fn sum(profile: &str) -> Option<u64> {
    let line = profile.lines().rev().find_map(|line| line.strip_prefix("totals: "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn totals_stand_at_the_end() {
        assert_eq!(sum("version: 1\nsummary: 7\nfn=(1)\n1 3\n\ntotals: 888175\n"), Some(888_175));
        assert_eq!(sum("summary: 7\n"), None);
    }
}
