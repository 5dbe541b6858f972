//! Questions for which runs were too short, reported once for all of them.

use crate::quantity::stretch;
use fathom_message::{Message, Tell, list, shown_as_told};
use serde::{Deserialize, Serialize};

/// A question about the course of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShortQuestion {
    /// Did it begin with a burst?
    Burst,
    /// Is it steady?
    Steady,
    /// Does something hold it?
    Cap,
}

/// Runs that were too short, and what would be long enough.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShortRuns {
    /// How long the shortest of them ran, in seconds.
    pub run_s: f64,
    /// How long all of them together should run, in seconds.
    pub total_s: f64,
    /// What they were too short for.
    pub questions: Vec<ShortQuestion>,
}

impl Tell for ShortRuns {
    fn tell(&self) -> Message {
        let names = self.questions.iter().map(|question| {
            Message::new(match question {
                ShortQuestion::Burst => "short-question-burst",
                ShortQuestion::Steady => "short-question-steady",
                ShortQuestion::Cap => "short-question-cap",
            })
        });
        Message::new("short-runs")
            .part("questions", list::names(names))
            .with("run", stretch(self.run_s))
            .with("total", format!("{:.0}s", self.total_s))
    }
}

shown_as_told!(ShortRuns);
