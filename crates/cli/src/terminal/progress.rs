//! The progress display: a view on a terminal, otherwise one line for each trial or each round; and
//! the feed for other processes. All commands that measure share it.

use super::live::{Feed, LivePhase, LiveView, RoundLines};
use super::screen::warn_line;
use crate::session::Session;
use fathom_campaign::{CampaignEvent, EventSink};
use fathom_text::text;

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
}

impl ProgressLine {
    /// On the screen of `session`, and in `feed`; `quiet` draws nothing.
    pub fn new(session: &Session, quiet: bool, feed: Feed) -> ProgressLine {
        ProgressLine { view: LiveView::new(session.screen, &session.host, quiet, feed) }
    }

    /// Without a terminal, a line for each round and none for a trial.
    pub fn by_rounds(mut self, rounds: RoundLines) -> ProgressLine {
        self.view.by_rounds(rounds);
        self
    }

    /// Removes the view, so that the next output is not mixed with it.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }
}

impl EventSink for ProgressLine {
    fn event(&mut self, event: CampaignEvent) {
        match event {
            CampaignEvent::Filling(progress) => self.view.filling(&progress),
            CampaignEvent::Begin(begin) => {
                let phase = LivePhase::begin(begin.title, begin.before, begin.of, begin.time_us);
                self.view.begin(phase, std::slice::from_ref(&begin.path));
            }
            CampaignEvent::Live(live) => self.view.live(&live),
            CampaignEvent::End { summary } => self.view.end(&summary),
            CampaignEvent::NotSaved { why } => {
                self.wipe();
                warn_line(text!("fathom: {why}; the next run tries again"));
            }
        }
    }
}
