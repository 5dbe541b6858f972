//! `measure --for` as one JSON document: a program's requirement on its log, and the latency of
//! each flush method.

use crate::document_runs::{DocumentRun, DocumentRuns, of_one_place};
use crate::record::{Head, Setup};
use crate::stop_point::StopPoint;
use crate::trial::Trial;
use fathom_analysis::{FlushFigures, FlushMethod, GateOutcome, GateResult, Requirement};
use serde::{Deserialize, Serialize};

/// Version of the document; raised when a reader would misread it.
pub const DURABLE_SCHEMA: u32 = 1;

/// Which run, and what its flushes took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DurableKey {
    /// In words.
    pub title: String,
    /// How it flushed.
    pub method: FlushMethod,
    /// Whether a load ran beside it.
    pub beside: bool,
    /// Its flushes; of `O_DSYNC` its writes, which return when they are durable.
    pub flush: FlushFigures,
    /// Its writes, without their flushes.
    pub write: FlushFigures,
    /// Flushes that the device counted meanwhile, those of others included; none where more than
    /// one device is beneath.
    pub device_flushes: Option<u64>,
    /// Whether it keeps the limit; only the program's own way to flush is held to it.
    pub outcome: Option<GateOutcome>,
    /// Whether it is faster than a disk with a volatile cache can be.
    pub too_fast: bool,
}

/// All of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DurableDocument {
    /// It is a `fathom-durable` of [`DURABLE_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// Whether it was stopped before its end.
    pub interrupted: bool,
    /// Where it ran.
    #[serde(flatten)]
    pub setup: Setup,
    /// What the program asks.
    pub requirement: Requirement,
    /// Runs that were planned; 0 in older documents.
    #[serde(default)]
    pub planned: usize,
    /// What was run.
    pub runs: Vec<Trial<DurableKey>>,
    /// What all runs that are held to the limit say together.
    pub outcome: GateOutcome,
    /// The same in the form of other documents, with the reason; none where the program publishes
    /// no limit, or in older documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// Why no run could be made, if so.
    pub failure: Option<String>,
}

impl DurableDocument {
    /// What all runs say together; none where the program publishes no limit to judge them by.
    pub fn gate(&self) -> Option<GateOutcome> {
        self.requirement.limit_ms.map(|_| self.outcome)
    }

    /// What `run` says; none where there is no limit, or where another method is held to it.
    pub fn outcome_of(&self, run: &DurableKey) -> Option<GateOutcome> {
        run.outcome.filter(|_| self.requirement.limit_ms.is_some())
    }
}

impl DocumentRuns for DurableDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter();
        runs.filter_map(|run| DocumentRun::of_trial(run, run.title.clone())).collect()
    }

    fn stop_point(&self) -> Option<StopPoint> {
        let is_known = self.interrupted && self.planned > 0;
        is_known.then(|| StopPoint::after(&self.runs, self.planned, true))
    }

    of_one_place!(interrupted);
}
