//! The distribution of drawn offsets: even, zipf, pareto, normal, zoned.
//!
//! All draws take constant time and memory for any size of the range, so tables for zipf draws are
//! not used: ranks come by rejection-inversion (Hörmann and Derflinger, "Rejection-inversion to
//! generate variates from monotone discrete distributions", 1996), exact for every exponent above
//! 0. "Pareto" is fio's, the self-similar distribution of Gray et al. ("Quickly generating
//! billion-record synthetic databases", 1994): a share h of the blocks gets 1 - h of the accesses.
//!
//! Zipf and pareto draw a rank; hot ranks are scattered over the range, as in fio, so that hot
//! blocks are not neighbours. fio hashes ranks modulo the range, so that several ranks share one
//! block (308 of 1,000 blocks are ever touched); Fathom permutes, so the shape is preserved. fio
//! scatters normal offsets too; Fathom does not, because then "centre" would mean nothing.

use crate::permutation::Permutation;
use crate::rng::{Rng, Stream, subseed};
use fathom_job::Distribution;

/// Draws of a normal distribution that may fall outside the range before one is made evenly.
const NORMAL_ATTEMPTS: u32 = 64;

/// Draws block numbers of one direction.
#[derive(Clone, Debug)]
pub(crate) struct Skew {
    kind: Distribution,
    slot_bytes: u64,
    /// Even draws are of 32 random bits.
    coarse: bool,
    seed: u64,
    fitted: Option<(u64, Fitted)>,
}

/// A distribution fitted to a number of blocks.
#[derive(Clone, Debug)]
enum Fitted {
    Even,
    Zipf(Zipf, Scatter),
    SelfSimilar(f64, Scatter),
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// Running sum of the weights, first block, blocks.
    Zones(Vec<(u64, u64, u64)>),
}

impl Skew {
    /// Draws by `kind` over blocks of `slot_bytes`.
    pub(crate) fn new(kind: &Distribution, slot_bytes: u64, coarse: bool, seed: u64) -> Skew {
        let seed = subseed(seed, Stream::Scatter as u64);
        Skew { kind: kind.clone(), slot_bytes, coarse, seed, fitted: None }
    }

    /// A block of `0..slots`.
    #[inline]
    pub(crate) fn draw(&mut self, rng: &mut Rng, slots: u64) -> u64 {
        if self.kind == Distribution::Uniform {
            return if self.coarse { rng.coarsely_below(slots) } else { rng.below(slots) };
        }
        match &self.fitted {
            Some((fitted, _)) if *fitted == slots => {}
            _ => self.fitted = Some((slots, self.fit(slots))),
        }
        self.fitted.as_ref().map_or(0, |(_, fitted)| fitted.draw(rng, slots))
    }

    fn fit(&self, slots: u64) -> Fitted {
        let scatter = |center| Scatter::new(slots, center, self.seed);
        match &self.kind {
            Distribution::Uniform => Fitted::Even,
            Distribution::Zipf { theta, center } => {
                Fitted::Zipf(Zipf::new(slots, *theta), scatter(*center))
            }
            Distribution::Pareto { h, center } => {
                Fitted::SelfSimilar(h.ln() / (1.0 - h).ln(), scatter(*center))
            }
            Distribution::Normal { deviation, center } => Fitted::Normal {
                mean: center.unwrap_or(0.5) * slots as f64,
                deviation: deviation / 100.0 * slots as f64,
            },
            Distribution::Zoned(zones) => {
                let share = |percent: u64| (u128::from(slots) * u128::from(percent) / 100) as u64;
                zones_over(slots, zones.iter().map(|z| (z.0, u64::from(z.1))), share)
            }
            Distribution::ZonedAbs(zones) => {
                zones_over(slots, zones.iter().copied(), |bytes| bytes / self.slot_bytes)
            }
        }
    }
}

impl Fitted {
    fn draw(&self, rng: &mut Rng, slots: u64) -> u64 {
        match self {
            Fitted::Even => rng.below(slots),
            Fitted::Zipf(zipf, scatter) => scatter.place(zipf.rank(rng)),
            Fitted::SelfSimilar(power, scatter) => {
                let rank = (slots as f64 * rng.unit().powf(*power)) as u64;
                scatter.place(rank.min(slots - 1))
            }
            Fitted::Normal { mean, deviation } => normal(*mean, *deviation, rng, slots),
            Fitted::Zones(zones) => {
                let drawn = rng.below(zones.last().map_or(0, |zone| zone.0));
                let zone = zones.iter().find(|zone| drawn < zone.0);
                zone.map_or(0, |&(_, first, blocks)| first + rng.below(blocks))
            }
        }
    }
}

