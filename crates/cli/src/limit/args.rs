//! Arguments of `fathom limit`.

use crate::course::CourseArgs;
use crate::invalid_value::InvalidValue;
use crate::output::JunitArgs;
use crate::plan_args::target;
use crate::plan_args::{EngineArgs, PlanArgs, UntilDecidedArgs, micros, with_default};
use crate::quantity::{parse_depth, parse_size, parse_target_time};
use clap::{Args, ValueHint};
use fathom_campaign::limit::{
    Arrivals, Criterion, CriterionMeasure, Effort, LatencyGoal, LimitPattern, LimitRequest,
};
use fathom_vocab::Target;
use std::time::Duration;

/// The command line of `fathom limit`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(mut_arg("time", |arg| arg.help(TIME).long_help(TIME)))]
#[command(mut_arg("until_decided", |arg| arg.help(UNTIL_DECIDED)))]
#[command(mut_arg("time_per_run", |arg| with_default(arg, STEP_TIME)))]
pub struct LimitArgs {
    /// A folder, file or block device
    ///
    /// In a folder, a test file is made and removed again. A file or device that is there is
    /// only read, unless --destroy-data-on names it.
    #[arg(value_name = "DIR|FILE|DEVICE",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub target: Target,

    /// The mean response time must stay under this, as 500us
    #[arg(long, value_name = "TIME", value_parser = parse_target_time,
          help_heading = "What must hold")]
    pub mean: Option<Duration>,

    /// Half of all I/Os must respond within this
    #[arg(long, value_name = "TIME", value_parser = parse_target_time,
          help_heading = "What must hold")]
    pub p50: Option<Duration>,

    /// 95 % of all I/Os must respond within this
    #[arg(long, value_name = "TIME", value_parser = parse_target_time,
          help_heading = "What must hold")]
    pub p95: Option<Duration>,

    /// 99 % of all I/Os must respond within this, as 1ms
    #[arg(long, value_name = "TIME", value_parser = parse_target_time,
          help_heading = "What must hold")]
    pub p99: Option<Duration>,

    /// 99.9 % of all I/Os must respond within this
    #[arg(long, value_name = "TIME", value_parser = parse_target_time,
          help_heading = "What must hold")]
    pub p999: Option<Duration>,

    /// What the I/Os are: read, randread, write, randwrite
    #[arg(long, value_name = "PATTERN", default_value = "randread", value_parser = parse_pattern)]
    pub rw: LimitPattern,

    /// Size of each I/O
    #[arg(long, visible_alias = "block-size", value_name = "SIZE", default_value = "4k",
          value_parser = parse_size)]
    pub bs: u64,

    /// When I/Os are due: poisson (at random) or even (at even distances)
    ///
    /// Users do not wait for each other, so their I/Os come in bunches and gaps; with poisson they
    /// do so here, and an I/O may wait although the volume is idle half of the time. Even distances
    /// are right for one source that keeps a beat, such as a recorder, and flatter all others.
    #[arg(long, hide_short_help = true,
          value_name = "HOW", default_value = "poisson", value_parser = parse_arrivals)]
    pub arrivals: Arrivals,

    /// I/Os in flight at most [default: 256, less where they are larger than 256k]
    ///
    /// No more are in flight than the rate and the volume make necessary. What is due while all of
    /// these are taken waits, and its waiting counts.
    #[arg(long, visible_alias = "depth", value_name = "N",
          value_parser = parse_depth)]
    pub iodepth: Option<u32>,

    /// How near a rate that fails is looked for above one that holds, in percent
    #[arg(long, value_name = "PERCENT", default_value = "3%", value_parser = parse_precision)]
    pub precision: f64,

    /// Steps at most; where that many do not settle it, the answer says so
    #[arg(long, hide_short_help = true, value_name = "N", default_value_t = 30,
          value_parser = clap::value_parser!(u16).range(5..=1000))]
    pub max_steps: u16,

    #[command(flatten)]
    pub plan: PlanArgs,

    #[command(flatten)]
    pub until: UntilDecidedArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub course: CourseArgs,

    #[command(flatten)]
    pub junit: JunitArgs,
}

// A search takes as many steps as it needs.
const TIME: &str = "Measuring time of all steps at most: each takes its share of --max-steps";
const UNTIL_DECIDED: &str = "\
Take more steps than --max-steps where those do not settle it, for this time at most \
[default: 10m]";
const STEP_TIME: &str = "10s, or 50 times the longest target";

const AFTER_HELP: &str = "\
Examples:
  fathom limit /mnt/data --p99 1ms                    how many reads a second?
  fathom limit /mnt/data --p99 5ms --rw randwrite     and writes?
  fathom limit /mnt/db --p50 300us --p999 10ms --bs 8k --time-per-run 60s
  fathom limit /mnt/log --p99 2ms --rw write --arrivals even

