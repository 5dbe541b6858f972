//! The best of several sides, and how the others stand to it.
//!
//! The best of many looks better than it is, and with many sides some pair always seems to differ.
//! So all pairs of sides share one probability of error, whichever side is best.

use crate::Tone;
use crate::comparison::{Better, Difference, JudgeRule, SharedRounds, Side};
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
    /// Sides that were measured in turn, by a rule that all their pairs share.
    pub fn of_rounds(rounds: &SharedRounds, better: Better, rule: JudgeRule) -> Ranking {
        let mut order: Vec<(usize, Side)> =
            (0..rounds.sides()).map(|at| (at, rounds.side(at))).collect();
        let figure = |side: &Side| side.estimate.as_ref().ok().map(|of| of.mean);
        order.sort_by(|(_, x), (_, y)| match (figure(x), figure(y)) {
            (Some(x), Some(y)) if better == Better::Higher => y.total_cmp(&x),
            (Some(x), Some(y)) => x.total_cmp(&y),
            (x, y) => y.is_some().cmp(&x.is_some()),
        });
        let best = order.first().filter(|(_, side)| side.estimate.is_ok()).map(|(at, _)| *at);
        let over_best = |at: usize| {
            let best = best.filter(|best| *best != at)?;
            Some(rounds.compare([best, at], better, rule).difference)
        };
        let place = |(at, side): (usize, Side)| Place { side, over_best: over_best(at) };
        let places = order.into_iter().map(place).collect();
        Ranking { better, places, together: Some(rule.together) }
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
                Some(Difference::Equal(_) | Difference::Open(_) | Difference::NotEnough { .. })
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
            Some(difference @ Difference::Shown(_)) => {
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
            ("ranking-close", self.named(Difference::is_equal)),
            ("ranking-unknown", self.named(|of| !of.is_decided())),
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
        let sure = Message::new("ranking-sure-together").with("all", self.together.unwrap_or(1));
        sure.part("ranking", told)
    }
}

shown_as_told!(Ranking);

#[cfg(test)]
mod tests;
