//! Whether two sides differ, and by what factor.
//!
//! A difference is shown only if the 95 % interval of the ratio excludes 1; of equal sides at most
//! 5 in 100 pairs are called different (`tests/calibration.rs`). "Not shown" is an answer and
//! includes the difference that would have been found, because few noisy runs show nothing. The
//! intervals of one run show the confidence of that run's mean, not how the next run would differ:
//! to compare devices rather than runs, repeat, at best in rounds of A B, B A, A B.
//!
//! Of many figures some differ by chance, so figures that are judged together share one
//! probability, [`FAMILY_MISS`], in equal parts (Bonferroni): of 100 whole comparisons of equal
//! sides at most one names any difference. Intervals have the corresponding width, so that an
//! interval and its verdict never contradict each other.

mod change;
mod logs;
mod ratio;
mod text;

use crate::spread::{Basis, Estimate, LEAST_ROUNDS, MISS_PROBABILITY, NoEstimate, is_usable};
pub use change::{ChangeText, change, lead};
use logs::LogRatio;
use ratio::{Means, Ratio};
use serde::{Deserialize, Serialize};

/// Probability that figures of equal sides that are judged together show any difference.
pub const FAMILY_MISS: f64 = 0.01;

/// Which side of a figure is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The higher: rates.
    Higher,
    /// The lower: latencies.
    Lower,
}

impl Better {
    /// Whether a ratio of figures, second over first, makes the second the better one.
    pub fn is_second(self, ratio: f64) -> bool {
        (ratio > 1.0) == (self == Better::Higher)
    }
}

/// One of the sides that are compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    /// What it is called in sentences.
    pub name: String,
    /// Its mean, and how well that is known, or why it is not.
    pub estimate: Result<Estimate, NoEstimate>,
    /// The mean of the logarithms of its figures, where these are runs or rounds above 0. Only the
    /// comparison needs it, so documents do not hold it.
    #[serde(skip)]
    logs: Option<Estimate>,
}

/// Equal in what documents hold.
impl PartialEq for Side {
    fn eq(&self, other: &Side) -> bool {
        (&self.name, &self.estimate) == (&other.name, &other.estimate)
    }
}

impl Side {
    /// A side that was measured by whole runs: one figure for each.
    pub fn of_repeats(name: impl Into<String>, values: &[f64]) -> Side {
        Side::of_values(name.into(), values, Estimate::of_repeats)
    }

    /// A side that was measured by one command in several rounds: one figure for each.
    pub fn of_rounds(name: impl Into<String>, values: &[f64]) -> Side {
        Side::of_values(name.into(), values, Estimate::of_rounds)
    }

    fn of_values(
        name: String,
        values: &[f64],
        of: fn(&[f64]) -> Result<Estimate, NoEstimate>,
    ) -> Side {
        let values: Vec<f64> = values.iter().copied().filter(is_usable).collect();
        let logs: Vec<f64> =
            values.iter().filter(|value| **value > 0.0).map(|value| value.ln()).collect();
        let has_all = logs.len() == values.len();
        Side { name, estimate: of(&values), logs: of(&logs).ok().filter(|_| has_all) }
    }

    /// A side that is one run; other runs of its kind show its possible error.
    ///
    /// `own` is the spread of its rounds, if it has any; the wider of both counts.
    pub fn of_one_among(
        name: impl Into<String>,
        value: f64,
        own: Option<&Estimate>,
        others: &[f64],
    ) -> Side {
        let estimate = Estimate::of_one_among(value, own, others);
        Side { name: name.into(), estimate, logs: logs_of_one_among(value, own, others) }
    }

    /// The same with `n` repeats or rounds that scatter as its own do.
    fn projected(&self, n: u64) -> Option<Side> {
        let estimate = Ok(self.estimate.as_ref().ok()?.projected(n)?);
        let logs = self.logs.as_ref().and_then(|logs| logs.projected(n));
        Some(Side { name: self.name.clone(), estimate, logs })
    }

