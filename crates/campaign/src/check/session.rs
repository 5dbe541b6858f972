//! Runs the plan: run after run, each compared with its promise at its end. A load that is
//! undecided runs again, as long as it takes, within the time of the plan; then that run counts.

use super::finding::{Run, find};
use super::plan::{CheckPlan, CheckStep};
use crate::cases::{Case, Runner, TrialSink};
use crate::event::EventSink;
use crate::machine::Machine;
use crate::verdicts::Context;
use fathom_document::check::{CheckDocument, CheckKey, CheckTrial, LimitRow, RunFinding};
use fathom_document::verdicts::{Answer, Verdict};
use fathom_document::{
    CaseTime, DocumentSummary, Method, Provenance, Remark, Trial, TrialId, records, test_title,
};
use fathom_message::Tell;
use fathom_text::Text;

/// Receives the progress of a check.
pub trait CheckSink: EventSink {
    /// Stores the document, which has one more run.
    fn keep(&mut self, document: &CheckDocument);
}

impl CheckPlan {
    /// Makes the runs and gives the whole document.
    pub fn run(
        &self,
        runner: &mut Runner,
        from: Provenance,
        machine: &mut dyn Machine,
        sink: &mut dyn CheckSink,
    ) -> CheckDocument {
        let target = &runner.targets[0];
        let (document, method) = (self.document(target, from), target.method.clone());
        let mut ended = runner.fill(self.runs_us()[1], machine, sink);
        let mut runs = CheckRuns { plan: self, method, document, sink, ended: 0 };
        let mut left_us = self.until_decided_us;
        let all = self.steps.iter().map(|step| step.case.index).collect();
        CheckPlan::schedule().until_decided(all, |look, open: Vec<usize>| {
            if look > 1 {
                let Some(time) = runs.time_again(&open, left_us) else { return Vec::new() };
                left_us = left_us.saturating_sub(time.total_us() * open.len() as u64);
                runner.targets[0].cases = self.cases_again(&open, time);
            }
            let trial = |case: &usize| TrialId { round: look - 1, case: *case, target: 0 };
            let trials: Vec<TrialId> = open.iter().map(trial).collect();
            runner.run_trials(&trials, 0, &mut ended, machine, &mut runs);
            if ended.stopped { Vec::new() } else { runs.open() }
        });
        let mut document = runs.document;
        document.stopped = ended.stopped;
        document.failure = ended.failures.into_iter().next().map(|(_, why)| why);
        document.standing = document.stands();
        document.with_summary()
    }
}

/// The document so far.
struct CheckRuns<'a> {
    plan: &'a CheckPlan,
    method: Method,
    document: CheckDocument,
    sink: &'a mut dyn CheckSink,
    /// How many runs ended.
    ended: usize,
}

/// A run that is made again to know its mean better takes so much longer than that seems to need.
const RESERVE: f64 = 1.5;

impl CheckRuns<'_> {
    /// How long each of these loads runs again: as long as they need, if that is known, and no
    /// longer than they may together.
    fn time_again(&self, open: &[usize], left_us: u64) -> Option<CaseTime> {
        let share_us = left_us / open.len().max(1) as u64;
        let loads = open.iter().filter_map(|case| self.run_of(*case));
        let needs: Vec<u64> = loads.map(|run| run.needed_s()).collect();
        let is_known = needs.iter().all(|needed| (1..u64::MAX).contains(needed));
        let needed_us = needs.into_iter().max().filter(|_| is_known).map(|needed_s| {
            let run_us = (needed_s as f64 * 1e6 * RESERVE) as u64;
            CaseTime::of(run_us.max(self.plan.time.run_us)).total_us()
        });
        self.plan.time_again(needed_us.map_or(share_us, |needed| needed.min(share_us)))
    }

    /// The loads of which another run may tell more.
    fn open(&self) -> Vec<usize> {
        let cases = self.plan.steps.iter().map(|step| step.case.index);
        cases.filter(|case| self.run_of(*case).is_some_and(|run| run.may_yet_decide())).collect()
    }

    fn run_of(&self, case: usize) -> Option<&CheckTrial> {
        let step = self.step_of(case)?;
        self.document.runs.iter().find(|run| run.load == step.load)
    }

    /// Holds a run; one that was made again takes the place of the one before it, if it had its
    /// time.
    fn hold(&mut self, mut trial: CheckTrial) {
        match self.document.runs.iter_mut().find(|run| run.load == trial.load) {
            None => self.document.runs.push(trial),
            Some(_) if !trial.is_whole() => {}
            Some(before) => {
                let seconds = |run: &CheckTrial| run.finding.as_ref().map_or(0, |of| of.seconds);
                let [first_s, seconds] =
                    [self.plan.time.run_us / 1_000_000, seconds(&trial) as u64];
                trial.remarks.extend(records(&[Remark::MeasuredAgain { first_s, seconds }]));
                *before = trial;
            }
        }
    }
}

impl TrialSink for CheckRuns<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.sink
    }

    fn before(&self) -> usize {
        self.ended
    }

    fn title(&self, _: TrialId, case: &Case) -> Text {
        let title = |step: &CheckStep| Text::of(test_title(&step.load.title()));
        self.step_of(case.index).map(title).unwrap_or_default()
    }

    fn done(&mut self, trial: Trial<TrialId>, context: Option<&Context>) -> Text {
        let Some(step) = self.step_of(trial.case) else { return trial.summary() };
        let finding = self.find(step, &trial, context);
        let key = CheckKey { load: step.load.clone(), finding };
        let mut trial = trial.keyed(key);
        let summary = self.summary(&trial);
        trial.verdicts = beside_the_promise(trial.verdicts);
        self.hold(trial);
        self.ended += 1;
        self.document.standing = self.document.stands();
        self.document.gate = Some(self.document.gate());
        self.sink.keep(&self.document);
        summary
    }
}

impl CheckRuns<'_> {
    /// `3,012 IOPS, PASS`, with the figure of each limit.
    fn summary(&self, trial: &CheckTrial) -> Text {
        let figure = |row: LimitRow<'_>| Some(row.load.goal.in_unit(row.measured?));
        let figures = trial.rows().into_iter().filter_map(figure);
        Text::joined(figures.map(Text::from).chain([Text::of(trial.standing().tell())]), ", ")
    }

    fn step_of(&self, case: usize) -> Option<&CheckStep> {
        self.plan.steps.iter().find(|step| step.case.index == case)
    }

    /// The outcome of a run against its promise; none if it has no figures.
    fn find(
        &self,
        step: &CheckStep,
        trial: &Trial<TrialId>,
        context: Option<&Context>,
    ) -> Option<RunFinding> {
        let load = &step.load;
        let result = trial.result.as_ref().filter(|_| trial.figures.is_some())?;
        let run = Run {
            load,
            depth: self.method.effective_depth(load.depth).saturating_mul(load.jobs),
            cut_short: trial.cut_short,
            looks: CheckPlan::schedule().looks().len() as u64,
            context: context?,
            result,
            verdicts: &trial.verdicts,
        };
        find(&self.plan.basis, &run)
    }
}

/// The verdicts without those that the promise already covers, which would be repeated.
fn beside_the_promise(mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let own = |answer: &Answer| {
        matches!(answer, Answer::Capped(_) | Answer::Client(_) | Answer::Cached(_))
    };
    verdicts.retain(|verdict| !own(&verdict.answer));
    verdicts
}
