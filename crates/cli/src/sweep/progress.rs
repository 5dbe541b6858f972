//! The line that shows how a sweep goes: drawn over itself on a terminal, else one line a run.

use crate::measure::screen::{Screen, warn};
use fathom_campaign::cases::{CaseProgress, Setting};
use fathom_campaign::sweep::{CaseRecord, SweepDocument, SweepPlan, SweepWatcher};
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, seconds, thousands};
use fathom_stats::LiveSnapshot;
use std::time::Instant;

/// Shows progress on standard error.
pub struct ProgressLine {
    screen: Screen,
    quiet: bool,
    turn_us: u64,
    /// Runs that were over before this session, and runs in all.
    before: usize,
    turns: usize,
    now: Option<Now>,
    filling: bool,
    drawn: bool,
}

/// The run that is going on.
struct Now {
    title: String,
    runs_after: u64,
    since: Instant,
}

impl ProgressLine {
    /// A line for the runs of `plan` that `document` does not have; `quiet` shows nothing.
    pub fn new(
        plan: &SweepPlan,
        document: &SweepDocument,
        screen: Screen,
        quiet: bool,
    ) -> ProgressLine {
        ProgressLine {
            screen,
            quiet,
            turn_us: plan.turn_us(),
            before: document.over().len(),
            turns: document.turns,
            now: None,
            filling: false,
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

    fn live(&mut self, live: &LiveSnapshot) {
        let Some(now) = &self.now else { return };
        let spent_us = now.since.elapsed().as_micros() as u64;
        let left_us = now.runs_after * self.turn_us + self.turn_us.saturating_sub(spent_us);
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

/// `rw=randread, iodepth=16`.
pub fn title(settings: &[Setting]) -> String {
    let one = |setting: &Setting| format!("{}={}", setting.axis, setting.value);
    settings.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A run's figures in a line.
pub fn in_short(record: &CaseRecord) -> String {
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

impl SweepWatcher for ProgressLine {
    fn progress(&mut self, progress: CaseProgress<'_>) {
        match progress {
            CaseProgress::Filling { volume, done_bytes } => {
                let what = format!("filling {}", binary_bytes(volume.fill_bytes));
                if !std::mem::replace(&mut self.filling, true) {
                    self.note(&what);
                }
                let percent = done_bytes as f64 * 100.0 / volume.fill_bytes.max(1) as f64;
                self.draw(&format!("{what}: {percent:.0} %"));
            }
            CaseProgress::Begin { step, case, .. } => {
                let number = self.before + step + 1;
                let title = format!("{number}/{} {}: ", self.turns, case.title());
                let runs_after = self.turns.saturating_sub(number) as u64;
                self.now = Some(Now { title, runs_after, since: Instant::now() });
                self.live(&LiveSnapshot::default());
            }
            CaseProgress::Live(live) => self.live(live),
        }
    }

    fn end(&mut self, record: &CaseRecord) {
        if let Some(now) = self.now.take() {
            self.note(&format!("{}{}", now.title, in_short(record)));
        }
    }

    fn not_kept(&mut self, why: &str) {
        self.wipe();
        warn(&format!("fathom: {why}; the next run tries again\n"));
    }
}
