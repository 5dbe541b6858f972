//! Divides a series of rates into plateaus: segments whose level differs from their neighbours'.
//!
//! First split, then merged: binary segmentation by two-segment least squares gives more parts than
//! there are levels, and neighbours whose step is not well above the noise of both are merged, the
//! cheapest first. Testing each cut at once would fail on three levels: the third would pass for
//! noise. Least squares use a running median of three, so that one odd round moves no cut; noise is
//! measured on the rounds themselves.
//!
//! Devices drift by some percent on their own, so a step of less than 15 % is one only between two
//! levels that are kept as exactly as a throttle keeps its own: most rounds within half a percent.

use crate::quantile::{median, robust_deviation, share_at};
use std::ops::Range;

/// Rounds that make a plateau.
pub(crate) const LEAST_ROUNDS: usize = 2;
/// A step smaller than this share of the higher level is ignored, unless both levels are exact.
pub(crate) const LEAST_STEP: f64 = 0.15;
/// The smallest step between exact levels, as a share of the higher one and in I/Os of a round.
const LEAST_EXACT_STEP: f64 = 0.05;
const LEAST_IOS: f64 = 4.0;
/// Rounds that show a level to be exact, and the share of them that is at it.
const EXACT_ROUNDS: usize = 4;
pub(crate) const AT_LEVEL: f64 = 0.5;
/// With many rounds, a step must be this number of deviations of the noise. A straight line cut in
/// the middle has 3.5, whatever its slope: it is no step.
const DEVIATIONS: f64 = 5.0;
/// The addition for few rounds, divided by their number less two: at four rounds this gives t = 20
/// with two degrees of freedom, which noise exceeds once in a thousand.
const FEW_ROUNDS: f64 = 30.0;
/// How often a part is cut in two before joining begins: eight parts at most.
const FREE_CUTS: u32 = 3;

/// A stretch of rounds at one level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plateau {
    /// Its rounds.
    pub(crate) rounds: Range<usize>,
    /// Their median.
    pub(crate) level: f64,
}

/// What is a step.
#[derive(Clone, Copy)]
pub(crate) struct StepRule {
    /// The smallest one, as a share of the higher level, if the levels are not exact.
    pub(crate) least: f64,
    /// What one more I/O in a round adds to its rate.
    pub(crate) one_io: f64,
}

impl Plateau {
    fn of(rates: &[f64], rounds: Range<usize>) -> Plateau {
        Plateau { level: median(&rates[rounds.clone()]), rounds }
    }

    /// Whether most of its rounds are at its level, as behind a throttle.
    fn is_exact(&self, rates: &[f64], one_io: f64) -> bool {
        let own = &rates[self.rounds.clone()];
        own.len() >= EXACT_ROUNDS && share_at(own, self.level, one_io) >= AT_LEVEL
    }
}

/// The plateaus of `rates`, in order and without gaps: one if there is no step, none if there are
/// no rates. Rates must be finite.
pub(crate) fn plateaus(rates: &[f64], rule: StepRule) -> Vec<Plateau> {
    let mut ends = Vec::new();
    cut(&median_of_three(rates), 0, FREE_CUTS, &mut ends);
    let mut starts = 0;
    let mut found: Vec<Plateau> = Vec::new();
    for end in ends {
        found.push(Plateau::of(rates, starts..end));
        starts = end;
    }
    while let Some(at) = weakest_step(rates, &found, rule) {
        let joined = found[at].rounds.start..found[at + 1].rounds.end;
        found.splice(at..at + 2, [Plateau::of(rates, joined)]);
    }
    found
}

/// Cuts `values` in two, recursively to the depth `deeper`, and appends the end of each part to
/// `ends`.
fn cut(values: &[f64], offset: usize, deeper: u32, ends: &mut Vec<usize>) {
    match best_split(values) {
        Some(at) if deeper > 0 => {
            cut(&values[..at], offset, deeper - 1, ends);
            cut(&values[at..], offset + at, deeper - 1, ends);
        }
        _ if values.is_empty() => {}
        _ => ends.push(offset + values.len()),
    }
}

