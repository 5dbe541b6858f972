//! The promise for a published row: from the catalogue, or from the row itself.

use super::file::Row;
use crate::model::ChartPoint;
use crate::read::capacity;
use fathom_analysis::promise::{Config, SizeUnit};

fn config(row: &Row) -> Config {
    Config { size: row.size, ..Config::default() }
}

/// Promised I/Os a second of a row.
pub(super) fn promised(row: &Row) -> Option<f64> {
    let catalogued = row.promise.as_ref().and_then(|id| {
        capacity::promised(id, &config(row), None, row.way.direction(), row.block_kib * 1024)
    });
    row.promised_iops.or(catalogued)
}

/// The promise of its provider over sizes.
pub(super) fn over_sizes(row: &Row) -> Vec<ChartPoint> {
    let (Some(id), Some(size)) = (&row.promise, size_bytes(row)) else { return Vec::new() };
    capacity::line(id, &Config::default(), size, row.way.direction(), row.block_kib * 1024)
}

/// The size of its volume; a bare number is in GB.
pub(super) fn size_bytes(row: &Row) -> Option<f64> {
    row.size.map(|size| size.bytes(SizeUnit::GB))
}
