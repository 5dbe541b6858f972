//! Sides that are measured in turn: in each round every side once.
//!
//! A disturbance of a whole round cancels in its ratios. In an order drawn at random a steady drift
//! cancels, too. All sides share the weights of rounds (`typical.rs`), so that each ratio is
//! exactly that of the figures beside it.

use super::log_ratio::LogRatio;
use super::{Better, Comparison, Design, Difference, JudgeRule, Lack, Side};
use crate::spread::{Basis, Estimate, LEAST_ROUNDS, NoEstimate, is_usable};
use crate::typical::{LogMean, round_weights};

/// The figures of sides that were measured in turn.
#[derive(Clone, Debug)]
pub struct SharedRounds {
    names: Vec<String>,
    /// The logarithm of each figure, by side and round.
    logs: Vec<Vec<Option<f64>>>,
    /// How much each round counts.
    weights: Vec<f64>,
}

impl SharedRounds {
    /// Each side with its figure in each round. A figure that is not above 0 does not count.
    pub fn new(sides: impl IntoIterator<Item = (String, Vec<Option<f64>>)>) -> SharedRounds {
        let log = |value: Option<f64>| value.filter(|of| is_usable(of) && *of > 0.0).map(f64::ln);
        let of = |(name, values): (String, Vec<Option<f64>>)| {
            (name, values.into_iter().map(log).collect())
        };
        let (names, logs): (Vec<String>, Vec<Vec<Option<f64>>>) = sides.into_iter().map(of).unzip();
        let weights = round_weights(&logs);
        SharedRounds { names, logs, weights }
    }

    /// A side by itself.
    pub fn side(&self, at: usize) -> Side {
        let estimate = match self.mean(|round| self.log(at, round)) {
            Ok(mean) => Ok(Estimate::of_logs(&mean, Basis::Repeats)),
            Err(n) => Err(NoEstimate::FewRepeats { n, needed: 2 }),
        };
        Side { name: self.names[at].clone(), estimate }
    }

    /// The sides `a` and `b`, by the rounds that have both (Student 1908).
    pub fn compare(&self, [a, b]: [usize; 2], better: Better, rule: JudgeRule) -> Comparison {
        let both = |round: usize| Some(self.log(b, round)? - self.log(a, round)?);
        let (rounds, judged) = match self.mean(both) {
            Ok(of) if of.n >= LEAST_ROUNDS as u64 => {
                (of.n, Some(LogRatio::of_rounds(of.mean, of.std_err, of.degrees_of_freedom)))
            }
            Ok(of) => (of.n, None),
            Err(n) => (n, None),
        };
        let lack = Lack::Rounds { rounds, needed: LEAST_ROUNDS as u64 };
        let difference = match &judged {
            Some(of) => of.judged(&rule),
            None => Difference::NotEnough { lack },
        };
        let log_std_err = judged.map_or(0.0, |of| of.std_err);
        let design = Design::Paired { rounds, log_std_err };
        Comparison { a: self.side(a), b: self.side(b), better, design, rule, difference }
    }

    /// How many sides there are.
    pub fn sides(&self) -> usize {
        self.names.len()
    }

    /// The logarithm of a side's figure in a round; none where it has none.
    fn log(&self, side: usize, round: usize) -> Option<f64> {
        self.logs[side].get(round).copied().flatten()
    }

    /// The typical value of what `value` gives for a round; the number of rounds where these are
    /// too few.
    fn mean(&self, value: impl Fn(usize) -> Option<f64>) -> Result<LogMean, u64> {
        let known = |(round, weight): (usize, &f64)| Some((value(round)?, *weight));
        let known: Vec<(f64, f64)> = self.weights.iter().enumerate().filter_map(known).collect();
        LogMean::of(&known).ok_or(known.len() as u64)
    }
}
