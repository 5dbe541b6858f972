//! A burst and the rate after it: a high plateau, one step down, a lower plateau.
//!
//! That is the shape of a token bucket which started full and ran dry: level one is the burst,
//! level two the lasting rate, the area between them the bucket. It is reported only if both
//! plateaus are level and the rate does not rise again: the write cliff of an SSD decays and stays
//! noisy, a drift has no step, a neighbour's noise ends.
//!
//! A throttle on a busy machine lets through in one interval what it held up in the one before, so
//! such slips are evened out for a second look: there only levels count that most intervals keep
//! exactly.
//!
//! By simulation (`burst/tests.rs`), at most 1 in 100 series without a step is taken for a burst:
//! white noise, noise that wanders (AR(1)), heavy tails and drifts. A fall that begins only in the
//! last intervals looks like a step and may be taken for one.

use crate::plateaus::{AT_LEVEL, LEAST_ROUNDS, LEAST_STEP, Plateau, StepRule, plateaus};
use crate::quantile::{median, robust_deviation, share_at, usable};
use crate::quantity::stretch;
use crate::shown::RateUnit;
use crate::{RateShaper, Tone};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// Maximum noise of the lasting plateau, as a share of it: a throttle allows exactly its rate. One
/// on a busy machine showed 4.5 %.
const SUSTAINED_NOISE: f64 = 0.06;
/// Maximum noise of the burst, which the device and not the throttle may limit.
const BURST_NOISE: f64 = 0.25;
/// How far a round may be off its plateau and still belong to it: a share of the step. A plateau
/// that falls by more than 0.6 of the step has too many strangers.
const LEVEL: f64 = 0.25;
/// The share of a plateau's rounds that have to belong to it, unless it is exact.
const MEMBERS: f64 = 0.85;
/// Rounds on either side whose median is the level at a slip.
const AROUND: usize = 6;
/// Rounds on either side of a clean break.
const BREAK_ROUNDS: usize = 6;
/// Greatest noise after a clean break, as a share of the level: a throttle's.
const BREAK_NOISE: f64 = 0.04;
/// The ratio of every round before a clean break to those after it.
const BREAK: f64 = 1.6;
/// Intervals after a burst that show what lasts, and how even a throttle makes them.
const LEAST_AFTER: usize = 5;
const EVEN: f64 = 0.02;

/// A burst that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Burst {
    /// What the rates below count.
    pub unit: RateUnit,
    /// Median rate while it lasted, in I/Os or bytes a second.
    pub burst_rate: f64,
    /// Median rate after it: what the volume gives for as long as one likes.
    pub sustained_rate: f64,
    /// When it ended, in seconds from the start of the series; exact to one interval.
    pub step_at_s: f64,
    /// How long it lasted, in seconds.
    pub drain_s: f64,
    /// I/Os or bytes above the sustained rate that it let through: what the bucket held. Where
    /// the job ran before the series began, it held more.
    pub bucket: f64,
}

/// Whether a series shows a burst that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum BurstFinding {
    /// It does.
    Burst(Burst),
    /// It does not: if credit carries it, that lasts longer than the series.
    NoneSeen {
        /// Seconds that the series covers.
        seconds: f64,
    },
    /// It was not looked for, because the run is so short that any start looks like a burst.
    TooShort {
        /// Seconds that there are.
        seconds: f64,
        /// Seconds that it takes.
        needed_s: f64,
    },
    /// Other I/O ran on the device meanwhile, and may have made a step.
    OtherUse,
    /// Others kept the processors busy meanwhile: a step may be what they left.
    BusyMachine,
    /// A CPU quota stopped the jobs meanwhile, and may have made a step.
    CpuQuota,
    /// Some I/O did not reach the device, so that a step is not the volume's.
    OffDevice,
    /// The process was stopped or its server was away meanwhile: a step may be what that left.
    Interruption,
    /// There are not two plateaus' worth of rates.
    NotEnough {
        /// Intervals with a rate.
        intervals: usize,
    },
}

