//! Between a rate that meets the target and one that does not: which rate to try next, and when to
//! stop.
//!
//! Rates are bisected on a logarithmic scale, because the answer needs a relative precision and may
//! lie anywhere in several powers of ten. A single run may be wrong: an unrelated stall spoils it,
//! or luck passes it. A failed rate is run again until failures lead by two: all later rates lie
//! below it, and one hiccup must not cost a power of ten. A rate that passed is run again if it is
//! an end, or if a lower one failed. A rate that certainly passes overrules every lower one that
//! failed, so that the answer is never below a rate that its own steps met.
//!
//! The ceiling is the highest rate that is tried: a volume gives no more, and a step in which it
//! seems to was too short to show the backlog.
//!
//! A rate at which this machine was late in all attempts is an upper end as well, but says nothing
//! about the volume: that rate and higher ones are not tried any more, also if a run passed there.

use std::collections::BTreeMap;

/// Outcomes of the runs at one rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    keeps: u32,
    fails: u32,
}

/// The evidence of the runs at a rate so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Keeps,
    Fails,
    /// It failed, but not so often that it is believed; or as often the one as the other.
    Open,
}

/// So far ahead an outcome is taken for settled.
const LEAD: u32 = 2;
/// After this number of runs the majority decides: the rate lies within the noise. Odd, so that
/// there is a majority.
const MOST_RUNS: u32 = 7;

impl Tally {
    fn standing(self) -> Standing {
        match self.keeps.cmp(&self.fails) {
            std::cmp::Ordering::Greater => Standing::Keeps,
            std::cmp::Ordering::Less if self.is_settled() => Standing::Fails,
            _ => Standing::Open,
        }
    }

    fn is_settled(self) -> bool {
        self.keeps.abs_diff(self.fails) >= LEAD || self.keeps + self.fails >= MOST_RUNS
    }
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Run at this rate.
    Try(u64),
    /// The ends are near enough to each other and sure.
    Settled,
    /// Not even the lowest rate passes.
    Hopeless,
}

/// All rates that were tried, in I/Os a second.
#[derive(Clone, Debug)]
pub(super) struct Bracket {
    tallies: BTreeMap<u64, Tally>,
    /// The highest rate worth trying; it is expected to fail, until it has been run.
    ceiling: u64,
    /// Lower rates are not worth searching.
    least: u64,
    /// The lowest rate at which this machine was late in all attempts.
    late: Option<u64>,
    precision: f64,
}

impl Bracket {
    /// Rates above `ceiling` are not tried, and rates below `least` are useless; the ends are near
    /// enough if they differ by a share of `precision`.
    pub fn new(ceiling: u64, least: u64, precision: f64) -> Bracket {
        let ceiling = ceiling.max(1);
        let least = least.clamp(1, ceiling);
        Bracket { tallies: BTreeMap::new(), ceiling, least, late: None, precision }
    }

    /// From now on rates below `least` are not worth searching.
    pub fn raise_least(&mut self, least: u64) {
        self.least = self.least.max(least.min(self.ceiling));
    }

    /// From now on rates up to `ceiling` are worth trying.
    pub fn raise_ceiling(&mut self, ceiling: u64) {
        self.ceiling = self.ceiling.max(ceiling);
    }

    /// Counts a run.
    pub fn count(&mut self, rate_iops: u64, keeps: bool) {
        let tally = self.tallies.entry(rate_iops).or_default();
        match keeps {
            true => tally.keeps += 1,
            false => tally.fails += 1,
        }
    }

    /// This machine was late at a rate in all attempts.
    pub fn count_late(&mut self, rate_iops: u64) {
        self.late = Some(self.late.map_or(rate_iops, |late| late.min(rate_iops)));
    }

    /// The upper end: the lowest rate that fails, that this machine was late at, or the ceiling
    /// before it was run; without those below a rate that certainly passes.
    pub fn high(&self) -> Option<u64> {
        let ceiling = (!self.was_run(self.ceiling)).then_some(self.ceiling);
        let others = [ceiling, self.late].into_iter().flatten();
        self.failing().into_iter().chain(others.filter(|rate| self.is_above_sure(*rate))).min()
    }

