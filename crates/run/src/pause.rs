//! Whether the process was stopped during a run (SIGSTOP, ^Z), and for how long.
//!
//! The supervisor wakes several times a second. A gap between two wake-ups alone may be a slow
//! terminal; together with a SIGCONT it is a stop. Either of the two may be seen first.

use crate::control::Control;
use std::time::{Duration, Instant};

/// A gap is longer than any nap of the supervisor.
const GAP: Duration = Duration::from_millis(500);

/// A SIGCONT that belongs to a gap arrives within this time of its end.
const LATEST: Duration = Duration::from_secs(1);

/// Adds up the time for which the process was stopped.
#[derive(Debug)]
pub(crate) struct PauseWatch {
    last: Instant,
    gap: Option<(Instant, Duration)>,
    stopped: Duration,
}

impl PauseWatch {
    /// Begins now.
    pub fn new() -> PauseWatch {
        PauseWatch { last: Instant::now(), gap: None, stopped: Duration::ZERO }
    }

    /// Checks for a gap or a signal.
    pub fn look(&mut self, control: &Control) {
        self.look_at(Instant::now(), control);
    }

    fn look_at(&mut self, now: Instant, control: &Control) {
        let since = now.saturating_duration_since(self.last);
        self.last = now;
        if since > GAP {
            self.gap = Some((now, since));
        }
        self.gap = self.gap.filter(|(end, _)| now.saturating_duration_since(*end) < LATEST);
        if self.gap.is_some() && control.take_continue() {
            self.stopped += self.gap.take().map_or(Duration::ZERO, |(_, gap)| gap);
        }
    }

    /// Checks for the last time; waits a moment for a SIGCONT that may still arrive.
    pub fn end(&mut self, control: &Control) {
        self.look(control);
        if self.gap.is_some() {
            std::thread::sleep(Duration::from_millis(100));
            self.look(control);
        }
    }

    /// Milliseconds for which the process was stopped.
    pub fn total_ms(&self) -> u64 {
        u64::try_from(self.stopped.as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_with_a_continue_is_a_stop_whichever_is_seen_first() {
        let control = Control::default();
        let mut watch = PauseWatch::new();
        let at = |ms: u64| watch_start() + Duration::from_millis(ms);
        fn watch_start() -> Instant {
            use std::sync::OnceLock;
            static START: OnceLock<Instant> = OnceLock::new();
            *START.get_or_init(Instant::now)
        }
        watch.last = at(0);
        watch.look_at(at(50), &control);
        // A slow terminal: nothing was continued.
        watch.look_at(at(1050), &control);
        watch.look_at(at(2100), &control);
        assert_eq!(watch.stopped, Duration::ZERO);
        // The gap is seen before the signal.
        watch.look_at(at(5100), &control);
        control.note_continue();
        watch.look_at(at(5150), &control);
        assert_eq!(watch.stopped, Duration::from_secs(3));
        // The signal before the gap.
        control.note_continue();
        watch.look_at(at(7150), &control);
        assert_eq!(watch.stopped, Duration::from_secs(5));
    }
}
