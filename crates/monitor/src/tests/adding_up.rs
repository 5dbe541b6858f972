//! Intervals add up to the whole, with any division, and their extremes enclose the mean.

use super::rates::{disk, reading};
use crate::{
    DiskRates, IntervalExtent, IntervalOutcome, MemoryCounts, Summary, SummaryOf, Tally, between,
};
use fathom_host::{DiskStats, Space};
use proptest::prelude::*;

fn counters(ios: u64, ticks: u64) -> DiskStats {
    DiskStats {
        name: "loop0".into(),
        major: 7,
        read_ios: ios,
        read_sectors: ios * 8,
        // As the kernel writes it: 32 bits.
        read_ticks_ms: ticks & u64::from(u32::MAX),
        ..DiskStats::default()
    }
}

/// Outcomes of readings at these moments, with so many reads and so much time of them between.
fn outcomes(steps: &[(u64, u64, u64)], start: (u64, u64)) -> Vec<IntervalOutcome> {
    let (mut ios, mut ticks) = start;
    let mut at = 0;
    let mut last = reading(at, counters(ios, ticks));
    let mut found = Vec::new();
    for (elapsed, more, time) in steps {
        (at, ios, ticks) = (at + elapsed, ios + more, ticks + time);
        let now = reading(at, counters(ios, ticks));
        found.push(between(&last, &now));
        last = now;
    }
    found
}

fn summary(outcomes: &[IntervalOutcome], cut: Option<&IntervalOutcome>) -> SummaryOf<DiskStats> {
    let mut tally = Tally::default();
    for outcome in outcomes {
        tally.add(outcome, IntervalExtent::Whole);
    }
    if let Some(outcome) = cut {
        tally.add(outcome, IntervalExtent::Cut);
    }
    match tally.summary() {
        Some(Summary::Disk(summary)) => summary,
        other => panic!("{other:?}"),
    }
}

fn summed(outcomes: &[IntervalOutcome]) -> SummaryOf<DiskStats> {
    summary(outcomes, None)
}

#[test]
fn a_mean_is_made_of_sums_and_not_of_means() {
    // 100 reads of 1 ms in one second, then 1 read of 102 ms in three.
    let found = outcomes(&[(1000, 100, 100), (3000, 1, 102)], (0, 0));
    let summary = summed(&found);
    assert_eq!((summary.intervals, summary.elapsed_s, summary.restarts), (2, 4.0, 0));
    assert_eq!(summary.totals.read_ios, 101);
    assert_eq!(summary.mean.reads_per_s, 101.0 / 4.0);
    assert_eq!(summary.mean.read_await_ms, Some(2.0));
    let extremes = |rates: &DiskRates| (rates.reads_per_s, rates.read_await_ms);
    assert_eq!(extremes(&summary.max), (100.0, Some(102.0)));
    assert_eq!(extremes(&summary.min), (1.0 / 3.0, Some(1.0)));
}

#[test]
fn an_interval_without_i_o_lowers_the_rates_and_leaves_the_times() {
    let found = outcomes(&[(1000, 0, 0), (1000, 10, 20), (1000, 0, 0)], (5, 5));
    let summary = summed(&found);
    assert_eq!((summary.min.reads_per_s, summary.min.read_await_ms), (0.0, Some(2.0)));
    assert_eq!(summary.max.read_await_ms, Some(2.0));
}

#[test]
fn a_cut_interval_adds_to_the_totals_and_makes_no_extremes() {
    let found = outcomes(&[(1000, 100, 100), (1000, 120, 100), (1, 50, 1)], (0, 0));
    let (cut, whole) = found.split_last().unwrap();
    let summary = summary(whole, Some(cut));
    assert_eq!((summary.intervals, summary.totals.read_ios), (2, 270));
    assert_eq!((summary.mean.reads_per_s, summary.max.reads_per_s), (110.0, 120.0));
    // With nothing else to tell, the cut one is told.
    let alone = self::summary(&[], Some(cut));
    assert_eq!((alone.intervals, alone.mean.reads_per_s), (1, 50_000.0));
    assert_eq!(Tally::default().summary(), None);
}

