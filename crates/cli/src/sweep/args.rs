//! Arguments of `fathom sweep`. Job options take lists and ranges of values; those with several
//! values are the axes.

use crate::course::CourseArgs;
use crate::invalid_value::InvalidValue;
use crate::plan_args::target;
use crate::plan_args::{PlanArgs, micros, with_default};
use crate::quantity::parse_time_or_none;
use clap::{Args, ValueHint};
use fathom_campaign::sweep::{CACHE, CLIENTS, NCONNECT, Order, RWMIX, SweepRequest};
use fathom_vocab::Target;
use std::path::PathBuf;
use std::time::Duration;

/// The command line of `fathom sweep`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(mut_arg("time_per_run", |arg| with_default(arg, "10s")))]
#[command(mut_arg("dry_run", |arg| arg.help(DRY_RUN)))]
#[command(mut_arg("output", |arg| arg.value_parser(no_output)))]
pub struct SweepArgs {
    /// A folder, file or block device
    ///
    /// In a folder, a test file is made and removed again. A file or device that is there is
    /// only read, and cases that write are left out, unless --destroy-data-on names it.
    #[arg(value_name = "DIR|FILE|DEVICE",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub target: Target,

    /// What jobs do, as read,randread,randwrite,randrw [default: randread; randrw with --rwmix]
    #[arg(long, value_name = "LIST", help_heading = "What varies")]
    pub rw: Option<String>,

    /// Block sizes, as 4k,8k or 4k..1m (doubling) [default: 4k]
    #[arg(long, visible_alias = "block-size", value_name = "LIST", help_heading = "What varies")]
    pub bs: Option<String>,

    /// I/Os that each job keeps in flight, as 1..256 (doubling) or 1..9/2 (by 2) [default: 32]
    #[arg(long, visible_alias = "depth", value_name = "LIST", help_heading = "What varies")]
    pub iodepth: Option<String>,

    /// Jobs that run at once, as 1..16 [default: 1]
    #[arg(long, visible_alias = "jobs", value_name = "LIST", help_heading = "What varies")]
    pub numjobs: Option<String>,

    /// Shares of reads and writes in percent, as 100:0..0:100/10
    #[arg(long, visible_alias = "mix", value_name = "LIST", help_heading = "What varies")]
    pub rwmix: Option<String>,

    /// The client's cache: in (through it, with the same offsets in every run, as fio does if
    /// nothing is said), out (O_DIRECT, fresh offsets) [default: out where that is possible]
    #[arg(long, hide_short_help = true, value_name = "in,out", help_heading = "What varies")]
    pub cache: Option<String>,

    /// Hosts of --on that run each case at once, as 1..6 (doubling) or 1..6/1 [default: all]
    #[arg(
        long,
        hide_short_help = true,
        value_name = "LIST",
        requires = "on",
        help_heading = "What varies"
    )]
    pub clients: Option<String>,

    /// Connections of each job to an export (nfs://…), as 1..8 (doubling) or 1,2,4 [default: 1]
    #[arg(long, hide_short_help = true, value_name = "LIST", help_heading = "What varies")]
    pub nconnect: Option<String>,

    /// I/O engines [default: the first that works of io_uring, libaio, posixaio]
    #[arg(
        long,
        hide_short_help = true,
        visible_alias = "ioengine",
        value_name = "LIST",
        help_heading = "What varies"
    )]
    pub engine: Option<String>,

    /// Any other option of a job, as --vary random_distribution=random,zipf:1.2
    ///
    /// May be given several times. `fathom fio --cmdhelp` lists the options; a comma that belongs
    /// to a value is written \,
    #[arg(long, value_name = "OPTION=LIST", value_parser = pair, help_heading = "What varies")]
    pub vary: Vec<(String, String)>,

    /// An option of the job that is the same in all cases, as --set norandommap or --set fsync=1
    #[arg(long, value_name = "OPTION[=VALUE]", value_parser = setting)]
    pub set: Vec<(String, Option<String>)>,

    /// Time before each run that is not counted; 0 is none [default: an eighth of it, 5 s at most]
    #[arg(long, hide_short_help = true, value_name = "TIME", value_parser = parse_time_or_none)]
    pub ramp: Option<Duration>,

    /// How often each case is run: in rounds over all cases, so that drift meets all of them alike
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,

    /// Run the cases of each round in an order by chance (see --seed)
    #[arg(long, hide_short_help = true)]
    pub shuffle: bool,

    /// Keep the sweep's document here after each run [default: a new file in the state folder]
    #[arg(long, hide_short_help = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub checkpoint: Option<PathBuf>,

    /// Go on with the newest interrupted sweep of the same plan, or with the one in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_hint = ValueHint::FilePath)]
    pub resume: Option<Option<PathBuf>>,

    #[command(flatten)]
    pub plan: PlanArgs,

    #[command(flatten)]
    pub course: CourseArgs,
}

/// There is more to say here than elsewhere.
const DRY_RUN: &str = "Say what would be done, with the command of each case, and do nothing";

