//! What `fathom compare` may be asked. Options of one form are refused in the other by name, so
//! that none is ignored in silence.

use crate::cli_error::CliError;
use crate::output::OutputArgs;
use crate::output::show::ShowArgs;
use crate::quantity::{parse_engine, parse_size, parse_time};
use clap::{Args, ValueHint};
use fathom_campaign::compare::{CompareAsked, JobAsked, PATTERNS, Work};
use fathom_campaign::{LARGE_BYTES, SuiteOptions};
use fathom_vocab::IoEngine;
use std::path::PathBuf;
use std::time::Duration;

const OF_PLACES: &str = "When folders or devices are measured";
const OF_RUNS: &str = "When runs or files are compared";

/// The command line of `fathom compare`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(mut_arg("dry_run", |arg| arg.help_heading(OF_PLACES)))]
#[command(mut_arg("verdicts", |arg| arg.help_heading(OF_PLACES)))]
pub struct CompareArgs {
    /// Folders or block devices to measure side by side; or runs of the history and files of
    /// results to compare as they are. The first is what the others are compared with
    #[arg(required = true, num_args = 2.., value_name = "DIR|DEVICE|RUN|FILE",
          value_hint = ValueHint::AnyPath)]
    pub targets: Vec<PathBuf>,

    /// Measure one kind of job only, as read, write, randread, randwrite, rw, randrw; several with
    /// commas [default: latency, IOPS and throughput, reads and writes, as in `fathom measure`]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_pattern,
          help_heading = OF_PLACES)]
    pub rw: Vec<String>,

    /// Block size of the jobs; without --rw, of latency and IOPS [default: 4k]
    #[arg(long, visible_alias = "block-size", value_name = "SIZE", value_parser = parse_size,
          help_heading = OF_PLACES)]
    pub bs: Option<u64>,

    /// I/Os in flight of each job; without --rw, in the IOPS phases [default: 32]
    #[arg(long, visible_alias = "depth", value_name = "N", help_heading = OF_PLACES,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub iodepth: Option<u32>,

    /// Jobs that run at once [default: 1]
    #[arg(long, visible_alias = "jobs", value_name = "N", requires = "rw",
          help_heading = OF_PLACES, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub numjobs: Option<u32>,

    /// Rounds: how often each phase runs on each volume, every other time in reverse order
    /// [default: 5]
    #[arg(long, value_name = "N", help_heading = OF_PLACES,
          value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub repeat: Option<u32>,

    /// Measuring time for each volume, shared evenly by phases and rounds [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, help_heading = OF_PLACES)]
    pub time: Option<Duration>,

    /// Size of the test files, as 512m or 10g [default: 1g, less where space is short]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, help_heading = OF_PLACES)]
    pub size: Option<u64>,

    /// Leave out the phases that write (a test file is still laid out in a folder)
    #[arg(long, help_heading = OF_PLACES)]
    pub read_only: bool,

    /// Measure writes, too, on this device, DESTROYING the data on it
    ///
    /// Must name a target exactly; may be given several times. A device that is mounted,
    /// partitioned or otherwise in use is refused all the same.
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = OF_PLACES)]
    pub destroy_data_on: Vec<PathBuf>,

    /// I/O engine [default: the first that works of io_uring, libaio, posixaio]
    #[arg(long, visible_alias = "ioengine", value_name = "NAME", value_parser = parse_engine,
          help_heading = OF_PLACES)]
    pub engine: Option<IoEngine>,

    /// Decides the offsets, which are the same on every volume in the same round [default: by
    /// chance; it is kept]
    #[arg(long, value_name = "NUMBER", help_heading = OF_PLACES)]
    pub seed: Option<u64>,

    /// End with exit code 4 where a figure is shown to be worse than the first run's by more than
    /// so many percent
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, help_heading = OF_RUNS)]
    pub fail_if_worse: Option<f64>,

    #[command(flatten)]
    pub show: ShowArgs,

    #[command(flatten)]
    pub report: OutputArgs,
}

const AFTER_HELP: &str = "\
Examples:
  fathom compare /mnt/hdd /mnt/ssd /mnt/nas     how do three volumes compare?
  fathom compare /mnt/hdd /mnt/ssd --rw randread,randwrite --bs 4k --iodepth 1 --numjobs 10
  fathom compare --read-only /dev/nvme1n1 /dev/nvme2n1 --repeat 9 --time 3m
  fathom compare previous latest                two runs of the history: what changed?
  fathom compare before.json after.json --fail-if-worse 5
                                                fio's JSON or Fathom's; a gate for CI

