//! Instructions for each I/O outside of the kernel, by callgrind.
//!
//! Two runs that differ only in the number of I/Os; the difference is the I/Os' own, and start,
//! calibration and report cancel. It does not vary with the load of the machine, so that it can be
//! compared with a recorded number.

use crate::figures::ContestantRun;
use crate::nfs_server::NfsServer;
use crate::process::{Programs, run};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Numbers of I/Os of the two runs of ours.
pub const OURS: [u64; 2] = [100_000, 600_000];
/// The same for fio, which needs twenty times as long for each.
pub const FIO: [u64; 2] = [50_000, 250_000];

/// The same for both on an NFS server, where an I/O takes the server's time. One pass over the file
/// has this number: fio's nfs engine ends early in a second one, without an error.
pub const OVER_THE_WIRE: [u64; 2] = [2000, 8000];

/// Counts for a job that `words` describe, without its number of I/Os.
pub fn each(
    programs: &Programs,
    fio: bool,
    words: &[String],
    sizes: [u64; 2],
    folder: &Path,
    server: Option<&NfsServer>,
) -> Result<ContestantRun> {
    let mut counts = [0u64; 2];
    for (count, ios) in counts.iter_mut().zip(sizes) {
        // As far as it needs, over and over.
        let mut all = ["--name=b", "--bs=4k", "--io_size=1t"].map(str::to_owned).to_vec();
        all.push(format!("--number_ios={ios}"));
        // In a thread, which costs no process; fio's nfs engine crashes in one.
        all.extend(server.is_none().then(|| "--thread".to_owned()));
        all.extend_from_slice(words);
        *count = total(programs, fio, &all, folder, server)?;
    }
    let ios = sizes[1] - sizes[0];
    let instructions = counts[1].saturating_sub(counts[0]) as f64 / ios as f64;
    ensure!(instructions > 1.0, "callgrind counted nothing of the I/Os: {counts:?}");
    Ok(ContestantRun { ios, instructions, ..ContestantRun::default() })
}

/// Instructions of a whole run, of all its processes.
fn total(
    programs: &Programs,
    fio: bool,
    words: &[String],
    folder: &Path,
    server: Option<&NfsServer>,
) -> Result<u64> {
    let valgrind = programs.valgrind.as_ref().context("valgrind is not installed")?;
    let profiles = tempfile::tempdir_in(folder).context("a folder for callgrind")?;
    let mut command = match server {
        Some(server) => server.beside(valgrind),
        None => Command::new(valgrind),
    };
    command.args(["--tool=callgrind", "--quiet", "--trace-children=yes"]);
    command.arg(format!("--callgrind-out-file={}/%p", profiles.path().display()));
    if fio {
        let fio = if server.is_some() { &programs.fio_nfs } else { &programs.fio };
        command.arg(fio.as_ref().context("fio is not installed")?);
    } else {
        command.arg(&programs.ours).arg("fio");
    }
    command.args(words);
    run(command, folder)?;
    let mut counted = 0;
    for profile in profiles.path().read_dir().context("callgrind's files")? {
        let text = std::fs::read_to_string(profile?.path()).context("callgrind's file")?;
        counted += sum(&text).context("callgrind's file has no totals")?;
    }
    Ok(counted)
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
