//! Each value once; and no pattern in the order that a drive could exploit.
//!
//! Bounds are 6.5 standard deviations or more of a true shuffle (8e-11 a check); keys are fixed, so
//! a failure is a change of the code, not chance.

use super::*;
use proptest::prelude::*;
use std::collections::HashSet;

fn pass(len: u64, key: u64) -> Vec<u64> {
    let mut order = Permutation::new(len, key);
    (0..len).map(|_| order.next()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]
    #[test]
    fn each_value_once(len in 1u64..5000, key: u64) {
        let order = Permutation::new(len, key);
        let seen: HashSet<u64> = pass(len, key).into_iter().collect();
        prop_assert_eq!(seen.len() as u64, len);
        prop_assert!(seen.iter().all(|&value| value < len));
        let places: HashSet<u64> = (0..len).map(|rank| order.at(rank)).collect();
        prop_assert_eq!(places.len() as u64, len);
        prop_assert!(places.iter().all(|&value| value < len));
    }

    #[test]
    fn huge_ranges_do_not_repeat(bits in 30u32..63, below in 0u64..1 << 29, key: u64) {
        let len = (1u64 << bits) - below;
        let mut order = Permutation::new(len, key);
        let seen: HashSet<u64> = (0..2000).map(|_| order.next()).collect();
        prop_assert_eq!(seen.len(), 2000);
        prop_assert!(seen.iter().all(|&value| value < len));
        let places: HashSet<u64> = (0..2000).map(|rank| order.at(rank)).collect();
        prop_assert_eq!(places.len(), 2000);
    }
}

const LENS: [u64; 8] = [1000, 1024, 4099, 65_536, 65_537, 100_000, 262_144, 1_000_003];

/// Correlation of each value with its successor and with that 2 and 7 further on: for a
/// shuffle about -1/n with a standard deviation of 1/sqrt(n).
#[test]
fn neighbours_do_not_correlate() {
    for len in LENS {
        for key in 0..8 {
            let values = pass(len, key);
            let n = len as f64;
            let centred: Vec<f64> = values.iter().map(|&v| v as f64 - (n - 1.0) / 2.0).collect();
            let variance: f64 = centred.iter().map(|v| v * v).sum();
            for lag in [1, 2, 7] {
                let sum: f64 = centred.iter().zip(&centred[lag..]).map(|(a, b)| a * b).sum();
                let r = sum / variance;
                assert!(r.abs() < 6.5 / n.sqrt(), "{len}, key {key}, lag {lag}: {r}");
            }
        }
    }
}

/// Chi-square over 64 cells of each prefix; drawn without return it can only be less than the
/// 63 ± 11.2 of independent draws. The 1 - 1e-10 quantile at 63 degrees is 156.
#[test]
fn each_prefix_is_spread_evenly() {
    for len in LENS.into_iter().chain([1 << 32, (1 << 38) + 1, 1 << 48]) {
        for key in 0..8 {
            let mut order = Permutation::new(len, key);
            let mut cells = [0f64; 64];
            let mut drawn = 0;
            for prefix in [len / 4, len / 2, len * 3 / 4].map(|part| part.clamp(320, 300_000)) {
                while drawn < prefix {
                    cells[(u128::from(order.next()) * 64 / u128::from(len)) as usize] += 1.0;
                    drawn += 1;
                }
                let want = drawn as f64 / 64.0;
                let chi: f64 = cells.iter().map(|cell| (cell - want).powi(2) / want).sum();
                assert!(chi < 156.0, "{len}, key {key}, first {drawn}: {chi}");
            }
        }
    }
}

/// Steps from one value to the next: as a share of the range, modulo the range, they are evenly
/// spread for a shuffle. A generator that leaps by a constant fails here at once.
#[test]
fn steps_are_spread_evenly() {
    for len in LENS {
        for key in 0..8 {
            let values = pass(len, key);
            let mut cells = [0f64; 64];
            for two in values.windows(2) {
                cells[((two[1] + len - two[0]) % len * 64 / len) as usize] += 1.0;
            }
            let want = (len - 1) as f64 / 64.0;
            let chi: f64 = cells.iter().map(|cell| (cell - want).powi(2) / want).sum();
            assert!(chi < 156.0, "{len}, key {key}: {chi}");
        }
    }
}

/// A successor that is the next block would be sequential I/O: about one in n, whatever n.
#[test]
fn runs_are_rare_and_keys_differ() {
    for len in [3, 10, 64, 100, 1000] {
        let keys = 2000;
        let next = |values: &Vec<u64>| values.windows(2).filter(|w| w[1] == w[0] + 1).count();
        let passes: Vec<Vec<u64>> = (0..keys).map(|key| pass(len, key)).collect();
        let runs: usize = passes.iter().map(next).sum();
        // Expected (n - 1) / n a pass, variance below 1.
        let want = keys as f64 * (len - 1) as f64 / len as f64;
        assert!((runs as f64 - want).abs() < 0.35 * want, "{len}: {runs} for {want}");
        let mut first = vec![0f64; len as usize];
        passes.iter().for_each(|values| first[values[0] as usize] += 1.0);
        let share = keys as f64 / len as f64;
        let worst = first.iter().map(|count| (count - share).abs()).fold(0.0, f64::max);
        assert!(worst < 7.0 * share.sqrt() + 4.0, "{len}: {worst}");
    }
}

/// With few blocks there are few orders, and each must come as often as any other.
#[test]
fn all_orders_of_a_handful_come_alike() {
    for (len, orders) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let keys = 24_000;
        let mut counts = std::collections::HashMap::new();
        for key in 0..keys {
            *counts.entry(pass(len, key)).or_insert(0f64) += 1.0;
        }
        let want = keys as f64 / f64::from(orders);
        assert_eq!(counts.len(), orders as usize, "orders of {len}");
        let worst = counts.values().map(|count| (count - want).abs()).fold(0.0, f64::max);
        assert!(worst < 6.5 * want.sqrt(), "{len}: off by {worst} of {want}");
    }
}
