//! The findings of a comparison in a phase: each volume's typical figure, its ratio to the first,
//! and with three or more a ranking.

mod lead;

pub use lead::Lead;

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
    /// Its typical figure over its rounds and how well that is known: what is judged and shown.
    pub side: Side,
    /// Its figure in each round; none where the run failed or was cut short.
    pub values: Vec<Option<f64>>,
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

    /// The findings in a sentence: the ranking, or of two volumes their comparison.
    pub fn messages(&self) -> Vec<Message> {
        match &self.ranking {
            Some(ranking) => vec![ranking.tell()],
            None => self
                .standings
                .iter()
                .filter_map(|of| of.over_first.as_ref())
                .map(Tell::tell)
                .collect(),
        }
    }
}

impl VolumeStanding {
    /// The typical figure; NaN where there is none.
    pub fn figure(&self) -> f64 {
        if let Ok(estimate) = &self.side.estimate {
            return estimate.mean;
        }
        // One round is no estimate, and a figure.
        self.values.iter().flatten().next().copied().unwrap_or(f64::NAN)
    }
}
