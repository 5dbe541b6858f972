//! Adds each run to the document and keeps it, and tells whoever watches.
//!
//! A document that cannot be kept is told at once and does not end the sweep: the next attempt
//! writes all of it, so what was in the way may have gone by then.

use super::curve::curves;
use super::document::{CaseRecord, Status, SweepDocument};
use super::plan::SweepPlan;
use crate::cases::{CaseOutcome, CaseProgress, CaseWatcher, Course, Ended, StateFile, Turn};
use crate::execute::Executor;

/// Is told how a sweep goes.
pub trait SweepWatcher {
    /// Takes note of what happens.
    fn progress(&mut self, progress: CaseProgress<'_>);

    /// Takes note of what came of a run.
    fn end(&mut self, record: &CaseRecord);

    /// Takes note that the document could not be kept, and why.
    fn not_kept(&mut self, why: &str);
}

/// A sweep on its way: what it has so far, and where that is kept.
pub struct Keeper<'a> {
    document: SweepDocument,
    state: &'a StateFile,
    watcher: &'a mut dyn SweepWatcher,
    not_kept: Option<String>,
}

/// What a sweep came to.
#[derive(Clone, Debug)]
pub struct Kept {
    /// All of it.
    pub document: SweepDocument,
    /// Why its last state could not be kept, if so.
    pub not_kept: Option<String>,
}

impl<'a> Keeper<'a> {
    /// A keeper of `document` in `state`.
    pub fn new(
        document: SweepDocument,
        state: &'a StateFile,
        watcher: &'a mut dyn SweepWatcher,
    ) -> Keeper<'a> {
        Keeper { document, state, watcher, not_kept: None }
    }

    /// Runs what is left of `plan` and gives the whole document.
    pub fn run(mut self, plan: &SweepPlan, course: &Course, executor: &mut dyn Executor) -> Kept {
        self.document.reached(course);
        self.keep();
        let over = self.document.over();
        let left: Vec<Turn> =
            plan.turns().into_iter().filter(|turn| !over.contains(turn)).collect();
        let ended = course.run(&left, executor, &mut Turns { keeper: &mut self, course });
        self.finish(plan, ended)
    }

    fn finish(mut self, plan: &SweepPlan, ended: Ended) -> Kept {
        self.document.status = match ended.stopped || ended.failure.is_some() {
            true => Status::Interrupted,
            false => Status::Finished,
        };
        if let Some(session) = self.document.sessions.last_mut() {
            session.failure = ended.failure;
        }
        self.document.curves = curves(&self.document, &plan.question);
        self.keep();
        Kept { document: self.document, not_kept: self.not_kept }
    }

    fn keep(&mut self) {
        self.not_kept = self.state.keep(&self.document).err();
        if let Some(why) = &self.not_kept {
            self.watcher.not_kept(why);
        }
    }
}

/// Takes the turns' outcomes to the keeper.
struct Turns<'k, 'a> {
    keeper: &'k mut Keeper<'a>,
    course: &'k Course,
}

impl CaseWatcher for Turns<'_, '_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        self.keeper.watcher.progress(progress);
    }

    fn done(&mut self, outcome: CaseOutcome) {
        self.keeper.document.add(self.course, outcome);
        if let Some(record) = self.keeper.document.cases.last() {
            self.keeper.watcher.end(record);
        }
        self.keeper.keep();
    }
}
