//! Quantities as text: three significant figures, and always a unit.
//!
//! Bandwidths and sizes of volumes are decimal (MB, GB), as vendors and providers sell them; sizes
//! of blocks and test files are binary (KiB, GiB), as users choose them. Every function takes any
//! number, with infinities, and never fails: a sentence about odd input must still be a sentence.

/// A size chosen by a person, binary: `4 KiB`, `1.5 GiB`.
pub fn binary_bytes(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    scaled(bytes as f64, 1024.0, &UNITS)
}

/// A capacity, decimal: `500 GB`, `1.02 TB`.
pub fn decimal_bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    scaled(bytes as f64, 1000.0, &UNITS)
}

/// A volume's size as it was bought, in the base in which it is a round number: `500 GiB`,
/// `500 GB`.
pub fn volume_bytes(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 30) { binary_bytes(bytes) } else { decimal_bytes(bytes) }
}

/// The same with the other base: `500 GiB (537 GB)`.
pub fn volume_bytes_in_both(bytes: u64) -> String {
    let (binary, decimal) = (binary_bytes(bytes), decimal_bytes(bytes));
    match bytes.is_multiple_of(1 << 30) {
        true => format!("{binary} ({decimal})"),
        false => format!("{decimal} ({binary})"),
    }
}

fn scaled(mut value: f64, step: f64, units: &[&str]) -> String {
    let mut at = 0;
    // 999.5 would round to four figures: it belongs to the next unit.
    while value >= step - 0.5 && at + 1 < units.len() {
        value /= step;
        at += 1;
    }
    format!("{} {}", three_figures(value), units[at])
}

