//! The line that shows how a check goes: drawn over itself on a terminal, else one line a run.

use super::recorded;
use crate::live_line::{LiveLine, RunNow};
use crate::measure::screen::Screen;
use crate::record::Recorder;
use fathom_campaign::binary_bytes;
use fathom_campaign::cases::CaseProgress;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckWatcher};
use fathom_stats::LiveSnapshot;
use std::path::PathBuf;

/// Shows progress on standard error, and keeps what there is after each run.
pub struct ProgressLine<'a> {
    plan: &'a CheckPlan,
    recorder: &'a mut Recorder,
    target: &'a PathBuf,
    line: LiveLine,
    now: Option<RunNow>,
    filling: bool,
}

impl<'a> ProgressLine<'a> {
    /// A line for the runs of `plan`; `quiet` shows nothing.
    pub fn new(
        plan: &'a CheckPlan,
        recorder: &'a mut Recorder,
        target: &'a PathBuf,
        screen: Screen,
        quiet: bool,
    ) -> ProgressLine<'a> {
        let line = LiveLine::new(screen, quiet);
        ProgressLine { plan, recorder, target, line, now: None, filling: false }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    fn live(&mut self, live: &LiveSnapshot) {
        if let Some(now) = &self.now {
            self.line.draw(&now.text(live, self.plan.turn_us()));
        }
    }
}

impl CheckWatcher for ProgressLine<'_> {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                let what = format!("filling {}", binary_bytes(volume.fill_bytes));
                if !std::mem::replace(&mut self.filling, true) {
                    self.line.note(&what);
                }
                let percent = done_bytes as f64 * 100.0 / volume.fill_bytes.max(1) as f64;
                self.line.draw(&format!("{what}: {percent:.0} %"));
            }
            CaseProgress::Begin { step, case, .. } => {
                let of = self.plan.steps.len();
                let load = self.plan.steps.iter().find(|step| step.case.index == case.index);
                let load = load.map(|step| step.load.title()).unwrap_or_default();
                let title = format!("{}/{of} {load}: ", step + 1);
                let runs_after = (of - step - 1) as u64;
                self.now = Some(RunNow::begin(title, runs_after));
                self.live(&LiveSnapshot::default());
            }
            CaseProgress::Live(live) => self.live(live),
        }
    }

    fn end(&mut self, document: &CheckDocument) {
        if let (Some(now), Some(run)) = (self.now.take(), document.runs.last()) {
            self.line.note(&format!("{}{}", now.title, run.standing().name()));
        }
        recorded::keep(self.recorder, self.target, document, false);
    }
}
