//! The figure by which sides are judged, and whether higher or lower is better.

use crate::Better;
use crate::figures::Figures;
use fathom_message::Message;
use serde::{Deserialize, Serialize};

/// The figure of a phase that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judged {
    /// I/Os a second.
    Iops,
    /// Bytes a second.
    BytesPerS,
    /// Mean latency in nanoseconds.
    MeanLatencyNs,
    /// 99th percentile of latency in nanoseconds.
    P99LatencyNs,
}

/// A 99th percentile rests on the slowest hundredth: of so many I/Os on ten.
const LEAST_IOS_FOR_P99: u64 = 1000;

/// From this block size on, in bytes, a rate is shown in MB/s rather than in IOPS.
const LARGE_BLOCK_BYTES: f64 = 65_536.0;

impl Judged {
    /// The usual rate for blocks of this size.
    pub fn rate_of(block_bytes: f64) -> Judged {
        // Typical figures of rounds give the size only nearly.
        match block_bytes > 0.99 * LARGE_BLOCK_BYTES {
            true => Judged::BytesPerS,
            false => Judged::Iops,
        }
    }

    /// Whether it is a latency.
    pub fn is_latency(self) -> bool {
        self.better() == Better::Lower
    }

    /// Whether higher or lower is better.
    pub fn better(self) -> Better {
        match self {
            Judged::Iops | Judged::BytesPerS => Better::Higher,
            Judged::MeanLatencyNs | Judged::P99LatencyNs => Better::Lower,
        }
    }

    /// Its name: `IOPS`, `MB/s`, `mean latency`.
    pub fn name(self) -> &'static str {
        match self {
            Judged::Iops => "IOPS",
            Judged::BytesPerS => "MB/s",
            Judged::MeanLatencyNs => "mean latency",
            Judged::P99LatencyNs => "p99 latency",
        }
    }

    /// The same in the language of the reader.
    pub fn title(self) -> Message {
        Message::new(match self {
            Judged::Iops => "judged-iops",
            Judged::BytesPerS => "judged-bytes",
            Judged::MeanLatencyNs => "judged-latency",
            Judged::P99LatencyNs => "judged-p99",
        })
    }

    /// The steps in which it is known, in percent: percentiles are those of a histogram's bins,
    /// of which each is a 64th of its value wide at most.
    pub fn grain_percent(self) -> f64 {
        match self {
            Judged::Iops | Judged::BytesPerS | Judged::MeanLatencyNs => 0.0,
            Judged::P99LatencyNs => 100.0 / 64.0,
        }
    }

    /// Its value among `figures`, in its own unit; none of a percentile from too few I/Os.
    pub fn value(self, figures: &Figures) -> Option<f64> {
        match self {
            Judged::Iops => Some(figures.iops),
            Judged::BytesPerS => Some(figures.mb_per_s * 1e6),
            Judged::MeanLatencyNs => Some(figures.mean_ns),
            Judged::P99LatencyNs => judged_p99_ns(figures.ios, figures.p99_ns as f64),
        }
    }
}

/// A 99th percentile in nanoseconds; none where so many I/Os do not show it.
pub fn judged_p99_ns(ios: u64, p99_ns: f64) -> Option<f64> {
    (ios >= LEAST_IOS_FOR_P99).then_some(p99_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_figures_give_only_nearly_are_told_alike() {
        assert_eq!(Judged::rate_of(65_535.4), Judged::BytesPerS);
        assert_eq!(Judged::rate_of(65_536.0), Judged::BytesPerS);
        assert_eq!(Judged::rate_of(32_768.0), Judged::Iops);
    }

    #[test]
    fn a_p99_of_few_ios_is_none() {
        let of =
            |ios| Judged::P99LatencyNs.value(&Figures { ios, p99_ns: 7, ..Figures::default() });
        assert_eq!([of(999), of(1000)], [None, Some(7.0)]);
    }
}
