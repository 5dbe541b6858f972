//! Adds each run to the document and keeps it, and tells whoever watches.
//!
//! A document that cannot be kept is told at once and does not end the sweep: the next attempt
//! writes all of it, so what was in the way may have gone by then.

use super::curve::curves;
use super::document::{Status, SweepDocument};
use super::plan::SweepPlan;
use crate::cases::{Case, Ended, PreparedTarget, Runner, Schedule, StateFile, TrialSink};
use crate::event::{CampaignEvent, EventSink};
use crate::machine::Machine;
use crate::trial::{Trial, TrialId};
use crate::verdicts::Context;

/// A sweep on its way: what it has so far, and where that is kept.
pub struct Keeper<'a> {
    document: SweepDocument,
    state: &'a StateFile,
    events: &'a mut dyn EventSink,
    not_kept: Option<String>,
}

/// What a sweep came to.
#[derive(Clone, Debug)]
pub struct Kept {
    /// All of it.
    pub document: SweepDocument,
    /// Why its last state could not be kept, if so.
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

    /// Runs what is left of `plan` and gives the whole document.
    pub fn run(mut self, plan: &SweepPlan, runner: &Runner, machine: &mut dyn Machine) -> Kept {
        let target = &runner.targets[0];
        self.document.reached(target);
        self.keep();
        let over = self.document.over();
        let left = plan.trials().into_iter().filter(|id| !over.contains(id));
        let schedule = Schedule { trials: left.collect(), before: over.len() };
        let mut sink = Trials { keeper: &mut self, target };
        let ended = runner.run(&schedule, machine, &mut sink);
        self.finish(plan, ended)
    }

    fn finish(mut self, plan: &SweepPlan, ended: Ended) -> Kept {
        self.document.status = match ended.stopped || !ended.failures.is_empty() {
            true => Status::Interrupted,
            false => Status::Finished,
        };
        if let Some(session) = self.document.sessions.last_mut() {
            session.failure = ended.failures.into_iter().next().map(|(_, why)| why);
        }
        self.document.curves = curves(&self.document, &plan.question);
        self.keep();
        Kept { document: self.document, not_kept: self.not_kept }
    }

    fn keep(&mut self) {
        self.not_kept = self.state.keep(&self.document).err();
        if let Some(why) = self.not_kept.clone() {
            self.events.event(CampaignEvent::NotSaved { why });
        }
    }
}

/// Takes the trials to the keeper.
struct Trials<'k, 'a> {
    keeper: &'k mut Keeper<'a>,
    target: &'k PreparedTarget,
}

impl TrialSink for Trials<'_, '_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.keeper.events
    }

    fn title(&self, _: TrialId, case: &Case) -> String {
        case.title()
    }

    fn done(&mut self, trial: Trial<TrialId>, _: Option<&Context>) -> String {
        let summary = trial.summary();
        self.keeper.document.add(self.target, trial);
        self.keeper.keep();
        summary
    }
}
