//! The options of commands that plan their own runs, with the same meaning and the same text in
//! every one of them.

use crate::invalid_value::InvalidValue;
use crate::quantity::{parse_engine, parse_size, parse_time};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Arg, Args, ValueHint};
use fathom_campaign::{CommonOptions, MeasuringTime};
use fathom_vocab::{IoEngine, Target};
use std::time::Duration;

/// Size, time, data safety and chance.
#[derive(Clone, Debug, Args)]
pub struct PlanArgs {
    /// Size of the test file, as 512m or 10g [default: 1g, less where space is short]
    ///
    /// Of a file or device that is only read, the whole is measured unless this says less.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub size: Option<u64>,

    /// Measuring time for each volume, shared evenly by its runs
    ///
    /// Before each run an eighth of its time (5 s at most) passes that is not counted, and before
    /// the first the test file is written; the plan says how long it all takes.
    #[arg(long, aliases = ["runtime", "duration"], value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,

    /// Measuring time of each run, in place of --time
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = parse_time,
          conflicts_with = "time")]
    pub time_per_run: Option<Duration>,

    /// Make no runs that write (a test file is still laid out in a folder)
    #[arg(long)]
    pub read_only: bool,

    /// Write, too, on this file or device, DESTROYING the data on it
    ///
    /// Must name a target exactly; may be given several times. A device that is mounted,
    /// partitioned or otherwise in use is refused all the same.
    #[arg(long, visible_alias = "destroy", value_name = "PATH",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub destroy_data_on: Vec<Target>,

    /// Decides all that is random, as the offsets of each run [default: random, stored with the
    /// result]
    #[arg(long, hide_short_help = true, value_name = "NUMBER")]
    pub seed: Option<u64>,
}

/// How long a command goes on with what is undecided.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct UntilDecidedArgs {
    /// Go on with the tests that are undecided, for this time at most [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = parse_time, num_args = 0..=1,
          require_equals = true, default_missing_value = "10m")]
    pub until_decided: Option<Duration>,
}

/// The engine of commands that do not vary it.
#[derive(Clone, Copy, Debug, Args)]
pub struct EngineArgs {
    /// I/O engine [default: the first that works of io_uring, libaio, posixaio]
    #[arg(long, hide_short_help = true, visible_alias = "ioengine", value_name = "NAME",
          value_parser = parse_engine)]
    pub engine: Option<IoEngine>,
}

impl PlanArgs {
    /// The options as the campaign takes them.
    pub fn options(&self, engine: Option<IoEngine>) -> CommonOptions {
        let of_runs = self.time_per_run.map(|time| MeasuringTime::PerRun(micros(time)));
        let of_volume = || self.time.map(|time| MeasuringTime::PerVolume(micros(time)));
        let entropy = fathom_vocab::entropy();
        CommonOptions {
            size_bytes: self.size,
            time: of_runs.or_else(of_volume),
            read_only: self.read_only,
            destroy: self.destroy_data_on.clone(),
            engine,
            seed: self.seed.unwrap_or(entropy),
            entropy,
        }
    }

    /// Those that were given, with their names.
    pub fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--time", self.time.is_some()),
            ("--time-per-run", self.time_per_run.is_some()),
            ("--size", self.size.is_some()),
            ("--read-only", self.read_only),
            ("--destroy-data-on", !self.destroy_data_on.is_empty()),
            ("--seed", self.seed.is_some()),
        ]
    }
}

/// Microseconds of `time`, the most that fit at the end of their range.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// `arg` with its default at the end of the first paragraph of its help.
pub fn with_default(arg: Arg, default: &str) -> Arg {
    let [help, long] = [arg.get_help(), arg.get_long_help()].map(|text| {
        let text = text.map(ToString::to_string).unwrap_or_default();
        let (first, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        format!("{first} [default: {default}]\n\n{rest}").trim_end().to_owned()
    });
    let has_long = arg.get_long_help().is_some();
    let arg = arg.help(help);
    if has_long { arg.long_help(long) } else { arg }
}

/// Parses a target.
pub fn target() -> impl TypedValueParser<Value = Target> {
    OsStringValueParser::new().try_map(Target::try_from)
}

/// Reads a target that has to be a path of a machine.
pub fn path_target() -> impl TypedValueParser<Value = Target> {
    target().try_map(|target| match target {
        Target::Path(_) => Ok(target),
        Target::Export(_) => Err(InvalidValue::Form(
            "an export has no counters on this machine; watch its device on the server",
        )),
    })
}
