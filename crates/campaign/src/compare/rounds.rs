//! Runs a comparison: prepares the targets, then makes the runs in the plan's order.
//!
//! A run that fails affects no other; a stop keeps the results so far.

use super::plan::ComparePlan;
use super::request::ComparedPhase;
use crate::cases::{Case, Runner, Schedule, TrialSink};
use crate::cases::{Ended, PreparedTarget};
use crate::event::EventSink;
use crate::machine::{Machine, MachineError};
use crate::plan::VolumePlan;
use crate::verdicts::Context;
use fathom_document::compare::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, PhaseInfo,
    findings,
};
use fathom_document::{DocumentSummary, Head, Trial, TrialId, test_title};
use fathom_host::System;
use fathom_text::{Text, text};

/// Volumes whose test files exist and that can be reached.
#[derive(Debug)]
pub struct Rounds {
    /// The plan.
    pub plan: ComparePlan,
    /// The runner.
    pub runner: Runner,
}

impl Rounds {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// If a file cannot be made or a volume cannot be read at all. The machine keeps its claims
    /// until it is released.
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

    /// Remarks on a volume, for the time before its figures.
    pub fn remarks_on(&self, volume: usize) -> Vec<fathom_document::Remark> {
        self.runner.targets[volume].remarks()
    }

    /// Measures the whole plan, or up to a stop, and judges the results.
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
        self.document((ended, sink.runs), host, started_ms)
    }

    fn document(
        &self,
        (ended, runs): (Ended, Vec<CompareTrial>),
        host: System,
        started_ms: u64,
    ) -> CompareDocument {
        let plan = &self.plan;
        let info = |phase: &ComparedPhase| PhaseInfo {
            title: phase.title.clone(),
            judged: phase.judged,
            settings: phase.case.settings.clone(),
        };
        let volume = |(at, target): (usize, &PreparedTarget)| target.record(at, &ended.failures);
        let mut document = CompareDocument {
            head: Head::new("fathom-compare", COMPARE_SCHEMA, started_ms),
            interrupted: ended.stopped,
            host,
            volumes: self.runner.targets.iter().enumerate().map(volume).collect(),
            plan: ComparePlanRecord {
                phases: plan.phases.iter().map(info).collect(),
                rounds: plan.rounds,
                time: plan.time,
                steps: plan.steps().len(),
                seed: plan.seed,
                fill_bytes: plan.fill_bytes(),
            },
            runs,
            findings: Vec::new(),
            gate: None,
            fail_if_worse_percent: None,
        };
        document.findings = findings(&document);
        document.with_summary()
    }
}

/// Stores runs as they end.
struct Runs<'a> {
    plan: &'a ComparePlan,
    events: &'a mut dyn EventSink,
    runs: Vec<CompareTrial>,
}

impl TrialSink for Runs<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.events
    }

    fn title(&self, id: TrialId, case: &Case) -> Text {
        let (plan, round) = (self.plan, id.round + 1);
        let name = &plan.volumes[id.target].volume.name;
        text!("round {round}, {name}, {}", test_title(&plan.phases[case.index].title))
    }

    fn done(&mut self, trial: Trial<TrialId>, _: Option<&Context>) -> Text {
        let summary = trial.summary();
        let TrialId { round, case: phase, target: volume } = trial.key;
        let title = self.plan.phases[phase].title.clone();
        self.runs.push(trial.keyed(CompareKey { title, phase, volume, round }));
        summary
    }
}
