//! The live view of a command that measures, for users and other processes.
//!
//! A command reports the current phase ([`LiveView::begin`], [`LiveView::filling`]), passes
//! snapshots on, and reports results. These make a [`Moment`], which is drawn a few times a second
//! ([`frame`]) and written once a second to the run's feed ([`Feed`]). Finished phases stay above
//! it until the command ends, whose table repeats them. Without a terminal each finished phase is a
//! line that stays, or each round of many short ones ([`RoundLines`]), or each tenth of the time of
//! jobs ([`JobLines`]); in quiet mode only the feed is written.

mod device;
mod feed;
mod frame;
mod job_lines;
mod moment;
mod round_lines;
#[cfg(test)]
mod tests;

use fathom_text::{Text, text};
pub use feed::{Feed, FeedHold};
pub use moment::{JobOutlook, LivePhase, whole_seconds};
pub use round_lines::RoundLines;

use crate::language::lang;
use crate::terminal::paint::{Narrower, Painter, Window};
use crate::terminal::screen::{Screen, draw, warn_line};
use crate::terminal::spark::History;
use device::Devices;
use fathom_campaign::{FillProgress, binary_bytes};
use fathom_host::Host;
use fathom_stats::{LiveLatency, LiveSnapshot, RunningJobs};
use job_lines::JobLines;
use moment::Moment;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Minimum time between frames: faster changes cannot be read, and measuring has priority.
const FRAME: Duration = Duration::from_millis(250);

/// Minimum time between points of the feed and of the curve; snapshots arrive every 250 ms.
const SECOND: Duration = Duration::from_millis(900);

/// Shows the progress of a command.
pub struct LiveView {
    screen: Screen,
    quiet: bool,
    painter: Painter,
    feed: Feed,
    devices: Devices,
    history: History,
    now: Option<LivePhase>,
    /// Results of finished phases.
    finished: Vec<String>,
    /// What is said of whole rounds instead, where nothing can be redrawn.
    rounds: Option<RoundLines>,
    job_lines: JobLines,
    running: RunningJobs,
    /// The last latencies of this phase: some moments complete no I/O.
    latency: Option<LiveLatency>,
    filling: Option<Filling>,
    /// When the command began to fill or to measure.
    began: Option<Instant>,
    last_frame: Option<Instant>,
    last_second: Option<Instant>,
}

/// A place that is being filled.
struct Filling {
    what: Text,
    since: Instant,
}

impl LiveView {
    /// A view on `screen` of `host`'s activity that also writes `feed`; `quiet` draws nothing.
    pub fn new(screen: Screen, host: &Host, quiet: bool, feed: Feed) -> LiveView {
        LiveView {
            screen: screen.of_stderr(),
            quiet,
            painter: Painter::new(Narrower::Beneath),
            feed,
            devices: Devices::new(host),
            history: History::default(),
            now: None,
            finished: Vec::new(),
            rounds: None,
            job_lines: JobLines::default(),
            running: RunningJobs::default(),
            latency: None,
            filling: None,
            began: None,
            last_frame: None,
            last_second: None,
        }
    }

    /// Without a terminal, says no more than which rounds are over.
    pub fn by_rounds(&mut self, rounds: RoundLines) {
        self.rounds = Some(rounds);
    }

    /// Removes the view, so that the next output is not mixed with it.
    pub fn wipe(&mut self) {
        let frame = self.painter.wipe();
        if !frame.is_empty() {
            draw(&frame);
        }
        self.last_frame = None;
    }

    /// If nothing can be redrawn, a line that stays.
    pub fn note(&self, text: &str) {
        if !self.quiet && !self.screen.live {
            warn_line(text);
        }
    }

    /// A phase begins, with I/O at `places`.
    pub fn begin(&mut self, phase: LivePhase, places: &[PathBuf]) {
        self.devices.turn_to(places);
        // One curve of unlike phases would show the plan, not the volume.
        self.history = History::default();
        self.latency = None;
        let moment = phase.moment(&LiveSnapshot::default()).of_whole(self.spent());
        self.show(&moment);
        self.now = Some(phase);
    }

