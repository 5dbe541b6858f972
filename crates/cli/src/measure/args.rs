//! Arguments of `fathom measure`.

use crate::course::CourseArgs;
use crate::invalid_value::InvalidValue;
use crate::output::JunitArgs;
use crate::plan_args::target;
use crate::plan_args::{EngineArgs, PlanArgs, with_default};
use crate::quantity::{parse_depth, parse_size};
use clap::{Args, ValueHint};
use fathom_campaign::durable::BesideLoad;
use fathom_campaign::{MeasureOptions, PhasePattern, PhaseSelection, SuiteOptions};
use fathom_vocab::Target;

/// The command line of `fathom measure`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
#[command(mut_arg("time", |arg| with_default(arg, "30s")))]
pub struct MeasureArgs {
    /// Folders, files or block devices; several are measured in turn and shown side by side
    ///
    /// In a folder, a test file is made and removed again. A file or device that is there is
    /// only read, unless --destroy-data-on names it.
    #[arg(required = true, value_name = "DIR|FILE|DEVICE",
          value_hint = ValueHint::AnyPath, value_parser = target())]
    pub targets: Vec<Target>,

    /// Rounds: how often each test runs; figures are over all of them, and how far they lie apart
    /// is shown
    ///
    /// All tests run in a round before the next begins, and every other round takes the volumes
    /// in reverse order, as in `fathom compare`.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,

    /// Measure these patterns only, in place of latency, IOPS and throughput: read, write,
    /// randread, randwrite; several with commas
    ///
    /// Each runs with each size of --bs, at --iodepth in each of --numjobs jobs. For a mix of reads
    /// and writes use `fathom compare --rw randrw` or `fathom run`.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_pattern,
          conflicts_with_all = ["throughput_depth", "program"])]
    pub rw: Vec<PhasePattern>,

    /// Block sizes: one for latency and IOPS, then one or more for throughput [default:
    /// 4k,256k,64k]; with --rw, of all patterns [default: 4k]
    #[arg(long, visible_alias = "block-size", value_name = "SMALL[,LARGE...]",
          value_delimiter = ',', value_parser = parse_size)]
    pub bs: Vec<u64>,

    /// Jobs that run at once, with --rw; each has its own I/Os in flight
    #[arg(long, visible_alias = "jobs", value_name = "N", requires = "rw", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub numjobs: u32,

    /// I/Os in flight in the IOPS tests; with --rw, of each job
    #[arg(long, visible_alias = "depth", value_name = "N", default_value_t = 32,
          value_parser = parse_depth)]
    pub iodepth: u32,

    /// I/Os in flight in the throughput tests [default: 32 for blocks from 256k on, 16 from 512k
    /// on, 8 from 1m on, 16 for smaller ones]
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = parse_depth)]
    pub throughput_depth: Option<u32>,

    /// Measure what a program needs that flushes its log before it answers: etcd, postgres, kafka
    ///
    /// Flushes by fdatasync, fsync and O_DSYNC are measured apart from writes, and the program's
    /// own are held against the limit that its makers publish. Exit code 3 where they miss it.
    #[arg(long = "for", value_name = "PROGRAM", conflicts_with_all = ["read_only", "repeat"])]
    pub program: Option<String>,

    /// With --for: also beside this load, as 'write 300/s 4k, read 50/s 4k'
    #[arg(long, hide_short_help = true,
          value_name = "LOADS", requires = "program", value_delimiter = ',',
          value_parser = parse_load)]
    pub beside: Vec<BesideLoad>,

    #[command(flatten)]
    pub plan: PlanArgs,

    #[command(flatten)]
    pub engine: EngineArgs,

    #[command(flatten)]
    pub course: CourseArgs,

    #[command(flatten)]
    pub junit: JunitArgs,
}

const AFTER_HELP: &str = "\
Examples:
  fathom measure /mnt/data                      what does this volume give?
  fathom measure /mnt/hdd /mnt/ssd /mnt/nas     compare three volumes
  fathom measure --read-only /dev/nvme1n1       a device, without writing to it
  fathom measure --rw randread --bs 4k --iodepth 32 --numjobs 4 /mnt/data
                                                one test of your own
  fathom measure --repeat 5 --time 2m /mnt/db   how far do rounds lie apart?
  fathom measure --for etcd /var/lib/etcd       fast enough for etcd?
  fathom measure --json --time 2m /mnt/data >result.json
  fathom measure /mnt/share --on host1,host2    what do two clients get at once?

MB/s are decimal (1,000,000 bytes); IOPS are I/O operations a second; latency counts from taking
an I/O up to its completion. Test files are called .fathom-* and are removed at the end, also
after ^C, SIGTERM or an error.

Exit codes: 0 all was measured, 1 something failed or was refused, 2 usage, 3 a limit of --for is
missed, 5 too little was measured to say whether it is kept, 130 stopped by ^C,
143 by SIGTERM (128 + signal).";

/// A load beside the log: `write 300/s 4k`.
fn parse_load(text: &str) -> Result<BesideLoad, InvalidValue> {
    let expected = || InvalidValue::Load(text.to_owned());
    let words: Vec<&str> = text.split_whitespace().collect();
    let [direction @ ("read" | "write"), rate, block] = words.as_slice() else {
        return Err(expected());
    };
    let rate_iops = rate.strip_suffix("/s").and_then(|rate| rate.parse().ok());
    Ok(BesideLoad {
        rw: format!("rand{direction}"),
        rate_iops: rate_iops.filter(|rate| *rate > 0).ok_or_else(expected)?,
        block_bytes: parse_size(block).map_err(|_| expected())?,
    })
}

