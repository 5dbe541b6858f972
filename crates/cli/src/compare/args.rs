//! Arguments of `fathom compare`. Options of one form are refused by name in the other, so that
//! none is silently ignored.

use crate::cli_error::CliError;
use crate::course::CourseArgs;
use crate::invalid_value::InvalidValue;
use crate::output::JunitArgs;
use crate::plan_args::target;
use crate::plan_args::{EngineArgs, PlanArgs, UntilDecidedArgs, micros, with_default};
use crate::quantity::{parse_depth, parse_size};
use clap::{Arg, Args, ValueHint};
use fathom_analysis::MARGIN_PERCENT;
use fathom_campaign::compare::{CompareRequest, JobRequest, Judged, PATTERNS, RoundCount, Work};
use fathom_campaign::{LARGE_BYTES, SuiteOptions};
use fathom_text::text;
use fathom_vocab::Target;
use std::path::Path;

const OF_PLACES: &str = "When folders or devices are measured";
const OF_RUNS: &str = "When runs or files are compared";

/// The command line of `fathom compare`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(mut_arg("time", |arg| with_default(arg, "60s")))]
#[command(mut_arg("until_decided", until_decided))]
#[command(mut_arg("dry_run", |arg| arg.help_heading(OF_PLACES)))]
#[command(mut_arg("verdicts", |arg| arg.help_heading(OF_PLACES)))]
pub struct CompareArgs {
    /// Folders or block devices to measure side by side; or runs of the history and files of
    /// results to compare as they are. The first is what the others are compared with. With `vs`
    /// between them, those before it are one side and those behind it the other
    #[arg(required = true, num_args = 1.., value_name = "DIR|DEVICE|RUN|FILE",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub targets: Vec<Target>,

    /// The volumes of each side, where `vs` stands between them.
    #[arg(skip)]
    pub sides: Vec<Vec<usize>>,

    /// Measure one kind of job only, as read, write, randread, randwrite, rw, randrw; several with
    /// commas [default: the tests of `fathom measure` but for those of 64 KiB, reads and writes]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_pattern,
          help_heading = OF_PLACES)]
    pub rw: Vec<String>,

    /// Block size of the jobs; without --rw, of latency and IOPS [default: 4k]
    #[arg(long, visible_alias = "block-size", value_name = "SIZE", value_parser = parse_size,
          help_heading = OF_PLACES)]
    pub bs: Option<u64>,

    /// I/Os in flight of each job; without --rw, in the IOPS tests [default: 32]
    #[arg(long, visible_alias = "depth", value_name = "N", help_heading = OF_PLACES,
          value_parser = parse_depth)]
    pub iodepth: Option<u32>,

    /// Jobs that run at once [default: 1]
    #[arg(long, visible_alias = "jobs", value_name = "N", requires = "rw",
          help_heading = OF_PLACES, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub numjobs: Option<u32>,

    /// Rounds: how often each test runs on each volume [default: as many as decide, at most 15]
    #[arg(long, value_name = "N", help_heading = OF_PLACES,
          value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub repeat: Option<u32>,

    #[command(flatten)]
    pub until: UntilDecidedArgs,

    /// Figures that differ by this many percent at most are equal [default: 5]
    #[arg(long, value_name = "PERCENT", value_parser = parse_margin)]
    pub margin: Option<f64>,

    /// What every test is judged by: usual (its rate, or its mean latency where one I/O is in
    /// flight), or p99 (the 99th percentile of its latency)
    #[arg(long, value_name = "FIGURE", value_parser = ["usual", "p99"], default_value = "usual",
          hide_possible_values = true)]
    pub judge: String,

    /// Say PASS, FAIL or UNDECIDED: may a figure be worse than that of the first (or the baseline)
    /// by more than so many percent?
    ///
    /// FAIL (exit code 4) where a figure is surely worse by more than that, PASS (0) where every
    /// figure could be judged, else UNDECIDED (5).
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub fail_if_worse: Option<f64>,

    /// Compare with several earlier runs at once: tag:NAME, or a run or file; may be given several
    /// times
    ///
    /// How far these runs lie apart is what a difference is held against. It takes three or more.
    /// tag:NAME is the newest runs of the history with that tag that ran the same command on the
    /// same targets.
    #[arg(long, value_name = "tag:NAME|RUN|FILE", help_heading = OF_RUNS)]
    pub baseline: Vec<String>,

    /// How many runs of a tag make the baseline, the newest first [default: 5]
    #[arg(long, value_name = "N", requires = "baseline", help_heading = OF_RUNS,
          value_parser = clap::value_parser!(u32).range(3..=1000))]
    pub last: Option<u32>,

    /// Take runs with the tag whatever command and targets they are of
    #[arg(long, hide_short_help = true, requires = "baseline", help_heading = OF_RUNS)]
    pub any_target: bool,

    #[command(flatten)]
    pub course: CourseArgs,

    #[command(flatten)]
    pub junit: JunitArgs,

    // Last, because their heading also applies to the options after them.
    #[command(flatten, next_help_heading = OF_PLACES)]
    pub plan: PlanArgs,

    #[command(flatten)]
    pub engine: EngineArgs,
}