    /// A side that was measured by one run: one figure for each interval, in order.
    pub fn of_intervals(name: impl Into<String>, values: &[f64]) -> Side {
        Side { name: name.into(), estimate: Estimate::of_intervals(values), logs: None }
    }
}

/// Whether a side is one run that borrows the spread of others.
fn is_one_among(side: &Side) -> bool {
    side.estimate.as_ref().is_ok_and(Estimate::is_one_among)
}

/// The logarithm of one run's figure among those of other runs; none where one is not above 0.
fn logs_of_one_among(value: f64, own: Option<&Estimate>, others: &[f64]) -> Option<Estimate> {
    let has_all = value > 0.0 && others.iter().filter(|other| is_usable(other)).all(|of| *of > 0.0);
    // The error of a logarithm is the relative error of the figure.
    let own = own.map(|own| Estimate { std_err: own.std_err / own.mean, ..own.clone() });
    let others: Vec<f64> = others.iter().map(|other| other.ln()).collect();
    Estimate::of_one_among(value.ln(), own.as_ref(), &others).ok().filter(|_| has_all)
}

/// How the sides were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// Each by itself: Welch's t-test.
    Apart,
    /// In rounds, each with both sides: the paired t-test.
    Paired {
        /// How many rounds.
        rounds: u64,
    },
}

/// Two sides and what is known of their ratio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The side that is the measure.
    pub a: Side,
    /// The side that is compared with it.
    pub b: Side,
    /// Which figure is the better one.
    pub better: Better,
    /// How they were measured.
    pub design: Design,
    /// How many comparisons share one probability of being wrong; none for one that stands alone
    /// at 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<u64>,
    /// What came of it.
    pub difference: Difference,
}

/// What is known of the ratio of two means, b/a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Difference {
    /// They differ.
    Shown {
        /// b/a.
        ratio: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end.
        high: f64,
        /// Probability of a difference like this between equal sides.
        p_value: f64,
    },
    /// They may be equal.
    NotShown {
        /// b/a.
        ratio: f64,
        /// Lower end of its interval.
        low: f64,
        /// Upper end.
        high: f64,
        /// Probability of a difference like this between equal sides.
        p_value: f64,
        /// A difference of this many percent would be shown in 4 of 5 comparisons like this.
        smallest_detectable_percent: f64,
    },
    /// There is too little to compare.
    NotEnough {
        /// What is missing.
        lack: Lack,
    },
}

impl Difference {
    /// Lower and upper end of a change in percent; none where there is too little to compare.
    pub fn change_ends_percent(&self) -> Option<(f64, f64)> {
        match self {
            Difference::Shown { low, high, .. } | Difference::NotShown { low, high, .. } => {
                Some(((low - 1.0) * 100.0, (high - 1.0) * 100.0))
            }
            Difference::NotEnough { .. } => None,
        }
    }

    /// Whether nothing is shown and the ratio may lie beyond a factor of two: neither a figure nor
    /// its interval then tells anything.
    pub fn is_unstable(&self) -> bool {
        matches!(self, Difference::NotShown { low, high, .. } if *low < 0.5 || *high > 2.0)
    }

    /// The ratio and its interval as a change; none where there is too little to compare.
    pub fn change(&self) -> Option<ChangeText> {
        match self {
            Difference::Shown { ratio, low, high, .. }
            | Difference::NotShown { ratio, low, high, .. } => {
                Some(ChangeText::of(*ratio, *low, *high))
            }
            Difference::NotEnough { .. } => None,
        }
    }
}

/// What a comparison lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// A side's mean is not known.
    Estimate {
        /// Name of the side.
        side: String,
        /// Why not.
        why: NoEstimate,
    },
    /// A side's mean cannot be told apart from 0 (or is below), so that no ratio can be ruled out.
    NearZero {
        /// Name of the side.
        side: String,
        /// How many runs of it differ so much; none if it is 0, or not of whole runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        runs: Option<u64>,
    },
    /// Too few rounds.
    Rounds {
        /// There were.
        rounds: u64,
        /// There must be.
        needed: u64,
    },
    /// Both sides are one disk. Their files may lie in parts of it that differ, and other I/O may
    /// come in step with the rounds; neither is a difference of the disk from itself.
    OneDisk,
}

