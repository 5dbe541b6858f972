//! Arguments of `fathom check`.

use crate::course::CourseArgs;
use crate::invalid_value::InvalidValue;
use crate::output::JunitArgs;
use crate::plan_args::target;
use crate::plan_args::{PlanArgs, UntilDecidedArgs, with_default};
use crate::quantity::parse_target_time;
use crate::volume_args::{VolumeArgs, parse_count};
use clap::{ArgGroup, Args, ValueHint};
use fathom_analysis::promise::{
    ByteRateUnit, HandLimits, LatencyFigure, LatencyLimit, Rate, SizeUnit,
};
use fathom_vocab::Target;
use std::time::Duration;

/// Clap's own names every limit, and is wider than a terminal.
const USAGE: &str = "fathom check [OPTIONS] <--promise NAME|--iops N|...> <DIR|FILE|DEVICE>";

/// The command line of `fathom check`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP, override_usage = USAGE)]
#[command(mut_group("VolumeArgs", |volume| volume.requires("promise")))]
#[command(mut_arg("time_per_run", |arg| with_default(arg, "30s")))]
#[command(mut_arg("until_decided", |arg| arg.help(UNTIL_DECIDED)))]
#[command(mut_arg("volume_size", |arg| arg.help(VOLUME_SIZE)))]
#[command(mut_arg("dry_run", |arg| arg.help(DRY_RUN)))]
#[command(group = ArgGroup::new("held to").args(["promise", "iops", "mbps", "latency", "p99"])
    .required(true).multiple(true))]
pub struct CheckArgs {
    /// A folder, file or block device
    ///
    /// In a folder, a test file is made and removed again. A file or device that is there is
    /// only read, and writes are not checked, unless --destroy-data-on names it.
    #[arg(value_name = "DIR|FILE|DEVICE",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub target: Target,

    /// The volume whose promise is checked, as aws.gp3 (`fathom promises` lists them)
    #[arg(long, value_name = "NAME", help_heading = PROMISED)]
    pub promise: Option<String>,

    /// IOPS: those that were bought with --promise, without it the limit
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = PROMISED)]
    pub iops: Option<f64>,

    /// MB/s: those that were bought with --promise (a bare number in the provider's unit), without
    /// it the limit; as 250, 250MB/s or 250MiB/s
    #[arg(long, value_name = "N", help_heading = PROMISED)]
    pub mbps: Option<Rate>,

    /// How long an I/O may take one at a time: its mean as 1ms, a percentile as p99=2ms; may be
    /// given several times
    #[arg(long, value_name = "TIME", conflicts_with = "promise", value_parser = parse_latency,
          help_heading = PROMISED)]
    pub latency: Vec<LatencyLimit>,

    /// The same as --latency p99=TIME
    #[arg(long, value_name = "TIME", conflicts_with = "promise",
          value_parser = parse_target_time, help_heading = PROMISED)]
    pub p99: Option<Duration>,

    /// By how many percent a rate may be below --iops or --mbps and still pass [default: 5]
    #[arg(long, value_name = "PERCENT", conflicts_with = "promise", value_parser = parse_tolerance,
          help_heading = PROMISED)]
    pub tolerance: Option<f64>,

    #[command(flatten)]
    pub plan: PlanArgs,

    #[command(flatten)]
    pub until: UntilDecidedArgs,

    #[command(flatten)]
    pub course: CourseArgs,

    #[command(flatten)]
    pub junit: JunitArgs,

    // Last, because its help heading also applies to the options after it.
    #[command(flatten, next_help_heading = PROMISED)]
    pub volume: VolumeArgs,
}

const PROMISED: &str = "What must hold";

// This option needs a longer help text than usual.
const VOLUME_SIZE: &str = "\
Size of the volume as it was bought, as 500GB or 500GiB; a bare 500 is in the provider's own unit \
[default: that of the device beneath, if the promise depends on it]";
const UNTIL_DECIDED: &str = "\
Run what is undecided again, for this time in all [default: as long as all runs take]";
const DRY_RUN: &str = "Say what would be done, with the command of each run, and do nothing";

const AFTER_HELP: &str = "\
Examples:
  fathom check /mnt/data --promise naver.block_ssd --volume-size 500GB
                      are the 20,000 IOPS there that such a volume is sold with?
  fathom check /mnt/data --promise aws.gp3 --volume-size 500GiB --iops 6000
                      with the IOPS that were bought
  fathom check /mnt/db --promise aws.gp2 --volume-size 200GiB --time-per-run 90m
                      long enough for the burst to end and the baseline to show
  fathom check /dev/nvme1n1 --iops 50000 --latency p99=2ms --read-only
                      limits by hand, in a script: the exit code is the answer
  fathom check /mnt/share --on host1,host2,host3 --iops 60000 --mbps 2000
                      what a share gives to all of them together

Only what is promised is run: IOPS by random reads and writes (4 KiB, or the block size that the
provider states) with a queue deep enough for the promised rate; throughput by sequential ones
of 256 KiB; latency one I/O at a time, in runs of its own. Each second of a run is held against the
limit, and the whole against the promised share of the time. Of a mean rate 95 % of the limit is
enough (--tolerance 0 asks for all of a limit by hand), or what the provider promises of it, if that
is less; a latency must keep all of its limit.

