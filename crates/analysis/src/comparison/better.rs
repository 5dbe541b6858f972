//! The direction in which a figure is better.

use serde::{Deserialize, Serialize};

/// Which side of a figure is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// The higher: rates.
    Higher,
    /// The lower: latencies.
    Lower,
}

impl Better {
    /// Whether a ratio of figures, second over first, makes the second the better one.
    pub fn is_second(self, ratio: f64) -> bool {
        (ratio > 1.0) == (self == Better::Higher)
    }
}
