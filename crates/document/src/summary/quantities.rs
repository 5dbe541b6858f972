//! Quantities of a sentence, with as few digits as are useful.

use fathom_analysis::quantity::{megabytes_per_s, thousands};

/// A latency with two digits: `68 us`, `290 us`, `1.1 ms`.
pub(crate) fn brief_latency(ns: f64) -> String {
    let us = rounded(ns / 1e3, 2);
    match us {
        us if us < 1e3 => format!("{} us", digits(us)),
        us if us < 1e6 => format!("{} ms", digits(us / 1e3)),
        us => format!("{} s", digits(us / 1e6)),
    }
}

/// I/Os a second with three digits: `112,000 IOPS`.
pub(super) fn brief_iops(iops: f64) -> String {
    format!("{} IOPS", brief_count(iops))
}

/// A rate with three digits: `112,000`.
pub(super) fn brief_count(rate: f64) -> String {
    thousands(rounded(rate, 3))
}

/// Bytes a second: `46.2 MB/s`, `125 MB/s`, `1.9 GB/s`.
pub(super) fn brief_bandwidth(mb_per_s: f64) -> String {
    match rounded(mb_per_s, 3) {
        // Of the unrounded value: 1,248 MB/s are 1.2 GB/s, and 1,250 would be 1.3.
        mb if mb >= 1e3 => format!("{} GB/s", digits(rounded(mb_per_s / 1e3, 2))),
        mb => format!("{} MB/s", megabytes_per_s(mb)),
    }
}

/// `value` with this many significant digits.
fn rounded(value: f64, figures: i32) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 0.0;
    }
    let step = 10f64.powi(value.log10().floor() as i32 + 1 - figures);
    (value / step).round() * step
}

/// `1.1`, `68`, `290`: of a number that is rounded already.
fn digits(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_mean_nothing_are_left_out() {
        let latencies = [6_240.0, 68_100.0, 286_000.0, 999_600.0, 1_063_000.0, 81_300_000.0, 2.1e9];
        let texts = ["6.2 us", "68 us", "290 us", "1.0 ms", "1.1 ms", "81 ms", "2.1 s"];
        assert_eq!(latencies.map(brief_latency), texts);
        let rates = [111_965.0, 3_000.4, 99.6, 0.0].map(brief_iops);
        assert_eq!(rates, ["112,000 IOPS", "3,000 IOPS", "100 IOPS", "0 IOPS"]);
        let bandwidths = [1_866.0, 1_248.0, 999.7, 125.2, 46.0].map(brief_bandwidth);
        assert_eq!(bandwidths, ["1.9 GB/s", "1.2 GB/s", "1.0 GB/s", "125 MB/s", "46.0 MB/s"]);
        assert_eq!(brief_latency(f64::NAN), "0.0 us");
    }
}
