//! The upper tail of the binomial distribution: how likely so many hits are by chance alone.

use crate::student::incomplete_beta;

/// Probability of `least` hits or more in `trials` independent trials, each a hit with probability
/// `chance`.
///
/// I(chance; least, trials - least + 1), Abramowitz & Stegun 26.5.24. A chance that is no number is
/// no evidence: 1.
pub fn binomial_tail(trials: u64, chance: f64, least: u64) -> f64 {
    match least {
        0 => 1.0,
        least if least > trials => 0.0,
        _ if chance.is_nan() => 1.0,
        least => {
            let others = trials - least + 1;
            incomplete_beta(least as f64, others as f64, chance).clamp(0.0, 1.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, added up term by term.
    fn summed(trials: u64, chance: f64, least: u64) -> f64 {
        let mut term = (1.0 - chance).powi(trials as i32);
        let mut sum = if least == 0 { term } else { 0.0 };
        for hits in 1..=trials {
            term *= (trials - hits + 1) as f64 / hits as f64 * chance / (1.0 - chance);
            sum += if hits >= least { term } else { 0.0 };
        }
        sum
    }

    #[test]
    fn known_tails() {
        for (trials, chance, least, tail) in [
            (1, 0.01, 1, 0.01),
            (2, 0.5, 1, 0.75),
            (5, 0.01, 5, 1e-10),
            (10, 0.5, 8, 56.0 / 1024.0),
            (3, 0.2, 0, 1.0),
            (3, 0.2, 4, 0.0),
            (0, 0.2, 1, 0.0),
            (3, 0.0, 1, 0.0),
            (3, 1.0, 3, 1.0),
            (3, f64::NAN, 1, 1.0),
        ] {
            let found = binomial_tail(trials, chance, least);
            let near = (found - tail).abs() <= 1e-9 * tail;
            assert!(near, "{least} of {trials} at {chance}: {found} is not {tail}");
        }
    }

    #[test]
    fn many_trials_are_near_the_normal_distribution() {
        // Of a million at a half, 3 standard deviations of 500 above the mean.
        let tail = binomial_tail(1_000_000, 0.5, 501_500);
        assert!((tail / 1.3499e-3 - 1.0).abs() < 0.02, "{tail}");
    }

    proptest! {
        #[test]
        fn it_is_the_sum_of_its_terms(
            trials in 1u64..400, chance in 0.001f64..0.8, at in 0.0f64..1.0
        ) {
            let least = (at * trials as f64) as u64;
            let found = binomial_tail(trials, chance, least);
            let sum = summed(trials, chance, least);
            prop_assert!((found - sum).abs() < 1e-9, "{found} is not {sum}");
        }

        #[test]
        fn more_hits_are_less_likely_and_a_greater_chance_makes_them_likelier(
            trials in 1u64..100_000, chance in 0.0f64..0.9, at in 0.0f64..1.0
        ) {
            let least = (at * trials as f64) as u64;
            let tail = binomial_tail(trials, chance, least);
            prop_assert!((0.0..=1.0).contains(&tail));
            prop_assert!(binomial_tail(trials, chance, least + 1) <= tail + 1e-7);
            prop_assert!(binomial_tail(trials, chance + 0.1, least) + 1e-7 >= tail);
            prop_assert!(binomial_tail(trials + 1, chance, least) + 1e-7 >= tail);
        }

        #[test]
        fn hits_and_misses_are_one_distribution(
            trials in 1u64..10_000, chance in 0.0f64..1.0, at in 0.0f64..1.0
        ) {
            // Either there are so many hits, or so many misses that there are fewer hits.
            let least = 1 + (at * (trials - 1) as f64) as u64;
            let hits = binomial_tail(trials, chance, least);
            let misses = binomial_tail(trials, 1.0 - chance, trials - least + 1);
            prop_assert!((hits + misses - 1.0).abs() < 1e-7, "{hits} + {misses}");
        }
    }
}
