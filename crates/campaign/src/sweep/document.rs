//! A sweep as one JSON document: what was asked, where, and for each run what came of it.
//!
//! It is written anew after each run and read again when the sweep goes on, so it is at once the
//! result and the state. One that was interrupted and continued has several sessions, each with
//! the machine, the volume and the ways as they were then; each run says which it belongs to.

use super::curve::Curve;
use super::plan::SweepPlan;
use super::question::QuestionRecord;
use crate::cases::{Case, PreparedTarget, ResolvedAccess, Setting};
use crate::plan::VolumePlan;
use crate::record::{PlaceRecord, RemarkRecord, records};
use crate::remark::Remark;
use crate::trial::{Trial, TrialId};
use fathom_host::System;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the document; raised when a reader would misread it.
pub const SWEEP_SCHEMA: u32 = 1;
/// What the document calls itself.
pub(super) const KIND: &str = "fathom-sweep";

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
    /// What this is: `fathom-sweep`.
    pub kind: String,
    /// [`SWEEP_SCHEMA`].
    pub schema: u32,
    /// Version of Fathom that wrote this.
    pub fathom_version: String,
    /// Hash of the question.
    pub plan_hash: String,
    /// How far it has come.
    pub status: Status,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
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
    /// The machine that measured.
    pub host: System,
    /// What was measured.
    pub volume: PlaceRecord,
    /// How each engine that was asked for reaches it.
    pub ways: Vec<ResolvedAccess>,
    /// What to know before any figure.
    pub remarks: Vec<RemarkRecord>,
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

/// One run of one case. One that was cut short is run again when the sweep goes on.
pub type CaseRecord = Trial<CaseKey>;

impl CaseKey {
    /// Which trial this is.
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
    /// The document of a plan before anything has run.
    pub fn new(plan: &SweepPlan, started_ms: u64) -> SweepDocument {
        SweepDocument {
            kind: KIND.to_owned(),
            schema: SWEEP_SCHEMA,
            fathom_version: env!("CARGO_PKG_VERSION").to_owned(),
            plan_hash: SweepPlan::hash(&plan.question),
            status: Status::Running,
            started_ms,
            seed: plan.seed,
            plan: plan.question.record(),
            turns: plan.trials().len(),
            left_out: plan.left_out.iter().map(|case| case.settings.clone()).collect(),
            sessions: Vec::new(),
            cases: Vec::new(),
            curves: Vec::new(),
        }
    }

    /// Begins a session on a place; what an earlier one left half done is forgotten.
    pub fn begin_session(&mut self, volume: &VolumePlan, host: System, started_ms: u64) {
        self.cases.retain(CaseRecord::is_over);
        self.curves.clear();
        self.status = Status::Running;
        let fathom_version = env!("CARGO_PKG_VERSION").to_owned();
        self.fathom_version.clone_from(&fathom_version);
        self.sessions.push(SessionRecord {
            started_ms,
            fathom_version,
            host,
            volume: PlaceRecord::of(volume),
            ways: Vec::new(),
            remarks: records(&volume.remarks),
            failure: None,
        });
    }

    /// Adds to the session what was found when its target was made ready.
    pub fn reached(&mut self, target: &PreparedTarget) {
        if let Some(session) = self.sessions.last_mut() {
            session.ways.clone_from(&target.access);
            session.remarks = records(&target.remarks());
        }
    }

    /// Adds what came of a run of a case of `target`.
    pub fn add(&mut self, target: &PreparedTarget, trial: Trial<TrialId>) {
        let TrialId { round, case: index, .. } = trial.key;
        let case = target.cases.iter().find(|case| case.index == index);
        self.cases.push(trial.keyed(CaseKey {
            case: index,
            round,
            settings: case.map(|case| case.settings.clone()).unwrap_or_default(),
            session: self.sessions.len().saturating_sub(1),
            depth: case.map_or(0, |case| case.depth().saturating_mul(case.jobs())),
            block_bytes: case.and_then(Case::block_bytes),
        }));
    }

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

    /// What to know before any figure, of all sessions, each sentence once.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut all: Vec<Remark> = Vec::new();
        for record in self.sessions.iter().flat_map(|session| &session.remarks) {
            if !all.contains(&record.remark) {
                all.push(record.remark.clone());
            }
        }
        all
    }
}