/// What stands between the volumes of two sides.
const BETWEEN_SIDES: &str = "vs";

/// Of volumes it goes on beyond their time, of runs it makes more.
fn until_decided(arg: Arg) -> Arg {
    arg.visible_alias("more").conflicts_with("repeat").help(UNTIL_DECIDED)
}

const UNTIL_DECIDED: &str = "\
Go on with the tests that are undecided, for this time a volume at most; of runs, repeat the \
command of the newest until it is decided, for this time at most [default: 10m]";

const AFTER_HELP: &str = "\
Examples:
  fathom compare /mnt/hdd /mnt/ssd /mnt/nas     how do three volumes compare?
  fathom compare /mnt/hdd /mnt/ssd --rw randread,randwrite --bs 4k --numjobs 10
  fathom compare /mnt/a1 /mnt/a2 /mnt/a3 vs /mnt/b1 /mnt/b2 /mnt/b3
                      do two kinds of volume differ, by three of each?
  fathom compare --read-only /dev/nvme1n1 /dev/nvme2n1 --until-decided=30m
  fathom compare previous latest                what changed between two runs?
  fathom compare before.json after.json         fio's JSON or Fathom's
  fathom compare --baseline tag:main --last 5 latest --fail-if-worse 5
                      for CI: the newest run against the last five of --tag main
  fathom compare --baseline tag:main latest --fail-if-worse 5 --more
                      and if that is undecided, repeat the newest run
  fathom compare /mnt/old /mnt/new --fail-if-worse 10
                      for CI: may the new volume take the place of the old one?

Volumes take turns in short rounds, in an order drawn at random, so that drift and burst credits
favour nobody. A test ends as soon as it is decided: different (the range of the change stands
beside it, 99 % sure of all tests together), or equal within --margin percent (95 % sure). What is
undecided after --time is marked with a question mark; --until-decided goes on with it. Volumes of
one disk are not judged. Of sides with `vs` the volumes are what is counted: each has one figure,
and how far those of a side lie apart is what a difference is held against.

Runs are judged by how far rounds (`fathom measure --repeat 10`) or the runs of a baseline lie
apart. A single run does not show how the next would differ: it is shown and not judged, and --more
repeats the command of the newest run until it can be. Rounds of one command share the state that
the disk was in; a baseline of several runs does not.

With --fail-if-worse the last line is `gate: PASS`, `gate: FAIL (2 of 8 figures)` or
`gate: UNDECIDED (…)`. A figure fails if it is worse by more than allowed, 99 % sure of all
figures together. It passes if it is not, 95 % sure (where less than 10 % is allowed: not worse by
more than 10 %). In JSON it is the field `gate`.

Exit codes: 0 it was compared (gate: PASS), 1 something could not be measured, read or paired, 2
usage, 4 gate: FAIL, 5 gate: UNDECIDED, 130 stopped by ^C, 143 by SIGTERM (128 + signal).";

