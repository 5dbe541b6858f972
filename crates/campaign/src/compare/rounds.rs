//! Carries a comparison out: targets made ready, then run after run in the plan's order.
//!
//! A run that fails costs that run and no other; a stop keeps what was measured.

use super::asked::ComparedPhase;
use super::document::{CompareDocument, CompareKey, RunRecord};
use super::plan::ComparePlan;
use crate::cases::{Case, Runner, Schedule, TrialSink};
use crate::event::EventSink;
use crate::machine::{Machine, MachineError};
use crate::plan::VolumePlan;
use crate::trial::{Trial, TrialId};
use crate::verdicts::Context;
use fathom_host::System;

/// Volumes whose test files are there and that can be reached.
#[derive(Debug)]
pub struct Rounds {
    /// The plan.
    pub plan: ComparePlan,
    /// What runs it.
    pub runner: Runner,
}

impl Rounds {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// Where a file cannot be made or a volume cannot be read at all. The machine still
    /// holds what it had claimed until it is released.
    pub fn begin(plan: ComparePlan, machine: &mut dyn Machine) -> Result<Rounds, MachineError> {
        let on = |(at, volume): (usize, &VolumePlan)| {
            let may = |phase: &&ComparedPhase| plan.runs_on(phase.case.index, at);
            let cases = plan.phases.iter().filter(may).map(|phase| phase.case.clone()).collect();
            (volume.clone(), cases)
        };
        let targets: Vec<(VolumePlan, Vec<Case>)> =
            plan.volumes.iter().enumerate().map(on).collect();
        let runner = Runner::begin(targets, plan.seed, machine)?;
        Ok(Rounds { plan, runner })
    }

    /// What to know about a volume before its figures.
    pub fn remarks_on(&self, volume: usize) -> Vec<crate::Remark> {
        self.runner.targets[volume].remarks()
    }

    /// Measures all of the plan, or up to a stop, and judges what there is.
    pub fn run(
        &self,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
        host: System,
        started_ms: u64,
    ) -> CompareDocument {
        let schedule = Schedule { trials: self.plan.steps(), before: 0 };
        let mut sink = Runs { plan: &self.plan, events, runs: Vec::new() };
        let ended = self.runner.run(&schedule, machine, &mut sink);
        CompareDocument::new(&self.plan, &self.runner, (ended, sink.runs), host, started_ms)
    }
}

/// Keeps the runs as they come.
struct Runs<'a> {
    plan: &'a ComparePlan,
    events: &'a mut dyn EventSink,
    runs: Vec<RunRecord>,
}

impl TrialSink for Runs<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.events
    }

    fn title(&self, id: TrialId, case: &Case) -> String {
        let (plan, round) = (self.plan, id.round + 1);
        let name = &plan.volumes[id.target].volume.name;
        format!("round {round}, {name}, {}", plan.phases[case.index].title)
    }

    fn done(&mut self, trial: Trial<TrialId>, _: Option<&Context>) -> String {
        let summary = trial.summary();
        let TrialId { round, case: phase, target: volume } = trial.key;
        let title = self.plan.phases[phase].title.clone();
        self.runs.push(trial.keyed(CompareKey { title, phase, volume, round }));
        summary
    }
}
