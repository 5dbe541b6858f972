//! A sweep as one JSON document: the question, the target, and the result of each run.
//!
//! It is written after each run and read again when the sweep resumes, so it is both result and
//! state. An interrupted and resumed sweep has several sessions, each with its machine, volume and
//! access; each run names its session.

use super::curve::Curve;
use super::question::QuestionRecord;
use crate::document_runs::{DocumentRun, DocumentRuns};
use crate::record::{Head, Setup};
use crate::remark::Remark;
use crate::setting::Setting;
use crate::setting::title_of;
use crate::stop_point::StopPoint;
use crate::stop_point::is_unfinished;
use crate::trial::{Trial, TrialId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the document; raised when a reader would misread it.
pub const SWEEP_SCHEMA: u32 = 1;
/// The kind of the document.
pub const KIND: &str = "fathom-sweep";

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It runs, or the process was ended without a chance to say so.
    #[default]
    Running,
    /// It was stopped and can be continued.
    Interrupted,
    /// Every run had its turn.
    Finished,
}

/// A sweep.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SweepDocument {
    /// It is a `fathom-sweep` of [`SWEEP_SCHEMA`]; its version of Fathom is the last that measured.
    #[serde(flatten)]
    pub head: Head,
    /// Hash of the question.
    pub plan_hash: String,
    /// How far it has come.
    pub status: Status,
    /// What decided the order of cases and their offsets.
    pub seed: u64,
    /// What was asked.
    pub plan: QuestionRecord,
    /// Runs in all: cases times rounds.
    pub turns: usize,
    /// Settings of cases that were left out because they would write what is only read.
    pub left_out: Vec<Vec<Setting>>,
    /// Stretches in which it ran.
    pub sessions: Vec<SessionRecord>,
    /// What was run, in the order in which it ran.
    pub cases: Vec<CaseRecord>,
    /// Figures as a chart would show them; there once a session has ended.
    pub curves: Vec<Curve>,
}

/// A stretch in which a sweep ran without a break.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionRecord {
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Version of Fathom that measured.
    pub fathom_version: String,
    /// Where the cases ran.
    #[serde(flatten)]
    pub setup: Setup,
    /// Why no case could be run, if so.
    pub failure: Option<String>,
}

/// Which run of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseKey {
    /// Which case, from 0.
    pub case: usize,
    /// Which round, from 0.
    pub round: u32,
    /// What makes it differ, an entry for each axis.
    pub settings: Vec<Setting>,
    /// The session that it ran in, from 0.
    pub session: usize,
    /// I/Os that were to be in flight, over all jobs.
    pub depth: u32,
    /// Bytes of each I/O; none where they differ.
    pub block_bytes: Option<u64>,
}

/// One run of one case. An interrupted one is run again when the sweep resumes.
pub type CaseRecord = Trial<CaseKey>;

impl CaseKey {
    /// The trial's id.
    pub fn id(&self) -> TrialId {
        TrialId { round: self.round, case: self.case, target: 0 }
    }
}

impl Trial<CaseKey> {
    /// Whether it had its whole time, well or not.
    pub fn is_over(&self) -> bool {
        !self.cut_short && (self.figures.is_some() || self.failure.is_some())
    }
}

impl SweepDocument {
    /// The runs that had their whole time.
    pub fn over(&self) -> BTreeSet<TrialId> {
        self.cases.iter().filter(|case| case.is_over()).map(|case| case.id()).collect()
    }

    /// Whether every run was had and went well.
    pub fn is_whole(&self) -> bool {
        self.status == Status::Finished
            && self.cases.iter().all(CaseRecord::is_whole)
            && self.sessions.last().is_none_or(|session| session.failure.is_none())
    }

    /// Remarks before any figure, of all sessions, each sentence once.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut all: Vec<Remark> = Vec::new();
        for record in self.sessions.iter().flat_map(|session| &session.setup.remarks) {
            if !all.contains(&record.remark) {
                all.push(record.remark.clone());
            }
        }
        all
    }
}

impl DocumentRuns for SweepDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let cases = self.cases.iter();
        cases.filter_map(|case| DocumentRun::of_trial(case, title_of(&case.settings))).collect()
    }

    /// One whose target failed was not stopped.
    fn is_interrupted(&self) -> bool {
        let failed = self.sessions.last().is_some_and(|session| session.failure.is_some());
        self.status == Status::Interrupted && !failed
    }

    /// The trials of earlier sessions count, but for those that were not over.
    fn stop_point(&self) -> Option<StopPoint> {
        let is_during = self.cases.last().is_some_and(is_unfinished);
        (self.status != Status::Finished).then(|| StopPoint {
            begun: self.over().len() + usize::from(is_during),
            planned: self.turns,
            is_during,
            counts_runs: true,
        })
    }

    fn head(&self) -> Option<&Head> {
        Some(&self.head)
    }

    fn setup(&self) -> Option<&Setup> {
        self.sessions.last().map(|session| &session.setup)
    }

    fn run_us(&self) -> Option<u64> {
        Some(self.plan.time.run_us)
    }
}