    /// Shows a snapshot of the phase.
    pub fn live(&mut self, live: &LiveSnapshot) {
        if let Some(phase) = &self.now {
            let moment = phase.moment(live);
            // The first snapshot of a phase has no rate yet.
            self.second(&moment, live.elapsed_ms > 0 && live.jobs_running > 0);
            self.latency = moment.latency.or(self.latency);
            let moment = Moment { latency: self.latency, ..moment }.of_whole(self.spent());
            self.show(&moment);
        }
    }

    /// How long the command has filled and measured.
    fn spent(&mut self) -> Duration {
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    /// Ends the phase; `what` is its result.
    pub fn end(&mut self, what: &Text) {
        if let Some(phase) = self.now.take() {
            let line = format!("{}: {}", phase.label(), what.text(lang()));
            let told = match &mut self.rounds {
                Some(rounds) => rounds.after(phase.runs()),
                None => Some(line.clone()),
            };
            told.iter().for_each(|told| self.note(told));
            self.finished.push(line);
        }
    }

    /// Says what phases show so far; it stays in view with their results.
    pub fn judged(&mut self, so_far: &Text) {
        let line = so_far.text(lang()).to_owned();
        self.note(&line);
        self.finished.push(line);
    }

    /// Shows how far a target is filled.
    pub fn filling(&mut self, progress: &FillProgress) {
        let size = binary_bytes(progress.total_bytes);
        let what = match &progress.target {
            Some(name) => text!("filling {size} on {name}"),
            None => text!("filling {size}"),
        };
        if self.filling.as_ref().is_none_or(|before| before.what != what) {
            self.note(what.text(lang()));
            self.filling = Some(Filling { what, since: Instant::now() });
        }
        let Some(Filling { what, since }) = &self.filling else { return };
        let moment = Moment::filling(what.clone(), since.elapsed(), progress);
        self.second(&moment, true);
        let moment = moment.of_whole(self.spent());
        self.show(&moment);
    }

    /// Shows a snapshot of jobs that are not phases.
    pub fn jobs(&mut self, live: &LiveSnapshot, jobs: &JobOutlook) {
        if self.running.turn_to(live.running()) {
            self.history = History::default();
            self.latency = None;
        }
        let moment = Moment::jobs(live, jobs);
        self.second(&moment, live.jobs_running > 0);
        self.latency = moment.latency.or(self.latency.filter(|_| live.jobs_running > 0));
        let moment = Moment { latency: self.latency, ..moment };
        if live.jobs_running > 0 && self.job_lines.is_due(live.elapsed_ms, moment.share) {
            self.note(&frame::line(&moment));
        }
        self.show(&moment);
    }

    /// The devices of `jobs` are those of these places.
    pub fn look_at(&mut self, places: &[PathBuf]) {
        self.devices.turn_to(places);
    }

    /// Updates that happen once a second.
    fn second(&mut self, moment: &Moment, counts: bool) {
        if !counts || self.last_second.is_some_and(|last| last.elapsed() < SECOND) {
            return;
        }
        self.last_second = Some(Instant::now());
        self.devices.look();
        self.history.push(moment.iops() as f64);
        let point = moment.point(self.devices.busiest().map(|(_, percent)| percent));
        if let Err(why) = self.feed.push(point) {
            self.wipe();
            warn_line(text!("fathom: warning: other processes cannot see this run: {why}"));
        }
    }

    fn show(&mut self, moment: &Moment) {
        let early = self.last_frame.is_some_and(|last| last.elapsed() < FRAME);
        if self.quiet || !self.screen.live || early {
            return;
        }
        self.last_frame = Some(Instant::now());
        let window = Window::of_stderr();
        let screen = Screen { width: window.width, ..self.screen };
        let lines = frame::lines(moment, self.devices.busiest(), &self.history, &screen);
        let lines = frame::beneath(&self.finished, lines, window.height, &screen);
        draw(&self.painter.draw(lines, window));
    }
}

impl Drop for LiveView {
    fn drop(&mut self) {
        self.wipe();
    }
}
