//! The progress display: a view on a terminal, otherwise one line for each trial or each round; and
//! the feed for other processes. All commands that measure share it.

use super::live::{Feed, LivePhase, LiveView, RoundLines};
use super::screen::{Screen, warn_line};
use fathom_campaign::{CampaignEvent, EventSink};
use fathom_host::Host;
use fathom_text::text;

/// Shows progress on standard error and in the run's feed.
pub struct ProgressLine {
    view: LiveView,
}

impl ProgressLine {
    /// On `screen`, and in `feed`; `quiet` draws nothing.
    pub fn new(screen: Screen, host: &Host, quiet: bool, feed: Feed) -> ProgressLine {
        ProgressLine { view: LiveView::new(screen, host, quiet, feed) }
    }

    /// Without a terminal, a line for each round and none for a trial.
    pub fn by_rounds(&mut self, rounds: RoundLines) {
        self.view.by_rounds(rounds);
    }

    /// The view, for jobs that are no campaign.
    pub fn view(&mut self) -> &mut LiveView {
        &mut self.view
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
            CampaignEvent::Judged { rounds, so_far } => {
                self.view.judged(&text!("after {rounds} rounds: {so_far}"));
            }
            CampaignEvent::NotSaved { why } => {
                self.wipe();
                warn_line(text!("fathom: {why}; the next run tries again"));
            }
        }
    }
}
