//! The histogram and the coarse distribution against their definitions.

use crate::samples::latency_ns;
use fathom_stats::{Histogram, LatencyBuckets, LatencyStats, Moments};
use proptest::prelude::*;

/// Upper limits in nanoseconds, exclusive, written out once more.
const LIMITS: [u64; 31] = [
    2,
    4,
    10,
    20,
    50,
    100,
    250,
    500,
    750,
    1_000,
    2_000,
    4_000,
    10_000,
    20_000,
    50_000,
    100_000,
    250_000,
    500_000,
    750_000,
    1_000_000,
    2_000_000,
    4_000_000,
    10_000_000,
    20_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    750_000_000,
    1_000_000_000,
    2_000_000_000,
];

fn coarse_place(value: u64) -> usize {
    let mut buckets = LatencyBuckets::default();
    buckets.record(value);
    assert_eq!(buckets.total(), 1);
    let all = [buckets.ns(), buckets.us(), buckets.ms()].concat();
    all.iter().position(|count| *count == 1).expect("one is counted")
}

fn naive_place(value: u64) -> usize {
    LIMITS.iter().position(|limit| value < *limit).unwrap_or(LIMITS.len())
}

#[test]
fn coarse_limits_and_their_neighbours() {
    let powers = (0..64).map(|log| 1u64 << log);
    for limit in LIMITS.into_iter().chain(powers).chain([u64::MAX]) {
        for value in [limit - 1, limit, limit.saturating_add(1)] {
            assert_eq!(coarse_place(value), naive_place(value), "{value}");
        }
    }
}

/// The last value below which every bucket is told apart.
const TOP_NS: u64 = 1 << 40;

#[test]
fn buckets_are_in_order_and_their_midpoint_lies_within() {
    let mut previous = None;
    for value in (0..200_000u64).chain((18..40).flat_map(|log| {
        let base = 1u64 << log;
        (0..128).flat_map(move |i| [base + i * (base >> 7), base + i * (base >> 7) + 1])
    })) {
        let bucket = Histogram::bucket_of(value);
        if let Some((last_value, last_bucket)) = previous {
            assert!(bucket >= last_bucket && (bucket - last_bucket <= 1 || value > last_value + 1));
        }
        let midpoint = Histogram::midpoint_of(bucket);
        assert_eq!(Histogram::bucket_of(midpoint), bucket, "{value}");
        assert!(midpoint.abs_diff(value) * 128 <= value, "{value} is far from {midpoint}");
        previous = Some((value, bucket));
    }
}

#[test]
fn what_is_slower_than_the_last_bucket_counts_in_it() {
    let mut histogram = Histogram::default();
    for value in [u64::MAX, TOP_NS, TOP_NS - 1] {
        histogram.record(value);
    }
    let bins: Vec<_> = histogram.bins().collect();
    assert_eq!(bins, [(Histogram::midpoint_of(Histogram::bucket_of(u64::MAX)), 3)]);
    // 18 minutes, well above what fio can tell apart (17 s).
    assert!(bins[0].0 > 1_000_000_000_000);
}

#[test]
fn bucket_midpoints_as_fio_prints_them() {
    // Values and keys of `bins` seen in fio 3.33's json+.
    for (value, key) in [
        (0, 0),
        (10, 10),
        (127, 127),
        (129, 129),
        (450, 450),
        (1853, 1848),
        (1873, 1880),
        (21_201, 21_120),
        (68_362, 68_096),
        (774_466, 774_144),
        (4_125_600, 4_112_384),
    ] {
        let found = Histogram::midpoint_of(Histogram::bucket_of(value));
        assert!(found == key || found.abs_diff(value) * 128 <= value, "{value}: {found}");
        assert_eq!(Histogram::midpoint_of(Histogram::bucket_of(key)), key);
    }
}