#[test]
fn a_device_that_is_gone_for_a_while_is_counted_over_the_time_that_passed() {
    let mut found = outcomes(&[(1000, 100, 100), (3000, 300, 100)], (0, 0));
    found.insert(1, IntervalOutcome::Gone);
    let summary = summed(&found);
    assert_eq!((summary.intervals, summary.elapsed_s), (2, 4.0));
    assert_eq!(summary.mean.reads_per_s, 100.0);
    let replaced = between(&reading(0, counters(900, 0)), &reading(1000, counters(30, 0)));
    let summary = summed(&[found[0].clone(), replaced]);
    assert_eq!((summary.restarts, summary.totals.read_ios), (1, 130));
}

#[test]
fn how_many_are_under_way_is_a_level_and_no_sum() {
    let at = |at_ms, in_flight| reading(at_ms, DiskStats { in_flight, ..counters(at_ms, 0) });
    let found = [between(&at(0, 9), &at(1000, 3)), between(&at(1000, 3), &at(2000, 5))];
    assert_eq!(summed(&found).totals.in_flight, 5);
}

#[test]
fn memory_that_fills_and_empties_adds_up() {
    let space = |used: u64| Space {
        total_bytes: 10_000_000,
        free_bytes: 10_000_000 - used,
        ..Space::default()
    };
    let grown = MemoryCounts::between(&space(1_000_000), &space(4_000_000));
    assert_eq!((grown.used_bytes, grown.grown_bytes), (4_000_000, 3_000_000));
    let shrunk = MemoryCounts::between(&space(4_000_000), &space(500_000));
    assert_eq!(shrunk.grown_bytes, -3_500_000);
    let mut sum = grown;
    crate::IntervalCounts::add(&mut sum, &shrunk);
    assert_eq!(sum, MemoryCounts::between(&space(1_000_000), &space(500_000)));
}

proptest! {
    #[test]
    fn however_time_is_cut_the_counts_add_up_and_the_mean_lies_between(
        steps in proptest::collection::vec((1u64..5000, 0u64..10_000, 0u64..100_000), 1..20),
        // Near the end of 32 bits, so that the times wrap.
        start in (0u64..1 << 40, u64::from(u32::MAX) - 500_000..u64::from(u32::MAX)),
    ) {
        // The kernel adds the time of a read when it completes.
        let with_time = |(ms, ios, ticks)| (ms, ios, if ios > 0 { ticks } else { 0 });
        let steps: Vec<(u64, u64, u64)> = steps.into_iter().map(with_time).collect();
        let found = outcomes(&steps, start);
        let summary = summed(&found);
        let sum = |of: fn(&(u64, u64, u64)) -> u64| steps.iter().map(of).sum::<u64>();
        let (ms, ios, ticks) = (sum(|s| s.0), sum(|s| s.1), sum(|s| s.2));
        prop_assert_eq!(summary.totals.read_ios, ios);
        prop_assert_eq!(summary.totals.read_sectors, ios * 8);
        prop_assert_eq!(summary.totals.read_ticks_ms, ticks);
        let whole = outcomes(&[(ms, ios, ticks)], start).remove(0);
        prop_assert_eq!(&summary.totals, &disk(whole.clone()).counts);
        prop_assert!((summary.mean.reads_per_s - ios as f64 * 1e3 / ms as f64).abs() < 1e-6);
        let rate = |rates: &DiskRates| rates.reads_per_s;
        prop_assert!(rate(&summary.min) <= rate(&summary.mean) + 1e-9);
        prop_assert!(rate(&summary.mean) <= rate(&summary.max) + 1e-9);
        prop_assert_eq!(summary.mean.read_await_ms.is_some(), ios > 0);
        if let Some(mean) = summary.mean.read_await_ms {
            prop_assert!(summary.min.read_await_ms.unwrap() <= mean + 1e-9);
            prop_assert!(mean <= summary.max.read_await_ms.unwrap() + 1e-9);
        }
    }
}
