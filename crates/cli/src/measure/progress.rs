//! What shows how it goes: a view on a terminal, else one line a phase.

use crate::measure::table::phase_name;
use crate::terminal::live::{self, Feed, LiveView, Phase};
use crate::terminal::screen::Screen;
use fathom_campaign::{PhaseOutcome, Plan, Progress, RunFailure, Watcher};

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
    several: bool,
    rounds: u32,
    steps: usize,
    step_us: u64,
}

impl ProgressLine {
    /// For the steps of `plan`; `quiet` draws nothing.
    pub fn new(plan: &Plan, screen: Screen, quiet: bool, feed: Feed) -> ProgressLine {
        ProgressLine {
            view: LiveView::new(screen, quiet, feed),
            several: plan.volumes.len() > 1,
            rounds: plan.rounds,
            steps: plan.steps().len(),
            step_us: plan.phase_us + plan.ramp_us,
        }
    }

    /// Takes the view away, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }

    fn phase(&self, step: usize, volume: &str, phase: &str, round: u32) -> Phase {
        let place = if self.several { format!("{volume}, ") } else { String::new() };
        let round = if self.rounds > 1 { format!(", round {}", round + 1) } else { String::new() };
        let title = format!("{place}{phase}{round}");
        Phase::begin(title, step as u64, Some(self.steps as u64), self.step_us)
    }
}

/// A phase's figures in a line.
pub fn in_short(outcome: &PhaseOutcome) -> String {
    match &outcome.figures {
        Ok(figures) => live::in_short(Some(figures), false, None),
        Err(RunFailure::Failed(why)) => live::in_short(None, false, Some(why)),
        Err(RunFailure::Stopped) => live::in_short(None, true, None),
    }
}

impl Watcher for ProgressLine {
    fn progress(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Filling { volume, done_bytes } => {
                self.view.filling(Some(&volume.volume.name), done_bytes, volume.fill_bytes);
            }
            Progress::Begin { step, volume, phase, round } => {
                let phase = self.phase(step, &volume.volume.name, &phase_name(phase), round);
                self.view.begin(phase, std::slice::from_ref(&volume.path));
            }
            Progress::Live(live) => self.view.live(live),
            Progress::End { outcome, .. } => self.view.end(&in_short(outcome)),
        }
    }
}
