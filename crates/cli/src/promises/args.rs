//! Arguments of `fathom promises`.

use crate::volume_args::{VolumeArgs, parse_count};
use clap::Args;
use fathom_analysis::promise::Rate;

/// The command line of `fathom promises`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct PromisesArgs {
    /// A volume's name, such as aws.gp3, or words that names must contain [default: all]
    #[arg(value_name = "NAME|WORD")]
    pub words: Vec<String>,

    /// IOPS that were bought for it
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub iops: Option<f64>,

    /// Throughput that was bought for it, as 250MB/s; a bare 250 is in the provider's unit
    #[arg(long, value_name = "N")]
    pub mbps: Option<Rate>,

    #[command(flatten)]
    pub volume: VolumeArgs,

    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fathom promises                                  all volumes that are known
  fathom promises azure files                      names with both words
  fathom promises aws.gp3 --volume-size 500GiB     what is promised of this one
  fathom promises aws.gp3 --volume-size 500GiB --iops 6000 --mbps 250
  fathom promises azure.anf --variant premium --volume-size 2TiB
  fathom promises oci.ultra_high --volume-size 1000GB --knob vpu=60

The numbers are copied from providers' pages, which change: each stands with its source, the
date of the text that was read, and how surely it was read:

  H   in the provider's own text
  M   in part, in an older copy, on a mirror, or derived from points
  L   not confirmed by the provider's own text

Older limits that are known have their year: aws.gp3@2020. A file of your own, as TOML:

  schema = 1
  [[volume]]
  id = \"aws.gp3\"                # replaces ours; a new id is added
  name = \"gp3 as in our contract\"
  kind = \"block\"                # or \"file\"
  scope = \"volume\"              # or vm, pool, file_system, host
  size = { unit = \"GiB\", min = 1, max = 65536 }
  as_of = \"2026-01\"
  confidence = \"H\"
  sources = [{ id = \"us\", title = \"Our contract\", as_of = \"2026-01\" }]
  [volume.limits]
  iops = { linear = { base = 3000, per_size = 6, max = 80000 } }
  rate_unit = \"MiB/s\"
  rate = { constant = 250 }

Exit codes: 0 shown, 1 no such volume, too little said of it, or a file that cannot be read,
2 usage.";
