//! Count, sum, sum of squares, minimum and maximum of a series of integers.
//!
//! Stored as integers rather than as a running mean, so that merging is exact and the means of
//! submission, completion and total latency add up to the last nanosecond.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The moments of a series of non-negative integers.
///
/// In JSON, the sums are strings of digits, always: readers that hold numbers as floats would
/// round them above 2^53. Where there is no value, the least is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Wire", try_from = "Wire")]
pub struct Moments {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: u128,
    /// The sum of their squares.
    pub sum_sq: u128,
    /// The least value; `u64::MAX` where there is none.
    pub min: u64,
    /// The greatest value; 0 where there is none.
    pub max: u64,
}

/// [`Moments`] as JSON holds them.
#[derive(Serialize, Deserialize)]
struct Wire {
    count: u64,
    sum: String,
    sum_sq: String,
    min: Option<u64>,
    max: u64,
}

impl From<Moments> for Wire {
    fn from(moments: Moments) -> Wire {
        let Moments { count, sum, sum_sq, min, max } = moments;
        let min = (count > 0).then_some(min);
        Wire { count, sum: sum.to_string(), sum_sq: sum_sq.to_string(), min, max }
    }
}

/// A sum that is no whole number.
#[derive(Debug)]
struct NotWhole {
    name: &'static str,
    text: String,
}

impl fmt::Display for NotWhole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} should be a whole number, but is {:?}", self.name, self.text)
    }
}

impl TryFrom<Wire> for Moments {
    type Error = NotWhole;

    fn try_from(wire: Wire) -> Result<Moments, NotWhole> {
        let whole = |name: &'static str, text: &str| {
            text.parse::<u128>().map_err(|_| NotWhole { name, text: text.to_owned() })
        };
        Ok(Moments {
            count: wire.count,
            sum: whole("sum", &wire.sum)?,
            sum_sq: whole("sum_sq", &wire.sum_sq)?,
            min: wire.min.unwrap_or(u64::MAX),
            max: wire.max,
        })
    }
}

impl Default for Moments {
    fn default() -> Moments {
        Moments { count: 0, sum: 0, sum_sq: 0, min: u64::MAX, max: 0 }
    }
}

impl Moments {
    /// Adds one value. Squares of up to 2^16 values of two years in nanoseconds fit in their
    /// sum, and of more the shorter they are: 2^48 of 18 minutes.
    #[inline(always)]
    pub fn record(&mut self, value: u64) {
        self.record_times(value, 1);
    }

    /// Adds one value `times` (at least 1) times.
    #[inline(always)]
    pub fn record_times(&mut self, value: u64, times: u64) {
        self.count += times;
        self.sum += u128::from(value) * u128::from(times);
        self.sum_sq += u128::from(value) * u128::from(value) * u128::from(times);
        // Branches, as they are hardly ever taken: cheaper here than moving on conditions.
        if value < self.min {
            self.min = value;
        }
        if value > self.max {
            self.max = value;
        }
    }

    /// Adds many values: for less than one at a time.
    pub fn record_all(&mut self, values: &[u64]) {
        self.count += values.len() as u64;
        for &value in values {
            self.sum += u128::from(value);
            self.sum_sq += u128::from(value) * u128::from(value);
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        }
    }

    /// Adds another series to this one.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum += other.sum;
        self.sum_sq += other.sum_sq;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The mean; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The standard deviation of a sample (n - 1); 0 for fewer than two values.
    pub fn stddev(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = self.count as f64;
        // Exact integers before the subtraction: n * sum_sq and sum^2 cancel almost wholly.
        let spread =
            match (self.sum_sq.checked_mul(u128::from(self.count)), self.sum.checked_mul(self.sum))
            {
                (Some(a), Some(b)) => a.saturating_sub(b) as f64 / n,
                _ => (self.sum_sq as f64 - self.sum as f64 * self.mean()).max(0.0),
            };
        (spread / (n - 1.0)).sqrt()
    }

    /// The minimum; 0 without values.
    pub fn min_or_zero(&self) -> u64 {
        if self.count == 0 { 0 } else { self.min }
    }
}