impl Comparison {
    /// Compares sides that were measured each by itself.
    ///
    /// Welch 1947 for the test, Fieller 1954 for the interval of the ratio. Where the sides vary so
    /// much that this tells nothing, their logarithms are tested (`logs.rs`).
    pub fn apart(a: Side, b: Side, better: Better) -> Comparison {
        Comparison::apart_among(a, b, better, None)
    }

    /// The same as one of several comparisons that are to be right as a whole.
    pub fn apart_among(a: Side, b: Side, better: Better, together: Option<u64>) -> Comparison {
        let difference = between(&a, &b, miss_of(together));
        Comparison { a, b, better, design: Design::Apart, together, difference }
    }

    /// What would be known of the ratio from `n` repeats or rounds a side that scatter as these do;
    /// of a run beside a baseline, from a baseline of `n` runs. None where more of them would tell
    /// nothing.
    pub fn projected(&self, n: u64) -> Option<Difference> {
        let sides = (self.a.projected(n)?, self.b.projected(n)?);
        let is_apart = self.design == Design::Apart;
        is_apart.then(|| between(&sides.0, &sides.1, miss_of(self.together)))
    }

    /// Whether a side is one run that borrows the spread of a baseline.
    pub fn is_against_baseline(&self) -> bool {
        is_one_among(&self.a) || is_one_among(&self.b)
    }

    /// How many values the larger side rests on; of a baseline, how many runs it has.
    pub fn count(&self) -> u64 {
        let of = |side: &Side| side.estimate.as_ref().map_or(0, |of| of.n);
        of(&self.a).max(of(&self.b))
    }

    /// Compares sides that were measured in rounds: in each, the figure of `a` and that of `b`.
    ///
    /// The paired t-test (Student 1908) and Fieller's interval with the covariance of both. A
    /// disturbance of a whole round cancels. In alternating order (A B, B A …) a steady drift
    /// cancels in the ratio as well, but widens its interval; if the drift is large, pass A B and B
    /// A as one round with the means of both. Rounds with a figure that is not finite are left out.
    ///
    /// Where the rounds vary so much that this tells nothing, factors are told that no noise hides.
    pub fn paired(
        a: impl Into<String>,
        b: impl Into<String>,
        rounds: &[(f64, f64)],
        better: Better,
    ) -> Comparison {
        Comparison::paired_among([a.into(), b.into()], rounds, better, None)
    }

    /// The same as one of several comparisons that are to be right as a whole.
    pub fn paired_among(
        [a, b]: [String; 2],
        rounds: &[(f64, f64)],
        better: Better,
        together: Option<u64>,
    ) -> Comparison {
        let rounds: Vec<(f64, f64)> =
            rounds.iter().copied().filter(|(a, b)| is_usable(a) && is_usable(b)).collect();
        let (all_a, all_b): (Vec<f64>, Vec<f64>) = rounds.iter().copied().unzip();
        let (a, b) = (Side::of_repeats(a, &all_a), Side::of_repeats(b, &all_b));
        let count = rounds.len() as u64;
        let difference = if rounds.len() < LEAST_ROUNDS {
            let lack = Lack::Rounds { rounds: count, needed: LEAST_ROUNDS as u64 };
            Difference::NotEnough { lack }
        } else {
            let miss = miss_of(together);
            let difference = judge(&Means::paired(&rounds), miss, [&a, &b]);
            or_by_logs(difference, || LogRatio::of_rounds(&rounds), miss)
        };
        let design = Design::Paired { rounds: count };
        Comparison { a, b, better, design, together, difference }
    }

