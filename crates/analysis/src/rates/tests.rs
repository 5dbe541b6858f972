//! Omitted and joined intervals, and that nothing else is lost.

use super::*;
use fathom_vocab::Direction;
use proptest::prelude::*;

const EVERY_MS: u64 = 100;

/// An interval with `reads` reads and `writes` writes of 4 KiB, 1 and 2 us each.
fn interval(reads: u64, writes: u64) -> Interval {
    let mut interval = Interval::default();
    (interval.ios.read, interval.ios.write) = (reads, writes);
    (interval.bytes.read, interval.bytes.write) = (reads * 4096, writes * 4096);
    (interval.clat_sum_ns.read, interval.clat_sum_ns.write) = (reads * 1000, writes * 2000);
    interval
}

/// A clone that ramped for `ramp_ms` and was then measured for `measured_ms`, with these reads.
fn clone(reads: &[u64], ramp_ms: u64, measured_ms: u64) -> JobResult {
    let intervals = reads.iter().map(|reads| interval(*reads, 0)).collect();
    let ramp_intervals = ramp_ms.div_ceil(EVERY_MS) as u32;
    let mut job = JobResult {
        elapsed_ms: ramp_ms + measured_ms,
        runtime_ms: measured_ms,
        series: Series { interval_ms: EVERY_MS, ramp_intervals, intervals },
        ..JobResult::default()
    };
    job.dirs.read.runtime_ms = measured_ms;
    job
}

#[test]
fn ramp_and_cut_intervals_are_left_out() {
    // The tail of a few milliseconds that a run leaves when it ends just after an edge.
    let rates = Rates::of_jobs(&[clone(&[7, 7, 10, 20, 1], 200, 203)], None, 0.1);
    assert_eq!(rates.iops, [100.0, 200.0]);
    assert_eq!(rates.clat_mean_ns, [1000.0, 1000.0]);
    assert!((rates.bytes_per_s[1] - 200.0 * 4096.0).abs() < 1e-6);
    assert!((rates.duration_s() - 0.2).abs() < 1e-9);
    // A run that ends on an edge keeps its last interval, also if the clock rounds down.
    for measured_ms in [299, 300, 301] {
        let rates = Rates::of_jobs(&[clone(&[7, 7, 10, 20, 30], 200, measured_ms)], None, 0.1);
        assert_eq!(rates.iops, [100.0, 200.0, 300.0], "{measured_ms} ms");
    }
}

#[test]
fn times_that_were_rounded_apart_cost_no_interval() {
    // Measured from 199.6 to 500.4 ms: 301 ms of 500.
    let mut job = clone(&[7, 7, 10, 20, 30], 200, 300);
    job.dirs.read.runtime_ms = 301;
    assert_eq!(Rates::of_jobs(&[job], None, 0.1).iops, [100.0, 200.0, 300.0]);
}

#[test]
fn intervals_that_begin_late_are_whole_late() {
    // A ramp of 250 ms: intervals begin at 250, 350, 450; the last is 60 ms long.
    let rates = Rates::of_jobs(&[clone(&[7, 7, 9, 10, 10, 6], 250, 360)], None, 0.1);
    assert_eq!(rates.iops, [100.0, 100.0]);
    let rates = Rates::of_jobs(&[clone(&[7, 7, 9, 10, 10, 10], 250, 400)], None, 0.1);
    assert_eq!(rates.iops, [100.0, 100.0, 100.0]);
}

#[test]
fn clones_add_up_over_their_common_time() {
    let short = clone(&[5, 10, 10], 100, 200);
    let long = clone(&[5, 10, 10, 30, 30], 100, 400);
    assert_eq!(Rates::of_jobs(&[short.clone(), long], None, 0.1).iops, [200.0, 200.0]);
    // A clone that failed to start has no series and says nothing about time.
    let rates = Rates::of_jobs(&[JobResult::default(), short], None, 0.1);
    assert_eq!(rates.iops, [100.0, 100.0]);
}

#[test]
fn merged_clones_have_the_same_times() {
    let one = clone(&[7, 7, 9, 10, 10, 6], 250, 360);
    let mut merged = one.clone();
    merged.merge(&one);
    assert_eq!(
        Rates::of_jobs(&[merged], None, 0.1),
        Rates::of_jobs(&[one.clone(), one], None, 0.1)
    );
}

