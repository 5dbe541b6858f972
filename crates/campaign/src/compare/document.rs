//! A comparison of volumes as one JSON document: the volumes, every run whole, and what it shows.

use super::finding::{Finding, findings};
use super::judged::Judged;
use super::plan::Step;
use super::rounds::{CompareWatcher, Ran, Rounds};
use crate::cases::{CaseFigures, CaseOutcome, CaseTime, Setting};
use crate::execute::Executor;
use crate::failure::RunFailure;
use crate::record::{Head, RemarkRecord, VolumeRecord, records};
use crate::verdicts::Verdict;
use fathom_host::System;
use fathom_stats::RunResult;
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

/// One run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    /// The phase in words.
    pub title: String,
    /// Which phase of the plan, from 0.
    pub phase: usize,
    /// Which volume, from 0.
    pub volume: usize,
    /// Which round, from 0.
    pub round: u32,
    /// Options of its job.
    pub job: Vec<(String, Option<String>)>,
    /// The command that repeats it.
    pub command: String,
    /// Its figures; none where it failed.
    pub figures: Option<CaseFigures>,
    /// Why there are none.
    pub failure: Option<String>,
    /// Whether it was stopped before its time; it then counts in no ratio.
    pub cut_short: bool,
    /// What to know about it.
    pub remarks: Vec<RemarkRecord>,
    /// What may be said of its figures, the worst first.
    #[serde(default)]
    pub verdicts: Vec<Verdict>,
    /// Everything that was measured.
    pub result: Option<RunResult>,
}

impl RunRecord {
    pub(super) fn new(step: Step, title: &str, outcome: CaseOutcome) -> RunRecord {
        RunRecord {
            title: title.to_owned(),
            phase: step.phase,
            volume: step.volume,
            round: step.round,
            command: outcome.job.command(),
            job: outcome.job.options,
            failure: RunFailure::text(&outcome.figures),
            figures: outcome.figures.ok(),
            cut_short: outcome.cut_short,
            remarks: records(&outcome.remarks),
            verdicts: outcome.verdicts,
            result: outcome.result,
        }
    }
}

impl Rounds {
    /// Measures all of the plan, or up to a stop, and judges what there is.
    pub fn run(
        &self,
        executor: &mut dyn Executor,
        watcher: &mut dyn CompareWatcher,
        host: System,
        started_ms: u64,
    ) -> CompareDocument {
        let ran = self.take(executor, watcher);
        let plan = &self.plan;
        let info = |phase: &super::ComparedPhase| PhaseInfo {
            title: phase.title.clone(),
            judged: phase.judged,
            settings: phase.case.settings.clone(),
        };
        let mut document = CompareDocument {
            head: Head::new("fathom-compare", COMPARE_SCHEMA, started_ms),
            interrupted: ran.stopped,
            host,
            volumes: (0..plan.volumes.len()).map(|at| self.volume(&ran, at)).collect(),
            plan: ComparePlanRecord {
                phases: plan.phases.iter().map(info).collect(),
                rounds: plan.rounds,
                time: plan.time,
                steps: plan.steps().len(),
                seed: plan.seed,
                fill_bytes: plan.fill_bytes(),
            },
            runs: ran.runs,
            findings: Vec::new(),
        };
        document.findings = findings(&document);
        document
    }

    fn volume(&self, ran: &Ran, at: usize) -> VolumeRecord {
        let volume = (at, &self.plan.volumes[at]);
        VolumeRecord::of(volume, &self.methods[at], &self.remarks_on(at), &ran.failures)
    }
}

impl CompareDocument {
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
        self.runs.iter().filter(|run| !run.cut_short && run.figures.is_some())
    }
}
