//! Which of several clients are far slower than the others.
//!
//! A client lags if a gap parts it from the others: the slowest of these is half as fast again,
//! and the gap is wider than all by which they differ among themselves. Less happens by chance: of
//! three alike on a busy machine one was a quarter slower than the other two, which differed by
//! 2 %. The others are most of the clients, and at least two: of two clients nobody can say which
//! one is at fault. Whoever calls leaves out clients that failed: they have a reason of their own.

/// The least ratio of the slowest of the others to one that lags.
const LEAST_GAP: f64 = 1.5;

/// The places in `rates` of those that lag, the slowest first.
pub fn laggards(rates: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..rates.len()).filter(|at| rates[*at].is_finite()).collect();
    places.sort_by(|a, b| rates[*a].total_cmp(&rates[*b]));
    let ratio = |slow: usize, fast: usize| rates[places[fast]] / rates[places[slow]];
    let last = places.len().saturating_sub(1);
    let parts = |slow: &usize| {
        let (gap, spread) = (ratio(slow - 1, *slow), ratio(*slow, last));
        gap >= LEAST_GAP && gap > spread
    };
    let most = places.len().saturating_sub(1) / 2;
    // As many as a gap parts from the others: two that are slow in different ways both lag.
    let count = (1..=most).rev().find(parts).unwrap_or(0);
    places.truncate(count);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_far_outside_the_spread_of_the_others_lags() {
        assert_eq!(laggards(&[1000.0, 1010.0, 990.0, 600.0]), [3]);
        assert_eq!(laggards(&[1000.0, 310.0, 990.0, 300.0, 1005.0]), [3, 1]);
        assert_eq!(laggards(&[0.0, 990.0, 1000.0]), [0], "it did nothing at all");
    }

    #[test]
    fn what_happens_by_chance_is_no_lag() {
        // Both were measured: 5 % below a tight group, and one of clients that differ fourfold.
        let tight = [2050.0, 2170.0, 2100.0, 1998.0, 2080.0, 2130.0];
        let wide = [796.0, 1440.0, 5822.0, 3000.0, 2200.0, 4100.0];
        for rates in [&tight[..], &wide, &[2634.0, 2101.0, 2699.0], &[10.0, 1000.0], &[5.0], &[]] {
            assert_eq!(laggards(rates), Vec::<usize>::new(), "{rates:?}");
        }
    }

    #[test]
    fn half_of_them_do_not_lag() {
        assert_eq!(laggards(&[300.0, 301.0, 1000.0, 1001.0]), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn all_that_lag_are_slower_than_all_others(
            rates in prop::collection::vec(1.0f64..1e6, 0..40)
        ) {
            let slow = laggards(&rates);
            prop_assert!(slow.len() * 2 < rates.len().max(1));
            let others = || (0..rates.len()).filter(|at| !slow.contains(at));
            for at in &slow {
                prop_assert!(others().all(|other| rates[other] >= rates[*at] * 1.499));
            }
        }
    }
}
