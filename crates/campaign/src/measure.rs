//! `measure`: how fast is this volume? A suite of phases, each a case, on every volume in turn.

use crate::cases::PreparedTarget;
use crate::cases::{Case, Ended, Runner, Schedule, TrialSink};
use crate::event::EventSink;
use crate::headroom::by_engine;
use crate::machine::{Machine, MachineError};
use crate::plan::{Plan, VolumePlan};
use crate::verdicts::{self, Context};
use fathom_document::test_title;
use fathom_document::verdicts::VolumeVerdicts;
use fathom_document::{
    CaseFigures, DOCUMENT_SCHEMA, Document, DocumentSummary, Head, Headroom, Method, OverRounds,
    PhaseKey, PhaseRecord, PlanRecord, Remark, Trial, TrialId,
};
use fathom_host::System;
use fathom_text::{Text, text};
use fathom_vocab::IoEngine;

/// All that was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Every run of a phase, in order.
    pub phases: Vec<PhaseRecord>,
    /// The verdicts on each volume over all its phases.
    pub over_phases: Vec<VolumeVerdicts>,
    /// Volumes that could not be filled, and why.
    pub failures: Vec<(usize, String)>,
    /// Whether it was stopped early.
    pub stopped: bool,
}

impl Measured {
    /// Each phase on each volume over all its rounds.
    pub fn over_rounds(&self) -> Vec<OverRounds> {
        OverRounds::of(&self.phases)
    }

    /// Whether everything requested was measured.
    pub fn is_whole(&self) -> bool {
        !self.stopped
            && self.failures.is_empty()
            && self.phases.iter().all(|phase| phase.figures.is_some())
    }
}

/// A plan whose test files exist and whose volumes can be reached.
#[derive(Debug)]
pub struct Prepared {
    /// The plan.
    pub plan: Plan,
    /// The runner.
    pub runner: Runner,
}

impl Prepared {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// If a file cannot be made or a volume cannot be read at all. The machine keeps its claims
    /// until it is released.
    pub fn begin(plan: Plan, machine: &mut dyn Machine) -> Result<Prepared, MachineError> {
        let all = plan.cases().map_err(MachineError::of_run)?;
        let on = |volume: &VolumePlan| {
            let may = |case: &&Case| volume.writes || !case.writes();
            (volume.clone(), all.iter().filter(may).cloned().collect())
        };
        let targets: Vec<(VolumePlan, Vec<Case>)> = plan.volumes.iter().map(on).collect();
        let runner = Runner::begin(targets, plan.seed, machine)?;
        Ok(Prepared { plan, runner })
    }

    /// Each engine that phases go through, with the I/Os in flight of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        self.runner.engines()
    }

    /// How a volume is reached.
    pub fn method(&self, volume: usize) -> &Method {
        &self.runner.targets[volume].method
    }

    /// Remarks on a volume, for the time before its figures.
    pub fn remarks_on(&self, volume: usize) -> Vec<Remark> {
        self.runner.targets[volume].remarks()
    }

    /// The document: the plan, and the results that `host` measured.
    pub fn document(&self, measured: &Measured, host: System, started_ms: u64) -> Document {
        let plan = &self.plan;
        let record = |(at, target): (usize, &PreparedTarget)| target.record(at, &measured.failures);
        Document {
            head: Head::new("fathom-measure", DOCUMENT_SCHEMA, started_ms),
            interrupted: measured.stopped,
            host,
            volumes: self.runner.targets.iter().enumerate().map(record).collect(),
            plan: PlanRecord {
                phase_us: plan.phase_us,
                ramp_us: plan.ramp_us,
                phases: plan.steps().len(),
                rounds: plan.rounds,
                seed: Some(plan.seed),
                fill_bytes: plan.fill_bytes(),
            },
            over_rounds: if plan.rounds > 1 { measured.over_rounds() } else { Vec::new() },
            phases: measured.phases.clone(),
            over_phases: measured.over_phases.clone(),
            client: None,
        }
        .with_summary()
    }

    /// Fills the targets that need it, then runs every step.
    pub fn run(&self, machine: &mut dyn Machine, events: &mut dyn EventSink) -> Measured {
        let schedule = Schedule { trials: self.plan.steps(), before: 0 };
        let mut sink = Phases { plan: &self.plan, events, phases: Vec::new() };
        let Ended { stopped, failures } = self.runner.run(&schedule, machine, &mut sink);
        let mut phases = sink.phases;
        let over_phases = verdicts::over_phases(&mut phases, stopped);
        Measured { phases, over_phases, failures, stopped }
    }
}

/// Stores phases as they end.
struct Phases<'a> {
    plan: &'a Plan,
    events: &'a mut dyn EventSink,
    phases: Vec<PhaseRecord>,
}

impl TrialSink for Phases<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.events
    }

    fn title(&self, id: TrialId, case: &Case) -> Text {
        let phase = test_title(&self.plan.suite.phases[case.index].title());
        let title = match self.plan.rounds {
            0 | 1 => Text::of(phase),
            _ => text!("{phase}, round {}", id.round + 1),
        };
        match self.plan.volumes.as_slice() {
            [_] => title,
            volumes => Text::of(format_args!("{}, {title}", volumes[id.target].volume.name)),
        }
    }

    fn done(&mut self, trial: Trial<TrialId, CaseFigures>, _: Option<&Context>) -> Text {
        let summary = trial.summary();
        let TrialId { round, case, target } = trial.key;
        let phase = self.plan.suite.phases[case].clone();
        let key = PhaseKey { phase, volume: target, round };
        self.phases.push(trial.keyed(key).with_total());
        summary
    }
}

impl Prepared {
    /// Compares `measured` with the ceilings of the machine; `None` if no phase has figures, or its
    /// engine has no ceiling.
    pub fn headroom(&self, measured: &Measured) -> Option<Headroom> {
        let sums = measured.over_rounds();
        let (busiest, iops) = busiest(&sums)?;
        let runner = &self.runner;
        let engine = runner.targets[busiest.volume].method.engine;
        let ceiling = by_engine(&runner.ceilings, engine)?.clone();
        let one_core_iops = ceiling.undisturbed_iops();
        Some(Headroom {
            ceiling,
            one_core_iops,
            busiest: busiest.phase.clone(),
            volume: busiest.volume,
            iops,
            share_percent: one_core_iops.map(|ceiling| iops * 100.0 / ceiling),
        })
    }
}

/// The phase with most I/Os a second, and how many.
fn busiest(phases: &[OverRounds]) -> Option<(&OverRounds, f64)> {
    let with_iops = phases.iter().filter_map(|phase| Some((phase, phase.figures?.iops)));
    with_iops.max_by(|(_, a), (_, b)| a.total_cmp(b))
}
