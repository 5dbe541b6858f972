//! One run of a phase of `measure`.

use crate::suite::Phase;
use crate::trial::Trial;
use fathom_analysis::Figures;
use serde::{Deserialize, Serialize};

/// Which run of a phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseKey {
    /// What was asked.
    #[serde(flatten)]
    pub phase: Phase,
    /// Which of the volumes, from 0.
    pub volume: usize,
    /// Number of the round, from 0.
    #[serde(default)]
    pub round: u32,
}

/// A run of a phase.
pub type PhaseRecord = Trial<PhaseKey, Figures>;
