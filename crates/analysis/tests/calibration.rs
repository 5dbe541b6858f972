//! Whether the statistics keep their word: what they call different, and what they miss.
//!
//! Seeded simulations of sides whose true means are known. A test at 5 % is right when it calls at
//! most 5 in 100 pairs of equal sides different, however the noise hangs together; and worth
//! having when it finds what is there. Beside each bound stands what 6,000 pairs
//! gave; the pairs here are fewer, with seeds that were not chosen.

use fathom_analysis::{Better, Comparison, Difference, NoEstimate, Ranking, Side};
use fathom_vocab::SplitMix;

/// Pairs a simulation.
const PAIRS: usize = 1000;

/// Intervals of a run: five minutes in seconds.
const INTERVALS: usize = 300;

/// Mean of a side and the standard deviation of its figures: 2 %.
const MEAN: f64 = 1000.0;
const NOISE: f64 = 20.0;

/// Random numbers, and Box & Muller's normal ones.
struct Random(SplitMix);

impl Random {
    /// Between 0 and 1, neither included.
    fn unit(&mut self) -> f64 {
        ((self.0.draw() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        let (u, v) = (self.unit(), self.unit());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
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

fn apart(a: Side, b: Side) -> Difference {
    Comparison::apart(a, b, Better::Higher).difference
}

fn runs(a: &[f64], b: &[f64]) -> Difference {
    apart(Side::of_intervals("A", a), Side::of_intervals("B", b))
}

fn repeats(a: &[f64], b: &[f64]) -> Difference {
    apart(Side::of_repeats("A", a), Side::of_repeats("B", b))
}

/// What came of many comparisons, in percent of all of them.
#[derive(Debug, Default)]
struct Tally {
    /// Called different.
    shown: f64,
    /// Not compared.
    untold: f64,
    /// Whose interval holds the true ratio, of those that have one.
    covered: f64,
}

fn tally(pairs: usize, truth: f64, mut compare: impl FnMut() -> Difference) -> Tally {
    let (mut shown, mut untold, mut covered) = (0, 0, 0);
    for _ in 0..pairs {
        let (low, high) = match compare() {
            Difference::Shown { low, high, .. } => {
                shown += 1;
                (low, high)
            }
            Difference::NotShown { low, high, .. } => (low, high),
            Difference::NotEnough { .. } => {
                untold += 1;
                continue;
            }
        };
        covered += u32::from((low..=high).contains(&truth));
    }
    let percent = |count: u32, of: usize| 100.0 * f64::from(count) / of.max(1) as f64;
    Tally {
        shown: percent(shown, pairs),
        untold: percent(untold, pairs),
        covered: percent(covered, pairs - untold as usize),
    }
}

#[test]
fn equal_runs_are_called_different_at_most_five_times_in_a_hundred() {
    // 2.7, 2.6 and 1.6 in 100 for these.
    for (seed, phi) in [(1, 0.0), (2, 0.5), (3, 0.9)] {
        let mut random = Random(SplitMix::new(seed));
        let of = tally(PAIRS, 1.0, || {
            let mut run = || random.process(INTERVALS, phi, MEAN, NOISE);
            runs(&run(), &run())
        });
        assert!(of.shown <= 5.0, "phi {phi}: {of:?}");
        assert!(of.covered >= 95.0, "phi {phi}: {of:?}");
    }
}

#[test]
fn short_slow_runs_are_rather_not_judged_than_misjudged() {
    // 4.2, 1.7 and 1.1 in 100; of those that are told at all, 5.4, 3.5 and 1.5. Beyond this it
    // ends: of 30 intervals at 0.9, 23 in 100 pairs are told, and 5 of these 23 are wrong.
    for (seed, n, phi) in [(19, 30, 0.7), (20, 100, 0.9), (21, 300, 0.95)] {
        let mut random = Random(SplitMix::new(seed));
        let of = tally(PAIRS, 1.0, || {
            let mut run = || random.process(n, phi, MEAN, NOISE);
            runs(&run(), &run())
        });
        assert!(of.shown <= 5.0, "{n} intervals, phi {phi}: {of:?}");
        assert!(n == 30 || of.covered >= 95.0, "{n} intervals, phi {phi}: {of:?}");
    }
}

#[test]
fn a_slow_wave_under_noise_is_seen_for_the_most_part() {
    // A slow part of half the noise's size. Its share of neighbours' agreement is small, its
    // share of the mean's error is not: 5.5 in 100, where batches that end at the first test
    // which finds them uncorrelated gave 12.
    let mut random = Random(SplitMix::new(4));
    let of = tally(PAIRS, 1.0, || {
        let mut run = || -> Vec<f64> {
            let fast = random.process(INTERVALS, 0.0, MEAN, NOISE);
            let slow = random.process(INTERVALS, 0.9, 0.0, NOISE / 2.0);
            fast.iter().zip(slow).map(|(fast, slow)| fast + slow).collect()
        };
        runs(&run(), &run())
    });
    assert!(of.shown <= 8.0, "{of:?}");
}

#[test]
fn equal_repeats_are_called_different_at_most_five_times_in_a_hundred() {
    // 3.7, 4.3 and 4.4 in 100.
    for (seed, count) in [(5, 3), (6, 4), (7, 5)] {
        let mut random = Random(SplitMix::new(seed));
        let of = tally(PAIRS, 1.0, || {
            let mut side = || random.process(count, 0.0, MEAN, NOISE);
            repeats(&side(), &side())
        });
        assert!(of.shown <= 5.0, "{count} repeats: {of:?}");
    }
}

#[test]
fn equal_volumes_on_a_busy_host_are_called_different_at_most_five_times_in_a_hundred() {
    // Noise that multiplies, from hardly any to a factor of ten: 2.7 to 5.2 in 100.
    for (seed, deviation) in [(31, 0.05), (32, 0.3), (33, 0.6), (34, 1.0), (35, 2.0)] {
        for count in [3, 5, 9] {
            let mut random = Random(SplitMix::new(seed + 100 * count));
            let of = tally(PAIRS, 1.0, || {
                let mut figure = || MEAN * (deviation * random.normal()).exp();
                let rounds: Vec<(f64, f64)> = (0..count).map(|_| (figure(), figure())).collect();
                Comparison::paired("A", "B", &rounds, Better::Higher).difference
            });
            assert!(of.shown <= 6.0, "{deviation}, {count} rounds: {of:?}");
        }
    }
}

#[test]
fn equal_sides_apart_on_a_busy_host_are_called_different_at_most_five_times_in_a_hundred() {
    // The same noise, with sides of runs and of rounds that were measured apart.
    for (seed, deviation) in [(41, 0.05), (42, 0.3), (43, 0.6), (44, 1.0), (45, 2.0)] {
        for count in [3, 5, 9] {
            for of in [Side::of_repeats, Side::of_rounds] {
                let mut random = Random(SplitMix::new(seed + 100 * count));
                let found = tally(PAIRS, 1.0, || {
                    let mut side = || -> Vec<f64> {
                        (0..count).map(|_| MEAN * (deviation * random.normal()).exp()).collect()
                    };
                    apart(of("A".to_owned(), &side()), of("B".to_owned(), &side()))
                });
                assert!(found.shown <= 6.0, "{deviation}, {count} a side: {found:?}");
            }
        }
    }
}

#[test]
fn a_run_equal_to_its_baseline_on_a_busy_host_is_called_different_at_most_five_times_in_a_hundred()
{
    // One run beside some that were measured before. The first test alone gave 6.7 to 9.6; that of
    // the logarithms is exact here, so that the bound is three standard errors above 5.
    for (seed, deviation) in [(51, 0.05), (52, 0.3), (53, 0.6), (54, 1.0), (55, 2.0)] {
        for count in [3, 5, 9] {
            let mut random = Random(SplitMix::new(seed + 100 * count));
            let found = tally(2 * PAIRS, 1.0, || {
                let mut figure = || MEAN * (deviation * random.normal()).exp();
                let runs: Vec<f64> = (0..count).map(|_| figure()).collect();
                let run = Side::of_one_among("B", figure(), None, &runs);
                apart(Side::of_repeats("A", &runs), run)
            });
            assert!(found.shown <= 6.5, "{deviation}, {count} runs: {found:?}");
        }
    }
}

#[test]
fn a_fiftieth_of_a_noisy_baseline_is_found() {
    let mut random = Random(SplitMix::new(57));
    let found = tally(PAIRS, 0.02, || {
        let mut figure = |mean: f64| mean * (0.3 * random.normal()).exp();
        let runs: Vec<f64> = (0..5).map(|_| figure(MEAN)).collect();
        let run = Side::of_one_among("B", figure(MEAN / 50.0), None, &runs);
        Comparison::apart_among(Side::of_repeats("A", &runs), run, Better::Higher, Some(2))
            .difference
    });
    assert!(found.shown >= 80.0, "{found:?}");
}

#[test]
fn a_run_ten_percent_below_its_baseline_is_found() {
    let mut random = Random(SplitMix::new(56));
    let found = tally(PAIRS, 0.9, || {
        let runs = random.process(5, 0.0, MEAN, NOISE);
        let run = Side::of_one_among("B", 0.9 * MEAN + NOISE * random.normal(), None, &runs);
        apart(Side::of_repeats("A", &runs), run)
    });
    assert!(found.shown >= 80.0, "{found:?}");
}

#[test]
fn a_factor_of_ten_between_three_rounds_a_side_is_found_among_sixteen_figures() {
    let mut random = Random(SplitMix::new(46));
    let found = tally(PAIRS, 0.1, || {
        let mut side = |mean: f64| -> Vec<f64> {
            (0..3).map(|_| mean * (0.05 * random.normal()).exp()).collect()
        };
        let (a, b) = (Side::of_rounds("A", &side(MEAN)), Side::of_rounds("B", &side(MEAN / 10.0)));
        Comparison::apart_among(a, b, Better::Higher, Some(16)).difference
    });
    assert!(found.shown >= 85.0 && found.covered >= 95.0, "{found:?}");
}

#[test]
fn five_percent_at_two_percent_noise_is_found() {
    // All of them, and 98 in 100 at phi 0.9.
    for (seed, phi) in [(8, 0.0), (9, 0.5), (10, 0.9)] {
        let mut random = Random(SplitMix::new(seed));
        let of = tally(PAIRS, 1.05, || {
            let a = random.process(INTERVALS, phi, MEAN, NOISE);
            runs(&a, &random.process(INTERVALS, phi, 1.05 * MEAN, NOISE))
        });
        assert!(of.shown >= 95.0 && of.covered >= 95.0, "phi {phi}: {of:?}");
    }
}

#[test]
fn repeats_find_five_percent_when_there_are_enough() {
    // No test can find it more often in fewer repeats of this noise: 53 in 100 with three a side,
    // 80 with four, 92 with five. At half a percent of noise three are enough.
    for (seed, count, noise) in [(11, 6, NOISE), (12, 3, NOISE / 4.0)] {
        let mut random = Random(SplitMix::new(seed));
        let of = tally(PAIRS, 1.05, || {
            let a = random.process(count, 0.0, MEAN, noise);
            repeats(&a, &random.process(count, 0.0, 1.05 * MEAN, noise))
        });
        assert!(of.shown >= 95.0, "{count} repeats: {of:?}");
    }
}

#[test]
fn what_is_called_detectable_is_found_four_times_in_five() {
    let mut random = Random(SplitMix::new(13));
    let mut smallest = Vec::new();
    while smallest.len() < PAIRS {
        let mut run = || random.process(INTERVALS, 0.5, MEAN, NOISE);
        if let Difference::NotShown { smallest_detectable_percent, .. } = runs(&run(), &run()) {
            smallest.push(smallest_detectable_percent);
        }
    }
    let factor = 1.0 + smallest.iter().sum::<f64>() / smallest.len() as f64 / 100.0;
    let of = tally(PAIRS, factor, || {
        let a = random.process(INTERVALS, 0.5, MEAN, NOISE);
        runs(&a, &random.process(INTERVALS, 0.5, factor * MEAN, NOISE))
    });
    // 81 in 100.
    assert!((76.0..86.0).contains(&of.shown), "{of:?}");
}

#[test]
fn throttled_devices_differ_by_their_limits_only() {
    // A token bucket gives the same number each second, but for the I/O on the edge.
    let mut random = Random(SplitMix::new(14));
    let mut run = |iops: f64| -> Vec<f64> {
        (0..30).map(|_| iops + (random.0.draw() % 3) as f64 - 1.0).collect()
    };
    let five_percent = tally(PAIRS, 1.05, || runs(&run(3000.0), &run(3150.0)));
    assert_eq!(five_percent.shown, 100.0, "{five_percent:?}");
    let equal = tally(PAIRS, 1.0, || runs(&run(3000.0), &run(3000.0)));
    assert!(equal.shown <= 5.0 && equal.untold == 0.0, "{equal:?}");
}

/// Figures of `count` rounds in the order A B, B A, A B … on a device that loses 3 % from each
/// run to the next.
fn drifting_rounds(random: &mut Random, count: usize, ratio: f64) -> Vec<(f64, f64)> {
    let mut level = MEAN;
    let mut run = |factor: f64| {
        level *= 0.97;
        factor * level * (1.0 + 0.005 * random.normal())
    };
    let mut round = |at: usize| {
        if at.is_multiple_of(2) {
            let a = run(1.0);
            (a, run(ratio))
        } else {
            let b = run(ratio);
            (run(1.0), b)
        }
    };
    (0..count).map(&mut round).collect()
}

#[test]
fn alternating_rounds_see_through_a_drift() {
    let mut random = Random(SplitMix::new(15));
    let mut paired = |ratio: f64| {
        tally(PAIRS, ratio, || {
            let rounds = drifting_rounds(&mut random, 10, ratio);
            Comparison::paired("A", "B", &rounds, Better::Higher).difference
        })
    };
    // None: within a round the drift goes one way or the other, which widens the interval.
    let equal = paired(1.0);
    assert!(equal.shown <= 5.0, "{equal:?}");
    let five_percent = paired(1.05);
    assert!(five_percent.shown >= 95.0, "{five_percent:?}");
}

#[test]
fn rankings_of_equal_sides_tell_none_apart_95_times_in_a_hundred() {
    // 3.5 and 2.6 in 100 tell any apart.
    for (seed, sides) in [(16, 3), (17, 6)] {
        let mut random = Random(SplitMix::new(seed));
        let mut told = 0;
        for _ in 0..PAIRS {
            let side =
                |random: &mut Random| Side::of_repeats("x", &random.process(5, 0.0, MEAN, NOISE));
            let all: Vec<Side> = (0..sides).map(|_| side(&mut random)).collect();
            let ranking = Ranking::of(all, Better::Higher);
            told += usize::from(ranking.not_told_apart().count() < sides - 1);
        }
        assert!(told <= PAIRS / 20, "{sides} sides: {told}");
    }
}

#[test]
fn a_run_that_hardly_turns_is_not_judged() {
    let mut random = Random(SplitMix::new(18));
    let mut slow = 0;
    for _ in 0..PAIRS {
        let side = Side::of_intervals("x", &random.process(INTERVALS, 0.99, MEAN, NOISE));
        slow += usize::from(matches!(side.estimate, Err(NoEstimate::TooSlow { .. })));
    }
    // 74 in 100.
    assert!(slow > PAIRS * 6 / 10, "{slow}");
}
