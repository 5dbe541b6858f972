//! Arguments of `fathom watch`.

use crate::fleet::FleetArgs;
use crate::invalid_value::InvalidValue;
use crate::plan_args::path_target;
use crate::quantity::parse_time;
use clap::{Args, ValueHint};
use fathom_vocab::Target;
use std::time::Duration;

/// The command line of `fathom watch`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct WatchArgs {
    /// Block devices, or folders and files, whose devices are watched
    ///
    /// A path leads to its mount, and that to its device; a partition is shown with its disk. An
    /// NFS folder leads to the counters of its mount. A device may be given by name alone.
    #[arg(required = true, value_name = "DEVICE|DIR",
          value_hint = ValueHint::AnyPath, value_parser = path_target())]
    pub paths: Vec<Target>,

    /// Time from one line to the next, as 1s or 500ms
    #[arg(long, short, value_name = "TIME", default_value = "1s", value_parser = parse_interval)]
    pub interval: Duration,

    /// End after so many intervals [default: go on until ^C]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,

    /// One JSON document a line on standard output: a beginning, each interval, an end
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,

    /// A CSV table on standard output; heading and summary go to standard error
    #[arg(long)]
    pub csv: bool,

    /// Show all partitions of a watched disk, too
    #[arg(long)]
    pub all_partitions: bool,

    /// Leave out what did nothing in an interval
    #[arg(long, short = 'z')]
    pub no_idle: bool,

    #[command(flatten)]
    pub fleet: FleetArgs,
}

const AFTER_HELP: &str = "\
Examples:
  fathom watch /mnt/data                    the device under a folder, until ^C
  fathom watch nvme1n1 /mnt/nas             a device and an NFS mount
  fathom watch --interval 10s --count 6 --csv /dev/sda >minute.csv
  fathom watch /mnt/share --on host1,host2  the device on other hosts
  fathom watch --json /mnt/data | jq '.lines[]?.rates.reads_per_s'

Columns of `iostat -x`, of what the kernel sends to the device after merging:
  r/s w/s d/s f/s    reads, writes, discards and flushes completed a second
  rMB/s wMB/s        MB are 1,000,000 bytes
  rrqm/s wrqm/s      merged reads and writes a second, not in r/s and w/s
  r_await w_await    mean ms from queueing to completion; - if none completed
  areq-sz            mean size of a read, write or discard in KiB (1,024 bytes)
  aqu-sz             I/Os under way in the mean
  %util              share of time with any I/O under way; 100 may not be full
And of an NFS mount, as `nfsiostat` has them:
  op/s r/s w/s       requests of all kinds, READs and WRITEs ended a second
  r_rtt w_rtt        mean time in ms from sending a READ or WRITE to its reply
  r_exe w_exe        the same with the time in the client's queue
  retr/s tmo/s       requests sent once more, and major timeouts, a second

Nothing is written anywhere. A limit of a control group holds for its processes, while the counters
count everybody; and the time for which it holds an I/O back comes before r_await and w_await begin.

Exit codes: 0 watched for --count intervals, or until ^C or SIGTERM if there was none to reach;
1 a path leads to no counters, or they cannot be read; 2 usage; 130 stopped by ^C, 143 by SIGTERM
before --count was reached (128 + signal).";

/// Below this the kernel's own grain of time (some milliseconds) would be what is shown.
const LEAST_INTERVAL: Duration = Duration::from_millis(10);

fn parse_interval(text: &str) -> Result<Duration, InvalidValue> {
    match parse_time(text)? {
        time if time < LEAST_INTERVAL => Err(InvalidValue::TooShort("10ms")),
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::show::typed;

    fn parse(line: &str) -> Result<WatchArgs, String> {
        typed(line)
    }

    #[test]
    fn a_second_and_no_end_unless_asked() {
        let args = parse("watch /mnt nvme0n1").unwrap();
        assert_eq!((args.interval, args.count), (Duration::from_secs(1), None));
        assert_eq!(args.paths.len(), 2);
        let args = parse("watch /mnt -i 500ms -c 3 -z").unwrap();
        assert_eq!((args.interval, args.count), (Duration::from_millis(500), Some(3)));
        assert!(args.no_idle);
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_can() {
        assert!(parse("watch").unwrap_err().contains("DEVICE|DIR"));
        assert!(parse("watch /mnt --interval 9ms").unwrap_err().contains("10ms or more"));
        assert!(parse("watch /mnt --interval 1w").unwrap_err().contains("us, ms, s"));
        assert!(parse("watch /mnt --count 0").is_err());
        assert!(parse("watch /mnt --json --csv").unwrap_err().contains("cannot be used with"));
    }
}
