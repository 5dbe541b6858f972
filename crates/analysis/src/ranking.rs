//! Which of several sides is best, and which cannot be told apart from it.
//!
//! The best of many looks better than it is, and with many sides some pair always seems to
//! differ. So each side is compared with the best at 5 % divided by the number of pairs there are
//! (Bonferroni), which holds for whichever side comes out best: of rankings of equal sides at most
//! 5 in 100 tell any apart.

use crate::Tone;
use crate::comparison::{Better, Difference, Side, between, ratio_and_ends};
use crate::spread::MISS_PROBABILITY;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Several sides, the best first, then in order of their means; those without a known mean last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Which figure is the better one.
    pub better: Better,
    /// The sides in order.
    pub places: Vec<Place>,
}

/// A side in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// The side.
    pub side: Side,
    /// What is known of its mean over the best's; `None` for the best itself.
    pub over_best: Option<Difference>,
}

impl Ranking {
    /// Ranks the sides by their means.
    pub fn of(sides: Vec<Side>, better: Better) -> Ranking {
        let (mut known, unknown): (Vec<Side>, Vec<Side>) =
            sides.into_iter().partition(|side| side.estimate.is_ok());
        let mean = |side: &Side| side.estimate.as_ref().map_or(0.0, |estimate| estimate.mean);
        known.sort_by(|x, y| match better {
            Better::Higher => mean(y).total_cmp(&mean(x)),
            Better::Lower => mean(x).total_cmp(&mean(y)),
        });
        let pairs = (known.len() * known.len().saturating_sub(1) / 2).max(1);
        let miss = MISS_PROBABILITY / pairs as f64;
        let best = known.first().cloned();
        let places = known.into_iter().chain(unknown).enumerate().map(|(at, side)| {
            let over_best = best.as_ref().filter(|_| at > 0).map(|best| between(best, &side, miss));
            Place { side, over_best }
        });
        Ranking { better, places: places.collect() }
    }

    /// The best, where any mean is known.
    pub fn best(&self) -> Option<&Side> {
        self.places.first().map(|place| &place.side).filter(|side| side.estimate.is_ok())
    }

    /// The sides that may be as good as the best.
    pub fn not_told_apart(&self) -> impl Iterator<Item = &Side> {
        let may_equal = |place: &&Place| {
            matches!(
                place.over_best,
                Some(Difference::NotShown { .. } | Difference::NotEnough { .. })
            )
        };
        self.places.iter().filter(may_equal).map(|place| &place.side)
    }

    /// Good where the best is told apart from all others, a warning where none is known.
    pub fn tone(&self) -> Tone {
        match (self.best(), self.not_told_apart().next()) {
            (None, _) => Tone::Warning,
            (Some(_), None) => Tone::Good,
            (Some(_), Some(_)) => Tone::Note,
        }
    }

    fn behind(&self) -> Vec<String> {
        let behind = |place: &Place| match place.over_best {
            Some(Difference::Shown { ratio, low, high, .. }) => {
                let [ratio, ..] = ratio_and_ends(ratio, low, high);
                Some(format!("{} {} {ratio} x as much", place.side.name, self.better.verb()))
            }
            _ => None,
        };
        self.places.iter().filter_map(behind).collect()
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(best) = self.best() else {
            return write!(f, "no best can be named: the mean of no side is known");
        };
        let most = match self.better {
            Better::Higher => "most",
            Better::Lower => "least",
        };
        write!(f, "{} {} the {most}", best.name, self.better.verb())?;
        let close: Vec<&str> = self.not_told_apart().map(|side| side.name.as_str()).collect();
        if !close.is_empty() {
            write!(f, ", not told apart from {}", listed(&close))?;
        }
        let behind = self.behind();
        if !behind.is_empty() {
            let behind: Vec<&str> = behind.iter().map(String::as_str).collect();
            write!(f, "; {}", listed(&behind))?;
        }
        write!(f, " (95 % sure of the whole list)")
    }
}

/// `A`, `A and B`, `A, B and C`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests;
