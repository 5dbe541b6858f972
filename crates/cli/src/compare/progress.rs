//! What shows how a comparison goes: a view on a terminal, else one line a run.

use crate::terminal::live::{self, Feed, LiveView, Phase};
use crate::terminal::screen::Screen;
use fathom_campaign::compare::{ComparePlan, CompareProgress, CompareWatcher, RunRecord};

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
    run_us: u64,
    steps: usize,
}

impl ProgressLine {
    /// For the steps of `plan`; `quiet` draws nothing.
    pub fn new(plan: &ComparePlan, screen: Screen, quiet: bool, feed: Feed) -> ProgressLine {
        let view = LiveView::new(screen, quiet, feed);
        ProgressLine { view, run_us: plan.run_us(), steps: plan.steps().len() }
    }

    /// Takes the view away, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }
}

/// A run in a line.
fn in_short(record: &RunRecord) -> String {
    let figures = record.figures.as_ref().map(|figures| &figures.total);
    live::in_short(figures, record.cut_short, record.failure.as_deref())
}

impl CompareWatcher for ProgressLine {
    fn progress(&mut self, progress: CompareProgress<'_>) {
        match progress {
            CompareProgress::Filling { volume, done_bytes } => {
                self.view.filling(Some(&volume.volume.name), done_bytes, volume.fill_bytes);
            }
            CompareProgress::Begin { number, step, volume, phase } => {
                let name = &volume.volume.name;
                let title = format!("round {}, {name}, {}", step.round + 1, phase.title);
                let steps = Some(self.steps as u64);
                let phase = Phase::begin(title, number as u64, steps, self.run_us);
                self.view.begin(phase, std::slice::from_ref(&volume.path));
            }
            CompareProgress::Live(live) => self.view.live(live),
            CompareProgress::End(record) => self.view.end(&in_short(record)),
        }
    }
}
