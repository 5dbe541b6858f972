//! A rate that stays at one value: how flat it is, flatter than its latencies allow, or a round
//! number.

use crate::quantile::{quantile, share_at, sorted, usable};
use crate::shown::{RateUnit, in_percent};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// Intervals that show whether a rate is flat.
pub(super) const LEAST_INTERVALS: usize = 10;
/// How far the 90th percentile of rates may exceed the median. A real throttle of 3,000 IOPS showed
/// 0.3 % at its worst (30 s, a busy machine), the same device without it 16 % and more.
const HUGS: f64 = 0.01;
/// How much the middle four fifths of rates may vary.
const VARIES: f64 = 0.02;
/// The share of rates that must be at one value if others are outliers: a throttle whose slices
/// slip between seconds gives one second too little and the next too much.
const MOST: f64 = 0.65;
/// Minimum I/Os of an interval for which a difference of one I/O is tolerated.
const LEAST_IOS: f64 = 10.0;
/// With any outliers, the middle four fifths may not vary by more.
const MOST_VARIATION: f64 = 0.25;
/// A rate is regular if it varies by less than this share of the variation that its latencies would
/// cause.
const REGULAR: f64 = 0.3;
/// With more variation the latencies' own cannot be judged: the formula is for many I/Os.
const MOST_EXPECTED: f64 = 10.0;
/// Distance between the 10th and 90th percentile of a normal distribution, in deviations.
const FOUR_FIFTHS: f64 = 2.563;
/// Maximum distance of a rate from a round number.
const NEAR: f64 = 0.005;
/// Mantissas of limits for sale. A random rate is near one of them, times a power of ten, in 7 of
/// 100 cases: a weak sign.
const MANTISSAS: [f64; 17] =
    [1.0, 1.2, 1.25, 1.5, 1.6, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 6.4, 7.0, 7.5, 8.0, 9.0];
/// Bandwidths that are sold in powers of two, in MiB/s.
const BINARY_MIB: [f64; 7] = [32.0, 64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0];

/// A flat ceiling in a series of rates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flat {
    /// The value that it hugs (the median), in I/Os or bytes a second.
    pub rate: f64,
    /// What the rate counts.
    pub unit: RateUnit,
    /// Coefficient of variation of the middle four fifths: 0.004 is 0.4 %.
    pub variation: f64,
    /// How far the 90th percentile lies above the median, as a share of it.
    pub above: f64,
    /// Intervals that were judged.
    pub intervals: usize,
}

/// Mean and standard deviation of the latency of the I/Os whose rate is judged.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencySpread {
    /// Mean in nanoseconds.
    pub mean_ns: f64,
    /// Standard deviation in nanoseconds.
    pub deviation_ns: f64,
}

/// A rate that varies less than its own latencies would make it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regular {
    /// Coefficient of variation of the rates.
    pub variation: f64,
    /// What independent latencies of this spread would come to.
    pub expected: f64,
    /// I/Os in flight, if known. With one alone latencies make the rate; with several a shared
    /// part of the device may be what is regular.
    pub depth: Option<u32>,
}

/// Whether rates stay at one value: ten intervals at least, and the upper half of them within 1 %,
/// or most of them at one value with a few outliers. Intervals of a second are best; shorter ones
/// show the slices of a throttle.
///
/// `one_io` is the rate of one more I/O in an interval: counts are whole numbers, and an I/O at an
/// interval's end falls on either side of it.
pub fn flat_ceiling(unit: RateUnit, rates: &[f64], one_io: f64) -> Option<Flat> {
    let rising = sorted(&usable(rates));
    let middle = quantile(&rising, 0.5);
    if rising.len() < LEAST_INTERVALS || middle <= 0.0 {
        return None;
    }
    let above = quantile(&rising, 0.9) / middle - 1.0;
    let variation = variation(&rising, middle);
    // With fewer I/Os in an interval, chance alone is as large as the searched effect.
    let grain = if LEAST_IOS * one_io <= middle { one_io / middle } else { 0.0 };
    let hugs = above <= HUGS.max(1.5 * grain) && variation <= VARIES.max(grain);
    let at_value = || share_at(&rising, middle, grain * middle) >= MOST;
    let flat = hugs || variation <= MOST_VARIATION && at_value();
    flat.then_some(Flat { rate: middle, unit, variation, above, intervals: rising.len() })
}

