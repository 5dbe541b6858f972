//! From the command line to what the volume is held to; the size of the volume is taken from the
//! device beneath only where the promise depends on it and nothing was said.

use super::CheckArgs;
use crate::volume_args::catalogue;
use fathom_analysis::promise::{Promise, PromiseError, Size, Volume as Row, VolumeKind};
use fathom_campaign::check::{Basis, SizeFrom};
use fathom_campaign::{Kind, Volume, decimal_bytes};

/// What `args` hold `volume` to.
///
/// # Errors
/// In words, where no row has that name or too little is said of the volume.
pub fn of(args: &CheckArgs, volume: &Volume) -> Result<Basis, String> {
    let Some(name) = &args.promise else { return Ok(Basis::Hand { limits: args.limits() }) };
    let catalogue = catalogue(args.volume.promises.as_deref())?;
    let row = catalogue.find(name).map_err(|unknown| {
        format!("{unknown}\n`fathom promises` lists all volumes that are known.")
    })?;
    let mut config = args.volume.config(args.iops, args.mbps);
    let (promise, size_from) = match row.promise(&config) {
        Err(needed @ PromiseError::SizeNeeded { .. }) => {
            let (node, bytes) = device_of(row, volume).ok_or_else(|| unknown_size(&needed))?;
            let unit = row.size.map_or(fathom_analysis::promise::SizeUnit::B, |range| range.unit);
            config.size = Some(Size::new(bytes as f64 / unit.bytes(), unit));
            let taken = |error| in_doubt(&error, &node, bytes);
            (row.promise(&config).map_err(taken)?, SizeFrom::Device { node })
        }
        promise => {
            let promise = promise.map_err(|error| error.to_string())?;
            let said = promise.size_bytes;
            let from = match config.size {
                Some(_) => SizeFrom::said(said, device_of(row, volume)),
                None => SizeFrom::NotNeeded,
            };
            (promise, from)
        }
    };
    Ok(Basis::Provider { promise: Box::<Promise>::new(promise), size_from })
}

/// The one device beneath a block volume, with its bytes. What is beneath a file service is the
/// server's affair.
fn device_of(row: &Row, volume: &Volume) -> Option<(String, u64)> {
    if row.kind != VolumeKind::Block {
        return None;
    }
    match (&volume.kind, volume.storage.device()) {
        (Kind::Device { size_bytes, .. }, _) => Some((volume.name.clone(), *size_bytes)),
        (_, Some(device)) => Some((device.node().display().to_string(), device.size_bytes)),
        _ => None,
    }
}

fn unknown_size(needed: &PromiseError) -> String {
    format!("{needed} (the size of the device beneath could not be found)")
}

fn in_doubt(error: &PromiseError, node: &str, bytes: u64) -> String {
    format!(
        "{error} (no --volume-size was given, so that of {node} was taken, {})",
        decimal_bytes(bytes)
    )
}
