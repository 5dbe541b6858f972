//! Events during a campaign, as data for observers: a terminal, a feed, another machine. Every
//! command sends the same few events; none of them borrows from the campaign.

use fathom_stats::LiveSnapshot;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum CampaignEvent {
    /// A target is being filled with data.
    Filling {
        /// Its name, if there are several.
        target: Option<String>,
        /// Bytes done.
        done_bytes: u64,
        /// Bytes in all.
        total_bytes: u64,
    },
    /// A trial begins.
    Begin(TrialBegin),
    /// A snapshot of the trial.
    Live(Box<LiveSnapshot>),
    /// The trial is over.
    End {
        /// Its result, in a line.
        summary: String,
    },
    /// The document could not be saved; the next trial tries again.
    NotSaved {
        /// Why, with the path.
        why: String,
    },
}

/// A trial that begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialBegin {
    /// Trials before it.
    pub before: u64,
    /// The total number of trials, if known.
    pub of: Option<u64>,
    /// Its title.
    pub title: String,
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
