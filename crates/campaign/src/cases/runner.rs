//! Runs cases on one target or several, trial after trial, until the end or a stop; every measuring
//! command uses it.

use super::case::Case;
use super::prepared::{JudgedTrial, PreparedTarget};
use crate::event::{CampaignEvent, EventSink, FillProgress, TrialBegin};
use crate::machine::{Machine, MachineError};
use crate::plan::VolumePlan;
use crate::verdicts::Context;
use fathom_document::Ceiling;
use fathom_document::{Trial, TrialId};
use fathom_text::Text;
use fathom_vocab::IoEngine;

/// Targets with their cases, ready to run.
#[derive(Debug)]
pub struct Runner {
    /// The targets, in the given order.
    pub targets: Vec<PreparedTarget>,
    /// The rates that one core of the machine can drive with each engine; empty until they were
    /// measured.
    pub ceilings: Vec<Ceiling>,
}

/// The trials that are to run.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    /// The trials, in order.
    pub trials: Vec<TrialId>,
    /// Trials that an earlier session had.
    pub before: usize,
}

/// Receives events and results, and stores the results.
pub trait TrialSink {
    /// Takes the events.
    fn events(&mut self) -> &mut dyn EventSink;

    /// The title of a trial while it runs.
    fn title(&self, id: TrialId, case: &Case) -> Text;

    /// Stores the result of a trial before the next begins; returns a one-line summary. `context`
    /// has the facts about its run, none if it did not run.
    fn done(&mut self, trial: Trial<TrialId>, context: Option<&Context>) -> Text;
}

/// How a campaign ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Whether it was stopped early.
    pub stopped: bool,
    /// Targets that could not be filled, and why.
    pub failures: Vec<(usize, String)>,
}

impl Runner {
    /// Claims the targets and finds out how each can be reached.
    ///
    /// # Errors
    /// If a test file cannot be made or a target cannot be reached at all. The machine keeps its
    /// claims until it is released.
    pub fn begin(
        targets: Vec<(VolumePlan, Vec<Case>)>,
        seed: u64,
        machine: &mut dyn Machine,
    ) -> Result<Runner, MachineError> {
        let begin = |(volume, cases)| PreparedTarget::begin(volume, cases, seed, machine);
        let targets: Result<Vec<PreparedTarget>, MachineError> =
            targets.into_iter().map(begin).collect();
        Ok(Runner { targets: targets?, ceilings: Vec::new() })
    }

    /// Each engine that cases go through, with the I/Os in flight of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        self.targets.iter().flat_map(PreparedTarget::engines).collect()
    }

    /// Measures the rate that one core of the machine can drive with the cases' engines, for the
    /// client verdict of later trials.
    pub fn find_ceilings(&mut self, machine: &mut dyn Machine) {
        self.ceilings = machine.ceilings(&self.engines());
    }

    /// Fills the targets that need it. A target that cannot be filled affects no other. The
    /// trials that follow take `trials_us`.
    pub fn fill(
        &self,
        trials_us: u64,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> Ended {
        let several = self.targets.len() > 1;
        let mut ended = Ended::default();
        for (at, target) in self.targets.iter().enumerate() {
            let begun = FillProgress {
                target: several.then(|| target.volume.volume.name.clone()),
                done_bytes: 0,
                total_bytes: target.volume.fill_bytes,
                later_bytes: self.targets[at + 1..].iter().map(|of| of.volume.fill_bytes).sum(),
                trials_us,
            };
            if let Err(why) = target.fill(&begun, machine, events) {
                ended.failures.push((at, why.to_string()));
            }
            if machine.stopping() {
                // That a fill was cut short is no failure of the target's.
                return Ended { stopped: true, failures: Vec::new() };
            }
        }
        ended
    }

    /// Fills the targets that need it, then runs trial after trial until the end or a stop.
    pub fn run(
        &self,
        schedule: &Schedule,
        machine: &mut dyn Machine,
        sink: &mut dyn TrialSink,
    ) -> Ended {
        let cases = schedule.trials.iter().filter_map(|id| self.case_of(*id));
        let trials_us = cases.map(|(_, case)| case.time.total_us()).sum();
        let mut ended = self.fill(trials_us, machine, sink.events());
        let of = Some((schedule.before + schedule.trials.len()) as u64);
        for (step, id) in schedule.trials.iter().enumerate() {
            if machine.stopping() {
                break;
            }
            if ended.failures.iter().any(|(failed, _)| *failed == id.target) {
                continue;
            }
            let Some((target, case)) = self.case_of(*id) else { continue };
            let before = (schedule.before + step) as u64;
            let title = sink.title(*id, case);
            let path = target.volume.shown_path();
            let begin = TrialBegin { before, of, title, time_us: case.time.total_us(), path };
            sink.events().event(CampaignEvent::Begin(begin));
            let (trial, context) = self.trial(*id, case, machine, sink.events());
            let summary = sink.done(trial, context.as_ref());
            sink.events().event(CampaignEvent::End { summary });
        }
        ended.stopped = machine.stopping();
        ended
    }

    fn case_of(&self, id: TrialId) -> Option<(&PreparedTarget, &Case)> {
        let target = self.targets.get(id.target)?;
        Some((target, target.cases.iter().find(|case| case.index == id.case)?))
    }

    /// Runs one case once on the target that `id` names.
    pub(crate) fn trial(
        &self,
        id: TrialId,
        case: &Case,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> JudgedTrial {
        self.targets[id.target].trial(id, case, &self.ceilings, machine, events)
    }
}
