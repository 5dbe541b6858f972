//! The line that shows how a comparison goes: drawn over itself on a terminal, else one line a run.

use crate::measure::screen::{Screen, warn};
use fathom_campaign::compare::{ComparePlan, CompareProgress, CompareWatcher, RunRecord};
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, seconds, thousands};
use fathom_stats::LiveSnapshot;
use std::time::Instant;

/// Shows progress on standard error.
pub struct ProgressLine {
    screen: Screen,
    quiet: bool,
    run_us: u64,
    steps: usize,
    now: Option<Now>,
    /// The volume whose filling was told of.
    filling: String,
    drawn: bool,
}

/// The run that is going on.
struct Now {
    title: String,
    steps_after: u64,
    since: Instant,
}

impl ProgressLine {
    /// A line for the steps of `plan`; `quiet` shows nothing.
    pub fn new(plan: &ComparePlan, screen: Screen, quiet: bool) -> ProgressLine {
        let (run_us, steps) = (plan.run_us(), plan.steps().len());
        let filling = String::new();
        ProgressLine { screen, quiet, run_us, steps, now: None, filling, drawn: false }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        if std::mem::take(&mut self.drawn) {
            warn("\r\x1b[2K");
        }
    }

    fn draw(&mut self, text: &str) {
        if self.quiet || !self.screen.live {
            return;
        }
        // One column short: a full line would wrap, and could not be wiped.
        let room = self.screen.width.saturating_sub(1);
        let shown: String = text.chars().take(room).collect();
        warn(&format!("\r\x1b[2K{shown}"));
        self.drawn = true;
    }

    /// A line that stays.
    fn note(&mut self, text: &str) {
        if !self.quiet && !self.screen.live {
            warn(&format!("{text}\n"));
        }
    }

    fn live(&mut self, live: &LiveSnapshot) {
        let Some(now) = &self.now else { return };
        let spent_us = now.since.elapsed().as_micros() as u64;
        let left_us = now.steps_after * self.run_us + self.run_us.saturating_sub(spent_us);
        let iops = live.rate_iops.read + live.rate_iops.write;
        let bytes = live.rate_bytes.read + live.rate_bytes.write;
        let mut text = now.title.clone();
        if iops > 0 {
            let mb = megabytes_per_s(bytes as f64 / 1e6);
            text += &format!("{} IO/s, {mb} MB/s, ", thousands(iops as f64));
        }
        // Whole seconds: a line that flickers cannot be read.
        text += &format!("{} left", seconds(left_us.div_ceil(1_000_000) * 1_000_000));
        self.draw(&text);
    }
}

/// A run's figures in a line.
fn in_short(record: &RunRecord) -> String {
    match (&record.figures, &record.failure) {
        (Some(figures), _) => format!(
            "{} IO/s, {} MB/s, mean {}",
            thousands(figures.total.iops),
            megabytes_per_s(figures.total.mb_per_s),
            latency(figures.total.mean_ns)
        ),
        (None, Some(_)) if record.cut_short => "stopped".to_owned(),
        (None, why) => format!("failed: {}", why.as_deref().unwrap_or_default()),
    }
}

impl CompareWatcher for ProgressLine {
    fn progress(&mut self, progress: CompareProgress<'_>) {
        match progress {
            CompareProgress::Filling { volume, done_bytes } => {
                let name = &volume.volume.name;
                let what = format!("filling {} on {name}", binary_bytes(volume.fill_bytes));
                if self.filling != *name {
                    self.filling.clone_from(name);
                    self.note(&what);
                }
                let percent = done_bytes as f64 * 100.0 / volume.fill_bytes.max(1) as f64;
                self.draw(&format!("{what}: {percent:.0} %"));
            }
            CompareProgress::Begin { number, step, volume, phase } => {
                let title = format!(
                    "{}/{} round {}, {}, {}: ",
                    number + 1,
                    self.steps,
                    step.round + 1,
                    volume.volume.name,
                    phase.title
                );
                let steps_after = self.steps.saturating_sub(number + 1) as u64;
                self.now = Some(Now { title, steps_after, since: Instant::now() });
                self.live(&LiveSnapshot::default());
            }
            CompareProgress::Live(live) => self.live(live),
            CompareProgress::End(record) => {
                if let Some(now) = self.now.take() {
                    self.note(&format!("{}{}", now.title, in_short(record)));
                }
            }
        }
    }
}