    /// The same sides, not judged, because both are one disk.
    #[must_use]
    pub fn of_one_disk(self) -> Comparison {
        Comparison { difference: Difference::NotEnough { lack: Lack::OneDisk }, ..self }
    }

    /// Whether both sides are one disk.
    pub fn is_of_one_disk(&self) -> bool {
        matches!(self.difference, Difference::NotEnough { lack: Lack::OneDisk })
    }
}

/// The probability of error for one of this number of comparisons.
pub(crate) fn miss_of(together: Option<u64>) -> f64 {
    together.map_or(MISS_PROBABILITY, |all| FAMILY_MISS / all.max(1) as f64)
}

/// The finding on b/a at the probability `miss` of calling equal sides different.
pub(crate) fn between(a: &Side, b: &Side, miss: f64) -> Difference {
    let difference = match (&a.estimate, &b.estimate) {
        (Ok(of_a), Ok(of_b)) => judge(&Means::independent(of_a, of_b), miss, [a, b]),
        (Err(why), _) => unknown(a, why),
        (_, Err(why)) => unknown(b, why),
    };
    match is_one_among(a) || is_one_among(b) {
        true => held_by_logs(difference, log_ratio(a, b), miss),
        false => or_by_logs(difference, || log_ratio(a, b), miss),
    }
}

/// What the first test found, unless it tells nothing or shows a difference that the logarithms do
/// not: then what these say.
fn held_by_logs(difference: Difference, logs: Option<LogRatio>, miss: f64) -> Difference {
    let by_logs = logs.and_then(|logs| logs.at(miss)).map(finding);
    let is_shown = |of: &Difference| matches!(of, Difference::Shown { .. });
    match by_logs {
        Some(logs) if is_shown(&difference) && !is_shown(&logs) => logs,
        Some(logs) if tells_nothing(&difference) && is_shown(&logs) => logs,
        _ => difference,
    }
}

/// Whether neither a figure nor its interval says anything.
fn tells_nothing(difference: &Difference) -> bool {
    difference.is_unstable() || difference.change().is_none()
}

/// The logarithm of b/a; none where the logarithms of one side are not known.
fn log_ratio(a: &Side, b: &Side) -> Option<LogRatio> {
    let mean = |side: &Side| side.estimate.as_ref().ok().map(|of| of.mean);
    let of_means = mean(b)? / mean(a)?;
    Some(LogRatio::of_sides([a.logs.as_ref()?, b.logs.as_ref()?], of_means))
}

/// What the logarithms show, if the first test tells nothing.
fn or_by_logs(
    difference: Difference,
    logs: impl FnOnce() -> Option<LogRatio>,
    miss: f64,
) -> Difference {
    let by_logs = tells_nothing(&difference).then(logs).flatten();
    by_logs.and_then(|logs| logs.shown(miss)).map_or(difference, finding)
}

fn unknown(side: &Side, why: &NoEstimate) -> Difference {
    let lack = Lack::Estimate { side: side.name.clone(), why: why.clone() };
    Difference::NotEnough { lack }
}

fn judge(means: &Means, miss: f64, [a, b]: [&Side; 2]) -> Difference {
    let Some(of) = means.ratio(miss) else {
        let side = if means.b < 0.0 { b } else { a };
        return Difference::NotEnough { lack: near_zero(side) };
    };
    finding(of)
}

fn finding(of: Ratio) -> Difference {
    let Ratio { ratio, low, high, p_value, smallest_detectable_percent } = of;
    match of.differs() {
        true => Difference::Shown { ratio, low, high, p_value },
        false => Difference::NotShown { ratio, low, high, p_value, smallest_detectable_percent },
    }
}

fn near_zero(side: &Side) -> Lack {
    let runs = side.estimate.as_ref().ok().filter(|of| of.mean > 0.0 && of.basis == Basis::Repeats);
    Lack::NearZero { side: side.name.clone(), runs: runs.map(|of| of.n) }
}

#[cfg(test)]
mod tests;
