//! The comparison of one of several subjects with the first.

use fathom_analysis::{Comparison, Difference};
use fathom_document::compare::{Contrast, Contrasts, Judged};

/// The comparison of a subject with the first in one figure.
#[derive(Clone, Debug)]
pub(super) struct FigureContrast {
    pub label: String,
    pub judged: Judged,
    pub first: String,
    pub other: String,
    /// The figures of the first and the other.
    pub means: [f64; 2],
    /// None if a side has no known spread.
    pub comparison: Option<Comparison>,
}

impl FigureContrast {
    /// Those of compared recordings, each under its `label`.
    pub fn of_pair<'p>(
        pair: &'p Contrasts,
        label: impl Fn(&Contrast) -> String + 'p,
    ) -> impl Iterator<Item = FigureContrast> + 'p {
        pair.contrasts.iter().map(move |contrast| FigureContrast {
            label: label(contrast),
            judged: contrast.judged,
            first: pair.before.clone(),
            other: pair.after.clone(),
            means: [contrast.before.mean, contrast.after.mean],
            comparison: contrast.comparison.clone(),
        })
    }

    /// other/first.
    pub fn ratio(&self) -> f64 {
        self.means[1] / self.means[0]
    }

    /// Whether the sides are shown to differ.
    pub fn is_shown(&self) -> bool {
        let difference = self.comparison.as_ref().map(|of| &of.difference);
        matches!(difference, Some(Difference::Shown { .. }))
    }
}
