//! A check as one JSON document: the promise, its provider, and the outcome of each run.

use crate::document_runs::{DocumentRun, DocumentRuns, of_one_place};
use crate::record::{Head, Setup};
use crate::setting::CaseTime;
use crate::stop_point::StopPoint;
use crate::trial::Trial;
use fathom_analysis::GateResult;
use fathom_analysis::check::BurstNotice;
use fathom_analysis::check::CheckBasis;
use fathom_analysis::check::CheckLoad;
use fathom_analysis::check::{Doubt, RunFinding, Standing};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Version of the document; raised when a reader would misread it.
pub const CHECK_SCHEMA: u32 = 1;

/// A check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckDocument {
    /// It is a `fathom-check` of [`CHECK_SCHEMA`].
    #[serde(flatten)]
    pub head: Head,
    /// What decided the offsets.
    pub seed: u64,
    /// Where it ran.
    #[serde(flatten)]
    pub setup: Setup,
    /// What it was held to.
    pub basis: CheckBasis,
    /// What is to be known beside the promise, a sentence each.
    pub caveats: Vec<String>,
    /// Bursts that outlast a run.
    pub bursts: Vec<BurstNotice>,
    /// How long each run took.
    pub time: CaseTime,
    /// Runs that were to be made.
    pub planned: usize,
    /// Runs that were left out because they would have written.
    pub left_out: Vec<CheckLoad>,
    /// What was run.
    pub runs: Vec<CheckTrial>,
    /// Whether the promise was kept, as far as the runs tell.
    pub standing: Standing,
    /// The same limit by limit; none in documents from before there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateResult>,
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Why no run could be made, if so.
    pub failure: Option<String>,
}

/// Which run of a check, and what it came to beside its promise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckKey {
    /// What it was to find out.
    #[serde(flatten)]
    pub load: CheckLoad,
    /// What it came to; none where it failed.
    pub finding: Option<RunFinding>,
}

/// One run. Cap, client and cache are judged with its promise and not among its verdicts.
pub type CheckTrial = Trial<CheckKey>;

impl CheckKey {
    /// Seconds that its run must take; 0 where it was long enough.
    pub fn needed_s(&self) -> u64 {
        self.finding.as_ref().map_or(0, RunFinding::needed_s)
    }

    /// The outcome of its promise.
    pub fn standing(&self) -> Standing {
        self.finding.as_ref().map_or(Standing::CouldNotTell, |finding| finding.standing)
    }

    /// Whether it is undecided for a reason that another run, or a longer one, may end.
    pub fn may_yet_decide(&self) -> bool {
        let doubt = self.finding.as_ref().and_then(|finding| finding.doubt);
        let may_end = |doubt| match doubt {
            Doubt::Unstable | Doubt::Client | Doubt::OtherUse => true,
            Doubt::Burst | Doubt::Interrupted => true,
            // Too few I/Os for a percentile, or a bucket that is not empty.
            Doubt::NotJudged => true,
            Doubt::Cached | Doubt::NotAsked | Doubt::CutShort => false,
        };
        doubt.is_some_and(may_end)
    }
}

impl CheckDocument {
    /// The runs in their order, but first those that need the most time: of several reasons alike
    /// the first is told.
    pub fn by_need(&self) -> Vec<&CheckTrial> {
        let mut runs: Vec<&CheckTrial> = self.runs.iter().collect();
        runs.sort_by_key(|run| Reverse(run.needed_s()));
        runs
    }

    /// Whether every run was made and measured something.
    pub fn is_whole(&self) -> bool {
        self.runs.len() == self.planned && self.runs.iter().all(CheckTrial::is_whole)
    }

    /// The outcome of all runs: one miss is a miss; a pass needs all runs to pass.
    pub fn stands(&self) -> Standing {
        let worst = self.runs.iter().map(|run| run.standing()).max();
        match worst {
            Some(Standing::Kept) if !self.is_whole() => Standing::CouldNotTell,
            Some(standing) => standing,
            None => Standing::CouldNotTell,
        }
    }
}

impl DocumentRuns for CheckDocument {
    fn runs(&self) -> Vec<DocumentRun<'_>> {
        let runs = self.runs.iter();
        runs.filter_map(|run| DocumentRun::of_trial(run, run.load.title())).collect()
    }

    fn stop_point(&self) -> Option<StopPoint> {
        self.stopped.then(|| StopPoint::after(&self.runs, self.planned, true))
    }

    of_one_place!(stopped);
}
