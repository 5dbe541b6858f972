//! Runs cases on one target or several, trial after trial, until the end or a stop; every measuring
//! command uses it.

use super::case::Case;
use super::prepared::{JudgedTrial, PreparedTarget};
use crate::event::{CampaignEvent, EventSink, FillProgress, TrialBegin};
use crate::machine::{Machine, MachineError};
use crate::verdicts::Context;
use crate::volume_plan::VolumePlan;
use fathom_document::Ceiling;
use fathom_document::{Trial, TrialId};
use fathom_text::Text;
use fathom_vocab::IoEngine;

/// Targets with their cases, ready to run.
#[derive(Debug)]
pub struct Runner {
    /// The targets, in the given order.
    pub targets: Vec<PreparedTarget>,
    /// The rates that one core of the machine can drive with each engine, for the client verdict.
    pub ceilings: Vec<Ceiling>,
}

/// Receives events and results, and stores the results.
pub trait TrialSink {
    /// Takes the events.
    fn events(&mut self) -> &mut dyn EventSink;

    /// The title of a trial while it runs.
    fn title(&self, id: TrialId, case: &Case) -> Text;

    /// Trials before the next: earlier ones, and those of an earlier session.
    fn before(&self) -> usize {
        0
    }

    /// Stores the result of a trial before the next begins; returns a one-line summary. `context`
    /// has the facts about its run, none if it did not run.
    fn done(&mut self, trial: Trial<TrialId>, context: Option<&Context>) -> Text;
}

/// Keeps the trials of a campaign as a command records them.
pub struct TrialLog<'a, R> {
    events: &'a mut dyn EventSink,
    title: &'a dyn Fn(TrialId, &Case) -> Text,
    record: &'a dyn Fn(Trial<TrialId>) -> (R, Text),
    /// The records, in order, that nobody took yet.
    pub records: Vec<R>,
    /// How many trials ended.
    ended: usize,
}

impl<'a, R> TrialLog<'a, R> {
    /// Without a record yet. `record` also gives the one-line summary of a trial.
    pub fn new(
        events: &'a mut dyn EventSink,
        title: &'a dyn Fn(TrialId, &Case) -> Text,
        record: &'a dyn Fn(Trial<TrialId>) -> (R, Text),
    ) -> TrialLog<'a, R> {
        TrialLog { events, title, record, records: Vec::new(), ended: 0 }
    }
}

impl<R> TrialSink for TrialLog<'_, R> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.events
    }

    fn title(&self, id: TrialId, case: &Case) -> Text {
        (self.title)(id, case)
    }

    fn before(&self) -> usize {
        self.ended
    }

    fn done(&mut self, trial: Trial<TrialId>, _: Option<&Context>) -> Text {
        let (record, summary) = (self.record)(trial);
        self.records.push(record);
        self.ended += 1;
        summary
    }
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
    /// Claims the targets and finds out how each can be reached, and what one core of the machine
    /// can drive.
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
        let targets: Vec<PreparedTarget> =
            targets.into_iter().map(begin).collect::<Result<_, _>>()?;
        let engines: Vec<(IoEngine, u32)> =
            targets.iter().flat_map(PreparedTarget::engines).collect();
        Ok(Runner { targets, ceilings: machine.ceilings(&engines) })
    }

    /// The same for a plan of one target.
    ///
    /// # Errors
    /// As of [`Runner::begin`].
    pub fn begin_one(
        volume: &VolumePlan,
        cases: Vec<Case>,
        seed: u64,
        machine: &mut dyn Machine,
    ) -> Result<Runner, MachineError> {
        Runner::begin(vec![(volume.clone(), cases)], seed, machine)
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
        trials: &[TrialId],
        machine: &mut dyn Machine,
        sink: &mut dyn TrialSink,
    ) -> Ended {
        let cases = trials.iter().filter_map(|id| self.case_of(*id));
        let trials_us = cases.map(|(_, case)| case.time.total_us()).sum();
        let mut ended = self.fill(trials_us, machine, sink.events());
        self.run_trials(trials, 0, &mut ended, machine, sink);
        ended
    }

    /// Runs trial after trial on the targets that could be filled, until the end or a stop; `later`
    /// trials may follow.
    pub fn run_trials(
        &self,
        trials: &[TrialId],
        later: usize,
        ended: &mut Ended,
        machine: &mut dyn Machine,
        sink: &mut dyn TrialSink,
    ) {
        let earlier = sink.before();
        let of = Some((earlier + trials.len() + later) as u64);
        for (step, id) in trials.iter().enumerate() {
            if machine.stopping() {
                break;
            }
            if ended.failures.iter().any(|(failed, _)| *failed == id.target) {
                continue;
            }
            let Some((target, case)) = self.case_of(*id) else { continue };
            let before = (earlier + step) as u64;
            let title = sink.title(*id, case);
            let path = target.volume.shown_path();
            let begin = TrialBegin { before, of, title, time_us: case.time.total_us(), path };
            sink.events().event(CampaignEvent::Begin(begin));
            let (trial, context) = self.trial(*id, case, machine, sink.events());
            let summary = sink.done(trial, context.as_ref());
            sink.events().event(CampaignEvent::End { summary });
        }
        ended.stopped = machine.stopping();
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
