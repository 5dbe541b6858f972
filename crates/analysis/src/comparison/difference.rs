//! The answers of a comparison.

use super::bounds::RatioBounds;
use super::change::ChangeText;
use crate::spread::NoEstimate;
use serde::{Deserialize, Serialize};

/// What is known of the ratio of two figures, b/a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Difference {
    /// They differ.
    Shown(RatioBounds),
    /// They are equal within the margin of the rule.
    Equal(RatioBounds),
    /// It cannot be told yet.
    #[serde(alias = "not_shown")]
    Open(RatioBounds),
    /// There is too little to compare.
    NotEnough {
        /// What is missing.
        lack: Lack,
    },
}

impl Difference {
    /// The ratio and its intervals; none where there is too little to compare.
    pub fn bounds(&self) -> Option<&RatioBounds> {
        match self {
            Difference::Shown(of) | Difference::Equal(of) | Difference::Open(of) => Some(of),
            Difference::NotEnough { .. } => None,
        }
    }

    /// Whether the sides are shown to differ.
    pub fn is_shown(&self) -> bool {
        matches!(self, Difference::Shown(_))
    }

    /// Whether the sides are equal within the margin.
    pub fn is_equal(&self) -> bool {
        matches!(self, Difference::Equal(_))
    }

    /// Whether the sides are shown to differ, or to be equal.
    pub fn is_decided(&self) -> bool {
        self.is_shown() || self.is_equal()
    }

    /// Lower and upper end of a change in percent; none where there is too little to compare.
    pub fn change_ends_percent(&self) -> Option<(f64, f64)> {
        self.bounds().map(|of| ((of.low - 1.0) * 100.0, (of.high - 1.0) * 100.0))
    }

    /// Whether it is open and the ratio may lie beyond a factor of two: neither a figure nor its
    /// interval then tells anything.
    pub fn is_unstable(&self) -> bool {
        matches!(self, Difference::Open(of) if of.low < 0.5 || of.high > 2.0)
    }

    /// The ratio and its interval as a change; none where there is too little to compare.
    pub fn change(&self) -> Option<ChangeText> {
        self.bounds().map(|of| ChangeText::of(of.ratio, of.low, of.high))
    }
}

/// What a comparison lacks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lack {
    /// A side's figure is not known.
    Estimate {
        /// Name of the side.
        side: String,
        /// Why not.
        why: NoEstimate,
    },
    /// A side's mean could not be told apart from 0; only in documents from before logarithms were
    /// judged.
    NearZero {
        /// Name of the side.
        side: String,
    },
    /// Too few rounds.
    Rounds {
        /// There were.
        rounds: u64,
        /// There must be.
        needed: u64,
    },
    /// Both sides are one disk. Their files may lie in parts of it that differ, and other I/O may
    /// come in step with the rounds; neither is a difference of the disk from itself.
    OneDisk,
}