#[test]
fn directions_stand_alone_or_together() {
    let mut job = clone(&[], 0, 100);
    job.series.intervals = vec![interval(30, 10)];
    let of = |direction| Rates::of_jobs(std::slice::from_ref(&job), direction, 0.1);
    assert_eq!(of(Some(Direction::Read)).iops, [300.0]);
    assert_eq!(of(Some(Direction::Write)).clat_mean_ns, [2000.0]);
    assert_eq!(of(None).iops, [400.0]);
    assert_eq!(of(None).clat_mean_ns, [1250.0]);
    let trims = of(Some(Direction::Trim));
    assert_eq!(trims.iops, [0.0]);
    assert!(trims.clat_mean_ns[0].is_nan(), "no I/O has no latency");
}

#[test]
fn nothing_gives_nothing() {
    let nothing = Rates::default();
    assert_eq!(Rates::of_jobs(&[], None, 1.0), nothing);
    assert_eq!(Rates::of_jobs(&[JobResult::default()], None, 1.0), nothing);
    assert_eq!(Rates::of_jobs(&[clone(&[7, 7], 200, 0)], None, 1.0), nothing);
    assert_eq!(Rates::of_jobs(&[clone(&[1, 1, 1], 0, 300)], None, 1.0), nothing);
    assert_eq!(Rates::of_series(&Series::default(), None, 1.0), nothing);
    assert_eq!(Rates::of_series(&Series::new(100), None, f64::NAN), nothing);
}

#[test]
fn any_wanted_length_is_taken() {
    let job = clone(&[1, 2, 3, 4], 0, 400);
    let of = |wanted_s| Rates::of_jobs(std::slice::from_ref(&job), None, wanted_s);
    for wanted_s in [f64::NAN, -1.0, 0.0, 0.1] {
        assert_eq!(of(wanted_s).len(), 4, "{wanted_s}");
    }
    assert_eq!(of(0.2).iops, [15.0, 35.0]);
    assert_eq!(of(0.3).iops, [20.0], "the last group is cut short");
    assert!(of(f64::INFINITY).is_empty());
}

proptest! {
    #[test]
    fn no_whole_interval_is_lost(
        reads in prop::collection::vec(0u64..10_000, 1..200), ramp in 0u32..20, group in 1usize..12
    ) {
        let series = Series {
            interval_ms: EVERY_MS,
            ramp_intervals: ramp,
            intervals: reads.iter().map(|reads| interval(*reads, 1)).collect(),
        };
        let rates = Rates::of_series(&series, Some(Direction::Read), group as f64 * 0.1);
        let end = reads.len() - 1;
        let measured = &reads[(ramp as usize).min(end)..end];
        let whole = measured.len() / group * group;
        let total: f64 = rates.iops.iter().map(|iops| iops * rates.interval_s).sum();
        let expected: u64 = measured[..whole].iter().sum();
        prop_assert_eq!(rates.len(), measured.len() / group);
        prop_assert!((total - expected as f64).abs() < 1e-6 * (1.0 + expected as f64));
    }

    #[test]
    fn splitting_work_among_clones_changes_nothing(
        reads in prop::collection::vec((0u64..5000, 0u64..5000), 1..50)
    ) {
        let elapsed = reads.len() as u64 * EVERY_MS;
        let sides = [
            clone(&reads.iter().map(|pair| pair.0).collect::<Vec<_>>(), 0, elapsed),
            clone(&reads.iter().map(|pair| pair.1).collect::<Vec<_>>(), 0, elapsed),
        ];
        let sums: Vec<u64> = reads.iter().map(|pair| pair.0 + pair.1).collect();
        let (split, whole) =
            (Rates::of_jobs(&sides, None, 0.1), Rates::of_jobs(&[clone(&sums, 0, elapsed)], None, 0.1));
        prop_assert_eq!(split.iops, whole.iops);
        prop_assert_eq!(split.bytes_per_s, whole.bytes_per_s);
    }
}

#[test]
fn latencies_by_ios_vary_as_the_rate_of_a_run_that_keeps_its_depth() {
    let iops = vec![1000.0, 1000.0, 100.0, 1000.0, 0.0, 1900.0];
    // 8 I/Os in flight: a slow interval has few of them.
    let clat_mean_ns: Vec<f64> = iops.iter().map(|iops| 8e9 / iops).collect();
    let bytes_per_s = iops.clone();
    let mut rates = Rates { interval_s: 1.0, iops, bytes_per_s, clat_mean_ns };
    // No I/O completed, so there is no mean.
    rates.clat_mean_ns[4] = f64::NAN;
    let values = rates.latencies_by_ios();
    let of_all_ios = 5.0 * 8e9 / 5000.0;
    let mean = values.iter().sum::<f64>() / 6.0;
    assert!((mean / of_all_ios - 1.0).abs() < 1e-9, "{mean}");
    let most = values.iter().copied().fold(0.0, f64::max);
    assert!(most < 2.5 * of_all_ios, "{values:?}");
    assert_eq!(Rates::default().latencies_by_ios(), Vec::<f64>::new());
}