const AFTER_HELP: &str = "\
Examples:
  fathom sweep /mnt/data --iodepth 1..256 --rw randread,randwrite
                      where do more I/Os in flight stop paying?
  fathom sweep /mnt/nfs --rwmix 100:0..0:100/10 --bs 4k,8k --cache in,out
                      reads to writes, two block sizes, with and without cache
  fathom sweep /mnt/nfs --rw rw --rwmix 100:0..0:100/25 --bs 64k --numjobs 8
                      the same for sequential I/O, eight jobs at once
  fathom sweep /mnt/data --iodepth 1..64 --repeat 3 --shuffle --time-per-run 30s
  fathom sweep /mnt/data --iodepth 1..64 --resume
                      the same plan again: goes on where it was interrupted
  fathom sweep /mnt/nfs --on host1,host2,host3 --clients 1..3/1
                      what more clients gain, and what is left for each of them
  fathom sweep nfs://nas/export --rw read --bs 256k --nconnect 1..8
                      is one connection the limit? without a mount

Values: 4k,8k is a list; 1..256 doubles; 1..9/2 goes by 2; 100:0..0:100/10 goes by 10 percent. Both
ends of a range are always measured. The sweep is every combination of all values.

The whole plan is printed before anything begins. After each run the sweep's document (JSON, with
every result whole) is kept in the file of --checkpoint, else in $FATHOM_HOME/sweeps, else in
$XDG_STATE_HOME/fathom/sweeps, else in ~/.local/state/fathom/sweeps. Once a sweep is finished and in
the history, its file is removed unless an option names it. A run that was cut short is run again
when the sweep goes on; a run that failed is not.

Exit codes: 0 every case ran, 1 something failed or was refused, 2 usage, 130 stopped by ^C,
143 by SIGTERM (128 + signal).";

impl SweepArgs {
    /// What is asked, as the campaign takes it: outermost axis first, and innermost those that
    /// are read along a curve.
    ///
    /// Cases run on `hosts`; none is this machine.
    pub fn asked(&self, hosts: Vec<String>) -> SweepRequest {
        let named = |name: &str, list: &Option<String>| {
            list.as_ref().map(|list| (name.to_owned(), list.clone()))
        };
        let outer = [
            named("rw", &self.rw),
            named("ioengine", &self.engine),
            named(CACHE, &self.cache),
            named("bs", &self.bs),
        ];
        let inner = [
            named("numjobs", &self.numjobs),
            named("iodepth", &self.iodepth),
            named(RWMIX, &self.rwmix),
            named(NCONNECT, &self.nconnect),
            named(CLIENTS, &self.clients),
        ];
        let varied = self.vary.iter().cloned();
        SweepRequest {
            hosts,
            axes: outer
                .into_iter()
                .flatten()
                .chain(varied)
                .chain(inner.into_iter().flatten())
                .collect(),
            fixed: self.set.clone(),
            ramp_us: self.ramp.map(micros),
            rounds: self.repeat,
            order: if self.shuffle { Order::Shuffled } else { Order::Nested },
            common: self.plan.options(None),
        }
    }
}

/// A sweep has a file of its own beside those of its forms.
fn no_output(path: &str) -> Result<String, InvalidValue> {
    Err(InvalidValue::OtherOption(format!(
        "--checkpoint {path} to keep the sweep there after each run, so that --resume can go \
         on; --report {path}, --json={path}, --csv={path} or --markdown={path} for its results"
    )))
}

fn pair(text: &str) -> Result<(String, String), InvalidValue> {
    match setting(text)? {
        (name, Some(list)) => Ok((name, list)),
        (name, None) => Err(InvalidValue::NoValues(name)),
    }
}

fn setting(text: &str) -> Result<(String, Option<String>), InvalidValue> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    match name.trim() {
        "" => Err(InvalidValue::Form("an option's name stands before the =")),
        name => Ok((name.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::show::typed;

    fn parse(line: &str) -> Result<SweepArgs, String> {
        typed(line)
    }

    #[test]
    fn axes_are_nested_in_one_order_however_they_are_typed() {
        let line = "sweep /mnt --iodepth 1..4 --vary a=1 --cache in,out --rw read --vary b=2,3";
        let names: Vec<String> =
            parse(line).unwrap().asked(Vec::new()).axes.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["rw", "cache", "a", "b", "iodepth"]);
    }

    #[test]
    fn settings_may_have_values_and_values_may_have_equals_signs() {
        let args = parse("sweep /mnt --set norandommap --set a=b=c --ramp 0").unwrap();
        let value = |text: &str| Some(text.to_owned());
        assert_eq!(args.set, [("norandommap".to_owned(), None), ("a".to_owned(), value("b=c"))]);
        assert_eq!(args.asked(Vec::new()).ramp_us, Some(0));
        assert!(parse("sweep /mnt --vary iodepth").unwrap_err().contains("iodepth=1..8"));
        assert!(parse("sweep /mnt --set =1").unwrap_err().contains("before the ="));
    }

    #[test]
    fn resuming_needs_no_file_and_output_is_refused_by_name() {
        assert_eq!(parse("sweep /mnt --resume").unwrap().resume, Some(None));
        let file = Some(Some(PathBuf::from("x.json")));
        assert_eq!(parse("sweep /mnt --resume x.json").unwrap().resume, file);
        assert_eq!(parse("sweep /mnt").unwrap().resume, None);
        let output = parse("sweep /mnt -o x.json").unwrap_err();
        assert!(output.contains("--checkpoint x.json") && output.contains("--csv=x.json"));
    }
}
