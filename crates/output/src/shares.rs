//! Distributions as shares in percent, rounded so that a non-zero count never shows as zero.

use fathom_stats::{BatchCounts, DepthCounts, LatencyBuckets};

/// Names of the depths in [`DepthCounts`].
pub(crate) const DEPTHS: [&str; 7] = ["1", "2", "4", "8", "16", "32", ">=64"];
/// Names of the batch sizes in [`BatchCounts`].
pub(crate) const BATCHES: [&str; 7] = ["0", "4", "8", "16", "32", "64", ">=64"];
/// Names of the limits below 1000 of a unit.
pub(crate) const LIMITS: [&str; 10] =
    ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"];
/// Names of the limits in milliseconds.
pub(crate) const LIMITS_MS: [&str; 12] =
    ["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"];

/// Shares of depths, each at least 0.1 if it occurred at all.
pub(crate) fn depths(counts: &DepthCounts, total_ios: u64) -> [f64; 7] {
    counts.0.map(|count| share(count, total_ios, 0.1))
}

/// Shares of batch sizes, each at least 0.1 if it occurred at all.
pub(crate) fn batches(counts: &BatchCounts) -> [f64; 7] {
    let total = counts.total();
    counts.0.map(|count| share(count, total, 0.1))
}

/// Shares of coarse latencies in ns, us and ms, each at least 0.01 if it occurred at all.
pub(crate) fn latencies(buckets: &LatencyBuckets, total_ios: u64) -> [Vec<f64>; 3] {
    [buckets.ns(), buckets.us(), buckets.ms()]
        .map(|counts| counts.iter().map(|count| share(*count, total_ios, 0.01)).collect())
}

/// Share of all latencies below 1 us, at least 0.01 if there was one.
pub(crate) fn below_1us(buckets: &LatencyBuckets, total_ios: u64) -> f64 {
    share(buckets.ns().iter().sum(), total_ios, 0.01)
}

/// User and system time in percent of the measured time.
pub(crate) fn cpu(user_us: u64, system_us: u64, runtime_ms: u64) -> (f64, f64) {
    if runtime_ms == 0 {
        return (0.0, 0.0);
    }
    let share = |us: u64| (us as f64 / 1000.0) * 100.0 / runtime_ms as f64;
    (share(user_us), share(system_us))
}

fn share(count: u64, total: u64, least: f64) -> f64 {
    if count == 0 || total == 0 {
        return 0.0;
    }
    (100.0 * count as f64 / total as f64).max(least)
}

/// A mean's share of the group's bandwidth, in percent, at most 100, as in JSON and the text: fio
/// truncates the mean to whole KiB/s there.
pub(crate) fn of_group(mean_kib: f64, group_kib: f64) -> f64 {
    part(mean_kib.trunc(), group_kib)
}

/// The same as terse lines show it: fio cuts the group's bandwidth there instead.
pub(crate) fn terse_of_group(mean_kib: f64, group_kib: f64) -> f64 {
    part(mean_kib, group_kib.trunc())
}

fn part(mean_kib: f64, group_kib: f64) -> f64 {
    if group_kib <= 0.0 {
        return if mean_kib > 0.0 { 100.0 } else { 0.0 };
    }
    (mean_kib * 100.0 / group_kib).min(100.0)
}
