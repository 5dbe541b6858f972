//! The line that shows how it goes: drawn over itself on a terminal, else one line a phase.

use crate::measure::screen::{Screen, warn};
use crate::measure::table::phase_name;
use fathom_campaign::{
    Figures, PhaseOutcome, Plan, Progress, RunFailure, Watcher, binary_bytes, latency,
    megabytes_per_s, seconds, thousands,
};
use fathom_stats::LiveSnapshot;
use std::time::Instant;

/// Shows progress on standard error.
pub struct ProgressLine {
    screen: Screen,
    quiet: bool,
    several: bool,
    steps: usize,
    step_us: u64,
    /// What is going on, how many steps are left after it, and since when.
    now: Option<Now>,
    filling: Option<(String, Instant)>,
    drawn: bool,
}

struct Now {
    title: String,
    steps_after: u64,
    since: Instant,
}

impl ProgressLine {
    /// A line for the steps of `plan`; `quiet` shows nothing.
    pub fn new(plan: &Plan, screen: Screen, quiet: bool) -> ProgressLine {
        ProgressLine {
            screen,
            quiet,
            several: plan.volumes.len() > 1,
            steps: plan.steps().len(),
            step_us: plan.phase_us + plan.ramp_us,
            now: None,
            filling: None,
            drawn: false,
        }
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

    fn filling(&mut self, name: &str, done: u64, of: u64) {
        let (named, since) =
            self.filling.get_or_insert_with(|| (String::new(), Instant::now())).clone();
        if named != name {
            self.filling = Some((name.to_owned(), Instant::now()));
            return self.note(&format!("filling {} on {name}", binary_bytes(of)));
        }
        let elapsed = since.elapsed().as_secs_f64();
        let rate = if elapsed > 0.2 { done as f64 / elapsed / 1e6 } else { 0.0 };
        let percent = done as f64 * 100.0 / of.max(1) as f64;
        let mut text = format!("filling {} on {name}: {percent:.0} %", binary_bytes(of));
        if rate > 0.0 {
            text += &format!(", {} MB/s", megabytes_per_s(rate));
        }
        self.draw(&text);
    }

    fn live(&mut self, live: &LiveSnapshot) {
        let Some(now) = &self.now else { return };
        let spent_us = now.since.elapsed().as_micros() as u64;
        let left_us = now.steps_after * self.step_us + self.step_us.saturating_sub(spent_us);
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
                self.now = Some(Now { title, steps_after, since: Instant::now() });
                self.live(&LiveSnapshot::default());
            }
            Progress::Live(live) => self.live(live),
            Progress::End { outcome, .. } => {
                if let Some(now) = self.now.take() {
                    self.note(&format!("{}{}", now.title, in_short(outcome)));
                }
            }
        }
    }
}