/// At least three figures, without zeros after the point of a whole number.
fn three_figures(value: f64) -> String {
    let text = match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A latency: `85.3 us`, `1.06 ms`, `2.10 s`.
pub fn latency(ns: f64) -> String {
    match ns {
        ns if ns < 999_500.0 => format!("{} us", figures(ns / 1e3)),
        ns if ns < 999_500_000.0 => format!("{} ms", figures(ns / 1e6)),
        ns => format!("{} s", figures(ns / 1e9)),
    }
}

/// A count with its thousands apart: `1,234,567`. Below ten, one place after the point.
pub fn thousands(value: f64) -> String {
    if value > 0.0 && value < 9.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    match digits.bytes().all(|digit| digit.is_ascii_digit()) {
        true => grouped(&digits),
        false => digits,
    }
}

/// A whole count with its thousands apart: `7`, `12,500`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// Digits with a comma before every three.
fn grouped(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// At least three figures: `8.19`, `46.0`, `1,250`.
pub fn figures(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => thousands(value),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Rounded to two figures, for a number after "about".
pub fn two_figures(value: f64) -> f64 {
    let digits = value.max(1.0).log10().floor();
    let step = 10f64.powf((digits - 1.0).max(0.0));
    (value / step).round() * step
}

/// Decimal megabytes a second, without the unit: `46.0`, `1,250`.
pub fn megabytes_per_s(mb_per_s: f64) -> String {
    figures(mb_per_s)
}

/// Prefix of a share that is too small for its digits.
pub const UNDER: &str = "under ";

/// How many times: `31`, `2.4`.
pub fn times(times: f64) -> String {
    match times {
        times if times < 9.95 => format!("{times:.1}"),
        times => thousands(times.round()),
    }
}

/// A share of a hundred, to two figures and off the ends that it does not reach: `12 %`, `1.2 %`,
/// `0.03 %`, `99.5 %`.
pub fn percent(percent: f64) -> String {
    let digits = match percent.abs() {
        size if size == 0.0 || size == 100.0 => 0,
        size if size < 0.0005 => return format!("{UNDER}0.001 %"),
        size if (99.0..100.0).contains(&size) => 1,
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0095 => 2,
        _ => 3,
    };
    format!("{percent:.digits$} %")
}

/// A stretch of time in a sentence: `500 ms`, `9.5 s`, `12 s`, `30 min`, `2.5 h`. To the second
/// for plans: [`seconds`].
pub fn stretch(s: f64) -> String {
    let (value, unit) = match s {
        s if s < 0.9995 => return format!("{:.0} ms", s * 1e3),
        s if s < 119.5 => (s, "s"),
        s if s < 7170.0 => (s / 60.0, "min"),
        s => (s / 3600.0, "h"),
    };
    let text = match value {
        value if value >= 9.95 => thousands(value),
        value => format!("{value:.1}"),
    };
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A duration: `250 ms`, `3.75 s`, `2 min 5 s`, `1 h 38 min`.
pub fn seconds(us: u64) -> String {
    let s = us as f64 / 1e6;
    match s {
        s if s < 0.9995 => format!("{} ms", three_figures(s * 1e3)),
        s if s < 99.5 => format!("{} s", three_figures(s)),
        s if s < 3599.5 => {
            let whole = s.round() as u64;
            format!("{} min {} s", whole / 60, whole % 60)
        }
        s => {
            let minutes = (s / 60.0).round() as u64;
            format!("{} h {} min", minutes / 60, minutes % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_have_three_figures_and_the_fitting_unit() {
        let shown: Vec<String> =
            [850.0, 85_300.0, 495_960.0, 999_600.0, 12_390_000.0, 2_100_000_000.0]
                .map(latency)
                .to_vec();
        assert_eq!(shown, ["0.85 us", "85.3 us", "496 us", "1.00 ms", "12.4 ms", "2.10 s"]);
    }

    #[test]
    fn sizes_and_rates_keep_their_base() {
        assert_eq!(binary_bytes(4096), "4 KiB");
        assert_eq!(binary_bytes(3 << 29), "1.5 GiB");
        assert_eq!(binary_bytes(1 << 40), "1 TiB");
        assert_eq!(decimal_bytes(500_000_000_000), "500 GB");
        assert_eq!(decimal_bytes(999_999_999_999), "1 TB");
        assert_eq!(decimal_bytes(0), "0 bytes");
        assert_eq!(megabytes_per_s(8.19), "8.19");
        assert_eq!(megabytes_per_s(45.96), "46.0");
        assert_eq!(megabytes_per_s(1249.6), "1,250");
    }

    #[test]
    fn shares_stay_off_the_ends_that_they_do_not_reach() {
        let shown = [0.0, 0.0004, 0.004, 0.034, 0.5, 1.24, 9.96, 99.5, 100.0, 128.4, -3.21];
        assert_eq!(
            shown.map(percent),
            [
                "0 %",
                "under 0.001 %",
                "0.004 %",
                "0.03 %",
                "0.50 %",
                "1.2 %",
                "10 %",
                "99.5 %",
                "100 %",
                "128 %",
                "-3.2 %"
            ]
        );
    }

    #[test]
    fn stretches_of_time() {
        let shown = [0.5, 9.0, 9.5, 12.0, 60.0, 300.0, 1800.0, 9000.0].map(stretch);
        assert_eq!(shown, ["500 ms", "9 s", "9.5 s", "12 s", "60 s", "5 min", "30 min", "2.5 h"]);
    }

    #[test]
    fn odd_numbers_are_shown_and_not_failed_on() {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5.0, -12345.0, f64::MAX] {
            assert!(!thousands(odd).is_empty() && !percent(odd).is_empty());
            assert!(!latency(odd).is_empty() && !stretch(odd).is_empty());
        }
        assert_eq!(thousands(f64::INFINITY), "inf");
    }

    #[test]
    fn counts_and_durations() {
        assert_eq!(thousands(1_234_567.0), "1,234,567");
        assert_eq!(thousands(999.6), "1,000");
        assert_eq!(thousands(12.0), "12");
        assert_eq!(thousands(2.46), "2.5");
        assert_eq!(thousands(0.0), "0");
        assert_eq!(seconds(250_000), "250 ms");
        assert_eq!(seconds(3_750_000), "3.75 s");
        assert_eq!(seconds(125_000_000), "2 min 5 s");
        assert_eq!(seconds(5_880_000_000), "1 h 38 min");
    }
}
