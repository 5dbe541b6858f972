//! The line that shows how a comparison goes: drawn over itself on a terminal, else one line a run.

use crate::live_line::{LiveLine, RunNow};
use crate::measure::screen::Screen;
use fathom_campaign::compare::{ComparePlan, CompareProgress, CompareWatcher, RunRecord};
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, thousands};
use fathom_stats::LiveSnapshot;

/// Shows progress on standard error.
pub struct ProgressLine {
    line: LiveLine,
    run_us: u64,
    steps: usize,
    now: Option<RunNow>,
    /// The volume whose filling was told of.
    filling: String,
}

impl ProgressLine {
    /// A line for the steps of `plan`; `quiet` shows nothing.
    pub fn new(plan: &ComparePlan, screen: Screen, quiet: bool) -> ProgressLine {
        let (run_us, steps) = (plan.run_us(), plan.steps().len());
        let filling = String::new();
        ProgressLine { line: LiveLine::new(screen, quiet), run_us, steps, now: None, filling }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    fn live(&mut self, live: &LiveSnapshot) {
        if let Some(now) = &self.now {
            self.line.draw(&now.text(live, self.run_us));
        }
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
                    self.line.note(&what);
                }
                let percent = done_bytes as f64 * 100.0 / volume.fill_bytes.max(1) as f64;
                self.line.draw(&format!("{what}: {percent:.0} %"));
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
                self.now = Some(RunNow::begin(title, steps_after));
                self.live(&LiveSnapshot::default());
            }
            CompareProgress::Live(live) => self.live(live),
            CompareProgress::End(record) => {
                if let Some(now) = self.now.take() {
                    self.line.note(&format!("{}{}", now.title, in_short(record)));
                }
            }
        }
    }
}
