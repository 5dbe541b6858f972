//! A ratio and its intervals.

use serde::{Deserialize, Serialize};

/// A ratio b/a and the intervals that contain the true one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatioBounds {
    /// b/a.
    pub ratio: f64,
    /// Lower end of the interval that shows a difference: 99 % sure of all figures together.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The ends beyond each of which the ratio lies with 5 % probability, by which sides are equal;
    /// none in documents from before equality was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likely: Option<[f64; 2]>,
}

impl RatioBounds {
    /// Whether the interval excludes 1.
    pub fn excludes_one(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }

    /// Whether the ratio lies within a factor of 1, either way.
    pub fn is_within(&self, factor: f64) -> bool {
        self.likely.is_some_and(|[low, high]| low >= 1.0 / factor && high <= factor)
    }
}
