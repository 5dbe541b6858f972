//! Runs a comparison: prepares the targets, then makes the runs in the plan's order, and judges
//! them on the way. A phase that is decided runs no more.
//!
//! A run that fails affects no other; a stop keeps the results so far.

use super::plan::ComparePlan;
use super::request::ComparedPhase;
use crate::cases::{Case, PreparedTarget, Runner, TrialLog, TrialSink};
use crate::event::{CampaignEvent, EventSink};
use crate::machine::{Machine, MachineError};
use crate::volume_plan::VolumePlan;
use fathom_document::compare::{
    COMPARE_SCHEMA, CompareDocument, CompareKey, ComparePlanRecord, CompareTrial, PhaseInfo,
    findings,
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
        let mut document = CompareDocument {
            head: Head::new("fathom-compare", COMPARE_SCHEMA, &from),
            interrupted: false,
            host: from.host,
            volumes: Vec::new(),
            plan: self.record(),
            runs: Vec::new(),
            findings: Vec::new(),
            gate: None,
            fail_if_worse_percent: self.fail_if_worse_percent,
        };
        self.run_until_decided(runner, machine, &mut log, &mut document);
        match self.fail_if_worse_percent {
            Some(percent) => document.with_gate(percent).with_summary(),
            None => document.with_summary(),
        }
    }

    /// Makes the runs up to each look, without phases that are decided.
    fn run_until_decided(
        &self,
        runner: &Runner,
        machine: &mut dyn Machine,
        log: &mut TrialLog<'_, CompareTrial>,
        document: &mut CompareDocument,
    ) {
        let mut ended = runner.fill(self.runs_us()[1], machine, log.events());
        let volume = |(at, target): (usize, &PreparedTarget)| target.record(at, &ended.failures);
        document.volumes = runner.targets.iter().enumerate().map(volume).collect();
        self.schedule.until_decided(self.steps(), |look, steps| {
            let (now, later): (Vec<TrialId>, Vec<TrialId>) =
                steps.into_iter().partition(|step| step.round < look);
            runner.run_trials(&now, later.len(), &mut ended, machine, log);
            document.runs.append(&mut log.records);
            document.interrupted = ended.stopped;
            document.findings = findings(document);
            let open = if ended.stopped { Vec::new() } else { document.open_phases() };
            let later = later.into_iter().filter(|step| open.contains(&step.case));
            let later: Vec<TrialId> = later.collect();
            if !later.is_empty() {
                let so_far = document.essence();
                log.events().event(CampaignEvent::Judged { rounds: look, so_far });
            }
            later
        });
    }

    fn record(&self) -> ComparePlanRecord {
        let info = |phase: &ComparedPhase| PhaseInfo {
            title: phase.title.clone(),
            judged: phase.judged,
            settings: phase.case.settings.clone(),
        };
        ComparePlanRecord {
            phases: self.phases.iter().map(info).collect(),
            rounds: self.rounds(),
            looks: self.schedule.looks().len() as u64,
            sides: self.sides.clone(),
            margin_percent: self.margin_percent,
            time: self.time,
            steps: self.steps().len(),
            seed: self.seed,
            fill_bytes: self.fill_bytes(),
        }
    }
}