/// The insignificant step whose removal costs least squares (Ward 1963), by the plateau before it;
/// `None` if all are significant.
fn weakest_step(rates: &[f64], found: &[Plateau], rule: StepRule) -> Option<usize> {
    let weak = (1..found.len()).map(|at| (at - 1, &found[at - 1], &found[at]));
    let weak = weak.filter(|(_, before, after)| !stands_out(rates, before, after, rule));
    let costs = weak.map(|(at, before, after)| {
        let (left, right) = (before.rounds.len() as f64, after.rounds.len() as f64);
        (at, left * right / (left + right) * (before.level - after.level).powi(2))
    });
    costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

/// Whether a step is one, and not the noise of the plateaus beside it.
fn stands_out(rates: &[f64], before: &Plateau, after: &Plateau, rule: StepRule) -> bool {
    let step = (before.level - after.level).abs();
    let rounds = before.rounds.len() + after.rounds.len();
    let noise = pooled_noise(&rates[before.rounds.clone()], &rates[after.rounds.clone()]);
    let deviations = DEVIATIONS + FEW_ROUNDS / (rounds.max(3) - 2) as f64;
    let share = step / before.level.max(after.level);
    let is_exact = || {
        let mut plateaus = [before, after].into_iter();
        step >= LEAST_IOS * rule.one_io && plateaus.all(|of| of.is_exact(rates, rule.one_io))
    };
    let is_large = share >= rule.least || share >= LEAST_EXACT_STEP && is_exact();
    step > deviations * noise && is_large
}

/// Each rate's median with both its neighbours; at the ends with the two next.
fn median_of_three(rates: &[f64]) -> Vec<f64> {
    if rates.len() < 3 {
        return rates.to_vec();
    }
    let last = rates.len() - 3;
    (0..rates.len()).map(|at| median(&rates[at.saturating_sub(1).min(last)..][..3])).collect()
}

/// The split between [`LEAST_ROUNDS`] on either side that explains most squares.
fn best_split(values: &[f64]) -> Option<usize> {
    let total = values.len();
    let mean = values.iter().sum::<f64>() / total.max(1) as f64;
    let mut sum = 0.0;
    let mut best: Option<(usize, f64)> = None;
    for (at, value) in values.iter().enumerate() {
        // Squares explained by a cut here: n1 n2 / n (mean1 - mean2)^2 = S^2 n / (n1 n2), with S
        // the sum of deviations from the common mean on the left.
        if at >= LEAST_ROUNDS && at + LEAST_ROUNDS <= total {
            let explained = sum * sum * total as f64 / (at as f64 * (total - at) as f64);
            if best.is_none_or(|(_, most)| explained > most) {
                best = Some((at, explained));
            }
        }
        sum += value - mean;
    }
    best.map(|(at, _)| at)
}

fn pooled_noise(left: &[f64], right: &[f64]) -> f64 {
    let squares = |part: &[f64]| robust_deviation(part).powi(2) * part.len() as f64;
    ((squares(left) + squares(right)) / (left.len() + right.len()) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: StepRule = StepRule { least: LEAST_STEP, one_io: 0.0 };

    fn cuts(rates: &[f64]) -> Vec<usize> {
        plateaus(rates, ANY).iter().map(|plateau| plateau.rounds.start).collect()
    }

    #[test]
    fn levels_are_cut_where_they_change() {
        let rates = [[16.0; 5], [8.0; 5], [3.0; 5]].concat();
        let found = plateaus(&rates, ANY);
        let levels: Vec<f64> = found.iter().map(|plateau| plateau.level).collect();
        assert_eq!(levels, [16.0, 8.0, 3.0]);
        assert_eq!(cuts(&rates), [0, 5, 10]);
    }

    #[test]
    fn a_straight_line_is_not_cut() {
        for rounds in [4, 5, 10, 100, 1000] {
            let line: Vec<f64> = (0..rounds).map(|at| 1.0 + 9.0 * at as f64).collect();
            assert_eq!(cuts(&line), [0], "{rounds} rounds");
        }
    }

    #[test]
    fn one_odd_round_moves_no_cut() {
        let mut rates = [[80.0; 10], [30.0; 10]].concat();
        rates[4] = 0.0;
        rates[15] = 90.0;
        assert_eq!(cuts(&rates), [0, 10]);
        rates[0] = 500.0;
        assert_eq!(cuts(&rates), [0, 10]);
    }

    #[test]
    fn spikes_do_not_use_up_the_cuts() {
        let mut rates = [[80.0; 30], [30.0; 30]].concat();
        for at in [3, 9, 15, 21, 36, 42, 48, 54] {
            rates[at] = 9000.0 + at as f64;
        }
        assert_eq!(cuts(&rates), [0, 30]);
    }

    #[test]
    fn short_series_are_not_failed_on() {
        assert_eq!(plateaus(&[], ANY), []);
        assert_eq!(cuts(&[5.0]), [0]);
        assert_eq!(cuts(&[9.0, 9.0, 1.0]), [0]);
        assert_eq!(cuts(&[9.0, 9.0, 1.0, 1.0]), [0, 2]);
    }
}
