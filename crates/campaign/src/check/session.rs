//! Runs the plan: run after run, each compared with its promise at its end.

use super::finding::{Run, find};
use super::plan::{CheckPlan, CheckStep};
use crate::cases::{Case, PreparedTarget, Runner, TrialSink};
use crate::event::EventSink;
use crate::machine::Machine;
use crate::verdicts::Context;
use fathom_document::check::{CheckDocument, CheckKey, CheckTrial, LimitRow, RunFinding};
use fathom_document::verdicts::{Answer, Verdict};
use fathom_document::{DocumentSummary, Provenance, Trial, TrialId, test_title};
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
        runner: &Runner,
        from: Provenance,
        machine: &mut dyn Machine,
        sink: &mut dyn CheckSink,
    ) -> CheckDocument {
        let target = &runner.targets[0];
        let document = self.document(target, from);
        let mut runs = CheckRuns { plan: self, target, document, sink };
        let ended = runner.run(&self.trials(), machine, &mut runs);
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
    target: &'a PreparedTarget,
    document: CheckDocument,
    sink: &'a mut dyn CheckSink,
}

impl TrialSink for CheckRuns<'_> {
    fn events(&mut self) -> &mut dyn EventSink {
        self.sink
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
        self.document.runs.push(trial);
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
        let method = &self.target.method;
        let result = trial.result.as_ref().filter(|_| trial.figures.is_some())?;
        let run = Run {
            load,
            depth: method.effective_depth(load.depth).saturating_mul(load.jobs),
            cut_short: trial.cut_short,
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