/// A pattern of --rw, as fio spells it.
fn parse_pattern(text: &str) -> Result<PhasePattern, InvalidValue> {
    if matches!(text, "rw" | "readwrite" | "randrw") {
        return Err(InvalidValue::Form(
            "measure tells reads from writes; for a mix of both use `fathom compare --rw randrw` \
             or `fathom run`",
        ));
    }
    let names = PhasePattern::ALL.map(|(name, _)| name);
    let found = PhasePattern::ALL.iter().find(|(name, _)| *name == text);
    let found = found.map(|(_, pattern)| *pattern);
    found.ok_or_else(|| InvalidValue::unknown_name(text, &names))
}

impl MeasureArgs {
    /// The options as the campaign takes them.
    pub fn options(&self) -> MeasureOptions {
        MeasureOptions {
            suite: self.suite(),
            rounds: Some(self.repeat),
            common: self.plan.options(self.engine.engine),
        }
    }

    fn suite(&self) -> SuiteOptions {
        let defaults = SuiteOptions::default();
        let (small, large) = match self.bs.split_first() {
            Some((small, large)) => (*small, large.to_vec()),
            None => (defaults.small_block_bytes, Vec::new()),
        };
        SuiteOptions {
            small_block_bytes: small,
            // A single size changes the small blocks and leaves the large ones as they are.
            large_blocks_bytes: match large.is_empty() {
                true => defaults.large_blocks_bytes,
                false => large,
            },
            iops_depth: self.iodepth,
            throughput_depth: self.throughput_depth,
            selection: self.selection(small),
        }
    }

    /// The phases of --rw, if they are asked for.
    fn selection(&self, small_block_bytes: u64) -> Option<PhaseSelection> {
        let blocks_bytes = match self.bs.as_slice() {
            [] => vec![small_block_bytes],
            sizes => sizes.to_vec(),
        };
        (!self.rw.is_empty()).then(|| PhaseSelection {
            patterns: self.rw.clone(),
            blocks_bytes,
            depth: self.iodepth,
            jobs: self.numjobs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::show::typed;

    fn parse(line: &str) -> Result<MeasureArgs, String> {
        typed(line)
    }

    #[test]
    fn defaults_are_the_standard_suite_and_half_a_minute() {
        let options = parse("measure /mnt").unwrap().options();
        assert_eq!(options.suite, SuiteOptions::default());
        assert_eq!((options.common.time, options.common.size_bytes), (None, None));
    }

    #[test]
    fn one_block_size_changes_the_small_blocks_only() {
        let suite = parse("measure /mnt --bs 8k --depth 64").unwrap().options().suite;
        assert_eq!(suite.small_block_bytes, 8192);
        assert_eq!(suite.large_blocks_bytes, [256 << 10, 64 << 10]);
        assert_eq!(suite.iops_depth, 64);
        let suite = parse("measure /mnt --block-size=4k,1m").unwrap().options().suite;
        assert_eq!(suite.large_blocks_bytes, [1 << 20]);
    }

    #[test]
    fn a_test_by_its_usual_options_stands_in_place_of_the_suite() {
        let suite = |line: &str| parse(line).unwrap().options().suite.selection.unwrap();
        let own = suite("measure /mnt --rw randread --bs 4k --iodepth 32 --numjobs 4");
        let random_read = PhasePattern { direction: fathom_vocab::Direction::Read, random: true };
        assert_eq!(own.patterns, [random_read]);
        assert_eq!((own.blocks_bytes.as_slice(), own.depth, own.jobs), (&[4096][..], 32, 4));
        assert_eq!(suite("measure /mnt --rw read,write").blocks_bytes, [4096]);
        assert_eq!(suite("measure /mnt --rw read --bs 4k,1m").blocks_bytes, [4096, 1 << 20]);
        for (line, advice) in [
            ("measure /mnt --rw foo", "use one of read, write, randread, randwrite"),
            ("measure /mnt --rw randrw", "fathom compare --rw randrw"),
            ("measure /mnt --numjobs 4", "--rw"),
            ("measure /mnt --rw read --for etcd", "cannot be used with"),
        ] {
            let refused = parse(line).unwrap_err();
            assert!(refused.contains(advice), "{line}: {refused}");
        }
    }

    #[test]
    fn loads_beside_a_log_are_read_one_by_one() {
        let args = parse("measure /mnt --for etcd --beside write_300/s_4k").unwrap_err();
        assert!(args.contains("as 'write 300/s 4k'"), "{args}");
        let load = parse_load(" write 300/s 4k").unwrap();
        assert_eq!((load.rw.as_str(), load.rate_iops, load.block_bytes), ("randwrite", 300, 4096));
        for text in ["", "write", "write 300 4k", "trim 3/s 4k", "read 0/s 4k", "read 3/s 4x"] {
            assert!(parse_load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        assert!(parse("measure").unwrap_err().contains("DIR|FILE|DEVICE"));
        assert!(parse("measure /mnt --size 1x").unwrap_err().contains("use k, m, g, t"));
        assert!(parse("measure /mnt --iodepth 0").is_err());
        assert!(parse("measure /mnt --engine null").unwrap_err().contains("io_uring"));
    }
}
