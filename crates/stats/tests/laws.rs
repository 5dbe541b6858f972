//! Adding up is exact: it has a zero, groups as one likes, and equals recording all at once.

use crate::samples::{blank, direction, ios, job, latency_ns, moments, record};
use fathom_stats::{
    BatchCounts, CoarseHistogram, DepthCounts, DirectionStats, Histogram, Interval, JobResult,
    LatencyBuckets, LatencySlice, LatencyStats, Moments, RateSummary, Series, SeriesInterval,
    SliceStart,
};
use fathom_vocab::Direction;
use proptest::prelude::*;
use std::fmt::Debug;

fn merged<T: Clone>(merge: fn(&mut T, &T), a: &T, b: &T) -> T {
    let mut out = a.clone();
    merge(&mut out, b);
    out
}

/// Zero on both sides, and any grouping.
fn is_monoid<T: Clone + Debug + PartialEq>(merge: fn(&mut T, &T), zero: &T, [a, b, c]: [&T; 3]) {
    assert_eq!(&merged(merge, a, zero), a, "a zero on the right");
    assert_eq!(&merged(merge, zero, a), a, "a zero on the left");
    let left = merged(merge, &merged(merge, a, b), c);
    let right = merged(merge, a, &merged(merge, b, c));
    assert_eq!(left, right, "another grouping");
}

fn commutes<T: Clone + Debug + PartialEq>(merge: fn(&mut T, &T), a: &T, b: &T) {
    assert_eq!(merged(merge, a, b), merged(merge, b, a), "another order");
}

