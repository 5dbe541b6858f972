//! The line that shows how it goes: drawn over itself on a terminal, else one line a phase.

use crate::live_line::{LiveLine, RunNow};
use crate::measure::screen::Screen;
use crate::measure::table::phase_name;
use fathom_campaign::{
    Figures, PhaseOutcome, Plan, Progress, RunFailure, Watcher, binary_bytes, latency,
    megabytes_per_s, thousands,
};
use fathom_stats::LiveSnapshot;
use std::time::Instant;

/// Shows progress on standard error.
pub struct ProgressLine {
    line: LiveLine,
    several: bool,
    steps: usize,
    step_us: u64,
    /// What is going on, how many steps are left after it, and since when.
    now: Option<RunNow>,
    filling: Option<(String, Instant)>,
}

impl ProgressLine {
    /// A line for the steps of `plan`; `quiet` shows nothing.
    pub fn new(plan: &Plan, screen: Screen, quiet: bool) -> ProgressLine {
        ProgressLine {
            line: LiveLine::new(screen, quiet),
            several: plan.volumes.len() > 1,
            steps: plan.steps().len(),
            step_us: plan.phase_us + plan.ramp_us,
            now: None,
            filling: None,
        }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    fn filling(&mut self, name: &str, done: u64, of: u64) {
        let (named, since) =
            self.filling.get_or_insert_with(|| (String::new(), Instant::now())).clone();
        if named != name {
            self.filling = Some((name.to_owned(), Instant::now()));
            return self.line.note(&format!("filling {} on {name}", binary_bytes(of)));
        }
        let elapsed = since.elapsed().as_secs_f64();
        let rate = if elapsed > 0.2 { done as f64 / elapsed / 1e6 } else { 0.0 };
        let percent = done as f64 * 100.0 / of.max(1) as f64;
        let mut text = format!("filling {} on {name}: {percent:.0} %", binary_bytes(of));
        if rate > 0.0 {
            text += &format!(", {} MB/s", megabytes_per_s(rate));
        }
        self.line.draw(&text);
    }

    fn live(&mut self, live: &LiveSnapshot) {
        if let Some(now) = &self.now {
            self.line.draw(&now.text(live, self.step_us));
        }
    }

    fn title(&self, step: usize, volume: &str, phase: &str) -> String {
        let place = if self.several { format!("{volume}, ") } else { String::new() };
        format!("{}/{} {place}{phase}: ", step + 1, self.steps)
    }
}

/// A phase's figures in a line.
pub fn in_short(outcome: &PhaseOutcome) -> String {
    match &outcome.figures {
        Ok(Figures { iops, mb_per_s, mean_ns, .. }) => format!(
            "{} IO/s, {} MB/s, mean {}",
            thousands(*iops),
            megabytes_per_s(*mb_per_s),
            latency(*mean_ns)
        ),
        Err(RunFailure::Failed(why)) => format!("failed: {why}"),
        Err(RunFailure::Stopped) => "stopped".to_owned(),
    }
}

impl Watcher for ProgressLine {
    fn progress(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Filling { volume, done_bytes } => {
                self.filling(&volume.volume.name, done_bytes, volume.fill_bytes);
            }
            Progress::Begin { step, volume, phase } => {
                let title = self.title(step, &volume.volume.name, &phase_name(phase));
                let steps_after = (self.steps - step - 1) as u64;
                self.now = Some(RunNow::begin(title, steps_after));
                self.live(&LiveSnapshot::default());
            }
            Progress::Live(live) => self.live(live),
            Progress::End { outcome, .. } => {
                if let Some(now) = self.now.take() {
                    self.line.note(&format!("{}{}", now.title, in_short(outcome)));
                }
            }
        }
    }
}
