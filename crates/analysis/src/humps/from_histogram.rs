//! Two humps in a histogram: the emptiest interval with enough I/Os on both sides.

use super::{Humps, HumpsFinding, LEAST_HIGH, LEAST_LOW, LEAST_TIME};
use fathom_stats::Histogram;

/// Cells to a doubling of latency.
const CELLS_PER_OCTAVE: f64 = 8.0;
/// Cells between the humps: a factor of 2.8.
const VALLEY_CELLS: usize = 12;
/// Maximum content of the valley, as a share of the smaller hump. A falling tail has more in each
/// interval than in the next, and so never ten times as much beyond it.
const VALLEY_SHARE: f64 = 0.1;
/// Fewer I/Os show no shape.
const LEAST_TOTAL: u64 = 200;
/// Fewer slow I/Os may be chance.
const LEAST_SLOW: u64 = 20;

/// Searches for two humps in a histogram of latencies.
pub fn find_humps(latencies: &Histogram) -> HumpsFinding {
    if latencies.total() < LEAST_TOTAL {
        return HumpsFinding::NotEnough;
    }
    let bins: Vec<(u64, u64)> = latencies.bins().collect();
    let humps = valley(&bins).and_then(|split_ns| described(&bins, split_ns));
    humps.map_or(HumpsFinding::One, HumpsFinding::Two)
}

fn cell_of(ns: u64) -> usize {
    ((ns.max(1) as f64).log2() * CELLS_PER_OCTAVE) as usize
}

/// Running counts by cell: entry `n` counts I/Os below cell `n`.
fn below_cells(bins: &[(u64, u64)]) -> Vec<u64> {
    let cells = bins.last().map_or(0, |(ns, _)| cell_of(*ns) + 1);
    let mut below = vec![0; cells + 1];
    for (ns, count) in bins {
        below[cell_of(*ns) + 1] += count;
    }
    for at in 1..below.len() {
        below[at] += below[at - 1];
    }
    below
}

/// The middle of the valley between two humps in nanoseconds, if there is one: of the intervals
/// that are empty enough the one with most on its smaller side.
fn valley(bins: &[(u64, u64)]) -> Option<f64> {
    let below = below_cells(bins);
    let total = *below.last()?;
    let mut best: Option<(usize, u64, u64)> = None;
    for at in 0..below.len().saturating_sub(VALLEY_CELLS) {
        let (low, high) = (below[at], total - below[at + VALLEY_CELLS]);
        let inside = total - low - high;
        let smaller = low.min(high);
        let empty = inside as f64 <= VALLEY_SHARE * smaller as f64;
        let enough = high >= LEAST_SLOW && low as f64 >= LEAST_LOW * total as f64;
        let better = best
            .is_none_or(|(_, most, least)| smaller > most || (smaller == most && inside < least));
        if empty && enough && better {
            best = Some((at, smaller, inside));
        }
    }
    let (at, ..) = best?;
    Some(((at as f64 + VALLEY_CELLS as f64 / 2.0) / CELLS_PER_OCTAVE).exp2())
}

/// The description of both sides; `None` if the slow one has too little weight.
fn described(bins: &[(u64, u64)], split_ns: f64) -> Option<Humps> {
    let (low, high): (Vec<_>, Vec<_>) = bins.iter().partition(|(ns, _)| (*ns as f64) < split_ns);
    let time = |part: &[(u64, u64)]| part.iter().map(|(ns, n)| *ns as f64 * *n as f64).sum::<f64>();
    let count = |part: &[(u64, u64)]| part.iter().map(|(_, n)| *n).sum::<u64>() as f64;
    let share_high = count(&high) / (count(&low) + count(&high));
    let time_share_high = time(&high) / (time(&low) + time(&high));
    if share_high < LEAST_HIGH && time_share_high < LEAST_TIME {
        return None;
    }
    let (low, high) = (Histogram::from_bins(low), Histogram::from_bins(high));
    let slow = high.percentiles(&[1.0, 10.0, 50.0, 90.0]);
    let fast = low.percentiles(&[50.0, 99.0]);
    Some(Humps {
        low_ns: fast[0],
        high_ns: slow[2],
        share_high,
        time_share_high,
        gap_from_ns: fast[1],
        gap_to_ns: slow[0],
        high_spread: Some(slow[3] as f64 / slow[1].max(1) as f64),
    })
}
