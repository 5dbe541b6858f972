//! A comparison of volumes as one JSON document: the volumes, every run whole, and what it shows.

use super::asked::ComparedPhase;
use super::finding::{Finding, findings};
use super::judged::Judged;
use super::plan::ComparePlan;
use crate::cases::{CaseTime, Ended, Runner, Setting};
use crate::record::{Head, VolumeRecord};
use crate::trial::Trial;
use fathom_host::System;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const COMPARE_SCHEMA: u32 = 1;

/// A comparison of volumes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CompareDocument {
    /// It is a `fathom-compare` of [`COMPARE_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// The machine that measured.
    pub host: System,
    /// The volumes, in the order given; the first is the measure.
    pub volumes: Vec<VolumeRecord>,
    /// What was planned.
    pub plan: ComparePlanRecord,
    /// What was measured, in the order in which it ran.
    pub runs: Vec<RunRecord>,
    /// What it shows, an entry for each phase that two volumes or more ran.
    pub findings: Vec<Finding>,
}

/// What was planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparePlanRecord {
    /// The phases, in order.
    pub phases: Vec<PhaseInfo>,
    /// How often each ran on each volume, in rounds of A B, B A.
    pub rounds: u32,
    /// How long each run took.
    pub time: CaseTime,
    /// Runs in all.
    pub steps: usize,
    /// Decided the offsets.
    pub seed: u64,
    /// Bytes written before measuring, over all volumes.
    pub fill_bytes: u64,
}

/// A phase of the plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseInfo {
    /// In words.
    pub title: String,
    /// The figure that decides.
    pub judged: Judged,
    /// As options of a job.
    pub settings: Vec<Setting>,
}

/// Which run of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareKey {
    /// The phase in words.
    pub title: String,
    /// Which phase of the plan, from 0.
    pub phase: usize,
    /// Which volume, from 0.
    pub volume: usize,
    /// Which round, from 0.
    pub round: u32,
}

/// One run. One that was cut short counts in no ratio.
pub type RunRecord = Trial<CompareKey>;

impl CompareDocument {
    /// Of a plan, the targets that are ready, and what came of it.
    pub(super) fn new(
        plan: &ComparePlan,
        runner: &Runner,
        (ended, runs): (Ended, Vec<RunRecord>),
        host: System,
        started_ms: u64,
    ) -> CompareDocument {
        let info = |phase: &ComparedPhase| PhaseInfo {
            title: phase.title.clone(),
            judged: phase.judged,
            settings: phase.case.settings.clone(),
        };
        let volume = |(at, target)| VolumeRecord::of(target, (at, &ended.failures));
        let mut document = CompareDocument {
            head: Head::new("fathom-compare", COMPARE_SCHEMA, started_ms),
            interrupted: ended.stopped,
            host,
            volumes: runner.targets.iter().enumerate().map(volume).collect(),
            plan: ComparePlanRecord {
                phases: plan.phases.iter().map(info).collect(),
                rounds: plan.rounds,
                time: plan.time,
                steps: plan.steps().len(),
                seed: plan.seed,
                fill_bytes: plan.fill_bytes(),
            },
            runs,
            findings: Vec::new(),
        };
        document.findings = findings(&document);
        document
    }

    /// Whether everything planned was measured.
    pub fn is_whole(&self) -> bool {
        !self.interrupted
            && self.volumes.iter().all(|volume| volume.failure.is_none())
            && self.runs.iter().all(|run| run.failure.is_none())
    }

    /// Whether all volumes are one file system or device, of which none can be better.
    pub fn is_one_disk(&self) -> bool {
        let same = |volume: &VolumeRecord| {
            let mut remarks = volume.remarks.iter();
            remarks.any(|record| matches!(record.remark, crate::Remark::SamePlace { .. }))
        };
        self.volumes.len() > 1 && self.volumes.iter().skip(1).all(same)
    }

    /// Ratios that are told together: each volume against the first, in each phase.
    pub(super) fn ratios(&self) -> u64 {
        self.plan.phases.len() as u64 * self.volumes.len().saturating_sub(1) as u64
    }

    /// Runs that had their whole time and have figures.
    pub fn whole_runs(&self) -> impl Iterator<Item = &RunRecord> {
        self.runs.iter().filter(|run| run.is_whole())
    }
}
