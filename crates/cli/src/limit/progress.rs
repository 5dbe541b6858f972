//! The line that shows how a search goes: drawn over itself on a terminal, else one line a step.

use super::table::{finding_word, load_text};
use crate::live_line::{LiveLine, RunNow, whole_seconds};
use crate::measure::screen::Screen;
use fathom_campaign::cases::CaseProgress;
use fathom_campaign::limit::{LimitPlan, LimitWatcher, Load, StepOutcome, Target};
use fathom_campaign::{RunFailure, binary_bytes, latency, thousands};
use fathom_stats::LiveSnapshot;

/// Shows progress on standard error.
pub struct ProgressLine {
    line: LiveLine,
    step_us: u64,
    depth: u32,
    target: Target,
    /// The step that is going on: what it says of itself, and since when.
    now: Option<RunNow>,
    filling: bool,
}

impl ProgressLine {
    /// A line for the steps of `plan`; `quiet` shows nothing.
    pub fn new(plan: &LimitPlan, screen: Screen, quiet: bool) -> ProgressLine {
        ProgressLine {
            line: LiveLine::new(screen, quiet),
            step_us: plan.step_us(),
            depth: plan.depth,
            target: plan.asked.target.clone(),
            now: None,
            filling: false,
        }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    fn live(&mut self, live: &LiveSnapshot) {
        let Some(now) = &self.now else { return };
        let left_us = self.step_us.saturating_sub(now.spent().as_micros() as u64);
        let iops = live.rate_iops.read + live.rate_iops.write;
        let mut text = now.title.clone();
        if iops > 0 {
            text += &format!("{} IO/s, ", thousands(iops as f64));
        }
        self.line.draw(&format!("{text}{} of this step left", whole_seconds(left_us)));
    }
}

/// A step in a line: `1,022 IO/s, p99 2.28 ms: keeps`.
pub fn in_short(step: &StepOutcome, target: &Target) -> String {
    let Some(reading) = &step.reading else {
        return match &step.outcome.figures {
            Err(RunFailure::Failed(why)) => format!("failed: {why}"),
            _ => "stopped".to_owned(),
        };
    };
    let mut text = format!("{} IO/s", thousands(reading.iops));
    for (criterion, parts) in target.criteria.iter().zip(&reading.parts) {
        text += &format!(", {} {}", criterion.measure, latency(parts.response_ns));
    }
    match step.finding {
        Some(finding) => format!("{text}: {}", finding_word(finding)),
        None => text,
    }
}

impl LimitWatcher for ProgressLine {
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
            CaseProgress::Live(live) => self.live(live),
            CaseProgress::Begin { .. } => {}
        }
    }

    fn begin(&mut self, step: usize, load: Load) {
        let title = format!("{}. {}: ", step + 1, load_text(load, self.depth));
        self.now = Some(RunNow::begin(title, 0));
        self.live(&LiveSnapshot::default());
    }

    fn end(&mut self, _: usize, outcome: &StepOutcome) {
        if let Some(RunNow { title, .. }) = self.now.take() {
            let text = format!("{title}{}", in_short(outcome, &self.target));
            self.line.note(&text);
        }
    }
}
