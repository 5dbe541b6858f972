//! Options that describe a provider's volume, and the catalogue of promises.

use crate::cli_error::CliError;
use crate::invalid_value::InvalidValue;
use clap::{Args, ValueHint};
use fathom_analysis::promise::{Catalogue, Config, Rate, Size, UnknownVolume};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

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

    /// IOPS that the virtual machine allows
    #[arg(long, value_name = "N", value_parser = parse_count)]
    pub vm_iops: Option<f64>,

    /// Throughput that the virtual machine allows, as 500 (MB/s) or 500MiB/s
    #[arg(long, value_name = "N")]
    pub vm_mbps: Option<Rate>,

    /// A file with promises of your own; one of the same name replaces ours
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub promises: Option<PathBuf>,
}

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

/// How many, more than none: `6000`, `6,000` or `6k`.
pub fn parse_count(text: &str) -> Result<f64, InvalidValue> {
    let text = text.replace(',', "").to_ascii_lowercase();
    let (digits, factor) = match text.strip_suffix('k') {
        Some(thousands) => (thousands, 1e3),
        None => text.strip_suffix('m').map_or((text.as_str(), 1.0), |millions| (millions, 1e6)),
    };
    let number = digits.parse::<f64>().ok().map(|number| number * factor);
    let positive = number.filter(|number| number.is_finite() && *number > 0.0);
    positive.ok_or(InvalidValue::Form("a number above 0 is expected, such as 6000 or 6k"))
}

fn parse_knob(text: &str) -> Result<(String, f64), InvalidValue> {
    let parts = text.split_once('=').and_then(|(name, value)| {
        Some((name.trim().to_owned(), value.trim().parse::<f64>().ok()?))
    });
    parts.ok_or(InvalidValue::Form("a name and a number are expected, such as vpu=60"))
}

/// The user's file with promises is no text.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("{} is not UTF-8: {source}", .path.display())]
struct NoTextError {
    path: PathBuf,
    /// The position of the invalid bytes.
    source: FromUtf8Error,
}

/// No row has the name that was given.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("{0} (`fathom promises` lists all volumes)")]
struct UnknownRowError(UnknownVolume);

/// The usage error for a volume of no row.
pub fn unknown_row(why: UnknownVolume) -> CliError {
    CliError::usage(UnknownRowError(why))
}

/// Our rows, with those of the user's file over them.
///
/// # Errors
/// Where the user's file cannot be read, or a row of it is wrong.
pub fn catalogue(file: Option<&Path>) -> Result<Catalogue, CliError> {
    let builtin = Catalogue::builtin()?;
    let Some(file) = file else { return Ok(builtin) };
    let bytes = fathom_files::read(file, fathom_files::PROMISES_BYTES)?;
    let text =
        String::from_utf8(bytes).map_err(|source| NoTextError { path: file.to_owned(), source })?;
    let merged = builtin.with_overrides(&text);
    Ok(merged.map_err(|error| error.in_file(&file.display().to_string()))?)
}
