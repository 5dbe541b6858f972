//! The line that shows how a sweep goes: drawn over itself on a terminal, else one line a run.

use crate::live_line::{LiveLine, RunNow};
use crate::measure::screen::{Screen, warn};
use fathom_campaign::cases::{CaseProgress, Setting};
use fathom_campaign::sweep::{CaseRecord, SweepDocument, SweepPlan, SweepWatcher};
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, thousands};
use fathom_stats::LiveSnapshot;

/// Shows progress on standard error.
pub struct ProgressLine {
    line: LiveLine,
    turn_us: u64,
    /// Runs that were over before this session, and runs in all.
    before: usize,
    turns: usize,
    now: Option<RunNow>,
    filling: bool,
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
            line: LiveLine::new(screen, quiet),
            turn_us: plan.turn_us(),
            before: document.over().len(),
            turns: document.turns,
            now: None,
            filling: false,
        }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        self.line.wipe();
    }

    fn live(&mut self, live: &LiveSnapshot) {
        if let Some(now) = &self.now {
            self.line.draw(&now.text(live, self.turn_us));
        }
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
                    self.line.note(&what);
                }
                let percent = done_bytes as f64 * 100.0 / volume.fill_bytes.max(1) as f64;
                self.line.draw(&format!("{what}: {percent:.0} %"));
            }
            CaseProgress::Begin { step, case, .. } => {
                let number = self.before + step + 1;
                let title = format!("{number}/{} {}: ", self.turns, case.title());
                let runs_after = self.turns.saturating_sub(number) as u64;
                self.now = Some(RunNow::begin(title, runs_after));
                self.live(&LiveSnapshot::default());
            }
            CaseProgress::Live(live) => self.live(live),
        }
    }

    fn end(&mut self, record: &CaseRecord) {
        if let Some(now) = self.now.take() {
            self.line.note(&format!("{}{}", now.title, in_short(record)));
        }
    }

    fn not_kept(&mut self, why: &str) {
        self.wipe();
        warn(&format!("fathom: {why}; the next run tries again\n"));
    }
}