impl CompareArgs {
    /// The same with the sides that `vs` makes of its volumes.
    ///
    /// # Errors
    /// If a side has fewer than two, which shows nothing of how volumes differ.
    pub fn in_sides(&self) -> Result<CompareArgs, CliError> {
        let mut args = self.clone();
        let between = Target::from(Path::new(BETWEEN_SIDES));
        args.targets.retain(|target| *target != between);
        let sides: Vec<usize> = self.targets.split(|of| *of == between).map(<[_]>::len).collect();
        match sides[..] {
            [_] => {}
            [first, second] if first.min(second) > 1 => {
                args.sides = vec![(0..first).collect(), (first..first + second).collect()];
            }
            _ => {
                return Err(CliError::usage(text!(
                    "vs stands once, between two or more volumes on either side, as in compare a1 \
                     a2 a3 vs b1 b2 b3; two volumes alone are compared without it, and a folder \
                     of that name is ./vs"
                )));
            }
        }
        Ok(args)
    }

    /// Whether one target stands beside nothing.
    pub fn is_alone(&self) -> bool {
        self.targets.len() < 2 && self.baseline.is_empty()
    }

    /// Within how many percent figures are equal.
    pub fn margin_percent(&self) -> f64 {
        self.margin.unwrap_or(MARGIN_PERCENT)
    }

    /// The figure by which all tests are judged; none where each has its own.
    pub fn judged(&self) -> Option<Judged> {
        (self.judge == "p99").then_some(Judged::P99LatencyNs)
    }

    /// What is asked of volumes.
    pub fn asked(&self) -> CompareRequest {
        CompareRequest {
            work: self.work(),
            rounds: match self.repeat {
                Some(rounds) => RoundCount::Exactly(rounds),
                None => RoundCount::UntilDecided(self.until.until_decided.map(micros)),
            },
            judged: self.judged(),
            sides: self.sides.clone(),
            margin_percent: self.margin_percent(),
            fail_if_worse_percent: self.fail_if_worse,
            common: self.plan.options(self.engine.engine),
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
        Work::Jobs(JobRequest { patterns, block_bytes, depth, jobs: self.numjobs.unwrap_or(1) })
    }

    /// Refuses what is only about runs.
    pub fn check_for_places(&self) -> Result<(), CliError> {
        match self.baseline.is_empty() {
            true => Ok(()),
            false => Err(CliError::usage(text!(
                "--baseline compares runs or files of results; measure first (fathom measure), \
                 then compare with an earlier run"
            ))),
        }
    }

    /// Refuses what is only about measuring.
    pub fn check_for_runs(&self) -> Result<(), CliError> {
        let given = [
            ("vs", !self.sides.is_empty()),
            ("--rw", !self.rw.is_empty()),
            ("--bs", self.bs.is_some()),
            ("--iodepth", self.iodepth.is_some()),
            ("--repeat", self.repeat.is_some()),
            ("--engine", self.engine.engine.is_some()),
            ("--on", self.course.fleet.on.is_some()),
            ("--dry-run", self.course.show.dry_run),
            ("--verdicts", self.course.show.verdicts),
            ("--tag", !self.course.show.record.tag.is_empty()),
        ];
        match given.into_iter().chain(self.plan.given()).find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(CliError::usage(text!(
                "{option} is about measuring, and runs or files are only compared as they are; \
                 leave it out, or name folders or devices"
            ))),
        }
    }
}

fn parse_pattern(text: &str) -> Result<String, InvalidValue> {
    // fio knows the mix by both names.
    let text = if text == "readwrite" { "rw" } else { text };
    match PATTERNS.iter().any(|(known, _)| *known == text) {
        true => Ok(text.to_owned()),
        false => {
            let known: Vec<&str> = PATTERNS.iter().map(|(known, _)| *known).collect();
            Err(InvalidValue::unknown_name(text, &known))
        }
    }
}

/// A margin of nothing would make nothing equal.
fn parse_margin(text: &str) -> Result<f64, InvalidValue> {
    match parse_percent(text)? {
        percent if percent > 0.0 && percent <= 100.0 => Ok(percent),
        _ => Err(InvalidValue::Form("give percent above 0, as 5 or 2.5")),
    }
}

fn parse_percent(text: &str) -> Result<f64, InvalidValue> {
    let number = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    match number {
        Ok(percent) if percent.is_finite() && percent >= 0.0 => Ok(percent),
        _ => Err(InvalidValue::Form("give percent, as 5 or 2.5")),
    }
}
