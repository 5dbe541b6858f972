//! Whether the statistics keep their word: what they call different, what they call equal, and what
//! they miss.
//!
//! Seeded simulations of sides whose true figures are known. Beside each bound stands what came of it
//! in five times as many comparisons with other seeds; a bound is what is promised and three standard
//! errors of the simulation.

use fathom_analysis::{Basis, Estimate, NoEstimate};
use fathom_analysis::{Better, Comparison, Difference, JudgeRule, Ranking, SharedRounds, Side};
use fathom_vocab::SplitMix;

/// Comparisons of a simulation.
const PAIRS: usize = 1000;

/// Intervals of a run: five minutes in seconds.
const INTERVALS: usize = 300;

/// Mean of a side and the standard deviation of its figures: 2 %.
const MEAN: f64 = 1000.0;
const NOISE: f64 = 20.0;

/// Random numbers, and Box & Muller's normal ones.
struct Random(SplitMix);

impl Random {
    fn new(seed: u64) -> Random {
        Random(SplitMix::new(seed))
    }

    /// Between 0 and 1, neither included.
    fn unit(&mut self) -> f64 {
        ((self.0.draw() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Student's t with three degrees of freedom, to a variance of 1: heavy tails.
    fn heavy(&mut self) -> f64 {
        let squares: f64 = (0..3).map(|_| self.normal().powi(2)).sum();
        self.normal() / (squares / 3.0).sqrt() / 3f64.sqrt()
    }

    /// `n` figures around `mean` with standard deviation `noise`, each of which hangs on the one
    /// before by `phi`: a stationary first-order autoregressive process.
    fn process(&mut self, n: usize, phi: f64, mean: f64, noise: f64) -> Vec<f64> {
        let mut state = self.normal();
        let mut next = || {
            state = phi * state + (1.0 - phi * phi).sqrt() * self.normal();
            mean + noise * state
        };
        (0..n).map(|_| next()).collect()
    }
}

/// What disturbs the runs of two volumes that take turns, by a relative size where there is one.
#[derive(Clone, Copy, Debug)]
enum Disturbance {
    /// Independent noise.
    White(f64),
    /// Noise in which each run hangs on the one before by 0.9.
    Slow(f64),
    /// Noise with heavy tails.
    Heavy(f64),
    /// Each run is 2 % slower than the one before, with noise of 2 %.
    Drift,
    /// Noise of 2 %, and one run in ten at a third to nine tenths of its rate.
    Spoiled,
    /// A burst that all runs of the first quarter have, ten times as fast, with noise of 2 %.
    Burst,
    /// A throttle: the same number each time, but for the I/O on the edge.
    Throttle,
}

const DISTURBANCES: [Disturbance; 10] = [
    Disturbance::White(0.02),
    Disturbance::White(0.3),
    Disturbance::White(1.0),
    Disturbance::Slow(0.1),
    Disturbance::Heavy(0.05),
    Disturbance::Heavy(0.5),
    Disturbance::Drift,
    Disturbance::Spoiled,
    Disturbance::Burst,
    Disturbance::Throttle,
];

/// The rounds of two volumes, the second `ratio` times as fast, in an order drawn at random.
fn turns(random: &mut Random, of: Disturbance, rounds: usize, ratio: f64) -> [Vec<Option<f64>>; 2] {
    let mut sides = [Vec::new(), Vec::new()];
    let mut state = random.normal();
    let mut first = 0;
    for round in 0..rounds {
        first = if round % 2 == 0 { (random.0.draw() % 2) as usize } else { 1 - first };
        for (turn, side) in [first, 1 - first].into_iter().enumerate() {
            let at = 2 * round + turn;
            let log = of.log(random, &mut state, [at, rounds]);
            sides[side].push(Some(MEAN * log.exp() * if side == 1 { ratio } else { 1.0 }));
        }
    }
    sides
}

impl Disturbance {
    /// The logarithm of what it does to run `at` of so many rounds.
    fn log(self, random: &mut Random, state: &mut f64, [at, rounds]: [usize; 2]) -> f64 {
        match self {
            Disturbance::White(size) => size * random.normal(),
            Disturbance::Slow(size) => {
                *state = 0.9 * *state + 0.19f64.sqrt() * random.normal();
                size * *state
            }
            Disturbance::Heavy(size) => size * random.heavy(),
            Disturbance::Drift => -0.02 * at as f64 + 0.02 * random.normal(),
            Disturbance::Spoiled if random.unit() < 0.1 => (1.0 / 3.0 + 0.56 * random.unit()).ln(),
            Disturbance::Burst if at / 2 < rounds / 4 => 10f64.ln() + 0.02 * random.normal(),
            Disturbance::Spoiled | Disturbance::Burst => 0.02 * random.normal(),
            Disturbance::Throttle => 0.0003 * (random.unit() - 0.5),
        }
    }
}

/// The comparison of two volumes that may end at each look as soon as it decides.
fn until_decided(
    random: &mut Random,
    of: Disturbance,
    looks: &[usize],
    ratio: f64,
    together: u64,
) -> Difference {
    let most = looks.last().copied().unwrap_or(0);
    let sides = turns(random, of, most, ratio);
    let rule = JudgeRule { looks: looks.len() as u64, ..JudgeRule::among(together) };
    let judged = |look: usize| {
        let of = |at: usize| (format!("{at}"), sides[at][..look].to_vec());
        SharedRounds::new([of(0), of(1)]).compare([0, 1], Better::Higher, rule).difference
    };
    let mut last = judged(looks[0]);
    for look in &looks[1..] {
        if last.is_decided() {
            break;
        }
        last = judged(*look);
    }
    last
}

/// What came of many comparisons, in percent of all of them.
#[derive(Debug, Default)]
struct Tally {
    /// Called different.
    shown: f64,
    /// Called equal.
    equal: f64,
    /// Whose wide interval holds the true ratio.
    covered: f64,
    /// Whose interval by which sides are equal does.
    likely: f64,
}

fn tally(pairs: usize, truth: f64, mut compare: impl FnMut() -> Difference) -> Tally {
    let (mut shown, mut equal, mut covered, mut likely) = (0, 0, 0, 0);
    for _ in 0..pairs {
        let found = compare();
        shown += u32::from(found.is_shown());
        equal += u32::from(found.is_equal());
        let Some(bounds) = found.bounds() else { continue };
        covered += u32::from((bounds.low..=bounds.high).contains(&truth));
        let [low, high] = bounds.likely.expect("both intervals");
        likely += u32::from((low..=high).contains(&truth));
    }
    let percent = |count: u32| 100.0 * f64::from(count) / pairs as f64;
    Tally {
        shown: percent(shown),
        equal: percent(equal),
        covered: percent(covered),
        likely: percent(likely),
    }
}

/// Fixed numbers of rounds, and the looks of a comparison that ends when it decides.
const LOOKS: [&[usize]; 5] = [&[3], &[5], &[15], &[5, 10, 15], &[5, 10, 15, 25, 40, 65]];

#[test]
fn of_equal_volumes_one_comparison_in_a_hundred_names_a_difference_at_most() {
    for (seed, of) in DISTURBANCES.into_iter().enumerate() {
        for looks in LOOKS {
            // One figure with the whole probability shows the most.
            let mut random = Random::new(100 + seed as u64);
            let found = tally(PAIRS, 1.0, || until_decided(&mut random, of, looks, 1.0, 1));
            assert!(found.shown <= 2.0, "{of:?}, {looks:?}: {found:?}");
            assert!(found.covered >= 98.0, "{of:?}, {looks:?}: {found:?}");
        }
    }
}

#[test]
fn volumes_that_differ_by_the_margin_are_called_equal_five_times_in_a_hundred_at_most() {
    for (seed, of) in DISTURBANCES.into_iter().enumerate() {
        for (looks, ratio) in LOOKS.into_iter().zip([1.05, 1.0 / 1.05].into_iter().cycle()) {
            let mut random = Random::new(200 + seed as u64);
            let found = tally(PAIRS, ratio, || until_decided(&mut random, of, looks, ratio, 6));
            assert!(found.equal <= 7.1, "{of:?}, {looks:?}: {found:?}");
            assert!(found.likely >= 87.0, "{of:?}, {looks:?}: {found:?}");
        }
    }
}

#[test]
fn equal_volumes_are_called_equal_where_the_noise_is_no_greater_than_the_margin() {
    for of in [
        Disturbance::White(0.05),
        Disturbance::Heavy(0.05),
        Disturbance::Slow(0.1),
        Disturbance::Spoiled,
        Disturbance::Throttle,
        Disturbance::Burst,
    ] {
        let mut random = Random::new(301);
        let looks = &[5, 10, 15, 25, 40];
        let found = tally(PAIRS, 1.0, || until_decided(&mut random, of, looks, 1.0, 6));
        assert!(found.equal >= 90.0, "{of:?}: {found:?}");
    }
}

#[test]
fn differences_are_found_in_six_tests_together() {
    for (of, ratio) in [
        (Disturbance::White(0.05), 0.87),
        (Disturbance::Slow(0.1), 0.87),
        (Disturbance::Heavy(0.05), 0.87),
        (Disturbance::Drift, 0.87),
        (Disturbance::Spoiled, 0.87),
        (Disturbance::White(0.5), 0.33),
        (Disturbance::Heavy(0.5), 2.0),
    ] {
        let mut random = Random::new(302);
        let looks = &[5, 10, 15, 25, 40];
        let found = tally(PAIRS, ratio, || until_decided(&mut random, of, looks, ratio, 6));
        assert!(found.shown >= 95.0, "{of:?}, {ratio}: {found:?}");
        assert!(found.covered >= 98.0, "{of:?}, {ratio}: {found:?}");
    }
}

#[test]
fn rankings_of_equal_sides_tell_none_apart_99_times_in_a_hundred() {
    for (seed, sides) in [(16, 3), (17, 6)] {
        let mut random = Random::new(seed);
        let mut told = 0;
        for _ in 0..PAIRS {
            let mut side = |at: usize| {
                let rounds = random.process(9, 0.0, MEAN, NOISE);
                (format!("{at}"), rounds.into_iter().map(Some).collect())
            };
            let shared = SharedRounds::new((0..sides).map(&mut side).collect::<Vec<_>>());
            let pairs = sides * (sides - 1) / 2;
            let ranking =
                Ranking::of_rounds(&shared, Better::Higher, JudgeRule::among(pairs as u64));
            let is_shown = |of: &fathom_analysis::Place| {
                of.over_best.as_ref().is_some_and(Difference::is_shown)
            };
            told += usize::from(ranking.places.iter().any(is_shown));
        }
        assert!(told <= PAIRS / 50, "{sides} sides: {told}");
    }
}

/// A comparison that stands alone.
fn apart(a: Side, b: Side) -> Difference {
    Comparison::apart(a, b, Better::Higher, JudgeRule::among(1)).difference
}

#[test]
fn equal_sides_apart_are_called_different_once_in_a_hundred_at_most() {
    for (seed, deviation) in [(41, 0.05), (42, 0.3), (43, 0.6), (44, 1.0), (45, 2.0)] {
        for count in [3, 5, 9, 16] {
            for of in [Side::of_repeats, Side::of_rounds] {
                let mut random = Random::new(seed + 100 * count);
                let found = tally(PAIRS, 1.0, || {
                    let mut side = || -> Vec<f64> {
                        (0..count).map(|_| MEAN * (deviation * random.normal()).exp()).collect()
                    };
                    apart(of("A".to_owned(), &side()), of("B".to_owned(), &side()))
                });
                assert!(found.shown <= 2.0, "{deviation}, {count} a side: {found:?}");
                assert!(found.covered >= 98.0, "{deviation}, {count} a side: {found:?}");
            }
        }
    }
}

#[test]
fn a_run_equal_to_its_baseline_is_called_different_once_in_a_hundred_at_most() {
    for (seed, deviation) in [(51, 0.05), (52, 0.3), (53, 0.6), (54, 1.0), (55, 2.0)] {
        for count in [3, 5, 9] {
            let mut random = Random::new(seed + 100 * count);
            let found = tally(PAIRS, 1.0, || {
                let mut figure = || MEAN * (deviation * random.normal()).exp();
                let runs: Vec<f64> = (0..count).map(|_| figure()).collect();
                let run = Side::of_one_among("B", figure(), None, &runs);
                apart(Side::of_repeats("A", &runs), run)
            });
            assert!(found.shown <= 2.0, "{deviation}, {count} runs: {found:?}");
            assert!(found.likely >= 87.0, "{deviation}, {count} runs: {found:?}");
        }
    }
}

#[test]
fn a_run_beside_five_of_a_steady_device_is_judged_among_eight_tests() {
    // Runs that scatter by half a percent.
    let mut random = Random::new(56);
    let mut beside = |ratio: f64| {
        tally(PAIRS, ratio, || {
            let runs = random.process(5, 0.0, MEAN, NOISE / 4.0);
            let value = ratio * MEAN + NOISE / 4.0 * random.normal();
            let run = Side::of_one_among("B", value, None, &runs);
            let rule = JudgeRule::among(8);
            Comparison::apart(Side::of_repeats("A", &runs), run, Better::Higher, rule).difference
        })
    };
    let (equal, slower) = (beside(1.0), beside(0.87));
    assert!(equal.equal >= 95.0, "{equal:?}");
    assert!(slower.shown >= 95.0, "{slower:?}");
}

#[test]
fn the_mean_of_a_run_lies_in_its_interval_however_its_seconds_hang_together() {
    // 97.1, 97.3 and 98.2 in 100 for these.
    for (seed, phi) in [(1, 0.0), (2, 0.5), (3, 0.9)] {
        assert!(run_coverage(seed, INTERVALS, phi) >= 94.0, "phi {phi}");
    }
    // Of short slow runs that are judged at all.
    for (seed, n, phi) in [(20, 100, 0.9), (21, 300, 0.95)] {
        assert!(run_coverage(seed, n, phi) >= 90.0, "{n} intervals, phi {phi}");
    }
}

/// How many of 100 runs that are judged have an interval with the true mean.
fn run_coverage(seed: u64, n: usize, phi: f64) -> f64 {
    let mut random = Random::new(seed);
    let (mut judged, mut covered) = (0, 0);
    for _ in 0..PAIRS {
        let Ok(of) = Estimate::of_intervals(&random.process(n, phi, MEAN, NOISE)) else { continue };
        judged += 1;
        covered += u32::from((of.mean - MEAN).abs() <= of.half_width);
    }
    100.0 * f64::from(covered) / f64::from(judged)
}

#[test]
fn a_run_that_hardly_turns_is_not_judged() {
    let mut random = Random::new(18);
    let mut slow = 0;
    for _ in 0..PAIRS {
        let of = Estimate::of_intervals(&random.process(INTERVALS, 0.99, MEAN, NOISE));
        slow += usize::from(matches!(of, Err(NoEstimate::TooSlow { .. })));
    }
    // 74 in 100.
    assert!(slow > PAIRS * 6 / 10, "{slow}");
}

#[test]
fn the_typical_figure_of_rounds_lies_in_its_interval() {
    for (seed, of) in DISTURBANCES.into_iter().enumerate().filter(|(_, of)| {
        // A drift and a burst have no one level.
        !matches!(of, Disturbance::Drift | Disturbance::Burst | Disturbance::Slow(_))
    }) {
        let mut random = Random::new(400 + seed as u64);
        let mut covered = 0;
        for _ in 0..PAIRS {
            let [values, _] = turns(&mut random, of, 15, 1.0);
            let values: Vec<f64> = values.into_iter().flatten().collect();
            let of = Estimate::typical(&values, Basis::Repeats).unwrap();
            covered += usize::from((of.mean - MEAN).abs() <= of.half_width);
        }
        let is_skewed = matches!(of, Disturbance::Spoiled | Disturbance::White(1.0));
        let least = if is_skewed { 80 } else { 93 };
        assert!(covered * 100 >= PAIRS * least, "{of:?}: {covered}");
    }
}
