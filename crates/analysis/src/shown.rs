//! Rates and shares in the sentences of findings.

use crate::quantity::{UNDER, figures, percent, thousands};
use fathom_message::Message;
use serde::{Deserialize, Serialize};

/// What a rate counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateUnit {
    /// I/Os; the rate is in IOPS.
    #[default]
    Ios,
    /// Bytes; the rate is in bytes a second and shown in MB/s.
    Bytes,
}

impl RateUnit {
    /// A rate with its unit: `3,000 IOPS`, `50.1 MB/s`.
    pub(crate) fn rate(self, value: f64) -> String {
        match self {
            RateUnit::Ios => format!("{} IOPS", thousands(value)),
            RateUnit::Bytes => format!("{} MB/s", figures(value / 1e6)),
        }
    }

    /// An amount with its unit: `60,000 I/Os`, `1.20 GB`.
    pub(crate) fn amount(self, value: f64) -> Message {
        match self {
            RateUnit::Ios => Message::new("amount-ios").with("count", thousands(value)),
            RateUnit::Bytes if value < 999.5e6 => format!("{} MB", figures(value / 1e6)).into(),
            RateUnit::Bytes => format!("{} GB", figures(value / 1e9)).into(),
        }
    }
}

/// A share of 1 in percent: `0.33 %`, `91 %`.
pub(crate) fn in_percent(part: f64) -> Message {
    share(part * 100.0)
}

/// A share of a hundred: that of [`percent`], with its one word in the reader's language.
pub fn share(of_hundred: f64) -> Message {
    let text = percent(of_hundred);
    match text.strip_prefix(UNDER) {
        Some(bound) => Message::new("share-under").with("share", bound),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn figures_keep_what_matters_and_their_unit() {
        assert_eq!(RateUnit::Ios.rate(3024.6), "3,025 IOPS");
        assert_eq!(RateUnit::Ios.rate(2.46), "2.5 IOPS");
        assert_eq!(RateUnit::Bytes.rate(50_129_000.0), "50.1 MB/s");
        assert_eq!(RateUnit::Bytes.rate(1_250_000_000.0), "1,250 MB/s");
        assert_eq!(RateUnit::Ios.amount(5_400_000.0).to_string(), "5,400,000 I/Os");
        assert_eq!(RateUnit::Bytes.amount(1.5e9).to_string(), "1.50 GB");
        assert_eq!(
            [0.0, 0.0033, 0.25, 0.995].map(|part| in_percent(part).to_string()),
            ["0 %", "0.33 %", "25 %", "99.5 %"]
        );
    }

    #[test]
    fn a_share_is_told_in_the_readers_language() {
        assert_eq!(in_percent(1e-7).to_string(), "under 0.001 %");
        assert_eq!(in_percent(1e-7).text(Lang::Ko), "0.001 % 미만");
    }
}
