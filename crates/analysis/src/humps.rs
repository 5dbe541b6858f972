//! Two humps in a distribution of latencies: fast I/Os, slow I/Os, and almost none between.
//!
//! A throttle causes that shape: I/Os within the limit pass at the device's own speed, the others
//! wait for the next time slice. A cache with misses causes it too, so two humps by themselves are
//! only described; [`crate::find_cap`] searches for a second sign. Judged on a logarithmic scale,
//! where a heavy tail falls and never rises again.

use crate::Tone;
use crate::quantity::latency;
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

mod from_histogram;

pub use from_histogram::find_humps;

/// Minimum share of all I/Os in the fast hump.
const LEAST_LOW: f64 = 0.05;
/// Minimum share of all I/Os in the slow hump, unless it has [`LEAST_TIME`] of their time.
const LEAST_HIGH: f64 = 0.01;
/// A job at QD 1 sees a throttle as one wait of 90 ms in 300 I/Os of 70 us.
const LEAST_TIME: f64 = 0.5;
/// A slow hump whose 90th percentile is at most this multiple of its 10th is narrow: waits of equal
/// length, as of a throttle and not of a disk's misses.
const NARROW: f64 = 1.35;

/// Two separate humps of latency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Humps {
    /// Median of the fast hump, in nanoseconds.
    pub low_ns: u64,
    /// Median of the slow hump, in nanoseconds.
    pub high_ns: u64,
    /// Share of I/Os in the slow hump, 0 to 1.
    pub share_high: f64,
    /// Share of all latency that the slow hump makes, 0 to 1.
    pub time_share_high: f64,
    /// Where the fast hump ends (its 99th percentile), in nanoseconds.
    pub gap_from_ns: u64,
    /// Where the slow hump begins (its 1st percentile), in nanoseconds.
    pub gap_to_ns: u64,
    /// 90th percentile over 10th of the slow hump; `None` where too few percentiles are known.
    pub high_spread: Option<f64>,
}

/// Whether a distribution has two humps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum HumpsFinding {
    /// It has.
    Two(Humps),
    /// It has not.
    One,
    /// There are too few I/Os.
    NotEnough,
}

impl Humps {
    /// Whether slow I/Os are all about as slow, as behind a throttle.
    pub fn is_narrow(&self) -> bool {
        self.high_spread.is_none_or(|spread| spread <= NARROW)
    }

    /// It explains a mean that hardly any I/O has.
    pub fn tone(&self) -> Tone {
        Tone::Note
    }
}

impl HumpsFinding {
    /// How it bears on the latencies.
    pub fn tone(&self) -> Tone {
        match self {
            HumpsFinding::Two(humps) => humps.tone(),
            HumpsFinding::One => Tone::Good,
            HumpsFinding::NotEnough => Tone::Note,
        }
    }
}

impl Tell for Humps {
    fn tell(&self) -> Message {
        let cause = match self.is_narrow() {
            true => "humps-cause-narrow",
            false => "humps-cause-wide",
        };
        Message::new("humps-two")
            .part("low-share", in_percent(1.0 - self.share_high))
            .with("low", latency(self.low_ns as f64))
            .part("high-share", in_percent(self.share_high))
            .with("high", latency(self.high_ns as f64))
            .with("gap-from", latency(self.gap_from_ns as f64))
            .with("gap-to", latency(self.gap_to_ns as f64))
            .part("cause", Message::new(cause))
            .part("time-share", in_percent(self.time_share_high))
    }
}

impl Tell for HumpsFinding {
    fn tell(&self) -> Message {
        match self {
            HumpsFinding::Two(humps) => humps.tell(),
            HumpsFinding::One => Message::new("humps-one"),
            HumpsFinding::NotEnough => Message::new("humps-not-enough"),
        }
    }
}

shown_as_told!(Humps, HumpsFinding);

#[cfg(test)]
mod tests;
