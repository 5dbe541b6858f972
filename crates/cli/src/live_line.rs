//! One line on standard error that shows how a command goes: drawn over itself on a terminal, else
//! a line for each thing that is over. Every command that measures has one of these.

use crate::measure::screen::{Screen, warn};
use fathom_campaign::{megabytes_per_s, seconds, thousands};
use fathom_stats::LiveSnapshot;
use std::time::{Duration, Instant};

/// The line.
pub struct LiveLine {
    screen: Screen,
    quiet: bool,
    drawn: bool,
}

impl LiveLine {
    /// A line on `screen`; `quiet` shows nothing.
    pub fn new(screen: Screen, quiet: bool) -> LiveLine {
        LiveLine { screen, quiet, drawn: false }
    }

    /// Wipes the line, so that what is printed next stands alone.
    pub fn wipe(&mut self) {
        if std::mem::take(&mut self.drawn) {
            warn("\r\x1b[2K");
        }
    }

    /// Draws `text` over what is there.
    pub fn draw(&mut self, text: &str) {
        if self.quiet || !self.screen.live {
            return;
        }
        // One column short: a full line would wrap, and could not be wiped.
        let room = self.screen.width.saturating_sub(1);
        let shown: String = text.chars().take(room).collect();
        warn(&format!("\r\x1b[2K{shown}"));
        self.drawn = true;
    }

    /// Where nothing can be drawn over, a line that stays.
    pub fn note(&self, text: &str) {
        if !self.quiet && !self.screen.live {
            warn(&format!("{text}\n"));
        }
    }
}

/// One of several runs of equal length that is going on.
pub struct RunNow {
    /// What it is, as the line begins.
    pub title: String,
    /// Runs that come after it.
    pub runs_after: u64,
    since: Instant,
}

impl RunNow {
    /// A run that begins now.
    pub fn begin(title: String, runs_after: u64) -> RunNow {
        RunNow { title, runs_after, since: Instant::now() }
    }

    /// How long it has run.
    pub fn spent(&self) -> Duration {
        self.since.elapsed()
    }

    /// Its line: title, rates where there are any, and the time left of all runs of `run_us`.
    pub fn text(&self, live: &LiveSnapshot, run_us: u64) -> String {
        let spent_us = self.spent().as_micros() as u64;
        let left_us = self.runs_after * run_us + run_us.saturating_sub(spent_us);
        let iops = live.rate_iops.read + live.rate_iops.write;
        let bytes = live.rate_bytes.read + live.rate_bytes.write;
        let mut text = self.title.clone();
        if iops > 0 {
            let mb = megabytes_per_s(bytes as f64 / 1e6);
            text += &format!("{} IO/s, {mb} MB/s, ", thousands(iops as f64));
        }
        text + &format!("{} left", whole_seconds(left_us))
    }
}

/// A time in whole seconds, rounded up: a line that flickers cannot be read.
pub fn whole_seconds(us: u64) -> String {
    seconds(us.div_ceil(1_000_000) * 1_000_000)
}
