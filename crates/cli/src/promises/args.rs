//! What `fathom promises` may be asked.

use clap::{Args, ValueHint};
use fathom_analysis::promise::{Config, Rate, Size};
use std::path::PathBuf;

/// The command line of `fathom promises`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct PromisesArgs {
    /// A volume's name, such as aws.gp3, or words that names must contain [default: all]
    #[arg(value_name = "NAME|WORD")]
    pub words: Vec<String>,

    /// I/Os a second that were bought for it
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub iops: Option<f64>,

    /// Bytes a second that were bought for it, as 250MB/s; a bare 250 is in the provider's unit
    #[arg(long, value_name = "N")]
    pub mbps: Option<Rate>,

    #[command(flatten)]
    pub volume: VolumeArgs,

    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,
}

/// What is said of a provider's volume beside what was bought for it, which `fathom check` asks in
/// words of its own.
#[derive(Clone, Debug, Args)]
pub struct VolumeArgs {
    /// Size of the volume, as 500GB or 500GiB; a bare 500 is in the provider's own unit
    #[arg(long, value_name = "SIZE")]
    pub volume_size: Option<Size>,

    /// Service level or mode, where there are several
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,

    /// A setting that only this kind of volume has, as vpu=60
    #[arg(long, value_name = "NAME=N", value_parser = parse_knob)]
    pub knob: Vec<(String, f64)>,

    /// I/Os a second that the virtual machine allows
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub vm_iops: Option<f64>,

    /// Bytes a second that the virtual machine allows, as 500 (MB/s) or 500MiB/s
    #[arg(long, value_name = "N")]
    pub vm_mbps: Option<Rate>,

    /// A file with promises of your own; one of the same name replaces ours
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub promises: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  fathom promises                                  all volumes that are known
  fathom promises azure files                      those whose names have both words
  fathom promises aws.gp3 --volume-size 500GiB     what is promised of this one
  fathom promises aws.gp3 --volume-size 500GiB --iops 6000 --mbps 250
  fathom promises azure.anf --variant premium --volume-size 2TiB
  fathom promises oci.ultra_high --volume-size 1000GB --knob vpu=60

The numbers are copied from providers' pages, which change: each stands with its source, the
date of the text that was read, and how surely it was read:

  H   in the provider's own text
  M   in part, in an older copy, on a mirror, or derived from points that were read
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

impl VolumeArgs {
    /// What is said, with the IOPS and the bytes a second that were bought, as the catalogue takes
    /// it.
    pub fn config(&self, iops: Option<f64>, rate: Option<Rate>) -> Config {
        Config {
            size: self.volume_size,
            iops,
            rate,
            variant: self.variant.clone(),
            knobs: self.knob.iter().cloned().collect(),
            vm_iops: self.vm_iops,
            vm_rate: self.vm_mbps,
        }
    }
}

/// How many, more than none.
pub fn parse_count(text: &str) -> Result<f64, String> {
    let number = text.replace(',', "").parse::<f64>().ok();
    let positive = number.filter(|number| number.is_finite() && *number > 0.0);
    positive.ok_or_else(|| "a number above 0 is expected, such as 6000".to_owned())
}

fn parse_knob(text: &str) -> Result<(String, f64), String> {
    let parts = text.split_once('=').and_then(|(name, value)| {
        Some((name.trim().to_owned(), value.trim().parse::<f64>().ok()?))
    });
    parts.ok_or_else(|| "a name and a number are expected, such as vpu=60".to_owned())
}
