//! One figure of a recording, and how well it is known.

use fathom_analysis::{Estimate, NoEstimate, Side};
use serde::{Deserialize, Serialize};

/// A mean, and its error where that can be told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// The mean over all I/Os.
    pub mean: f64,
    /// How well it is known; none where the recording holds nothing of its spread.
    pub estimate: Option<Result<Estimate, NoEstimate>>,
}

impl Known {
    /// A figure of which only the mean is there.
    pub fn bare(mean: f64) -> Known {
        Known { mean, estimate: None }
    }

    /// From what was judged of its intervals or its repeats; the error is kept in proportion to
    /// `mean`, which counts each I/O alike where intervals count each second alike.
    pub fn judged(mean: f64, estimate: Result<Estimate, NoEstimate>) -> Known {
        let scaled = estimate.map(|mut of| {
            let factor = if of.mean > 0.0 { mean / of.mean } else { 1.0 };
            of.mean = mean;
            of.std_err *= factor;
            of.half_width *= factor;
            of
        });
        Known { mean, estimate: Some(scaled) }
    }

    /// As a side of a comparison; none where no spread is known.
    pub fn side(&self, name: &str) -> Option<Side> {
        let estimate = self.estimate.clone()?;
        Some(Side { name: name.to_owned(), estimate })
    }

    /// Half the width of the 95 % interval, where it is known.
    pub fn half_width(&self) -> Option<f64> {
        self.estimate.as_ref()?.as_ref().ok().map(|estimate| estimate.half_width)
    }
}
