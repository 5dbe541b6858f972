//! Adds each run to the document, stores it, and informs the observer.
//!
//! A failed write is reported at once and does not end the sweep: the next attempt writes the whole
//! document, and may succeed.

use super::plan::SweepPlan;
use crate::cases::{Case, Ended, PreparedTarget, Runner, StateFile, TrialSink};
use crate::event::{CampaignEvent, EventSink};
use crate::machine::Machine;
use crate::verdicts::Context;
use fathom_document::sweep::{CaseKey, Status, SweepDocument, curves};
use fathom_document::{DocumentSummary, Trial, TrialId, records};
use fathom_text::Text;

/// The outcome of a sweep.
#[derive(Clone, Debug)]
pub struct SweepOutcome {
    /// The whole document.
    pub document: SweepDocument,
    /// Why its last state could not be stored, if so.
    pub not_kept: Option<String>,
}

impl SweepPlan {
    /// Runs the cases that `document` does not have yet, and returns the whole document, which
    /// `state` has after each run.
    pub fn run(
        &self,
        runner: &Runner,
        mut document: SweepDocument,
        state: &StateFile,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> SweepOutcome {
        let target = &runner.targets[0];
        if let Some(session) = document.sessions.last_mut() {
            session.setup.ways.clone_from(&target.access);
            session.setup.remarks = records(&target.remarks());
        }
        let over = document.over();
        let left: Vec<TrialId> =
            self.trials().into_iter().filter(|id| !over.contains(id)).collect();
        let before = over.len();
        let mut runs = SweepRuns { target, before, document, state, events, not_kept: None };
        runs.keep();
        let ended = runner.run(&left, machine, &mut runs);
        runs.finish(ended)
    }
}

/// A running sweep: its document, and its file.
struct SweepRuns<'a> {
    target: &'a PreparedTarget,
    /// Runs of earlier sessions.
    before: usize,
    document: SweepDocument,
    state: &'a StateFile,
    events: &'a mut dyn EventSink,
    not_kept: Option<String>,
}

impl SweepRuns<'_> {
    fn finish(mut self, ended: Ended) -> SweepOutcome {
        self.document.status = match ended.stopped || !ended.failures.is_empty() {
            true => Status::Interrupted,
            false => Status::Finished,
        };
        if let Some(session) = self.document.sessions.last_mut() {
            session.failure = ended.failures.into_iter().next().map(|(_, why)| why);
        }
        self.document.curves = curves(&self.document);
        self.document = self.document.with_summary();
        self.keep();
        SweepOutcome { document: self.document, not_kept: self.not_kept }
    }

    fn keep(&mut self) {
        self.not_kept = self.state.keep(&self.document).err().map(|why| why.to_string());
        if let Some(why) = self.not_kept.clone() {
            self.events.event(CampaignEvent::NotSaved { why });
        }
    }
}

impl TrialSink for SweepRuns<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.events
    }

    fn title(&self, _: TrialId, case: &Case) -> Text {
        Text::from(case.title())
    }

    fn before(&self) -> usize {
        self.before
    }

    fn done(&mut self, trial: Trial<TrialId>, _: Option<&Context>) -> Text {
        let summary = trial.summary();
        let TrialId { round, case: index, .. } = trial.key;
        let case = self.target.cases.iter().find(|case| case.index == index);
        self.document.cases.push(trial.keyed(CaseKey {
            case: index,
            round,
            settings: case.map(|case| case.settings.clone()).unwrap_or_default(),
            session: self.document.sessions.len().saturating_sub(1),
            depth: case.map_or(0, |case| case.depth().saturating_mul(case.jobs())),
            block_bytes: case.and_then(Case::block_bytes),
        }));
        self.keep();
        summary
    }
}