/// Searches for a burst in rates of consecutive intervals of `interval_s` seconds.
///
/// Plateaus have two intervals at least, so a burst of a second needs intervals of half a second.
/// Of several steps down the largest is reported. Invalid rates (NaN, negative) are left out.
pub fn find_burst(unit: RateUnit, interval_s: f64, rates: &[f64]) -> BurstFinding {
    let rates = usable(rates);
    let seconds = interval_s * rates.len() as f64;
    if rates.len() < 2 * LEAST_ROUNDS || !(seconds.is_finite() && seconds > 0.0) {
        return BurstFinding::NotEnough { intervals: rates.len() };
    }
    let none = BurstFinding::NoneSeen { seconds };
    let most = rates.iter().copied().fold(0.0, f64::max);
    // Shares of the largest rate: their squares and sums stay in range for any unit.
    let shares: Vec<f64> = rates.iter().map(|rate| rate / most).collect();
    if most == 0.0 || shares.iter().any(|share| !share.is_finite()) {
        return none;
    }
    let one_io = if unit == RateUnit::Ios { 1.0 / interval_s / most } else { 0.0 };
    let any = StepRule { least: LEAST_STEP, one_io };
    let exact = StepRule { least: f64::INFINITY, one_io };
    let evened = || greatest_drop(&without_slips(&shares, one_io), exact);
    let found = greatest_drop(&shares, any).or_else(|| clean_break(&shares)).or_else(evened);
    let Some([high, low]) = found else { return none };
    let above = |share: &f64| (share - low.level).max(0.0);
    let bucket = shares[high.rounds.clone()].iter().map(above).sum::<f64>();
    BurstFinding::Burst(Burst {
        unit,
        burst_rate: high.level * most,
        sustained_rate: low.level * most,
        step_at_s: high.rounds.end as f64 * interval_s,
        drain_s: high.rounds.len() as f64 * interval_s,
        bucket: (bucket * most * interval_s).min(f64::MAX),
    })
}

/// The rates with the slips of a throttle evened out: an interval that falls short and the next one
/// that makes up for it, so that both together are at the level around them.
fn without_slips(rates: &[f64], one_io: f64) -> Vec<f64> {
    let mut even = rates.to_vec();
    let mut at = 1;
    while at < rates.len() {
        let around = at.saturating_sub(AROUND)..(at + AROUND).min(rates.len());
        let level = median(&rates[around]);
        let mean = f64::midpoint(rates[at - 1], rates[at]);
        let is_at = |rate| share_at(&[rate], level, one_io) > 0.0;
        let is_slip = rates[at - 1] < rates[at] && !is_at(rates[at - 1]) && is_at(mean);
        if is_slip {
            even[at - 1..=at].fill(mean);
        }
        at += 1 + usize::from(is_slip);
    }
    even
}

/// The plateaus on both sides of the greatest step down, if both are level and it stays down.
fn greatest_drop(rates: &[f64], rule: StepRule) -> Option<[Plateau; 2]> {
    let found = plateaus(rates, rule);
    let drop = |at: &usize| found[*at].level - found[at + 1].level;
    let at = (0..found.len().saturating_sub(1)).max_by(|a, b| drop(a).total_cmp(&drop(b)))?;
    let step = drop(&at);
    let (high, low) = (&found[at], &found[at + 1]);
    let stays = found[at + 1..].iter().all(|later| later.level <= low.level + LEVEL * step);
    // The round in which the bucket ran dry lies between both levels and belongs to neither.
    let before = &rates[high.rounds.start..high.rounds.end - usize::from(high.rounds.len() > 2)];
    let after = &rates[low.rounds.start + usize::from(low.rounds.len() > 2)..low.rounds.end];
    // That most rounds of exact levels are at them is known, and slips are large beside the step.
    let is_exact = rule.least > LEAST_STEP || step < LEAST_STEP * high.level;
    let members = if is_exact { AT_LEVEL } else { MEMBERS };
    let level = is_level(before, members, step, BURST_NOISE)
        && is_level(after, members, step, SUSTAINED_NOISE);
    let stays = stays && low.rounds.len() >= LEAST_AFTER;
    (step > 0.0 && stays && level).then(|| [high.clone(), low.clone()])
}

/// A break with every round before it far above every round after it, and the latter level: during
/// the burst the device decides the rate, which may be uneven. The last rounds before the break are
/// as high as any, which excludes a decay.
fn clean_break(rates: &[f64]) -> Option<[Plateau; 2]> {
    // The round in which the bucket ran dry lies between both levels and belongs to neither.
    let breaks = BREAK_ROUNDS..(rates.len() + 1).saturating_sub(BREAK_ROUNDS + 1);
    let at = breaks.into_iter().find(|at| is_clean_break(&rates[..*at], &rates[at + 1..]))?;
    let low = median(&rates[at + 1..]);
    let ran_dry = usize::from(rates[at] > BREAK * low);
    let (before, after) = (0..at + ran_dry, at + ran_dry..rates.len());
    let high = Plateau { level: median(&rates[before.clone()]), rounds: before };
    Some([high, Plateau { level: low, rounds: after }])
}

