//! The source of a number, its age, and its confidence.
//!
//! Providers change their limits, so a promise without a date is worth little: every row names its
//! sources, and both are shown with its numbers.

use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// A page that states a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Cited")]
pub struct Source {
    /// Its name within the catalogue, as `A1`.
    pub id: String,
    /// Which page it is; empty only until the catalogue has looked the name up.
    pub title: String,
    /// Of when the text is that was read: a date, a year, or `undated`.
    pub as_of: String,
}

/// How a row names a source: by its name, or in full.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a source: its id, or a table of id, title and as_of")]
enum Cited {
    Id(String),
    Whole { id: String, title: String, as_of: String },
}

impl From<Cited> for Source {
    fn from(cited: Cited) -> Source {
        match cited {
            Cited::Id(id) => Source { id, title: String::new(), as_of: String::new() },
            Cited::Whole { id, title, as_of } => Source { id, title, as_of },
        }
    }
}

impl Tell for Source {
    fn tell(&self) -> Message {
        let date = match self.as_of.as_str() {
            "undated" => Message::new("row-undated"),
            date => Message::verbatim(date),
        };
        let said = Message::new("row-source").with("id", &self.id).with("title", &self.title);
        said.part("date", date)
    }
}

shown_as_told!(Source);

/// How surely a row's numbers were read; the weakest of them decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Confidence {
    /// From general knowledge, or from one article that is not the provider's; not confirmed.
    #[serde(rename = "L")]
    Low,
    /// Read in part, in an older copy or on a mirror, or derived from points that were read.
    #[serde(rename = "M")]
    Medium,
    /// Read in the provider's own text.
    #[serde(rename = "H")]
    High,
}

impl Confidence {
    /// Its letter.
    pub fn letter(self) -> &'static str {
        match self {
            Confidence::Low => "L",
            Confidence::Medium => "M",
            Confidence::High => "H",
        }
    }

    /// Its meaning, as the end of "the numbers were …".
    pub fn meaning(self) -> Message {
        Message::new(match self {
            Confidence::Low => "meaning-low",
            Confidence::Medium => "meaning-medium",
            Confidence::High => "meaning-high",
        })
    }
}
