//! `measure`: how fast is this volume? A suite of phases, each a case, on every volume in turn.

use crate::cases::{Case, Ended, PreparedTarget, Runner, TrialLog};
use crate::event::EventSink;
use crate::machine::by_engine;
use crate::machine::{Machine, MachineError};
use crate::plan::Plan;
use crate::verdicts;
use crate::volume_plan::VolumePlan;
use fathom_document::test_title;
use fathom_document::{
    DOCUMENT_SCHEMA, Document, DocumentSummary, Head, Headroom, OverRounds, PhaseKey, PlanRecord,
    Provenance, Trial, TrialId,
};
use fathom_text::{Text, text};

impl Plan {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// If a file cannot be made or a volume cannot be read at all. The machine keeps its claims
    /// until it is released.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        let all = self.cases().map_err(MachineError::of_run)?;
        let on = |volume: &VolumePlan| {
            let may = |case: &&Case| volume.writes || !case.writes();
            (volume.clone(), all.iter().filter(may).cloned().collect())
        };
        Runner::begin(self.volumes.iter().map(on).collect(), self.seed, machine)
    }

    /// Fills the targets that need it, then runs every step.
    pub fn run(
        &self,
        runner: &Runner,
        from: Provenance,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> Document {
        let title = |id: TrialId, case: &Case| self.title(id, case);
        let record = |trial: Trial<TrialId>| {
            let summary = trial.summary();
            let TrialId { round, case, target } = trial.key;
            let phase = self.suite.phases[case].clone();
            (trial.keyed(PhaseKey { phase, volume: target, round }).with_total(), summary)
        };
        let mut log = TrialLog::new(events, &title, &record);
        let Ended { stopped, failures } = runner.run(&self.steps(), machine, &mut log);
        let mut phases = log.records;
        let over_phases = verdicts::over_phases(&mut phases, stopped);
        let over_rounds = OverRounds::of(&phases);
        let record = |(at, target): (usize, &PreparedTarget)| target.record(at, &failures);
        Document {
            head: Head::new("fathom-measure", DOCUMENT_SCHEMA, &from),
            interrupted: stopped,
            host: from.host,
            volumes: runner.targets.iter().enumerate().map(record).collect(),
            plan: self.record(),
            // An interrupted measurement does not show the busiest phase.
            client: headroom(runner, &over_rounds).filter(|_| !stopped),
            over_rounds: if self.rounds > 1 { over_rounds } else { Vec::new() },
            phases,
            over_phases,
        }
        .with_summary()
    }

    fn record(&self) -> PlanRecord {
        PlanRecord {
            phase_us: self.phase_us,
            ramp_us: self.ramp_us,
            phases: self.steps().len(),
            rounds: self.rounds,
            seed: Some(self.seed),
            fill_bytes: self.fill_bytes(),
        }
    }

    fn title(&self, id: TrialId, case: &Case) -> Text {
        let phase = test_title(&self.suite.phases[case.index].title());
        let title = match self.rounds {
            0 | 1 => Text::of(phase),
            _ => text!("{phase}, round {}", id.round + 1),
        };
        match self.volumes.as_slice() {
            [_] => title,
            volumes => Text::of(format_args!("{}, {title}", volumes[id.target].volume.name)),
        }
    }
}

/// Compares the phases with the ceilings of the machine; `None` if no phase has figures, or its
/// engine has no ceiling.
fn headroom(runner: &Runner, phases: &[OverRounds]) -> Option<Headroom> {
    let (busiest, iops) = busiest(phases)?;
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

/// The phase with most I/Os a second, and how many.
fn busiest(phases: &[OverRounds]) -> Option<(&OverRounds, f64)> {
    let with_iops = phases.iter().filter_map(|phase| Some((phase, phase.figures?.iops)));
    with_iops.max_by(|(_, a), (_, b)| a.total_cmp(b))
}
