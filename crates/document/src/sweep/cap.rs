//! Findings that need several runs: a rate that stays the same while depth or block size grows.

use fathom_analysis::CaseFigures;
use fathom_analysis::{Cap, CapFinding, CapInputs, DepthPoint, RateUnit, SizePoint, find_cap};

/// The load that a curve's points raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raised {
    /// I/Os in flight.
    Depth,
    /// Bytes of each I/O.
    BlockSize,
}

/// The cap that a curve shows, if it does. Of each point: its load (I/Os in flight, or bytes of
/// each I/O) and its figures; `block_bytes` where all points have the same.
pub fn cap_across(
    raised: Raised,
    points: &[(u64, CaseFigures)],
    block_bytes: Option<u64>,
) -> Option<Cap> {
    let (mut depths, mut sizes) = (Vec::new(), Vec::new());
    for (load, figures) in points {
        let total = &figures.total;
        match raised {
            Raised::Depth => depths.push(DepthPoint {
                depth: u32::try_from(*load).unwrap_or(u32::MAX),
                iops: total.iops,
                mean_latency_ns: total.mean_ns,
            }),
            Raised::BlockSize => sizes.push(SizePoint { block_bytes: *load, iops: total.iops }),
        }
    }
    let shortest_ms = points.iter().map(|(_, figures)| figures.total.runtime_ms).min();
    let finding = find_cap(&CapInputs {
        unit: RateUnit::Ios,
        run_s: shortest_ms.map(|ms| ms as f64 / 1e3),
        block_bytes,
        depths: &depths,
        sizes: &sizes,
        ..CapInputs::default()
    });
    match finding {
        CapFinding::Capped(cap) => Some(cap),
        _ => None,
    }
}
