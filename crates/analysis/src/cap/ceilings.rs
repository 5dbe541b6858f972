//! Ceilings across runs: depths that only wait longer, block sizes that leave one rate constant.

use crate::quantile::median;
use crate::quantity::{binary_bytes, latency};
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// How far rates may differ and still be one ceiling. A real limit of 3,000 IOPS gave 0.5 % from
/// depth 1 to 64, one of 50 MB/s 1.7 % from 4 KiB to 1 MiB.
const SAME: f64 = 0.03;
/// How far IOPS times latency may be off the depth (Little's law) before a point is not believed.
const LITTLE: f64 = 0.15;
/// By how much depth has to grow.
const DEPTH_GROWTH: f64 = 2.0;
/// By how much the block size has to grow.
const SIZE_GROWTH: f64 = 4.0;

/// What one run at a fixed depth gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthPoint {
    /// I/Os in flight, of all jobs together.
    pub depth: u32,
    /// I/Os a second.
    pub iops: f64,
    /// Mean latency in nanoseconds.
    pub mean_latency_ns: f64,
}

/// What one run at a fixed block size gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizePoint {
    /// Block size in bytes.
    pub block_bytes: u64,
    /// I/Os a second.
    pub iops: f64,
}

/// A depth from which on more depth is only more latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthCeiling {
    /// I/Os a second on the plateau (median).
    pub iops: f64,
    /// The least depth on the plateau: the knee, as far as it was measured.
    pub knee_depth: u32,
    /// The greatest depth on it.
    pub to_depth: u32,
    /// Mean latency at the knee, in nanoseconds.
    pub knee_latency_ns: f64,
    /// Mean latency at the greatest depth, in nanoseconds.
    pub to_latency_ns: f64,
    /// How far the plateau's rates lie apart, as a share of its median.
    pub spread: f64,
}

/// Block sizes over which something stays the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizeCeiling {
    /// What stays the same.
    pub kind: super::CapKind,
    /// Its value (median): I/Os or bytes a second.
    pub value: f64,
    /// The smallest block of these, in bytes.
    pub from_bytes: u64,
    /// The largest block of these, in bytes.
    pub to_bytes: u64,
    /// How far the values lie apart, as a share of their median.
    pub spread: f64,
}

/// The plateau over depths, if there is one: rates within 3 % while depth at least doubles and
/// latency grows with it (Little's law: IOPS x latency = depth).
///
/// Points in any order; those that break Little's law, or are no numbers, are left out.
pub fn depth_ceiling(points: &[DepthPoint]) -> Option<DepthCeiling> {
    let in_flight = |p: &DepthPoint| p.iops * p.mean_latency_ns / 1e9 / f64::from(p.depth);
    let mut points: Vec<DepthPoint> =
        points.iter().copied().filter(|p| (in_flight(p) - 1.0).abs() <= LITTLE).collect();
    points.sort_by_key(|point| point.depth);
    let axis = |point: &DepthPoint| (f64::from(point.depth), point.iops);
    let run = plateau(&points.iter().map(axis).collect::<Vec<_>>(), DEPTH_GROWTH)?;
    let (knee, last) = (points[run.from], points[run.to]);
    Some(DepthCeiling {
        iops: run.value,
        knee_depth: knee.depth,
        to_depth: last.depth,
        knee_latency_ns: knee.mean_latency_ns,
        to_latency_ns: last.mean_latency_ns,
        spread: run.spread,
    })
}

/// The constant over block sizes that grow at least fourfold: I/Os a second (an IOPS cap), bytes a
/// second (a bandwidth cap), or first the one and then the other.
///
/// Points in any order; those without a rate are left out.
pub fn size_ceilings(points: &[SizePoint]) -> Vec<SizeCeiling> {
    use super::CapKind::{Bandwidth, Iops};
    let mut points: Vec<SizePoint> = points
        .iter()
        .copied()
        .filter(|point| point.iops.is_finite() && point.iops > 0.0 && point.block_bytes > 0)
        .collect();
    points.sort_by_key(|point| point.block_bytes);
    let found = [Iops, Bandwidth].into_iter().filter_map(|kind| {
        let value = |point: &SizePoint| match kind {
            Iops => point.iops,
            Bandwidth => point.iops * point.block_bytes as f64,
        };
        let axis = |point: &SizePoint| (point.block_bytes as f64, value(point));
        let run = plateau(&points.iter().map(axis).collect::<Vec<_>>(), SIZE_GROWTH)?;
        Some(SizeCeiling {
            kind,
            value: run.value,
            from_bytes: points[run.from].block_bytes,
            to_bytes: points[run.to].block_bytes,
            spread: run.spread,
        })
    });
    found.collect()
}

/// Consecutive points at one height.
struct Run {
    from: usize,
    to: usize,
    value: f64,
    spread: f64,
}

/// The longest run of points within [`SAME`] of their median, along an axis that grows by `growth`
/// at least. It must be the highest: a level that is exceeded elsewhere is no ceiling.
fn plateau(points: &[(f64, f64)], growth: f64) -> Option<Run> {
    let most = points.iter().map(|(_, height)| *height).fold(0.0, f64::max);
    let mut best: Option<Run> = None;
    for from in 0..points.len() {
        for to in from + 1..points.len() {
            let heights: Vec<f64> = points[from..=to].iter().map(|(_, height)| *height).collect();
            let value = median(&heights);
            let highest = heights.iter().copied().fold(0.0, f64::max);
            let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let spread = (highest - lowest) / value;
            let grown = points[to].0 / points[from].0;
            let longer = best.as_ref().is_none_or(|b| grown > points[b.to].0 / points[b.from].0);
            // Written so that NaN fails.
            if spread <= SAME && value >= (1.0 - SAME) * most && grown >= growth && longer {
                best = Some(Run { from, to, value, spread });
            }
        }
    }
    best
}

impl Tell for DepthCeiling {
    fn tell(&self) -> Message {
        Message::new("cap-sign-depths")
            .with("from", self.knee_depth)
            .with("to", self.to_depth)
            .with("before", latency(self.knee_latency_ns))
            .with("after", latency(self.to_latency_ns))
            .part("spread", in_percent(self.spread))
    }
}

impl Tell for SizeCeiling {
    fn tell(&self) -> Message {
        Message::new("cap-sign-sizes")
            .with("from", binary_bytes(self.from_bytes))
            .with("to", binary_bytes(self.to_bytes))
            .part("spread", in_percent(self.spread))
    }
}

shown_as_told!(DepthCeiling, SizeCeiling);