Response time counts from the moment at which an I/O is due to its completion: what a user would
have waited. It is wait (until the I/O is taken up) and service (from then on, as fio's lat)
together.
Every step offers a rate, whatever the volume makes of it. A step holds if every criterion does and
the volume falls behind the rate by 3 % at most; more is an overload.

A percentile should rest on 1,000 I/Os (p99) or 10,000 (p99.9); the longer a step, the surer.

The first two steps go as fast as they can: deep, for the ceiling, and one at a time, for the least
that an I/O takes. From the ceiling the rate is halved until it holds; then the gap between a rate
that holds and one that does not is cut in half, as a ratio, until it is within --precision. A rate
that fails is run again before it is believed, and both ends are, until one outcome leads by two:
how often their runs agreed is how well the answer is known.

A step that failed because of this machine (a CPU quota, time that the hypervisor took, a process
that was stopped, I/Os taken up late) is repeated, three times at most. If this machine was late
each time, the rate says nothing about the volume, and the search goes on below it. If then no lower
rate fails, the answer is the highest rate that holds, and UNDECIDED: the volume may take more.

A rate below half of what one at a time gave within the target is no answer. If no rate holds and
other programs used the CPUs while the lowest one failed, it cannot be told either, unless a cap
held the rate or even the fastest tenth of the I/Os was too slow.

Exit codes: 0 a rate holds (PASS), 1 the search could not run to its end or was refused, 2 usage, 3
no rate holds (FAIL), 5 it could not be told (UNDECIDED), 130 stopped by ^C, 143 by SIGTERM
(128 + signal). In JSON the outcome is the field `gate`.";

impl LimitArgs {
    /// What is asked, as the campaign takes it.
    pub fn asked(&self) -> LimitRequest {
        LimitRequest {
            target: self.must_hold(),
            pattern: self.rw,
            block_bytes: self.bs,
            depth: self.iodepth,
            arrivals: self.arrivals,
            effort: Effort { precision: self.precision, most_steps: usize::from(self.max_steps) },
            until_decided_us: self.until.until_decided.map(micros),
            common: self.plan.options(self.engine.engine),
        }
    }

    fn must_hold(&self) -> LatencyGoal {
        let percentile = |percent| CriterionMeasure::Percentile { percent };
        let all = [
            (CriterionMeasure::Mean, self.mean),
            (percentile(50.0), self.p50),
            (percentile(95.0), self.p95),
            (percentile(99.0), self.p99),
            (percentile(99.9), self.p999),
        ];
        let criterion = |(measure, under): (CriterionMeasure, Option<Duration>)| {
            let under_ns = u64::try_from(under?.as_nanos()).unwrap_or(u64::MAX);
            Some(Criterion { measure, under_ns })
        };
        LatencyGoal { criteria: all.into_iter().filter_map(criterion).collect() }
    }
}

fn parse_pattern(text: &str) -> Result<LimitPattern, InvalidValue> {
    let found = LimitPattern::ALL.into_iter().find(|pattern| pattern.name() == text);
    found.ok_or_else(|| match text {
        "rw" | "readwrite" | "randrw" => InvalidValue::Form(
            "one direction at a time: in a mix an I/O that is due would wait for one of the other \
             direction that is not",
        ),
        _ => InvalidValue::unknown_name(text, &LimitPattern::ALL.map(LimitPattern::name)),
    })
}

fn parse_arrivals(text: &str) -> Result<Arrivals, InvalidValue> {
    let found = Arrivals::ALL.into_iter().find(|(name, _)| *name == text);
    found
        .map(|(_, arrivals)| arrivals)
        .ok_or_else(|| InvalidValue::unknown_name(text, &Arrivals::ALL.map(|(name, _)| name)))
}

fn parse_precision(text: &str) -> Result<f64, InvalidValue> {
    let number = text.trim().trim_end_matches('%').trim_end();
    match number.parse::<f64>() {
        Ok(percent) if (0.1..=100.0).contains(&percent) => Ok(percent / 100.0),
        Ok(_) => Err(InvalidValue::OutOfRange { least: "0.1", most: "100" }),
        Err(_) => Err(InvalidValue::Form("give a number of percent, as 3 or 0.5%")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::show::typed;

    fn parse(line: &str) -> Result<LimitArgs, String> {
        typed(line)
    }

    #[test]
    fn criteria_stand_in_one_order_however_they_are_typed() {
        let asked = parse("limit /mnt --p999 10ms --mean 200us --p99 1ms").unwrap().asked();
        assert_eq!(
            asked.target.to_string(),
            "mean under 200 us and p99 under 1 ms and p99.9 under 10 ms"
        );
        assert_eq!((asked.pattern, asked.arrivals), (LimitPattern::RandRead, Arrivals::Poisson));
        assert_eq!((asked.effort.precision, asked.effort.most_steps), (0.03, 30));
        assert_eq!(asked.depth, None);
        assert_eq!(parse("limit /mnt --seed 7").unwrap().asked().common.seed, 7);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        assert!(parse("limit /mnt --rw randrw").unwrap_err().contains("one direction at a time"));
        assert!(parse("limit /mnt --rw trim").unwrap_err().contains("randwrite"));
        assert!(parse("limit /mnt --arrivals linear").unwrap_err().contains("poisson, even"));
        assert!(parse("limit /mnt --precision 0").unwrap_err().contains("between 0.1 and 100"));
        assert!(parse("limit /mnt --precision x").unwrap_err().contains("0.5%"));
        assert_eq!(parse("limit /mnt --precision 0.5%").unwrap().precision, 0.005);
        let wanted = "'--p99 <TIME>': write a time as 1ms: a whole number and its unit";
        let wrong = parse("limit /mnt --p99 abc").unwrap_err();
        assert!(wrong.contains(wanted), "{wrong}");
        assert!(parse("limit /mnt --p99 1").unwrap_err().contains("give a unit as well, as 1ms"));
        assert!(parse("limit /mnt --p99 1s").is_ok_and(|args| args.p99.unwrap().as_secs() == 1));
    }
}
