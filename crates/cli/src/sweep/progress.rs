//! What shows how a sweep goes: a view on a terminal, else one line a run.

use crate::terminal::live::{self, Feed, LiveView, Phase};
use crate::terminal::screen::{Screen, warn_line};
use fathom_campaign::cases::{CaseProgress, Setting};
use fathom_campaign::sweep::{CaseRecord, SweepDocument, SweepPlan, SweepWatcher};
use std::path::PathBuf;

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
    turn_us: u64,
    /// Runs that were over before this session, and runs in all.
    before: usize,
    turns: usize,
    place: PathBuf,
}

impl ProgressLine {
    /// For the runs of `plan` that `document` does not have; `quiet` draws nothing.
    pub fn new(
        plan: &SweepPlan,
        document: &SweepDocument,
        screen: Screen,
        quiet: bool,
        feed: Feed,
    ) -> ProgressLine {
        ProgressLine {
            view: LiveView::new(screen, quiet, feed),
            turn_us: plan.turn_us(),
            before: document.over().len(),
            turns: document.turns,
            place: plan.volume.path.clone(),
        }
    }

    /// Takes the view away, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }
}

/// `rw=randread, iodepth=16`.
pub fn title(settings: &[Setting]) -> String {
    let one = |setting: &Setting| format!("{}={}", setting.axis, setting.value);
    settings.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A run in a line.
fn in_short(record: &CaseRecord) -> String {
    let figures = record.figures.as_ref().map(|figures| &figures.total);
    live::in_short(figures, record.cut_short, record.failure.as_deref())
}

impl SweepWatcher for ProgressLine {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                self.view.filling(None, done_bytes, volume.fill_bytes);
            }
            CaseProgress::Begin { step, case, .. } => {
                let (done, turns) = ((self.before + step) as u64, self.turns as u64);
                let phase = Phase::begin(case.title(), done, Some(turns), self.turn_us);
                self.view.begin(phase, std::slice::from_ref(&self.place));
            }
            CaseProgress::Live(live) => self.view.live(live),
        }
    }

    fn end(&mut self, record: &CaseRecord) {
        self.view.end(&in_short(record));
    }

    fn not_kept(&mut self, why: &str) {
        self.wipe();
        warn_line(&format!("fathom: {why}; the next run tries again"));
    }
}
