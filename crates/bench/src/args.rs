//! The command line of the benchmark.

use clap::Parser;
use std::path::PathBuf;
use std::time::Duration;

/// Fathom, bare loops and fio side by side: what an I/O costs
#[derive(Clone, Debug, Parser)]
#[command(name = "fathom-bench", max_term_width = 100)]
pub struct Args {
    /// Turns that every contestant gets
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// Length of a run in seconds
    #[arg(long, default_value_t = 1.5)]
    pub seconds: f64,
    /// Only rows whose name contains this
    #[arg(long, value_name = "PATTERN")]
    pub only: Option<String>,
    /// Two rounds of 0.3 s: to see that all works, not to measure
    #[arg(long)]
    pub quick: bool,
    /// The result file [default: bench-result.json, bench-growth.json or bench-count.json]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Folder on the disk to measure; a folder is made in it and removed again
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub dir: PathBuf,
    /// Names of the rows, nothing else
    #[arg(long)]
    pub list: bool,
    /// How the cost of an I/O grows with jobs, depth, block size and files
    #[arg(long, conflicts_with_all = ["instructions", "count"])]
    pub growth: bool,
    /// Whether every I/O is counted once at full rate: every engine against the kernel's counters
    #[arg(long, conflicts_with = "instructions")]
    pub count: bool,
    /// Only instructions an I/O, by callgrind
    #[arg(long)]
    pub instructions: bool,
    /// With --instructions: fail where one is over the recorded number by more than the margin
    #[arg(long, requires = "instructions")]
    pub check: bool,
    /// With --instructions: write the numbers down as the recorded ones
    #[arg(long, requires = "instructions", conflicts_with = "check")]
    pub record: bool,
    /// Do not build the binary that is measured
    #[arg(long)]
    pub no_build: bool,
}

impl Args {
    /// How many turns.
    pub fn turns(&self) -> usize {
        if self.quick { 2 } else { self.rounds.max(1) }
    }

    /// How long a run.
    pub fn run_time(&self) -> Duration {
        let seconds = if self.quick { 0.3 } else { self.seconds.clamp(0.05, 3600.0) };
        Duration::from_secs_f64(seconds)
    }

    /// Where results go; `usual` where nothing was said.
    pub fn output(&self, usual: &str) -> PathBuf {
        self.output.clone().unwrap_or_else(|| PathBuf::from(usual))
    }

    /// Whether a row is wanted.
    pub fn wants(&self, id: &str) -> bool {
        self.only.as_ref().is_none_or(|pattern| id.contains(pattern.as_str()))
    }
}
