//! The best of several sides, and the sides that cannot be distinguished from it.
//!
//! The best of many looks better than it is, and with many sides some pair always seems to differ.
//! So each side is compared with the best at 5 % divided by the number of pairs (Bonferroni),
//! whichever side is best: of rankings of equal sides at most 5 in 100 distinguish any.

use crate::Tone;
use crate::comparison::{Better, Difference, Side, between, miss_of};
use fathom_message::{Message, Tell, list, shown_as_told};
use serde::{Deserialize, Serialize};

/// Several sides, the best first, then in order of their means; those without a known mean last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Which figure is the better one.
    pub better: Better,
    /// The sides in order.
    pub places: Vec<Place>,
    /// How many rankings share one probability of being wrong; none for one that stands alone at
    /// 95 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<u64>,
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
        Ranking::among(sides, better, None)
    }

    /// The same as one of several rankings that are to be right as a whole.
    pub fn among(sides: Vec<Side>, better: Better, together: Option<u64>) -> Ranking {
        let (mut known, unknown): (Vec<Side>, Vec<Side>) =
            sides.into_iter().partition(|side| side.estimate.is_ok());
        let mean = |side: &Side| side.estimate.as_ref().map_or(0.0, |estimate| estimate.mean);
        known.sort_by(|x, y| match better {
            Better::Higher => mean(y).total_cmp(&mean(x)),
            Better::Lower => mean(x).total_cmp(&mean(y)),
        });
        let pairs = (known.len() * known.len().saturating_sub(1) / 2).max(1);
        let miss = miss_of(together) / pairs as f64;
        let best = known.first().cloned();
        let places = known.into_iter().chain(unknown).enumerate().map(|(at, side)| {
            let over_best = best.as_ref().filter(|_| at > 0).map(|best| between(best, &side, miss));
            Place { side, over_best }
        });
        Ranking { better, places: places.collect(), together }
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

    /// Good if the best is distinguished from all others, a warning if no best is known.
    pub fn tone(&self) -> Tone {
        match (self.best(), self.not_told_apart().next()) {
            (None, _) => Tone::Warning,
            (Some(_), None) => Tone::Good,
            (Some(_), Some(_)) => Tone::Note,
        }
    }

    /// The names of sides whose difference from the best is of that kind.
    fn named(&self, is_wanted: impl Fn(&Difference) -> bool) -> Vec<Message> {
        let wanted = |place: &&Place| place.over_best.as_ref().is_some_and(&is_wanted);
        let names = self.places.iter().filter(wanted);
        names.map(|place| Message::verbatim(&place.side.name)).collect()
    }

    fn behind(&self) -> Vec<Message> {
        let behind = |place: &Place| match &place.over_best {
            Some(difference @ Difference::Shown { .. }) => {
                let change = difference.change()?.change(self.better);
                let name = &place.side.name;
                Some(Message::new("ranking-behind-one").with("name", name).part("change", change))
            }
            _ => None,
        };
        self.places.iter().filter_map(behind).collect()
    }
}

impl Tell for Ranking {
    fn tell(&self) -> Message {
        let Some(best) = self.best() else { return Message::new("ranking-none") };
        let id = match self.better {
            Better::Higher => "ranking-higher",
            Better::Lower => "ranking-lower",
        };
        let mut told = Message::new(id).with("best", &best.name);
        for (id, names) in [
            ("ranking-close", self.named(|of| matches!(of, Difference::NotShown { .. }))),
            ("ranking-unknown", self.named(|of| matches!(of, Difference::NotEnough { .. }))),
        ] {
            if !names.is_empty() {
                told = Message::new(id).part("best", told).part("names", list::names(names));
            }
        }
        let behind = self.behind();
        if !behind.is_empty() {
            let behind = list::names(behind);
            told = Message::new("ranking-behind").part("best", told).part("behind", behind);
        }
        match self.together {
            None => Message::new("ranking-sure"),
            Some(all) => Message::new("ranking-sure-together").count("all", all),
        }
        .part("ranking", told)
    }
}

shown_as_told!(Ranking);

#[cfg(test)]
mod tests;
