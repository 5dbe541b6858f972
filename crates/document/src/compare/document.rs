//! A comparison of volumes as one JSON document: the volumes, every run with its result, and the
//! findings.

use crate::document_runs::{DocumentRun, DocumentRuns, with_head};
use crate::record::{Head, VolumeRecord, are_one_disk};
use crate::setting::{CaseTime, Setting};
use crate::stop_point::StopPoint;
use crate::trial::Trial;
use fathom_analysis::GateResult;
use fathom_analysis::{JudgeRule, Judged, MARGIN_PERCENT, PhaseFinding};
use fathom_host::System;
use fathom_vocab::without_arguments;
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const COMPARE_SCHEMA: u32 = 1;

/// Letters up to which the name of a volume is short.
const SHORT_NAME: usize = 20;

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
    pub runs: Vec<CompareTrial>,
    /// What it shows, an entry for each phase that two volumes or more ran.
    pub findings: Vec<PhaseFinding>,
    /// What `--fail-if-worse` came to; none where it was not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// By how many percent a volume may be worse than the first for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fail_if_worse_percent: Option<f64>,
}

/// What was planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ComparePlanRecord {
    /// The phases, in order.
    pub phases: Vec<PhaseInfo>,
    /// How often each ran on each volume at most, in an order drawn at random.
    pub rounds: u32,
    /// How often the findings were judged, the end included; a phase that was decided by then ran
    /// no more.
    #[serde(default = "once")]
    pub looks: u64,
    /// The volumes that stand together on each side; empty where each stands for itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Vec<usize>>,
    /// Volumes are equal within so many percent.
    #[serde(default = "usual_margin")]
    pub margin_percent: f64,
    /// How long each run took.
    pub time: CaseTime,
    /// Runs in all.
    pub steps: usize,
    /// Decided the offsets.
    pub seed: u64,
    /// Bytes written before measuring, over all volumes.
    pub fill_bytes: u64,
}

fn once() -> u64 {
    1
}

fn usual_margin() -> f64 {
    MARGIN_PERCENT
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
pub type CompareTrial = Trial<CompareKey>;

impl CompareDocument {
    /// Whether everything planned was measured.
    pub fn is_whole(&self) -> bool {
        !self.interrupted
            && self.volumes.iter().all(|volume| volume.failure.is_none())
            && self.runs.iter().all(|run| run.failure.is_none())
    }

    /// Whether all volumes are one file system or device, of which none can be better.
    pub fn is_one_disk(&self) -> bool {
        are_one_disk(&self.volumes)
    }

    /// Whether volumes of two sides, in the given order, are one file system or device.
    pub(super) fn shares_disk(&self, first: usize, head: usize) -> bool {
        let others = self.side_of(head);
        let shares = |first: &usize| others.iter().any(|of| self.is_same_disk(*first, *of));
        self.side_of(first).iter().any(shares)
    }

    fn is_same_disk(&self, first: usize, volume: usize) -> bool {
        let first = self.volumes.get(first).map(|of| of.place.volume.name.as_str());
        let other = self.volumes.get(volume).and_then(VolumeRecord::disk_shared_with);
        other.is_some() && other == first
    }

    /// The volumes of each side, of which the first also names it: one, unless several stand
    /// together.
    pub fn sides(&self) -> Vec<Vec<usize>> {
        match self.plan.sides.is_empty() {
            true => (0..self.volumes.len()).map(|volume| vec![volume]).collect(),
            false => self.plan.sides.clone(),
        }
    }

    /// The first volume of each side.
    pub fn heads(&self) -> impl Iterator<Item = usize> + use<> {
        self.sides().into_iter().filter_map(|side| side.first().copied())
    }

    /// The volumes of the side that one of them names; itself where it names none.
    pub(super) fn side_of(&self, head: usize) -> Vec<usize> {
        let mut sides = self.sides().into_iter();
        sides.find(|side| side.first() == Some(&head)).unwrap_or_else(|| vec![head])
    }

    /// `a1, a2, a3`, as typed.
    pub fn side_name(&self, head: usize) -> String {
        let names = self.side_of(head).into_iter().filter_map(|at| self.volumes.get(at));
        names.map(|of| of.place.volume.name.clone()).collect::<Vec<String>>().join(", ")
    }

    /// The short names of the volumes of a side.
    pub fn short_name(&self, head: usize) -> String {
        let names = self.side_of(head).into_iter().map(|volume| self.short_name_of(volume));
        names.collect::<Vec<String>>().join(", ")
    }

    /// What a volume is called in a sentence: a short name of a folder as it was typed, as in the
    /// table; otherwise the end of its path, with as many folders before it as no other volume
    /// shares. An export has its arguments only beside the same export with others.
    fn short_name_of(&self, volume: usize) -> String {
        let Some(record) = self.volumes.get(volume) else { return String::new() };
        let typed = record.place.volume.name.as_str();
        if !typed.starts_with(['/', '.']) && typed.chars().count() <= SHORT_NAME {
            return typed.trim_end_matches('/').to_owned();
        }
        let parts = |record: &VolumeRecord| -> Vec<String> {
            let target = without_arguments(record.place.target());
            target.trim_end_matches('/').split('/').rev().map(str::to_owned).collect()
        };
        let own = parts(record);
        let others = self.volumes.iter().enumerate().filter(|(at, _)| *at != volume);
        let others: Vec<Vec<String>> = others.map(|(_, other)| parts(other)).collect();
        let is_own = |count: &usize| others.iter().all(|of| of.get(..*count) != own.get(..*count));
        match (1..own.len()).find(is_own) {
            Some(count) => own[..count].iter().rev().cloned().collect::<Vec<_>>().join("/"),
            None => record.place.target().to_owned(),
        }
    }

    /// How sure each of its comparisons has to be: every pair of sides in every phase.
    pub fn judge_rule(&self) -> JudgeRule {
        JudgeRule {
            looks: self.plan.looks,
            margin_percent: self.plan.margin_percent,
            ..JudgeRule::among_pairs(self.plan.phases.len(), self.sides().len())
        }
    }

    /// Runs that had their whole time and have figures.
    pub fn whole_runs(&self) -> impl Iterator<Item = &CompareTrial> {
        self.runs.iter().filter(|run| run.is_whole())
    }
}

impl DocumentRuns for CompareDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter().filter_map(|trial| {
            let run = DocumentRun::of_trial(trial, trial.title.clone())?;
            Some(DocumentRun { volume: Some(trial.volume), ..run })
        });
        runs.collect()
    }

    with_head!(interrupted);

    fn stop_point(&self) -> Option<StopPoint> {
        self.interrupted.then(|| StopPoint::after(&self.runs, self.plan.steps, true))
    }

    fn host(&self) -> Option<&System> {
        Some(&self.host)
    }

    fn volumes(&self) -> &[VolumeRecord] {
        &self.volumes
    }

    fn volume_indices(&self) -> Vec<usize> {
        let standings = self.findings.iter().flat_map(|finding| &finding.standings);
        standings.map(|of| of.volume).chain(self.runs.iter().map(|run| run.volume)).collect()
    }

    fn run_us(&self) -> Option<u64> {
        Some(self.plan.time.run_us)
    }
}
