//! What shows how a search goes: a view on a terminal, else one line a step.

use super::table::load_text;
use crate::terminal::live::{Feed, LiveView, Phase};
use crate::terminal::screen::Screen;
use fathom_campaign::cases::CaseProgress;
use fathom_campaign::limit::{LimitPlan, LimitWatcher, Load, StepOutcome, Target};
use fathom_campaign::{RunFailure, latency, thousands};
use fathom_message::{Lang, Tell};
use std::path::PathBuf;

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
    step_us: u64,
    depth: u32,
    target: Target,
    lang: Lang,
    place: PathBuf,
}

impl ProgressLine {
    /// For the steps of `plan`; `quiet` draws nothing.
    pub fn new(plan: &LimitPlan, screen: Screen, quiet: bool, feed: Feed) -> ProgressLine {
        ProgressLine {
            view: LiveView::new(screen, quiet, feed),
            step_us: plan.step_us(),
            depth: plan.depth,
            target: plan.asked.target.clone(),
            lang: screen.lang,
            place: plan.volume.path.clone(),
        }
    }

    /// Takes the view away, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }
}

/// A step in a line: `1,022 IO/s, p99 2.28 ms: keeps`.
pub fn in_short(step: &StepOutcome, target: &Target, lang: Lang) -> String {
    let Some(reading) = &step.reading else {
        return match &step.outcome.figures {
            Err(RunFailure::Failed(why)) => format!("failed: {why}"),
            _ => "stopped".to_owned(),
        };
    };
    let mut text = format!("{} IO/s", thousands(reading.iops));
    for (criterion, parts) in target.criteria.iter().zip(&reading.parts) {
        let measure = criterion.measure.tell().text(lang);
        text += &format!(", {measure} {}", latency(parts.response_ns));
    }
    match step.finding {
        Some(finding) => format!("{text}: {}", finding.tell().text(lang)),
        None => text,
    }
}

impl LimitWatcher for ProgressLine {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                self.view.filling(None, done_bytes, volume.fill_bytes);
            }
            CaseProgress::Live(live) => self.view.live(live),
            CaseProgress::Begin { .. } => {}
        }
    }

    fn begin(&mut self, step: usize, load: Load) {
        let phase = Phase::begin(load_text(load, self.depth), step as u64, None, self.step_us);
        self.view.begin(phase, std::slice::from_ref(&self.place));
    }

    fn end(&mut self, _: usize, outcome: &StepOutcome) {
        self.view.end(&in_short(outcome, &self.target, self.lang));
    }
}
