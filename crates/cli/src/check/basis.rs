//! From the command line to the limits of the volume. The volume's size is read from the device
//! below it only if the promise depends on the size and the user gave none.

use super::CheckArgs;
use crate::cli_error::CliError;
use crate::volume_args::{catalogue, unknown_row};
use fathom_analysis::promise::{Promise, PromiseError, Size, VolumeKind, VolumeRow as Row};
use fathom_campaign::check::{CheckBasis, SizeFrom};
use fathom_campaign::decimal_bytes;
use fathom_campaign::{TargetKind, Volume};

/// The limits that `args` set for `volume`.
///
/// # Errors
/// If no row has that name, or the description of the volume is incomplete.
pub fn of(args: &CheckArgs, volume: &Volume) -> Result<CheckBasis, CliError> {
    let Some(name) = &args.promise else { return Ok(CheckBasis::Hand { limits: args.limits() }) };
    let catalogue = catalogue(args.volume.promises.as_deref())?;
    let row = catalogue.find(name).map_err(unknown_row)?;
    let mut config = args.volume.config(args.iops, args.mbps);
    let (promise, size_from) = match row.promise(&config) {
        Err(needed @ PromiseError::SizeNeeded { .. }) => {
            let device = device_of(row, volume);
            let (node, bytes) = device.ok_or(BasisError::UnknownSize(needed))?;
            let unit = row.size.map_or(fathom_analysis::promise::SizeUnit::B, |range| range.unit);
            config.size = Some(Size::new(bytes as f64 / unit.bytes(), unit));
            match row.promise(&config) {
                Ok(promise) => (promise, SizeFrom::Device { node }),
                Err(why) => {
                    let source = Box::new(why);
                    return Err(BasisError::DeviceSize { source, node, bytes }.into());
                }
            }
        }
        promise => {
            let promise = promise?;
            let said = promise.size_bytes;
            let from = match config.size {
                Some(_) => SizeFrom::said(said, device_of(row, volume)),
                None => SizeFrom::NotNeeded,
            };
            (promise, from)
        }
    };
    Ok(CheckBasis::Provider { promise: Box::<Promise>::new(promise), size_from })
}

/// The one device below a block volume, with its size in bytes. The devices of a file service are
/// on its server.
fn device_of(row: &Row, volume: &Volume) -> Option<(String, u64)> {
    if row.kind != VolumeKind::Block {
        return None;
    }
    match (&volume.kind, volume.storage.device()) {
        (TargetKind::Device { size_bytes, .. }, _) => Some((volume.name.clone(), *size_bytes)),
        (_, Some(device)) => Some((device.node().display().to_string(), device.size_bytes)),
        _ => None,
    }
}

/// Why no limits could be found for a check.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum BasisError {
    /// The promise depends on a size that is missing.
    #[error("{0} (the size of the device beneath could not be found)")]
    UnknownSize(PromiseError),
    /// The row promises nothing of a volume of the size of the device beneath.
    #[error(
        "{source}. No --volume-size was given, so that of {node} was taken: {}",
        decimal_bytes(*bytes)
    )]
    DeviceSize { source: Box<PromiseError>, node: String, bytes: u64 },
}
