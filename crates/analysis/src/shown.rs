//! Figures as people read them inside a sentence: three that matter, and always a unit.
//!
//! Rates of bytes are decimal (MB/s), as providers sell them. Everything here takes any number,
//! infinities included, and never fails: a sentence about odd input must still be a sentence.

use serde::{Deserialize, Serialize};

/// What a rate counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateUnit {
    /// I/Os; the rate is in IO/s.
    #[default]
    Ios,
    /// Bytes; the rate is in bytes a second and shown in MB/s.
    Bytes,
}

impl RateUnit {
    /// A rate with its unit: `3,000 IO/s`, `50.1 MB/s`.
    pub(crate) fn rate(self, value: f64) -> String {
        match self {
            RateUnit::Ios => format!("{} IO/s", count(value)),
            RateUnit::Bytes => format!("{} MB/s", figures(value / 1e6)),
        }
    }

    /// An amount with its unit: `60,000 I/Os`, `1.20 GB`.
    pub(crate) fn amount(self, value: f64) -> String {
        match self {
            RateUnit::Ios => format!("{} I/Os", count(value)),
            RateUnit::Bytes if value < 999.5e6 => format!("{} MB", figures(value / 1e6)),
            RateUnit::Bytes => format!("{} GB", figures(value / 1e9)),
        }
    }
}

/// A count with its thousands apart: `1,234,567`; below ten, one place after the point.
pub(crate) fn count(value: f64) -> String {
    if value > 0.0 && value < 9.95 {
        return format!("{value:.1}");
    }
    let digits = format!("{value:.0}");
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return digits;
    }
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// At least three figures: `8.19`, `45.9`, `1,250`.
pub(crate) fn figures(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => count(value),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A latency: `85.3 us`, `1.06 ms`, `2.10 s`.
pub(crate) fn latency(ns: f64) -> String {
    match ns {
        ns if ns < 999_500.0 => format!("{} us", figures(ns / 1e3)),
        ns if ns < 999_500_000.0 => format!("{} ms", figures(ns / 1e6)),
        ns => format!("{} s", figures(ns / 1e9)),
    }
}

/// A stretch of time: `500 ms`, `12 s`, `30 min`.
pub(crate) fn duration(s: f64) -> String {
    match s {
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s if s < 9.95 => format!("{s:.1} s").replace(".0 s", " s"),
        s if s < 179.5 => format!("{s:.0} s"),
        s => format!("{} min", count((s / 60.0).round())),
    }
}

/// A share of 1 in percent: `0.3 %`, `91 %`; near the ends with the places that keep it off them.
pub(crate) fn percent(share: f64) -> String {
    let value = share * 100.0;
    match value {
        0.0 | 100.0 => format!("{value:.0} %"),
        value if value.abs() < 0.095 => format!("{value:.2} %"),
        value if value.abs() < 9.95 || (99.0..100.0).contains(&value) => format!("{value:.1} %"),
        value => format!("{value:.0} %"),
    }
}

/// A size that a person chose, binary: `4 KiB`, `1 MiB`.
pub(crate) fn block(bytes: u64) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 && bytes.is_multiple_of(1 << 20) => {
            format!("{} MiB", bytes >> 20)
        }
        bytes if bytes >= 1 << 10 && bytes.is_multiple_of(1 << 10) => {
            format!("{} KiB", bytes >> 10)
        }
        bytes => format!("{} bytes", count(bytes as f64)),
    }
}

/// Clauses as one list in a sentence: `a`, `a and b`, `a; b; and c`.
pub(crate) fn listed(clauses: &[String]) -> String {
    match clauses {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [some @ .., last] => format!("{}; and {last}", some.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_keep_what_matters_and_their_unit() {
        assert_eq!(RateUnit::Ios.rate(3024.6), "3,025 IO/s");
        assert_eq!(RateUnit::Ios.rate(2.46), "2.5 IO/s");
        assert_eq!(RateUnit::Bytes.rate(50_129_000.0), "50.1 MB/s");
        assert_eq!(RateUnit::Bytes.rate(1_250_000_000.0), "1,250 MB/s");
        assert_eq!(RateUnit::Ios.amount(5_400_000.0), "5,400,000 I/Os");
        assert_eq!(RateUnit::Bytes.amount(1.5e9), "1.50 GB");
        let latencies = [85_300.0, 495_960.0, 12_390_000.0, 2.1e9].map(latency);
        assert_eq!(latencies, ["85.3 us", "496 us", "12.4 ms", "2.10 s"]);
        let durations = [0.5, 9.0, 9.5, 12.0, 1800.0].map(duration);
        assert_eq!(durations, ["500 ms", "9 s", "9.5 s", "12 s", "30 min"]);
        let shares = [0.0, 0.0033, 0.0004, 0.25, 0.995, 1.0].map(percent);
        assert_eq!(shares, ["0 %", "0.3 %", "0.04 %", "25 %", "99.5 %", "100 %"]);
        assert_eq!(
            [4096, 1 << 20, 512, 1000].map(block),
            ["4 KiB", "1 MiB", "512 bytes", "1,000 bytes"]
        );
    }

    #[test]
    fn odd_numbers_are_shown_and_not_failed_on() {
        for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -5.0, -12345.0, f64::MAX] {
            assert!(!count(odd).is_empty());
            assert!(!latency(odd).is_empty() && !duration(odd).is_empty());
        }
        assert_eq!(count(f64::INFINITY), "inf");
    }

    #[test]
    fn lists_read_as_a_sentence() {
        let text = |n: usize| listed(&["a", "b", "c"].map(str::to_owned)[..n]);
        assert_eq!([text(0), text(1), text(2), text(3)], ["", "a", "a and b", "a; b; and c"]);
    }
}
