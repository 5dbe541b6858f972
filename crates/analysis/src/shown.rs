//! How the sentences of findings say rates, shares and lists.

use crate::quantity::{figures, percent, thousands};
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
            RateUnit::Ios => format!("{} IO/s", thousands(value)),
            RateUnit::Bytes => format!("{} MB/s", figures(value / 1e6)),
        }
    }

    /// An amount with its unit: `60,000 I/Os`, `1.20 GB`.
    pub(crate) fn amount(self, value: f64) -> String {
        match self {
            RateUnit::Ios => format!("{} I/Os", thousands(value)),
            RateUnit::Bytes if value < 999.5e6 => format!("{} MB", figures(value / 1e6)),
            RateUnit::Bytes => format!("{} GB", figures(value / 1e9)),
        }
    }
}

/// A share of 1 in percent: `0.33 %`, `91 %`.
pub(crate) fn in_percent(share: f64) -> String {
    percent(share * 100.0)
}

/// A count and its noun, which takes an s in the plural: `1 run`, `5 runs`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
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
        assert_eq!([0.0, 0.0033, 0.25, 0.995].map(in_percent), ["0 %", "0.33 %", "25 %", "99.5 %"]);
        assert_eq!([counted(1, "run"), counted(5, "run")], ["1 run", "5 runs"]);
    }

    #[test]
    fn lists_read_as_a_sentence() {
        let text = |n: usize| listed(&["a", "b", "c"].map(str::to_owned)[..n]);
        assert_eq!([text(0), text(1), text(2), text(3)], ["", "a", "a and b", "a; b; and c"]);
    }
}
