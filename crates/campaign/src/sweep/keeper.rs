//! Adds each run to the document, stores it, and informs the observer.
//!
//! A failed write is reported at once and does not end the sweep: the next attempt writes the whole
//! document, and may succeed.

use super::plan::SweepPlan;
use crate::cases::{Case, Ended, PreparedTarget, Runner, StateFile, TrialSink};
use crate::event::{CampaignEvent, EventSink};
use crate::machine::Machine;
use crate::verdicts::Context;
use fathom_document::records;
use fathom_document::sweep::CaseKey;
use fathom_document::sweep::curves;
use fathom_document::sweep::{Status, SweepDocument};
use fathom_document::{DocumentSummary, Trial, TrialId};
use fathom_text::Text;

/// A running sweep: its document, and its file.
pub struct Keeper<'a> {
    document: SweepDocument,
    state: &'a StateFile,
    events: &'a mut dyn EventSink,
    not_kept: Option<String>,
}

/// The outcome of a sweep.
#[derive(Clone, Debug)]
pub struct SweepOutcome {
    /// The whole document.
    pub document: SweepDocument,
    /// Why its last state could not be stored, if so.
    pub not_kept: Option<String>,
}

impl<'a> Keeper<'a> {
    /// A keeper of `document` in `state`.
    pub fn new(
        document: SweepDocument,
        state: &'a StateFile,
        events: &'a mut dyn EventSink,
    ) -> Keeper<'a> {
        Keeper { document, state, events, not_kept: None }
    }

    /// Runs the remaining cases of `plan` and returns the whole document.
    pub fn run(
        mut self,
        plan: &SweepPlan,
        runner: &Runner,
        machine: &mut dyn Machine,
    ) -> SweepOutcome {
        let target = &runner.targets[0];
        if let Some(session) = self.document.sessions.last_mut() {
            session.setup.ways.clone_from(&target.access);
            session.setup.remarks = records(&target.remarks());
        }
        self.keep();
        let over = self.document.over();
        let left = plan.trials().into_iter().filter(|id| !over.contains(id));
        let left: Vec<TrialId> = left.collect();
        let mut sink = Trials { keeper: &mut self, target, before: over.len() };
        let ended = runner.run(&left, machine, &mut sink);
        self.finish(ended)
    }

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

/// Takes the trials to the keeper.
struct Trials<'k, 'a> {
    keeper: &'k mut Keeper<'a>,
    target: &'k PreparedTarget,
    before: usize,
}

impl TrialSink for Trials<'_, '_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.keeper.events
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
        let document = &mut self.keeper.document;
        document.cases.push(trial.keyed(CaseKey {
            case: index,
            round,
            settings: case.map(|case| case.settings.clone()).unwrap_or_default(),
            session: document.sessions.len().saturating_sub(1),
            depth: case.map_or(0, |case| case.depth().saturating_mul(case.jobs())),
            block_bytes: case.and_then(Case::block_bytes),
        }));
        self.keeper.keep();
        summary
    }
}
