//! Two humps if only percentiles are known, as in a published result: one jump among them that its
//! neighbours do not share.

use super::{Humps, HumpsFinding, LEAST_HIGH, LEAST_LOW};

/// By how many times latency has to jump from one percentile to the next.
const JUMP: f64 = 4.0;
/// Maximum distance in percentage points: a wider one contains a tail as well.
const WITHIN: f64 = 10.5;
/// How many times steeper than both its neighbours the jump has to be, in powers. A lognormal
/// distribution has at most 2.8, between the percentiles that fio shows.
const STEEPER: f64 = 3.0;
/// Percentiles above this describe rare I/Os and no hump.
const HUMP_ENDS: f64 = 99.0;

/// Searches for two humps in percentiles of latency: pairs of a percentage (0 to 100) and
/// nanoseconds, in any order. Invalid pairs are left out.
pub fn find_humps_in_percentiles(percentiles: &[(f64, u64)]) -> HumpsFinding {
    let mut known: Vec<(f64, f64)> = percentiles
        .iter()
        .filter(|(percent, ns)| (0.0..=100.0).contains(percent) && *ns > 0)
        .map(|(percent, ns)| (*percent, *ns as f64))
        .collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    known.dedup_by_key(|(percent, _)| *percent);
    if known.len() < 2 || known.windows(2).any(|pair| pair[1].1 < pair[0].1) {
        return HumpsFinding::NotEnough;
    }
    let jump = (0..known.len() - 1)
        .filter(|at| is_jump(&known, *at))
        .max_by(|a, b| growth(&known, *a).total_cmp(&growth(&known, *b)));
    jump.map_or(HumpsFinding::One, |at| HumpsFinding::Two(described(&known, at)))
}

/// Powers of e from one percentile to the next.
fn growth(known: &[(f64, f64)], at: usize) -> f64 {
    (known[at + 1].1 / known[at].1).ln()
}

fn is_jump(known: &[(f64, f64)], at: usize) -> bool {
    let (from, to) = (known[at].0, known[at + 1].0);
    let here = growth(known, at);
    let before = at.checked_sub(1).map(|before| growth(known, before));
    let after = (at + 2 < known.len()).then(|| growth(known, at + 1));
    let steeper = [before, after].into_iter().flatten().all(|next| here >= STEEPER * next);
    here >= JUMP.ln()
        && to - from <= WITHIN
        && from >= LEAST_LOW * 100.0
        && to <= (1.0 - LEAST_HIGH) * 100.0
        && steeper
}

fn described(known: &[(f64, f64)], at: usize) -> Humps {
    let (from, to) = (known[at], known[at + 1]);
    // The border is somewhere between both percentiles.
    let border = (from.0 + to.0) / 2.0;
    let low_ns = nearest(&known[..=at], border / 2.0);
    let high = &known[at + 1..];
    let high_ns = nearest(high, (border + 100.0) / 2.0);
    let share_high = 1.0 - border / 100.0;
    let slow = share_high * high_ns;
    let end = high.iter().rev().find(|(percent, _)| *percent <= HUMP_ENDS);
    Humps {
        low_ns: low_ns as u64,
        high_ns: high_ns as u64,
        share_high,
        time_share_high: slow / (slow + (1.0 - share_high) * low_ns),
        gap_from_ns: from.1 as u64,
        gap_to_ns: to.1 as u64,
        high_spread: end.filter(|(percent, _)| *percent > to.0).map(|(_, ns)| ns / to.1),
    }
}

/// The latency whose percentage is closest to the wanted one.
fn nearest(known: &[(f64, f64)], wanted: f64) -> f64 {
    let distance = |pair: &&(f64, f64)| (pair.0 - wanted).abs();
    let found = known.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
    found.map_or(0.0, |(_, ns)| *ns)
}