/// What does not depend on who came first.
fn figures(job: &JobResult) -> JobResult {
    let mut job = job.clone();
    (job.name, job.description, job.options) = Default::default();
    (job.error, job.error_text, job.first_error) = Default::default();
    (job.setup, job.latency_target, job.steady_state) = Default::default();
    job
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn moments_add_up(a in moments(), b in moments(), c in moments()) {
        is_monoid(Moments::merge, &Moments::default(), [&a, &b, &c]);
        commutes(Moments::merge, &a, &b);
    }

    #[test]
    fn jobs_add_up(a in job(), b in job(), c in job()) {
        let left = merged(JobResult::merge, &merged(JobResult::merge, &a, &b), &c);
        let right = merged(JobResult::merge, &a, &merged(JobResult::merge, &b, &c));
        prop_assert_eq!(left, right);
        prop_assert_eq!(&merged(JobResult::merge, &a, &blank()), &a);
        let (ab, ba) = (merged(JobResult::merge, &a, &b), merged(JobResult::merge, &b, &a));
        prop_assert_eq!(figures(&ab), figures(&ba));
        prop_assert_eq!(ab.error, if a.error == 0 { b.error } else { a.error });
        prop_assert_eq!(ab.name, a.name);
    }

    #[test]
    fn parts_of_a_job_add_up(a in job(), b in job(), c in job()) {
        is_monoid(DepthCounts::merge, &DepthCounts::default(), [&a.depth, &b.depth, &c.depth]);
        commutes(DepthCounts::merge, &a.depth, &b.depth);
        let batches = [&a.submit, &b.complete, &c.submit];
        is_monoid(BatchCounts::merge, &BatchCounts::default(), batches);
        commutes(BatchCounts::merge, batches[0], batches[1]);
        let buckets = [&a.lat_buckets, &b.lat_buckets, &c.lat_buckets];
        is_monoid(LatencyBuckets::merge, &LatencyBuckets::default(), buckets);
        commutes(LatencyBuckets::merge, buckets[0], buckets[1]);
        is_monoid(LatencyStats::merge, &LatencyStats::default(), [&a.sync, &b.sync, &c.sync]);
        commutes(LatencyStats::merge, &a.sync, &b.sync);
        let histograms = [&a.sync.histogram, &b.sync.histogram, &Histogram::allocated()];
        is_monoid(Histogram::merge, &Histogram::default(), histograms);
        is_monoid(Histogram::merge, &Histogram::allocated(), histograms);
        is_monoid(Series::merge, &Series::default(), [&a.series, &b.series, &c.series]);
        commutes(Series::merge, &a.series, &b.series);
        let slices = [&a.latencies, &b.latencies, &c.latencies];
        is_monoid(Series::merge, &Series::default(), slices);
        commutes(Series::merge, slices[0], slices[1]);
    }

    #[test]
    fn slices_are_the_distribution_cut_by_time(ios in ios(), cut in 0usize..40) {
        let mut job = blank();
        let mut start = SliceStart::of(&job);
        let mut slices = Series::<LatencySlice>::new(1000);
        for (second, ios) in ios.chunks(cut.max(1)).enumerate() {
            record(&mut job, ios);
            slices.at(second as u64 * 1000).merge(&start.next(&job));
        }
        let mut whole = LatencySlice::default();
        slices.intervals.iter().for_each(|slice| whole.merge(slice));
        prop_assert_eq!(&whole, &SliceStart::of(&blank()).next(&job));
        for (dir, stats) in job.dirs.iter() {
            prop_assert_eq!(whole.0[dir].total(), stats.lat.histogram.total());
            let pairs = stats.lat.histogram.bins().collect::<Vec<_>>();
            prop_assert_eq!(&whole.0[dir], &CoarseHistogram::from(pairs));
        }
    }

    #[test]
    fn a_step_holds_what_lies_between_its_ends(ns in latency_ns()) {
        let histogram = CoarseHistogram::from(vec![(ns, 3)]);
        let steps: Vec<_> = histogram.steps().collect();
        prop_assert_eq!(steps.len(), 1);
        let (step, count) = steps[0];
        prop_assert_eq!(count, 3);
        let (least, next) = (CoarseHistogram::least_of(step), CoarseHistogram::least_of(step + 1));
        prop_assert!(least <= ns);
        // The last step has no end.
        prop_assert!(ns < next || next == least);
    }

    #[test]
    fn directions_add_up(a in direction(), b in direction(), c in direction()) {
        is_monoid(DirectionStats::merge, &DirectionStats::default(), [&a, &b, &c]);
        commutes(DirectionStats::merge, &a, &b);
    }

    #[test]
    fn recording_all_equals_merging_parts(ios in ios(), at in 0usize..40) {
        let at = at.min(ios.len());
        let (mut whole, mut first, mut second) = (blank(), blank(), blank());
        record(&mut whole, &ios);
        record(&mut first, &ios[..at]);
        record(&mut second, &ios[at..]);
        first.merge(&second);
        prop_assert_eq!(first, whole);
    }

    #[test]
    fn means_of_submission_and_completion_make_the_total(ios in ios()) {
        let mut job = blank();
        record(&mut job, &ios);
        for (_, stats) in job.dirs.iter() {
            let (slat, clat, lat) = (&stats.slat.moments, &stats.clat.moments, &stats.lat.moments);
            prop_assert_eq!(slat.sum + clat.sum, lat.sum);
            // Floats round the means; sums of years of nanoseconds leave less than that.
            let error = (slat.mean() + clat.mean() - lat.mean()).abs();
            prop_assert!(error <= 1.0f64.max(lat.mean() * 1e-15), "off by {}", error);
        }
    }

    #[test]
    fn rates_of_clones_add_up_as_fio_adds_them(a in moments(), b in moments()) {
        let (one, two) = (RateSummary::of(&a), RateSummary::of(&b));
        let mut both = one;
        both.add(&two);
        prop_assert_eq!(both.samples, a.count + b.count);
        prop_assert_eq!(both.mean, a.mean() + b.mean());
        prop_assert_eq!(one.stddev(), if a.count > 1 { one.stddev() } else { 0.0 });
        let near = (one.stddev() - a.stddev()).abs() <= 1e-9 * a.stddev();
        prop_assert!(near, "{} {}", one.stddev(), a.stddev());
    }

    #[test]
    fn a_series_keeps_every_io_in_bounded_memory(
        times in prop::collection::vec(0u64..10_000_000_000, 1..50),
        interval_ms in 1u64..2000,
    ) {
        let mut series = Series::new(interval_ms);
        for at_ms in &times {
            series.record(*at_ms, Direction::Write, 10, at_ms % 77);
        }
        prop_assert!(series.intervals.len() <= Interval::CAP);
        let last = *times.iter().max().expect("not empty");
        prop_assert_eq!(series.intervals.len() as u64, last / series.interval_ms + 1);
        let mut total = Interval::default();
        series.intervals.iter().for_each(|interval| total.merge(interval));
        prop_assert_eq!(total.ios.write, times.len() as u64);
        prop_assert_eq!(total.clat_sum_ns.write, times.iter().map(|t| t % 77).sum::<u64>());
        prop_assert_eq!(Some(total.clat_max_ns), times.iter().map(|t| t % 77).max());
        for (at, interval) in series.measured() {
            let inside = times.iter().filter(|t| (at..at + series.interval_ms).contains(t));
            prop_assert_eq!(interval.ios.write, inside.count() as u64);
        }
    }

    #[test]
    fn series_of_unlike_intervals_meet_where_both_fit(
        a in prop::collection::vec(0u64..20_000, 1..40),
        b in prop::collection::vec(0u64..20_000, 1..40),
        (x, y) in (1u64..60, 1u64..60),
    ) {
        let fill = |length: u64, times: &[u64]| {
            let mut series = Series::new(length * 10);
            times.iter().for_each(|t| series.record(*t, Direction::Read, 1, 1));
            series
        };
        let (one, two) = (fill(x, &a), fill(y, &b));
        let mut both = one.clone();
        both.merge(&two);
        prop_assert_eq!(both.interval_ms % one.interval_ms, 0);
        prop_assert_eq!(both.interval_ms % two.interval_ms, 0);
        for (at, interval) in both.measured() {
            let span = at..at + both.interval_ms;
            let inside = a.iter().chain(&b).filter(|t| span.contains(t)).count() as u64;
            prop_assert_eq!(interval.ios.read, inside);
        }
        commutes(Series::merge, &one, &two);
    }
}

#[test]
fn time_without_completions_shows_and_ramp_is_skipped() {
    let mut series = Series::new(100);
    series.ramp_intervals = 2;
    series.record(250, Direction::Read, 1, 1);
    series.advance(450);
    let measured: Vec<(u64, u64)> =
        series.measured().map(|(at, interval)| (at, interval.ios.read)).collect();
    assert_eq!(measured, [(200, 1), (300, 0), (400, 0)]);
}

#[test]
fn depths_and_batches_count_where_fio_counts_them() {
    let mut depths = DepthCounts::default();
    for (depth, place) in [
        (1, 0),
        (2, 1),
        (3, 1),
        (4, 2),
        (8, 3),
        (16, 4),
        (31, 4),
        (32, 5),
        (63, 5),
        (64, 6),
        (999, 6),
    ] {
        let before = depths.0[place];
        depths.record(depth, 2);
        assert_eq!(depths.0[place], before + 2, "depth {depth}");
    }
    let mut batches = BatchCounts::default();
    for (size, place) in [
        (0, 0),
        (1, 1),
        (4, 1),
        (5, 2),
        (8, 2),
        (9, 3),
        (16, 3),
        (17, 4),
        (33, 5),
        (64, 5),
        (65, 6),
        (5000, 6),
    ] {
        let before = batches.0[place];
        batches.record(size);
        assert_eq!(batches.0[place], before + 1, "batch {size}");
    }
}
