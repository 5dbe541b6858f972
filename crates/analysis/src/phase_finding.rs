//! The findings of a comparison in a phase: each volume's mean, its ratio to the first, and with
//! three or more a ranking.

mod lead;

pub use lead::{Lead, is_told};

use crate::judged::Judged;
use crate::{Comparison, Ranking, Side};
use fathom_message::{Lang, Message, Tell};
use serde::{Deserialize, Serialize};

/// What a phase shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PhaseFinding {
    /// Which phase of the plan, from 0.
    pub phase: usize,
    /// The phase in words.
    pub title: String,
    /// The figure that decides; all values here are in its unit.
    pub judged: Judged,
    /// The volumes that ran it, in the order given.
    pub standings: Vec<VolumeStanding>,
    /// All of them in order; none for two, of which the ratio says all.
    pub ranking: Option<Ranking>,
    /// The same in sentences, in English.
    pub sentences: Vec<String>,
}

/// How a volume stands in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VolumeStanding {
    /// Which volume, from 0.
    pub volume: usize,
    /// The mean of its rounds and how well that is known: what the test rests on.
    pub side: Side,
    /// Its figure in each round; none where the run failed or was cut short.
    pub values: Vec<Option<f64>>,
    /// Its figure over all I/Os of all rounds: what is shown; none in documents from before there
    /// was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<f64>,
    /// Mean latency over all its rounds in nanoseconds, whatever decides.
    pub mean_latency_ns: f64,
    /// Against the first volume; none for that one.
    pub over_first: Option<Comparison>,
}

impl PhaseFinding {
    /// The findings in `lang`: English as stored, other languages from the figures.
    pub fn told(&self, lang: Lang) -> Vec<String> {
        match lang {
            Lang::En => self.sentences.clone(),
            _ => self.messages().iter().map(|said| said.text(lang)).collect(),
        }
    }

    /// The findings, a message for each comparison and one for the ranking.
    pub fn messages(&self) -> Vec<Message> {
        let comparisons = self.standings.iter().filter_map(|standing| standing.over_first.as_ref());
        let ranking = self.ranking.as_ref().map(Tell::tell);
        comparisons.map(Tell::tell).chain(ranking).collect()
    }
}

impl VolumeStanding {
    /// The figure over all rounds that count; NaN where there is none.
    pub fn mean(&self) -> f64 {
        if let Some(merged) = self.merged {
            return merged;
        }
        let known: Vec<f64> = self.values.iter().flatten().copied().collect();
        known.iter().sum::<f64>() / known.len() as f64
    }
}
