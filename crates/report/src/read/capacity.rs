//! The promise for a volume as its size grows: a line over its sizes, on which measured points can
//! be placed.

use crate::model::{ChartAxis, ChartPoint, ChartUnit, Scale};
use crate::read::drawing::{at, axis};
use fathom_analysis::promise::{Catalogue, Config, Size, SizeUnit, VolumeRow};
use fathom_message::Lang;
use fathom_vocab::Direction;

/// The number of sizes tried; points on a straight line are dropped.
const TRIED: f64 = 200.0;

/// Bytes of a volume along the bottom.
pub(super) fn size_axis(lang: Lang) -> ChartAxis {
    axis(lang, "charts-axis-capacity", ChartUnit::VolumeBytes, Scale::Linear)
}

/// Promised I/Os a second of a direction for a volume of `size_bytes` at a block size; none if the
/// catalogue has no such volume, or no promise for it.
pub(super) fn promised(
    id: &str,
    config: &Config,
    size_bytes: Option<f64>,
    direction: Direction,
    block_bytes: u64,
) -> Option<f64> {
    let catalogue = Catalogue::builtin().ok()?;
    of_volume(catalogue.find(id).ok()?, config, size_bytes, direction, block_bytes)
}

fn of_volume(
    volume: &VolumeRow,
    config: &Config,
    size_bytes: Option<f64>,
    direction: Direction,
    block_bytes: u64,
) -> Option<f64> {
    let unit = volume.size.as_ref().map_or(SizeUnit::GB, |range| range.unit);
    let size = size_bytes.map(|bytes| Size::new(bytes / unit.bytes(), unit)).or(config.size);
    let promise = volume.promise(&Config { size, ..config.clone() }).ok()?;
    let reach = promise.at_block_size(block_bytes);
    let level = if direction == Direction::Write { reach.write } else { reach.read };
    level.map(|level| level.iops)
}

/// The promise over sizes from the smallest for sale to somewhat beyond `largest_bytes`; empty if
/// it does not depend on the size.
pub(super) fn line(
    id: &str,
    config: &Config,
    largest_bytes: f64,
    direction: Direction,
    block_bytes: u64,
) -> Vec<ChartPoint> {
    let catalogue = Catalogue::builtin().ok();
    let volume = catalogue.as_ref().and_then(|catalogue| catalogue.find(id).ok());
    let Some((volume, range)) = volume.and_then(|volume| Some((volume, volume.size?))) else {
        return Vec::new();
    };
    let unit = range.unit.bytes();
    let wanted = largest_bytes * 1.5 / unit;
    let last = range.max.map_or(wanted, |max| wanted.min(max));
    let step = step(last / TRIED);
    let first = range.min.unwrap_or(step);
    let count = ((last - first) / step).ceil().clamp(0.0, TRIED * 2.0) as u32;
    let grid = (0..=count).map(|n| (first / step).ceil() * step + f64::from(n) * step);
    let sizes = std::iter::once(first).chain(grid).filter(|size| *size <= last);
    let point = |size: f64| {
        let bytes = size * unit;
        Some(at(bytes, of_volume(volume, config, Some(bytes), direction, block_bytes)?))
    };
    let bends = bends(sizes.filter_map(point).collect());
    let level = bends.iter().all(|point| Some(point.y) == bends.first().map(|first| first.y));
    if level { Vec::new() } else { bends }
}

/// 1, 2 or 5 times a power of ten, at least `least`: rules bend at round sizes.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(power * 10.0)
}

/// The points at which a line bends.
fn bends(points: Vec<ChartPoint>) -> Vec<ChartPoint> {
    let mut kept: Vec<ChartPoint> = Vec::new();
    for (place, point) in points.iter().enumerate() {
        let before = kept.last().copied();
        let straight = before.zip(points.get(place + 1)).is_some_and(|(before, after)| {
            let run = (after.x - before.x).max(f64::MIN_POSITIVE);
            let height = before.y + (after.y - before.y) * (point.x - before.x) / run;
            (height - point.y).abs() <= point.y.abs().max(1.0) * 1e-6
        });
        if point.x > before.map_or(f64::MIN, |before| before.x) && !straight {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ssd_of_case_a_bends_at_100_and_500_gb() {
        let of =
            |largest| line("naver.block_ssd", &Config::default(), largest, Direction::Read, 4096);
        let bends: Vec<(f64, f64)> = of(500e9).iter().map(|p| (p.x / 1e9, p.y)).collect();
        assert_eq!(bends[0], (10.0, 4000.0));
        assert_eq!(bends[1], (100.0, 4000.0));
        assert_eq!(bends[2], (500.0, 20_000.0));
        assert_eq!((bends.len(), bends[3].1), (4, 20_000.0));
        assert!(of(f64::NAN).is_empty());
        assert_eq!(line("no.such", &Config::default(), 1e12, Direction::Read, 4096), []);
        // Without a promise, or with one rate for every size, there is no bend.
        assert_eq!(line("naver.nas", &Config::default(), 6e12, Direction::Read, 4096), []);
    }

    #[test]
    fn a_promise_is_read_at_a_size() {
        let at = |gb: f64| {
            let size = Some(gb * 1e9);
            promised("naver.block_ssd", &Config::default(), size, Direction::Write, 4096)
        };
        assert_eq!([50.0, 250.0, 2000.0].map(at), [4000.0, 10_000.0, 20_000.0].map(Some));
    }
}