proptest! {
    #[test]
    fn coarse_places_of_any_value(value in any::<u64>(), shift in 0u32..64) {
        prop_assert_eq!(coarse_place(value >> shift), naive_place(value >> shift));
    }

    #[test]
    fn many_at_once_count_as_one_by_one(
        values in prop::collection::vec((any::<u64>(), 4u32..64), 0..200),
        least_shift in 4u32..64,
    ) {
        let values: Vec<u64> =
            values.into_iter().map(|(value, shift)| value >> shift.max(least_shift)).collect();
        let (mut together, mut single) = (LatencyStats::default(), LatencyStats::default());
        together.record_all(&values);
        values.iter().for_each(|value| single.record(*value));
        prop_assert_eq!(together.moments, single.moments);
        prop_assert_eq!(together.histogram.total(), single.histogram.total());
        prop_assert_eq!(together.percentiles(&[1.0, 50.0, 99.0]), single.percentiles(&[1.0, 50.0, 99.0]));
    }

    #[test]
    fn any_value_is_near_its_midpoint(value in latency_ns()) {
        let value = value % TOP_NS;
        let midpoint = Histogram::midpoint_of(Histogram::bucket_of(value));
        prop_assert!(midpoint.abs_diff(value) * 128 <= value);
    }

    #[test]
    fn percentiles_rise_and_are_the_values_of_ranks(
        values in prop::collection::vec(latency_ns(), 1..200),
        mut percents in prop::collection::vec(0.0f64..=100.0, 1..20),
    ) {
        let mut histogram = Histogram::allocated();
        values.iter().for_each(|v| histogram.record(*v));
        percents.sort_by(f64::total_cmp);
        let found = histogram.percentiles(&percents);
        prop_assert!(found.is_sorted());
        let mut sorted: Vec<u64> =
            values.iter().map(|v| Histogram::midpoint_of(Histogram::bucket_of(*v))).collect();
        sorted.sort();
        for (percent, value) in percents.iter().zip(&found) {
            let rank = (percent / 100.0 * values.len() as f64).ceil().max(1.0) as usize;
            prop_assert_eq!(*value, sorted[rank.min(sorted.len()) - 1]);
            prop_assert_eq!(*value, histogram.percentile(*percent));
        }
    }

    #[test]
    fn values_on_one_side_for_sure_are_all_but_those_of_its_bucket(
        values in prop::collection::vec(latency_ns(), 0..200),
        edge in latency_ns(),
    ) {
        let mut histogram = Histogram::default();
        values.iter().for_each(|v| histogram.record(*v));
        let (above, below) = (histogram.count_above(edge), histogram.count_below(edge));
        let count = |on: &dyn Fn(u64) -> bool| values.iter().filter(|v| on(**v)).count() as u64;
        let bucket = Histogram::bucket_of(edge);
        let within = count(&|v| Histogram::bucket_of(v) == bucket);
        prop_assert!(above <= count(&|v| v > edge) && below <= count(&|v| v < edge));
        prop_assert_eq!(above + below + within, values.len() as u64);
        prop_assert_eq!(Histogram::default().count_above(edge), 0);
    }

    #[test]
    fn moments_are_those_of_the_values(values in prop::collection::vec(0u64..1 << 40, 0..100)) {
        let mut moments = Moments::default();
        values.iter().for_each(|v| moments.record(*v));
        let n = values.len() as f64;
        let mean = if n > 0.0 { values.iter().sum::<u64>() as f64 / n } else { 0.0 };
        let squares: f64 = values.iter().map(|v| (*v as f64 - mean).powi(2)).sum();
        let stddev = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        prop_assert!((moments.mean() - mean).abs() <= 1e-9 * mean);
        prop_assert!((moments.stddev() - stddev).abs() <= 1e-6 * stddev.max(1.0));
        prop_assert_eq!(moments.min_or_zero(), values.iter().copied().min().unwrap_or(0));
        prop_assert_eq!(moments.max, values.iter().copied().max().unwrap_or(0));
    }

    #[test]
    fn bins_rebuild_a_histogram_and_a_difference(
        first in prop::collection::vec(latency_ns(), 0..50),
        second in prop::collection::vec(latency_ns(), 0..50),
    ) {
        let (mut all, mut rest) = (Histogram::default(), Histogram::default());
        first.iter().for_each(|v| all.record(*v));
        let earlier = all.clone();
        for value in &second {
            all.record(*value);
            rest.record(*value);
        }
        prop_assert_eq!(&Histogram::from_bins(all.bins()), &all);
        prop_assert_eq!(all.since(&earlier), rest);
        for coarseness in 0..=6 {
            let counts = all.fio_counts(coarseness);
            prop_assert_eq!(counts.len(), 1856 >> coarseness);
            prop_assert_eq!(counts.iter().sum::<u64>(), all.total());
        }
    }
}

#[test]
fn no_percentile_lies_beyond_the_longest_latency() {
    // The least of a bucket lies below its midpoint.
    for value in [1 << 20, 1 << 30, 100] {
        let mut latency = LatencyStats::default();
        latency.record(value);
        assert_eq!(latency.percentiles(&[1.0, 50.0, 99.9]), [value; 3]);
        assert_eq!(latency.percentile(99.0), value);
    }
    // fio's outputs show midpoints.
    let mut latency = LatencyStats::default();
    latency.record(1 << 20);
    assert_eq!(latency.histogram.percentile(99.0), (1 << 20) + (1 << 13));
    // A distribution whose moments are not known is taken as it is.
    latency.moments = Moments::default();
    assert_eq!(latency.percentile(99.0), latency.histogram.percentile(99.0));
}

#[test]
fn nothing_counted_has_percentile_zero() {
    assert_eq!(Histogram::default().percentiles(&[1.0, 99.0]), [0, 0]);
    assert_eq!(Histogram::allocated().percentile(50.0), 0);
}