fn is_clean_break(before: &[f64], after: &[f64]) -> bool {
    let most_after = after.iter().copied().fold(0.0, f64::max);
    let (high, low) = (median(before), median(after));
    let last = median(&before[before.len() - 2..]);
    before.iter().all(|rate| *rate > BREAK * most_after)
        && last >= f64::midpoint(high, low)
        && is_level(after, MEMBERS, high - low, BREAK_NOISE)
}

/// Whether rounds have one level: few outliers, little noise.
fn is_level(rounds: &[f64], least: f64, step: f64, most_noise: f64) -> bool {
    let middle = median(rounds);
    let members = rounds.iter().filter(|rate| (*rate - middle).abs() <= LEVEL * step).count();
    members as f64 >= least * rounds.len() as f64 && robust_deviation(rounds) <= most_noise * middle
}

impl BurstFinding {
    /// How it bears on the mean of the run.
    pub fn tone(&self) -> Tone {
        match self {
            BurstFinding::Burst(burst) => burst.tone(),
            BurstFinding::NoneSeen { .. } => Tone::Good,
            BurstFinding::NotEnough { .. }
            | BurstFinding::TooShort { .. }
            | BurstFinding::OtherUse
            | BurstFinding::BusyMachine
            | BurstFinding::CpuQuota
            | BurstFinding::OffDevice
            | BurstFinding::Interruption => Tone::Note,
        }
    }

    /// The finding that remains if something else may have shaped the rate.
    #[must_use]
    pub fn beside(self, shaper: RateShaper) -> BurstFinding {
        match (self, shaper) {
            (BurstFinding::Burst(_), RateShaper::OtherUse) => BurstFinding::OtherUse,
            (BurstFinding::Burst(_), RateShaper::BusyMachine) => BurstFinding::BusyMachine,
            (BurstFinding::Burst(_), RateShaper::CpuQuota) => BurstFinding::CpuQuota,
            (BurstFinding::Burst(_), RateShaper::OffDevice) => BurstFinding::OffDevice,
            (BurstFinding::Burst(_), RateShaper::Interruption) => BurstFinding::Interruption,
            (finding, _) => finding,
        }
    }
}

impl Burst {
    /// Whether the rate after it, in intervals of `interval_s` seconds, is as even as a throttle's,
    /// or varies by at most `one_io`. A less even rate may come from a shared device or a full
    /// cache.
    pub fn lasts_evenly(&self, interval_s: f64, rates: &[f64], one_io: f64) -> bool {
        let after = (self.step_at_s / interval_s).ceil() + 1.0;
        let rates = usable(rates);
        let rest = rates.get(after as usize..).unwrap_or_default();
        let middle = median(rest);
        rest.len() >= LEAST_AFTER && robust_deviation(rest) <= (EVEN * middle).max(one_io)
    }

    /// Whether the step is so small that only exact levels show it.
    pub fn is_small(&self) -> bool {
        self.burst_rate - self.sustained_rate < LEAST_STEP * self.burst_rate
    }

    /// A mean over a burst and the rate after it describes neither.
    pub fn tone(&self) -> Tone {
        Tone::Warning
    }
}

impl Tell for Burst {
    fn tell(&self) -> Message {
        Message::new("burst")
            .with("rate", self.unit.rate(self.burst_rate))
            .with("drain", stretch(self.drain_s))
            .with("step", stretch(self.step_at_s))
            .with("sustained", self.unit.rate(self.sustained_rate))
            .part("bucket", self.unit.amount(self.bucket))
    }
}

impl Tell for BurstFinding {
    fn tell(&self) -> Message {
        match self {
            BurstFinding::Burst(burst) => burst.tell(),
            BurstFinding::NoneSeen { seconds } => {
                Message::new("burst-none-seen").with("time", stretch(*seconds))
            }
            BurstFinding::TooShort { seconds, needed_s } => Message::new("burst-too-short")
                .with("time", stretch(*seconds))
                .with("needed", stretch(*needed_s)),
            BurstFinding::OtherUse => Message::new("burst-other-use"),
            BurstFinding::BusyMachine => Message::new("burst-busy-machine"),
            BurstFinding::CpuQuota => Message::new("burst-cpu-quota"),
            BurstFinding::OffDevice => Message::new("burst-off-device"),
            BurstFinding::Interruption => Message::new("burst-interruption"),
            BurstFinding::NotEnough { intervals } => Message::new("burst-not-enough")
                .with("intervals", intervals)
                .with("needed", 2 * LEAST_ROUNDS),
        }
    }
}

shown_as_told!(Burst, BurstFinding);

#[cfg(test)]
mod tests;