Volumes take turns: every phase runs on all of them before the next begins, and every other round
takes them in reverse order, so that drift and burst credits favour nobody. A difference is told
only where the 95 % interval of the ratio leaves out 1; of equal volumes, 5 of 100 ratios do so by
chance. The intervals of one run say how well that run is known, not how the next one would differ.

Exit codes: 0 it was compared, 1 something could not be measured, read or paired, 2 usage, 4 a
figure regressed (--fail-if-worse), 130 stopped by ^C, 143 by SIGTERM (128 + signal).";

/// Rounds if nothing is said: fewer show only great differences, more take long.
const DEFAULT_ROUNDS: u32 = 5;
const DEFAULT_TIME: Duration = Duration::from_secs(60);

impl CompareArgs {
    /// What is asked of volumes; `entropy` differs from run to run.
    pub fn asked(&self, entropy: u64) -> CompareAsked {
        let time = self.time.unwrap_or(DEFAULT_TIME);
        CompareAsked {
            work: self.work(),
            size_bytes: self.size,
            time_us: u64::try_from(time.as_micros()).unwrap_or(u64::MAX),
            rounds: self.repeat.unwrap_or(DEFAULT_ROUNDS),
            read_only: self.read_only,
            destroy: self.destroy_data_on.clone(),
            engine: self.engine,
            seed: self.seed.unwrap_or(entropy),
            entropy,
        }
    }

    fn work(&self) -> Work {
        let suite = SuiteOptions::default();
        let block_bytes = self.bs.unwrap_or(suite.small_block_bytes);
        let depth = self.iodepth.unwrap_or(suite.iops_depth);
        if self.rw.is_empty() {
            return Work::Suite(SuiteOptions {
                small_block_bytes: block_bytes,
                iops_depth: depth,
                // One size of large blocks: each more takes its share of the time.
                large_blocks_bytes: vec![LARGE_BYTES],
                ..suite
            });
        }
        let mut patterns: Vec<String> = Vec::new();
        for pattern in &self.rw {
            if !patterns.contains(pattern) {
                patterns.push(pattern.clone());
            }
        }
        Work::Jobs(JobAsked { patterns, block_bytes, depth, jobs: self.numjobs.unwrap_or(1) })
    }

    /// Refuses what is only about runs.
    pub fn check_for_places(&self) -> Result<(), CliError> {
        match self.fail_if_worse {
            None => Ok(()),
            Some(_) => Err(CliError::usage(
                "--fail-if-worse compares runs or files of results; measure first (fathom \
                 measure), then compare with an earlier run",
            )),
        }
    }

    /// Refuses what is only about measuring.
    pub fn check_for_runs(&self) -> Result<(), CliError> {
        let given = [
            ("--rw", !self.rw.is_empty()),
            ("--bs", self.bs.is_some()),
            ("--iodepth", self.iodepth.is_some()),
            ("--repeat", self.repeat.is_some()),
            ("--time", self.time.is_some()),
            ("--size", self.size.is_some()),
            ("--read-only", self.read_only),
            ("--destroy-data-on", !self.destroy_data_on.is_empty()),
            ("--engine", self.engine.is_some()),
            ("--seed", self.seed.is_some()),
            ("--dry-run", self.show.dry_run),
            ("--verdicts", self.show.verdicts),
            ("--tag", !self.show.record.tag.is_empty()),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(CliError::usage(format!(
                "{option} is about measuring, and runs or files are only compared as they are; \
                 leave it out, or name folders or devices"
            ))),
        }
    }
}

fn parse_pattern(text: &str) -> Result<String, String> {
    // fio knows the mix by both names.
    let text = if text == "readwrite" { "rw" } else { text };
    match PATTERNS.iter().any(|(known, _)| *known == text) {
        true => Ok(text.to_owned()),
        false => {
            let known: Vec<&str> = PATTERNS.iter().map(|(known, _)| *known).collect();
            Err(format!("use {}", known.join(", ")))
        }
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent),
        _ => Err("give percent, as 5 or 2.5".to_owned()),
    }
}