What is undecided after its run runs again, longer if that is what it takes; the plan says how long
all takes at most, and that run counts.

Each limit has a row: PASS, FAIL or UNDECIDED. A limit that was kept with a cache's help is
UNDECIDED, and so is one that was missed beside a busy host. All together is PASS, FAIL or
UNDECIDED; in JSON it is the field `gate`.

Exit codes, for scripts: 0 PASS, 1 could not be run, 2 usage, 3 FAIL, 5 UNDECIDED, 130 stopped by
^C, 143 by SIGTERM (128 + signal).";

impl CheckArgs {
    /// The limits that are stated by hand.
    pub fn limits(&self) -> HandLimits {
        let p99 = self.p99.map(|limit| LatencyLimit {
            of: LatencyFigure::Percentile(99.0),
            limit_ns: limit.as_nanos() as f64,
        });
        HandLimits {
            iops: self.iops,
            bytes_per_s: self.mbps.map(|rate| rate.in_unit(ByteRateUnit(SizeUnit::MB)) * 1e6),
            latency: self.latency.iter().copied().chain(p99).collect(),
            consistency: None,
            tolerance: self.tolerance.map(|percent| percent / 100.0),
        }
    }
}

fn parse_tolerance(text: &str) -> Result<f64, InvalidValue> {
    let number = text.trim_end_matches('%').trim_end().parse::<f64>().ok();
    let sensible = number.filter(|percent| (0.0..100.0).contains(percent));
    sensible.ok_or(InvalidValue::Form("a percentage from 0 to below 100, as 0 or 10"))
}

fn parse_latency(text: &str) -> Result<LatencyLimit, InvalidValue> {
    let (of, time) = match text.split_once('=') {
        None if text.starts_with('p') => {
            return Err(InvalidValue::Form("a percentile has its limit behind it, as p99=2ms"));
        }
        None => (LatencyFigure::Mean, text),
        Some((figure, time)) => (parse_figure(figure.trim())?, time),
    };
    Ok(LatencyLimit { of, limit_ns: parse_target_time(time)?.as_nanos() as f64 })
}

fn parse_figure(text: &str) -> Result<LatencyFigure, InvalidValue> {
    let percent = text.strip_prefix('p').and_then(|percent| percent.parse::<f64>().ok());
    let within = percent.filter(|percent| *percent > 0.0 && *percent < 100.0);
    match (text, within) {
        ("mean", _) => Ok(LatencyFigure::Mean),
        (_, Some(percent)) => Ok(LatencyFigure::Percentile(percent)),
        _ => Err(InvalidValue::LatencyFigure(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::show::typed;

    fn parse(line: &str) -> Result<CheckArgs, String> {
        typed(line)
    }

    #[test]
    fn a_percentile_without_its_limit_is_told_where_it_goes() {
        let wrong = parse("check /mnt --latency p99").unwrap_err();
        assert!(wrong.contains("as p99=2ms"), "{wrong}");
        assert_eq!(parse("check /mnt --iops 3k").unwrap().iops, Some(3000.0));
    }

    #[test]
    fn limits_by_hand_have_units_and_figures() {
        let line = "check /mnt --iops 3,000 --mbps 125 --latency 500us --latency p99.9=2ms";
        let limits = parse(line).unwrap().limits();
        assert_eq!((limits.iops, limits.bytes_per_s), (Some(3000.0), Some(125e6)));
        let latency = |of, limit_ns| LatencyLimit { of, limit_ns };
        assert_eq!(
            limits.latency,
            [latency(LatencyFigure::Mean, 5e5), latency(LatencyFigure::Percentile(99.9), 2e6)]
        );
        let p99 = parse("check /mnt --p99 1ms").unwrap().limits();
        assert_eq!(p99.latency, [latency(LatencyFigure::Percentile(99.0), 1e6)]);
        assert!(parse("check /mnt --p99 1").unwrap_err().contains("give a unit as well, as 1ms"));
        let all = parse("check /mnt --iops 3000 --tolerance 0").unwrap().limits();
        assert_eq!((all.tolerance, all.enough()), (Some(0.0), 1.0));
        assert_eq!(limits.enough(), 0.95);
        assert!(parse("check /mnt --iops 3000 --tolerance 100").is_err());
        assert!(parse("check /mnt --promise aws.gp3 --tolerance 0").is_err());
        let binary = parse("check /mnt --mbps 125MiB/s").unwrap().limits();
        assert_eq!(binary.bytes_per_s, Some(131_072_000.0));
    }

    #[test]
    fn something_must_be_promised_and_belong_to_it() {
        assert!(parse("check /mnt").unwrap_err().contains("--promise"));
        let alone = parse("check /mnt --iops 3000 --volume-size 500GB").unwrap_err();
        assert!(alone.contains("--promise"), "{alone}");
        assert!(parse("check /mnt --promise aws.gp3 --latency 1ms").is_err());
        for text in ["p0=1ms", "p100=1ms", "x=1ms", "1", "p99=", "0ms"] {
            let tried = parse(&format!("check /mnt --latency {text}"));
            assert!(tried.is_err(), "{text}");
        }
        assert!(parse("check /mnt --iops 0").is_err());
    }
}
