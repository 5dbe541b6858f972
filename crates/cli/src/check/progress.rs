//! The line that shows how a check goes: drawn over itself on a terminal, else one line a run.

use super::recorded;
use crate::measure::screen::{Screen, warn};
use crate::record::Recorder;
use fathom_campaign::cases::CaseProgress;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckWatcher};
use fathom_campaign::{binary_bytes, megabytes_per_s, seconds, thousands};
use fathom_stats::LiveSnapshot;
use std::path::PathBuf;
use std::time::Instant;

/// Shows progress on standard error, and keeps what there is after each run.
pub struct ProgressLine<'a> {
    plan: &'a CheckPlan,
    recorder: &'a mut Recorder,
    target: &'a PathBuf,
    screen: Screen,
    quiet: bool,
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

impl<'a> ProgressLine<'a> {
    /// A line for the runs of `plan`; `quiet` shows nothing.
    pub fn new(
        plan: &'a CheckPlan,
        recorder: &'a mut Recorder,
        target: &'a PathBuf,
        screen: Screen,
        quiet: bool,
    ) -> ProgressLine<'a> {
        let (now, filling, drawn) = (None, false, false);
        ProgressLine { plan, recorder, target, screen, quiet, now, filling, drawn }
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
    fn note(&self, text: &str) {
        if !self.quiet && !self.screen.live {
            warn(&format!("{text}\n"));
        }
    }

    fn live(&mut self, live: &LiveSnapshot) {
        let Some(now) = &self.now else { return };
        let turn_us = self.plan.turn_us();
        let spent_us = now.since.elapsed().as_micros() as u64;
        let left_us = now.runs_after * turn_us + turn_us.saturating_sub(spent_us);
        let iops = live.rate_iops.read + live.rate_iops.write;
        let bytes = live.rate_bytes.read + live.rate_bytes.write;
        let mut text = format!("{}: ", now.title);
        if iops > 0 {
            let mb = megabytes_per_s(bytes as f64 / 1e6);
            text += &format!("{} IO/s, {mb} MB/s, ", thousands(iops as f64));
        }
        // Whole seconds: a line that flickers cannot be read.
        text += &format!("{} left", seconds(left_us.div_ceil(1_000_000) * 1_000_000));
        self.draw(&text);
    }
}

impl CheckWatcher for ProgressLine<'_> {
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
                let of = self.plan.steps.len();
                let load = self.plan.steps.iter().find(|step| step.case.index == case.index);
                let load = load.map(|step| step.load.title()).unwrap_or_default();
                let title = format!("{}/{of} {load}", step + 1);
                let runs_after = (of - step - 1) as u64;
                self.now = Some(Now { title, runs_after, since: Instant::now() });
                self.live(&LiveSnapshot::default());
            }
            CaseProgress::Live(live) => self.live(live),
        }
    }

    fn end(&mut self, document: &CheckDocument) {
        if let (Some(now), Some(run)) = (self.now.take(), document.runs.last()) {
            self.note(&format!("{}: {}", now.title, run.standing().name()));
        }
        recorded::keep(self.recorder, self.target, document, false);
    }
}
