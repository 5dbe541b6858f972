//! What happens while cases are carried out and what comes of them, as data for whoever watches.

use super::case::Case;
use super::figures::CaseFigures;
use crate::failure::RunFailure;
use crate::jobs::JobText;
use crate::method::Method;
use crate::plan::VolumePlan;
use crate::remark::Remark;
use crate::verdicts::Verdict;
use fathom_stats::{LiveSnapshot, RunResult};
use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};

/// One run of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Turn {
    /// Number of the round, from 0.
    pub round: u32,
    /// The case's [`Case::index`].
    pub case: usize,
}

/// How an engine that cases ask for reaches the volume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Way {
    /// The engine asked for; none is the first that works.
    pub asked: Option<IoEngine>,
    /// What was found to work.
    pub method: Option<Method>,
    /// Why nothing does.
    pub failure: Option<String>,
}

/// What came of one run of a case.
#[derive(Clone, Debug)]
pub struct CaseOutcome {
    /// Which.
    pub turn: Turn,
    /// The job as options.
    pub job: JobText,
    /// Its figures, or why there are none.
    pub figures: Result<CaseFigures, RunFailure>,
    /// Whether it was stopped before its time.
    pub cut_short: bool,
    /// What to know about it.
    pub remarks: Vec<Remark>,
    /// What may be said of its figures, the worst first.
    pub verdicts: Vec<Verdict>,
    /// Everything that was measured; none where nothing was begun.
    pub result: Option<RunResult>,
}

/// What happens while cases are carried out.
#[derive(Debug)]
pub enum CaseProgress<'a> {
    /// The place is being filled.
    Filling {
        /// The place.
        volume: &'a VolumePlan,
        /// Bytes done.
        done_bytes: u64,
    },
    /// A run begins.
    Begin {
        /// Its place among the turns given, from 0.
        step: usize,
        /// Which.
        turn: Turn,
        /// The case.
        case: &'a Case,
    },
    /// How it stands.
    Live(&'a LiveSnapshot),
}

/// Is told what happens, and keeps what comes of it.
pub trait CaseWatcher {
    /// Takes note.
    fn progress(&mut self, progress: CaseProgress<'_>);

    /// Keeps what came of a run, before the next begins.
    fn done(&mut self, outcome: CaseOutcome);
}

/// How a course ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Why no case could be run: the place could not be filled.
    pub failure: Option<String>,
}
