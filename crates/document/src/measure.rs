//! A measurement as one JSON document: its targets, its method, and its results.
//!
//! It contains everything that a later reader needs without the machine: facts about the host and
//! the volumes, the plan, and for each phase the command that repeats it, its figures and its whole
//! `RunResult`, from which every figure can be calculated again.

use crate::document_runs::{DocumentRun, DocumentRuns, with_head};
use crate::headroom::Headroom;
use crate::over_rounds::OverRounds;
use crate::record::{Head, VolumeRecord};
use crate::stop_point::StopPoint;
use crate::suite::PhaseRecord;
use fathom_analysis::verdicts::Verdict;
use fathom_analysis::verdicts::VolumeVerdicts;
use fathom_host::System;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const DOCUMENT_SCHEMA: u32 = 1;

/// A measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Document {
    /// It is a `fathom-measure` of [`DOCUMENT_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// The machine that measured.
    pub host: System,
    /// The volumes, in the order given.
    pub volumes: Vec<VolumeRecord>,
    /// What was planned.
    pub plan: PlanRecord,
    /// Every run of a phase, in the order in which they went.
    pub phases: Vec<PhaseRecord>,
    /// What is said of each volume over all its phases; documents from before it was kept have
    /// none, and their phases say it themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_phases: Vec<VolumeVerdicts>,
    /// Of several rounds, each phase over all of them; empty for a single one, whose figures are
    /// those of its run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub over_rounds: Vec<OverRounds>,
    /// How far the client was from its own ceiling; none where that was not measured.
    #[serde(default)]
    pub client: Option<Headroom>,
}

impl Document {
    /// Whether everything planned was measured.
    pub fn is_whole(&self) -> bool {
        !self.interrupted
            && self.volumes.iter().all(|volume| volume.failure.is_none())
            && self.phases.iter().all(|phase| phase.figures.is_some())
    }
}

/// What was planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlanRecord {
    /// Measured microseconds of a run of a phase.
    pub phase_us: u64,
    /// Microseconds before that are not counted.
    pub ramp_us: u64,
    /// Runs of phases over all volumes and rounds.
    pub phases: usize,
    /// How often each phase ran on each volume.
    #[serde(default = "one_round")]
    pub rounds: u32,
    /// Decided the offsets; none in documents from before it was kept.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Bytes written before measuring, over all volumes.
    pub fill_bytes: u64,
}

fn one_round() -> u32 {
    1
}

impl DocumentRuns for Document {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.phases.iter().filter_map(|trial| {
            let run = DocumentRun::of_trial(trial, trial.phase.title())?;
            let (name, volume) = (trial.phase.name.clone(), Some(trial.volume));
            Some(DocumentRun { name, volume, ..run })
        });
        runs.collect()
    }

    with_head!(interrupted);

    fn stop_point(&self) -> Option<StopPoint> {
        let counts_runs = self.plan.rounds > 1 || self.volumes.len() > 1;
        let point = StopPoint::after(&self.phases, self.plan.phases, counts_runs);
        self.interrupted.then_some(point)
    }

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn volumes(&self) -> &[VolumeRecord] {
        &self.volumes
    }

    fn volume_indices(&self) -> Vec<usize> {
        let over_phases = self.over_phases.iter().map(|of| of.volume);
        over_phases.chain(self.phases.iter().map(|phase| phase.volume)).collect()
    }

    fn cap_verdicts(&self) -> Vec<&Verdict> {
        let over_phases: Vec<&Verdict> =
            self.over_phases.iter().flat_map(|of| &of.verdicts).collect();
        match over_phases.iter().any(|verdict| verdict.answer.is_plain_cap()) {
            true => over_phases,
            false => self.phases.iter().flat_map(|phase| &phase.verdicts).collect(),
        }
    }
}
