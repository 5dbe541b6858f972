//! Carries a plan out: run after run, each held against its promise as soon as it is over.

use super::document::{CheckDocument, RunRecord};
use super::finding::{Run, find};
use super::plan::{CheckPlan, Step};
use super::reading::{MachineReading, Meter};
use super::signs::Client;
use crate::cases::{CaseOutcome, CaseProgress, CaseWatcher, Course};
use crate::execute::Executor;
use crate::failure::RunFailure;
use crate::record::records;
use crate::verdicts::{Answer, Verdict};
use fathom_analysis::DirectIo;

/// Is told how a check goes.
pub trait CheckWatcher {
    /// Takes note of what happens.
    fn progress(&mut self, progress: CaseProgress<'_>);

    /// Takes note of what came of a run, the last in the document.
    fn end(&mut self, document: &CheckDocument);
}

/// Makes the runs of `plan` and gives the whole document.
pub fn carry_out(
    plan: &CheckPlan,
    course: &Course,
    document: CheckDocument,
    executor: &mut dyn Executor,
    meter: &mut Meter<'_>,
    watcher: &mut dyn CheckWatcher,
) -> CheckDocument {
    let engine = course.ways.iter().find_map(|way| Some(way.method.as_ref()?.engine));
    let core_ceiling_iops = engine.and_then(|engine| executor.ceiling(engine)?.undisturbed_iops());
    let before = None;
    let mut session = Session { plan, course, document, meter, before, core_ceiling_iops, watcher };
    let ended = course.run(&plan.turns(), executor, &mut session);
    let mut document = session.document;
    document.stopped = ended.stopped;
    document.failure = ended.failure;
    document.standing = document.stands();
    document
}

struct Session<'a, 'm> {
    plan: &'a CheckPlan,
    course: &'a Course,
    document: CheckDocument,
    meter: &'a mut Meter<'m>,
    before: Option<MachineReading>,
    core_ceiling_iops: Option<f64>,
    watcher: &'a mut dyn CheckWatcher,
}

impl CaseWatcher for Session<'_, '_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        if matches!(progress, CaseProgress::Begin { .. }) {
            self.before = (self.meter)();
        }
        self.watcher.progress(progress);
    }

    fn done(&mut self, outcome: CaseOutcome) {
        let client = self.client();
        let of = |step: &&Step| step.case.index == outcome.turn.case;
        let Some(step) = self.plan.steps.iter().find(of) else { return };
        let record = self.record(step, client, outcome);
        self.document.runs.push(record);
        self.document.standing = self.document.stands();
        self.document.gate = Some(self.document.gate());
        self.watcher.end(&self.document);
    }
}

impl Session<'_, '_> {
    /// What the machine did since the run began.
    fn client(&mut self) -> Client {
        let both = self.before.take().zip((self.meter)());
        let known = Client {
            cpus: self.plan.cpus,
            core_ceiling_iops: self.core_ceiling_iops,
            ..Client::default()
        };
        both.map_or(known, |(before, now)| Client {
            machine_busy: now.busy_since(&before),
            throttled_us: now.throttled_us.saturating_sub(before.throttled_us),
            ..known
        })
    }

    fn record(&self, step: &Step, client: Client, outcome: CaseOutcome) -> RunRecord {
        let load = &step.load;
        let method = self.course.ways.iter().find_map(|way| way.method.as_ref());
        let depth = method.map_or(load.depth, |method| method.effective_depth(load.depth));
        let direct = match method.is_some_and(|method| method.direct) {
            true => DirectIo::Asked,
            false => DirectIo::Buffered,
        };
        let measured = outcome.result.as_ref().filter(|_| outcome.figures.is_ok());
        let finding = measured.map(|result| {
            let run = Run {
                load,
                volume: &self.plan.volume,
                depth: depth.saturating_mul(load.jobs),
                direct,
                cut_short: outcome.cut_short,
                client,
                result,
            };
            find(&self.plan.basis, &run)
        });
        RunRecord {
            load: load.clone(),
            command: outcome.job.command(),
            job: outcome.job.options,
            failure: RunFailure::text(&outcome.figures),
            figures: outcome.figures.ok(),
            cut_short: outcome.cut_short,
            remarks: records(&outcome.remarks),
            finding,
            verdicts: beside_the_promise(outcome.verdicts),
            result: outcome.result,
        }
    }
}

/// The verdicts that a promise does not judge by: what it does would else be told twice.
fn beside_the_promise(mut verdicts: Vec<Verdict>) -> Vec<Verdict> {
    let own = |answer: &Answer| {
        matches!(answer, Answer::Capped(_) | Answer::Client(_) | Answer::Cached(_))
    };
    verdicts.retain(|verdict| !own(&verdict.answer));
    verdicts
}
