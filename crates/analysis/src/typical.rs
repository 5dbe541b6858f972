//! The typical figure of rounds or runs: a mean of logarithms in which a round counts the less the
//! further it lies from the others.
//!
//! Decided here: rounds within [`CLIP`] robust standard deviations of the median count wholly,
//! others as if they lay at that distance (the weights of Huber 1964, in one step from the median).
//! A round that another program spoiled then moves a figure as little as one at the edge, and the
//! error is Huber's: wider for each round that does not count wholly, and with one degree of
//! freedom less. Fewer than [`LEAST_ROBUST`] rounds do not show which of them lies apart: all count
//! alike.

use crate::quantile::median;

/// Distance from the median from which a round counts less, in robust standard deviations.
const CLIP: f64 = 2.5;
/// Fewer rounds count alike.
const LEAST_ROBUST: usize = 8;
/// The standard deviation of normal noise over its median absolute deviation.
const NORMAL_OVER_MAD: f64 = 1.4826;
/// Rounds that lie within this of each other are alike, whatever their spread.
const LEAST_SCALE: f64 = 0.001;

/// A mean of logarithms and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LogMean {
    pub mean: f64,
    pub std_err: f64,
    pub degrees_of_freedom: f64,
    /// How many values it rests on.
    pub n: u64,
}

impl LogMean {
    /// Of values with their weights, of which the greatest is 1; none for fewer than two.
    ///
    /// The squared error is n/(n - 1) sum (w r)² / h², where h values count wholly (Huber and
    /// Ronchetti 2009, section 6.5); with equal weights that of a plain mean.
    pub fn of(values: &[(f64, f64)]) -> Option<LogMean> {
        let n = values.len();
        let whole = values.iter().filter(|(_, weight)| *weight >= 1.0).count();
        if n < 2 || whole < 2 {
            return None;
        }
        let weights: f64 = values.iter().map(|(_, weight)| weight).sum();
        let mean = values.iter().map(|(value, weight)| value * weight).sum::<f64>() / weights;
        let squares: f64 =
            values.iter().map(|(value, weight)| (weight * (value - mean)).powi(2)).sum();
        let std_err = (squares * n as f64 / (n as f64 - 1.0)).sqrt() / whole as f64;
        Some(LogMean { mean, std_err, degrees_of_freedom: whole as f64 - 1.0, n: n as u64 })
    }

    /// Of values that stand alone.
    pub fn of_values(logs: &[f64]) -> Option<LogMean> {
        let column: Vec<Option<f64>> = logs.iter().copied().map(Some).collect();
        let weights = round_weights(std::slice::from_ref(&column));
        LogMean::of(&logs.iter().copied().zip(weights).collect::<Vec<_>>())
    }
}

/// How much each round counts, for sides that share their rounds: by the side, and by the ratio of
/// sides, that lies furthest from the others.
pub(crate) fn round_weights(sides: &[Vec<Option<f64>>]) -> Vec<f64> {
    let rounds = sides.iter().map(Vec::len).max().unwrap_or(0);
    let mut weights = vec![1.0; rounds];
    let levels: Vec<Vec<Option<f64>>> = sides.iter().map(|side| from_median(side)).collect();
    let common: Vec<f64> = (0..rounds).map(|round| common_move(&levels, round)).collect();
    for level in &levels {
        lower(&mut weights, level);
        if levels.len() > 1 {
            let own = level.iter().zip(&common).map(|(of, common)| Some((*of)? - common));
            lower(&mut weights, &own.collect::<Vec<_>>());
        }
    }
    let whole = weights.iter().filter(|weight| **weight >= 1.0).count();
    // Where most lie apart from each other, none is typical.
    if rounds < LEAST_ROBUST || whole * 2 < rounds { vec![1.0; rounds] } else { weights }
}

/// How far all sides moved together in a round.
fn common_move(levels: &[Vec<Option<f64>>], round: usize) -> f64 {
    let moves: Vec<f64> =
        levels.iter().filter_map(|level| level.get(round).copied().flatten()).collect();
    moves.iter().sum::<f64>() / moves.len().max(1) as f64
}

/// Lowers the weights of rounds that lie far from the median.
fn lower(weights: &mut [f64], values: &[Option<f64>]) {
    let values = from_median(values);
    let distances: Vec<f64> = values.iter().flatten().map(|of| of.abs()).collect();
    if distances.is_empty() {
        return;
    }
    let scale = (NORMAL_OVER_MAD * median(&distances)).max(LEAST_SCALE);
    for (weight, value) in weights.iter_mut().zip(values) {
        let distance = value.map_or(0.0, f64::abs) / scale;
        *weight = weight.min(if distance > CLIP { CLIP / distance } else { 1.0 });
    }
}

/// The values less their median.
fn from_median(values: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    if known.is_empty() {
        return values.to_vec();
    }
    let middle = median(&known);
    values.iter().map(|value| value.map(|value| value - middle)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spoiled_round_counts_little_and_widens_the_error() {
        let steady = [0.0, 0.01, -0.01, 0.02, -0.02, 0.01, 0.0, -0.01, 0.02];
        let whole = LogMean::of_values(&steady).unwrap();
        let mut spoiled = steady.to_vec();
        spoiled.push(-3.0);
        let of = LogMean::of_values(&spoiled).unwrap();
        assert!((of.mean - whole.mean).abs() < 0.01, "{of:?}");
        assert!(of.std_err > whole.std_err && of.std_err < 0.02, "{of:?}");
        assert_eq!((of.n, of.degrees_of_freedom), (10, 8.0));
    }

    #[test]
    fn sides_that_move_together_show_which_round_was_spoiled() {
        let level = |at: usize| 0.5 * (at as f64 * 0.7).sin();
        let first: Vec<Option<f64>> = (0..12).map(|at| Some(level(at))).collect();
        let other = |at: usize| Some(level(at) + 1.0 + if at == 4 { -0.3 } else { 0.001 });
        let other: Vec<Option<f64>> = (0..12).map(other).collect();
        let weights = round_weights(&[first.clone(), other]);
        assert!(weights[4] < 0.1, "{weights:?}");
        assert!(weights.iter().enumerate().all(|(at, weight)| at == 4 || *weight == 1.0));
        assert_eq!(round_weights(&[first]), [1.0; 12]);
    }

    #[test]
    fn few_rounds_count_alike() {
        assert_eq!(round_weights(&[[0.0, 0.0, 0.0, 9.0].map(Some).to_vec()]), [1.0; 4]);
        assert_eq!(LogMean::of_values(&[1.0]), None);
    }
}