/// Zones end to end; `to_slots` converts a running sum of their extents to blocks. Those beyond the
/// end are left out, and their share goes to the others in proportion.
fn zones_over(
    slots: u64,
    zones: impl Iterator<Item = (u8, u64)>,
    to_slots: impl Fn(u64) -> u64,
) -> Fitted {
    let (mut weight, mut extent, mut fitted) = (0, 0u64, Vec::new());
    for (share, size) in zones {
        let first = to_slots(extent);
        extent = extent.saturating_add(size);
        let end = to_slots(extent).max(first + 1).min(slots);
        if first < slots && share > 0 {
            weight += u64::from(share);
            fitted.push((weight, first, end - first));
        }
    }
    if fitted.is_empty() { Fitted::Even } else { Fitted::Zones(fitted) }
}

/// A normal variable inside `0..slots`, by Box and Muller (1958); values outside are redrawn.
fn normal(mean: f64, deviation: f64, rng: &mut Rng, slots: u64) -> u64 {
    for _ in 0..NORMAL_ATTEMPTS {
        let radius = (-2.0 * rng.unit_above_zero().ln()).sqrt();
        let value = mean + deviation * radius * (std::f64::consts::TAU * rng.unit()).cos();
        if value >= 0.0 && value < slots as f64 {
            return (value as u64).min(slots - 1);
        }
    }
    rng.below(slots)
}

/// Spreads ranks over the range by a fixed shuffle, rotated so that rank 0 is at the centre.
#[derive(Clone, Debug)]
struct Scatter {
    shuffle: Permutation,
    turn: u64,
}

impl Scatter {
    fn new(slots: u64, center: Option<f64>, seed: u64) -> Scatter {
        let shuffle = Permutation::new(slots, seed);
        let turn = center.map_or(0, |share| {
            let wanted = ((share * slots as f64) as u64).min(slots - 1);
            (wanted + slots - shuffle.at(0)) % slots
        });
        Scatter { shuffle, turn }
    }

    fn place(&self, rank: u64) -> u64 {
        let place = self.shuffle.at(rank) + self.turn;
        if place < self.shuffle.len() { place } else { place - self.shuffle.len() }
    }
}

/// Ranks `0..n` with probability proportional to `(rank + 1)^-theta`.
#[derive(Clone, Debug)]
struct Zipf {
    theta: f64,
    n: f64,
    area_first: f64,
    area_last: f64,
    accept: f64,
}

impl Zipf {
    fn new(n: u64, theta: f64) -> Zipf {
        let mut zipf = Zipf { theta, n: n as f64, area_first: 0.0, area_last: 0.0, accept: 0.0 };
        zipf.area_first = zipf.area(1.5) - 1.0;
        zipf.area_last = zipf.area(zipf.n + 0.5);
        zipf.accept = 2.0 - zipf.inverse(zipf.area(2.5) - zipf.height(2.0));
        zipf
    }

    fn rank(&self, rng: &mut Rng) -> u64 {
        loop {
            let area = self.area_last + rng.unit() * (self.area_first - self.area_last);
            let x = self.inverse(area);
            let k = x.round().clamp(1.0, self.n);
            if k - x <= self.accept || area >= self.area(k + 0.5) - self.height(k) {
                return k as u64 - 1;
            }
        }
    }

    /// `x^-theta`.
    fn height(&self, x: f64) -> f64 {
        (-self.theta * x.ln()).exp()
    }

    /// The integral of `height` from 1 to `x`, without the cancellation near `theta` = 1.
    fn area(&self, x: f64) -> f64 {
        let log = x.ln();
        let t = (1.0 - self.theta) * log;
        if t.abs() < 1e-8 { log * (1.0 + t / 2.0) } else { log * t.exp_m1() / t }
    }

    /// The inverse of `area`.
    fn inverse(&self, area: f64) -> f64 {
        let t = (area * (1.0 - self.theta)).max(-1.0);
        let log = if t.abs() < 1e-8 { area * (1.0 - t / 2.0) } else { area * t.ln_1p() / t };
        log.exp()
    }
}

#[cfg(test)]
mod tests;
