//! Runs a comparison: prepares the targets, then makes the runs in the plan's order.
//!
//! A run that fails affects no other; a stop keeps the results so far.

use super::plan::ComparePlan;
use super::request::ComparedPhase;
use crate::cases::{Case, Ended, PreparedTarget, Runner, TrialLog};
use crate::event::EventSink;
use crate::machine::{Machine, MachineError};
use crate::volume_plan::VolumePlan;
use fathom_document::compare::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, PhaseInfo, findings,
};
use fathom_document::{DocumentSummary, Head, Provenance, Trial, TrialId, test_title};
use fathom_text::text;

impl ComparePlan {
    /// Makes the test files and finds out how each volume can be reached.
    ///
    /// # Errors
    /// If a file cannot be made or a volume cannot be read at all. The machine keeps its claims
    /// until it is released.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        let on = |(at, volume): (usize, &VolumePlan)| {
            let may = |phase: &&ComparedPhase| self.runs_on(phase.case.index, at);
            let cases = self.phases.iter().filter(may).map(|phase| phase.case.clone()).collect();
            (volume.clone(), cases)
        };
        Runner::begin(self.volumes.iter().enumerate().map(on).collect(), self.seed, machine)
    }

    /// Measures the whole plan, or up to a stop, and judges the results.
    pub fn run(
        &self,
        runner: &Runner,
        from: Provenance,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> CompareDocument {
        let title = |id: TrialId, case: &Case| {
            let (name, round) = (&self.volumes[id.target].volume.name, id.round + 1);
            text!("round {round}, {name}, {}", test_title(&self.phases[case.index].title))
        };
        let record = |trial: Trial<TrialId>| {
            let summary = trial.summary();
            let TrialId { round, case: phase, target: volume } = trial.key;
            let title = self.phases[phase].title.clone();
            (trial.keyed(CompareKey { title, phase, volume, round }), summary)
        };
        let mut log = TrialLog::new(events, &title, &record);
        let Ended { stopped, failures } = runner.run(&self.steps(), machine, &mut log);
        let volume = |(at, target): (usize, &PreparedTarget)| target.record(at, &failures);
        let mut document = CompareDocument {
            head: Head::new("fathom-compare", COMPARE_SCHEMA, &from),
            interrupted: stopped,
            host: from.host,
            volumes: runner.targets.iter().enumerate().map(volume).collect(),
            plan: self.record(),
            runs: log.records,
            findings: Vec::new(),
            gate: None,
            fail_if_worse_percent: None,
        };
        document.findings = findings(&document);
        document.with_summary()
    }

    fn record(&self) -> ComparePlanRecord {
        let info = |phase: &ComparedPhase| PhaseInfo {
            title: phase.title.clone(),
            judged: phase.judged,
            settings: phase.case.settings.clone(),
        };
        ComparePlanRecord {
            phases: self.phases.iter().map(info).collect(),
            rounds: self.rounds,
            time: self.time,
            steps: self.steps().len(),
            seed: self.seed,
            fill_bytes: self.fill_bytes(),
        }
    }
}
