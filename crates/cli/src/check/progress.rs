//! What shows how a check goes: a view on a terminal, else one line a run.

use super::recorded;
use crate::history_writer::HistoryWriter;
use crate::terminal::live::{LiveView, Phase};
use crate::terminal::screen::Screen;
use fathom_campaign::cases::CaseProgress;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckWatcher};
use fathom_message::{Lang, Tell};
use std::path::PathBuf;

/// Shows progress on standard error and in the run's feed, and keeps what there is after each run.
pub struct ProgressLine<'a> {
    plan: &'a CheckPlan,
    recorder: &'a mut HistoryWriter,
    target: &'a PathBuf,
    lang: Lang,
    view: LiveView,
}

impl<'a> ProgressLine<'a> {
    /// For the runs of `plan`; `quiet` draws nothing.
    pub fn new(
        plan: &'a CheckPlan,
        recorder: &'a mut HistoryWriter,
        target: &'a PathBuf,
        screen: Screen,
        quiet: bool,
    ) -> ProgressLine<'a> {
        let about = format!("whether {} is kept", plan.basis.name());
        let feed = recorder.start("check", &about, std::slice::from_ref(target));
        let lang = screen.lang;
        ProgressLine { plan, recorder, target, lang, view: LiveView::new(screen, quiet, feed) }
    }

    /// Takes the view away, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }

    /// Keeps the check, which is over.
    pub fn over(&mut self, document: &CheckDocument) {
        recorded::keep(self.recorder, self.target, document, true);
    }
}

impl CheckWatcher for ProgressLine<'_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                self.view.filling(None, done_bytes, volume.fill_bytes);
            }
            CaseProgress::Begin { step, case, .. } => {
                let of = self.plan.steps.len() as u64;
                let load = self.plan.steps.iter().find(|step| step.case.index == case.index);
                let load = load.map(|step| step.load.title()).unwrap_or_default();
                let phase = Phase::begin(load, step as u64, Some(of), self.plan.turn_us());
                self.view.begin(phase, std::slice::from_ref(&self.plan.volume.path));
            }
            CaseProgress::Live(live) => self.view.live(live),
        }
    }

    fn end(&mut self, document: &CheckDocument) {
        if let Some(run) = document.runs.last() {
            self.view.end(&run.standing().tell().text(self.lang));
        }
        // It may have to say why it cannot.
        self.view.wipe();
        recorded::keep(self.recorder, self.target, document, false);
    }
}