/// Whether the middle four fifths of rates vary as little as a flat series does.
pub(super) fn varies_little(rates: &[f64]) -> bool {
    let rising = sorted(rates);
    variation(&rising, quantile(&rising, 0.5)) <= VARIES
}

fn variation(rising: &[f64], middle: f64) -> f64 {
    (quantile(rising, 0.9) / middle - quantile(rising, 0.1) / middle) / FOUR_FIFTHS
}

/// Whether the number of I/Os in intervals varies less than latencies of this spread allow.
///
/// Renewal theory (Cox 1962, section 3.3): where latencies are independent, the number of I/Os
/// that complete in a time has the variance `n cv²`, `n` being its mean and `cv` the latencies'
/// coefficient of variation. `ios` are numbers of I/Os in each interval.
pub(super) fn regular(ios: &[f64], latency: LatencySpread, depth: Option<u32>) -> Option<Regular> {
    let rising = sorted(&usable(ios));
    let middle = quantile(&rising, 0.5);
    let expected = latency.deviation_ns / latency.mean_ns / middle.sqrt();
    // Counts are whole numbers, which by itself causes a deviation of 0.29.
    let countable = middle > 0.0 && expected > 4.0 * 0.29 / middle;
    // Written so that NaN fails.
    let judged = countable && expected <= MOST_EXPECTED && rising.len() >= LEAST_INTERVALS;
    if !judged {
        return None;
    }
    let variation = variation(&rising, middle);
    (variation < REGULAR * expected).then_some(Regular { variation, expected, depth })
}

/// The round number within 0.5 % of a rate: mantissas that limits are sold with times a power of
/// ten, of IOPS or of MB/s and MiB/s.
pub fn nearest_round(unit: RateUnit, rate: f64) -> Option<f64> {
    let near = |value: &f64| (rate / value - 1.0).abs() <= NEAR;
    match unit {
        _ if !(rate.is_finite() && rate > 0.0) => None,
        RateUnit::Ios => round_decimal(rate, 1.0).filter(near),
        RateUnit::Bytes => {
            const MIB: f64 = 1048576.0;
            let megabytes = round_decimal(rate / 1e6, 0.0).map(|value| value * 1e6);
            let mebibytes = round_decimal(rate / MIB, 0.0).map(|value| value * MIB);
            let binary = BINARY_MIB.into_iter().map(|value| value * MIB);
            let known = [megabytes, mebibytes].into_iter().flatten().chain(binary).filter(near);
            let distance = |value: &f64| (rate / value - 1.0).abs();
            known.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        }
    }
}

/// The nearest mantissa times a power of ten, `least` being the least power.
fn round_decimal(value: f64, least: f64) -> Option<f64> {
    let power = 10f64.powi(value.log10().floor().clamp(least, 300.0) as i32);
    let known = MANTISSAS.into_iter().chain([10.0]).map(|mantissa| mantissa * power);
    known.min_by(|a, b| (a - value).abs().total_cmp(&(b - value).abs()))
}

impl Tell for Flat {
    fn tell(&self) -> Message {
        Message::new("cap-sign-flat")
            .with("intervals", self.intervals)
            .with("rate", self.unit.rate(self.rate))
            .part("variation", in_percent(self.variation))
    }
}

impl Tell for Regular {
    fn tell(&self) -> Message {
        Message::new("cap-sign-regular").part("expected", in_percent(self.expected))
    }
}

shown_as_told!(Flat, Regular);
