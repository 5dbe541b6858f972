//! Events during a campaign, as data for observers: a terminal, a feed, another machine. Every
//! command sends the same few events; none of them borrows from the campaign.

use fathom_stats::LiveSnapshot;
use fathom_text::Text;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CampaignEvent {
    /// A target is being filled with data.
    Filling(FillProgress),
    /// A trial begins.
    Begin(TrialBegin),
    /// A snapshot of the trial.
    Live(Box<LiveSnapshot>),
    /// The trial is over.
    End {
        /// Its result, in a line.
        summary: Text,
    },
    /// What was found so far, after so many rounds; the undecided goes on.
    Judged {
        /// Rounds that are over.
        rounds: u32,
        /// What they show, in a few words.
        so_far: Text,
    },
    /// The document could not be saved; the next trial tries again.
    NotSaved {
        /// Why, with the path.
        why: String,
    },
}

/// How far a target is filled, and what follows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FillProgress {
    /// Its name, if there are several.
    pub target: Option<String>,
    /// Bytes done.
    pub done_bytes: u64,
    /// Bytes in all.
    pub total_bytes: u64,
    /// Bytes that targets after it are filled with.
    pub later_bytes: u64,
    /// Microseconds that the trials take after all targets are filled; of a search, what its steps
    /// usually take.
    pub trials_us: u64,
}

/// A trial that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialBegin {
    /// Trials before it.
    pub before: u64,
    /// The total number of trials, if known.
    pub of: Option<u64>,
    /// Its title.
    pub title: Text,
    /// Microseconds that it takes, its ramp included.
    pub time_us: u64,
    /// The file or device for its I/O.
    pub path: PathBuf,
}

/// Receives events.
pub trait EventSink {
    /// Takes note of one.
    fn event(&mut self, event: CampaignEvent);
}