    /// The lowest rate that fails without a higher one that certainly passes, as far as is known.
    pub fn failing(&self) -> Option<u64> {
        self.with(Standing::Fails).find(|rate| self.is_above_sure(*rate))
    }

    /// The lowest rate at which this machine was late in all attempts.
    pub fn late(&self) -> Option<u64> {
        self.late
    }

    /// Whether this machine and not the volume set the upper end.
    pub fn is_bound_by_host(&self) -> bool {
        self.late.is_some() && self.late == self.high()
    }

    /// Whether no rate from this one on certainly passes.
    fn is_above_sure(&self, rate_iops: u64) -> bool {
        let sure = self.with(Standing::Keeps).filter(|rate| self.is_settled(*rate)).last();
        sure.is_none_or(|sure| rate_iops > sure)
    }

    /// The highest rate that passes without a lower one that fails.
    pub fn low(&self) -> Option<u64> {
        let high = self.high().unwrap_or(u64::MAX);
        self.with(Standing::Keeps).take_while(|rate| *rate < high).last()
    }

    /// Rates that passed once although a lower one fails.
    pub fn odd(&self) -> Vec<u64> {
        let high = self.high().unwrap_or(u64::MAX);
        self.with(Standing::Keeps).filter(|rate| *rate > high).collect()
    }

    /// Whether a run at a rate said something about the volume.
    pub fn was_run(&self, rate_iops: u64) -> bool {
        self.tallies.contains_key(&rate_iops)
    }

    /// Whether another run at a rate would tell nothing: its evidence is certain, or this machine
    /// was late there or below.
    pub fn is_done(&self, rate_iops: u64) -> bool {
        self.is_settled(rate_iops) || self.late.is_some_and(|late| rate_iops >= late)
    }

    /// Whether the evidence at a rate is certain.
    fn is_settled(&self, rate_iops: u64) -> bool {
        self.tallies.get(&rate_iops).is_some_and(|tally| tally.is_settled())
    }

    /// The next step.
    pub fn next(&self) -> Next {
        let unsure = self.with(Standing::Open).chain(self.odd()).find(|rate| !self.is_done(*rate));
        if let Some(open) = unsure {
            return Next::Try(open);
        }
        match (self.low(), self.high()) {
            (Some(low), Some(high)) if self.is_narrow(low, high) => self.confirm(&[high, low]),
            (Some(low), Some(high)) => Next::Try(between(low, high)),
            // The ceiling itself passes.
            (Some(low), None) => self.confirm(&[low]),
            (None, Some(high)) if high > self.least => {
                let half = rounded(high as f64 / 2.0).min(high - 1);
                Next::Try(half.max(self.least))
            }
            (None, high) => match self.confirm(&[high.unwrap_or(self.least)]) {
                Next::Settled => Next::Hopeless,
                next => next,
            },
        }
    }

    fn is_narrow(&self, low: u64, high: u64) -> bool {
        high - low <= 1 || high as f64 <= low as f64 * (1.0 + self.precision)
    }

    fn confirm(&self, rates: &[u64]) -> Next {
        let unsure = rates.iter().find(|rate| !self.is_done(**rate));
        unsure.map_or(Next::Settled, |rate| Next::Try(*rate))
    }

    /// Rates of this standing, rising.
    fn with(&self, standing: Standing) -> impl Iterator<Item = u64> {
        let those = self.tallies.iter().filter(move |(_, tally)| tally.standing() == standing);
        those.map(|(rate, _)| *rate)
    }
}

/// The middle of two rates, as their ratio has it; strictly between them.
fn between(low: u64, high: u64) -> u64 {
    let middle = (low as f64 * high as f64).sqrt();
    let round = rounded(middle);
    if round > low && round < high { round } else { (middle as u64).clamp(low + 1, high - 1) }
}

/// To three significant figures, which is more precise than any answer here and easy to read; at
/// least 1.
pub(super) fn rounded(rate: f64) -> u64 {
    to_figures(rate, f64::round)
}

/// The same, but never above `rate`, unless that is below 1.
pub(super) fn rounded_down(rate: f64) -> u64 {
    to_figures(rate, f64::floor)
}

fn to_figures(rate: f64, whole: fn(f64) -> f64) -> u64 {
    let step = 10f64.powf((rate.max(1.0).log10() - 2.0).floor().max(0.0));
    (whole(rate / step) * step).max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs to the end; a run at a rate passes if `holds` says so for the rate and the run's
    /// number.
    fn run(mut bracket: Bracket, mut holds: impl FnMut(u64, u32) -> bool) -> (Bracket, Next, u32) {
        for runs in 0..1000 {
            match bracket.next() {
                Next::Try(rate) => bracket.count(rate, holds(rate, runs)),
                end => return (bracket, end, runs),
            }
        }
        panic!("no end: {bracket:?}");
    }

    #[test]
    fn rates_are_round_numbers() {
        for (rate, round) in [(0.2, 1), (7.4, 7), (99.6, 100), (12_387.0, 12_400), (1e6, 1_000_000)]
        {
            assert_eq!(rounded(rate), round, "{rate}");
        }
        let down = [0.2, 99.6, 12_387.0, 1e6].map(rounded_down);
        assert_eq!(down, [1, 99, 12_300, 1_000_000]);
        assert_eq!((between(1, 3), between(99, 101), between(10_001, 10_003)), (2, 100, 10_002));
    }

    #[test]
    fn a_few_runs_are_enough_where_all_agree() {
        let (bracket, end, runs) = run(Bracket::new(20_600, 1, 0.03), |rate, _| rate <= 12_345);
        assert_eq!(end, Next::Settled);
        let (low, high) = (bracket.low().unwrap(), bracket.high().unwrap());
        assert!(low <= 12_345 && high > 12_345 && high as f64 <= low as f64 * 1.03);
        // One for half the ceiling, five to narrow a factor of 2 to 3 %, one more at the passing
        // end, and one for each of the four that fail.
        assert_eq!(runs, 11);
    }

    #[test]
    fn one_wrong_run_in_the_middle_changes_nothing() {
        for wrong in 0..8 {
            let lies = |rate, run| (rate <= 12_345) != (run == wrong);
            let (bracket, end, runs) = run(Bracket::new(20_600, 1, 0.03), lies);
            assert_eq!(end, Next::Settled);
            let (low, high) = (bracket.low().unwrap(), bracket.high().unwrap());
            assert!(low <= 12_345 && high > 12_345, "run {wrong} wrong: {low} to {high}");
            assert!(runs <= 22, "run {wrong} wrong: {runs} runs");
        }
    }

    #[test]
    fn no_rate_above_the_ceiling_is_tried_until_it_is_raised() {
        let holds = |rate, _| rate <= 5000;
        let (mut bracket, end, _) = run(Bracket::new(1000, 1, 0.03), holds);
        assert_eq!((end, bracket.low(), bracket.high()), (Next::Settled, Some(1000), None));
        bracket.raise_ceiling(10_000);
        let (bracket, end, _) = run(bracket, holds);
        assert_eq!(end, Next::Settled);
        assert!(bracket.low().unwrap() <= 5000 && bracket.high().unwrap() > 5000);
        assert!(bracket.low().unwrap() as f64 > 5000.0 / 1.03);
    }

    #[test]
    fn nothing_holds() {
        let (bracket, end, runs) = run(Bracket::new(1000, 10, 0.03), |_, _| false);
        assert_eq!((end, bracket.low(), bracket.high()), (Next::Hopeless, None, Some(10)));
        // Each twice.
        assert_eq!(runs, 14);
        let (_, end, _) = run(Bracket::new(1, 1, 0.03), |_, _| false);
        assert_eq!(end, Next::Hopeless);
    }

    #[test]
    fn what_holds_above_what_does_not_is_odd() {
        let mut bracket = Bracket::new(1000, 1, 0.03);
        for (rate, keeps) in [(100, true), (200, false), (200, false), (300, true)] {
            bracket.count(rate, keeps);
        }
        assert_eq!((bracket.low(), bracket.high()), (Some(100), Some(200)));
        assert_eq!((bracket.odd(), bracket.next()), (vec![300], Next::Try(300)));
        // Once it certainly passes, a lower rate cannot fail.
        bracket.count(300, true);
        assert_eq!((bracket.low(), bracket.high()), (Some(300), Some(1000)));
        assert!(bracket.odd().is_empty());
    }

    #[test]
    fn a_rate_that_the_machine_was_late_at_is_an_end_that_says_nothing_of_the_volume() {
        let mut bracket = Bracket::new(1000, 1, 0.03);
        bracket.count_late(500);
        assert_eq!((bracket.high(), bracket.failing()), (Some(500), None));
        assert_eq!(bracket.next(), Next::Try(250));
        bracket.count(250, true);
        assert!(bracket.is_bound_by_host());
        assert!(matches!(bracket.next(), Next::Try(251..500)), "{bracket:?}");
        // A run that passed at such a rate does not bring it back.
        bracket.count(300, true);
        bracket.count_late(300);
        assert_eq!((bracket.low(), bracket.high()), (Some(250), Some(300)));
        // A lower rate that fails is the volume's own.
        (0..2).for_each(|_| bracket.count(255, false));
        assert_eq!((bracket.failing(), bracket.is_bound_by_host()), (Some(255), false));
        assert_eq!(bracket.next(), Next::Try(250));
        bracket.count(250, true);
        assert_eq!(bracket.next(), Next::Settled);
        // Late all the way down.
        let mut bracket = Bracket::new(1000, 10, 0.03);
        (10..1000).rev().for_each(|rate| bracket.count_late(rate));
        assert_eq!(bracket.next(), Next::Hopeless);
    }

    #[test]
    fn a_rate_that_failed_once_is_run_again_before_a_lower_one() {
        let mut bracket = Bracket::new(30_000, 1, 0.03);
        bracket.count(15_500, false);
        assert_eq!((bracket.next(), bracket.low()), (Next::Try(15_500), None));
        bracket.count(15_500, true);
        assert_eq!(bracket.next(), Next::Try(15_500), "as often the one as the other");
        bracket.count(15_500, true);
        assert!(matches!(bracket.next(), Next::Try(16_000..30_000)), "{bracket:?}");
    }

    proptest! {
        #[test]
        fn any_truth_is_found(truth in 1u64..2_000_000, ceiling in 1u64..2_000_000,
                              precision in 0.01f64..0.5) {
            let (bracket, end, _) = run(Bracket::new(ceiling, 1, precision), |r, _| r <= truth);
            prop_assert_eq!(end, Next::Settled);
            prop_assert!(bracket.odd().is_empty());
            let low = bracket.low().unwrap();
            match bracket.high() {
                Some(high) => {
                    prop_assert!(low <= truth && truth < high && high <= ceiling);
                    prop_assert!(bracket.is_narrow(low, high));
                }
                None => prop_assert!(low == ceiling && ceiling <= truth),
            }
        }

        #[test]
        fn it_ends_whatever_the_runs_say(outcomes in prop::collection::vec(any::<bool>(), 64)) {
            // After those outcomes the truth decides.
            let holds = |rate, run| outcomes.get(run as usize).copied().unwrap_or(rate <= 700);
            let (bracket, end, _) = run(Bracket::new(1000, 1, 0.03), holds);
            let is_below = bracket.high().is_none_or(|high| bracket.low() < Some(high));
            prop_assert!(end != Next::Settled || is_below);
        }
    }
}
