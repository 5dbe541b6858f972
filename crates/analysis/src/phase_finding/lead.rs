//! What a phase shows over all its volumes: which is the best, which others are not told apart from
//! it, and whether there is any difference.
//!
//! All pairs of volumes are judged alike, so that the ranking and the comparisons with the first
//! volume never contradict each other.

use super::{PhaseFinding, VolumeStanding};
use crate::{Comparison, Difference, LEAST_ROUNDS, Place, Ranking};

/// How a volume stands to the best in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// It is the best, and shown to be better than each other.
    Alone,
    /// It is equal to the best; of the best itself, another one is.
    Shared,
    /// Whether it is as good as the best cannot be told yet; of the best itself, whether it is
    /// alone.
    Open,
    /// It is shown to be slower than the best.
    Behind,
}

/// The ratios of a volume's rounds to those of `reference`, of rounds in which both have figures.
fn ratios(reference: &VolumeStanding, standing: &VolumeStanding) -> Vec<f64> {
    let rounds = reference.values.iter().zip(&standing.values);
    rounds.filter_map(|(a, b)| Some((*b)? / (*a)?)).filter(|of| of.is_finite()).collect()
}

impl PhaseFinding {
    /// How a volume stands to the best; none where no best is known.
    pub fn lead(&self, standing: &VolumeStanding) -> Option<Lead> {
        let Some(ranking) = &self.ranking else { return self.lead_of_two(standing) };
        let best = ranking.best()?;
        if standing.side.name != best.name {
            return Some(beside_best(ranking, standing));
        }
        let others = self.standings.iter().filter(|other| other.side.name != best.name);
        let others: Vec<Lead> = others.map(|other| beside_best(ranking, other)).collect();
        Some(match others.iter().all(|other| *other == Lead::Behind) {
            true => Lead::Alone,
            false if others.contains(&Lead::Shared) => Lead::Shared,
            false => Lead::Open,
        })
    }

    /// Whether a volume was worse than the best in every round, whatever the statistics show.
    pub fn is_worse_in_each_round(&self, standing: &VolumeStanding) -> bool {
        let best = self.ranking.as_ref().and_then(Ranking::best);
        let best = self.standings.iter().find(|of| Some(&of.side.name) == best.map(|of| &of.name));
        let Some(best) = best else { return false };
        let (ratios, better) = (ratios(best, standing), self.judged.better());
        !ratios.is_empty() && ratios.iter().all(|of| *of != 1.0 && !better.is_second(*of))
    }

    /// The same of two volumes, which have no ranking.
    fn lead_of_two(&self, standing: &VolumeStanding) -> Option<Lead> {
        let [_, second] = self.standings.as_slice() else { return None };
        let comparison = second.over_first.as_ref()?;
        let is_second = standing.over_first.is_some();
        Some(match &comparison.difference {
            Difference::Shown(of) => {
                let is_best = comparison.better.is_second(of.ratio) == is_second;
                if is_best { Lead::Alone } else { Lead::Behind }
            }
            Difference::Equal(_) => Lead::Shared,
            Difference::Open(_) | Difference::NotEnough { .. } => Lead::Open,
        })
    }

    /// All differences that it judged: from the first volume, and with a ranking from the best.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        let over_first = self.standings.iter().filter_map(|of| of.over_first.as_ref());
        let places = self.ranking.iter().flat_map(|ranking| &ranking.places);
        let over_best = places.filter_map(|place| place.over_best.as_ref());
        over_first.map(|comparison| &comparison.difference).chain(over_best)
    }

    /// The ratio to the first volume over all rounds, and the least and greatest of a round, where
    /// that is all that can be said: it cannot be told yet, though each round lies on one side.
    pub fn one_sided(&self, standing: &VolumeStanding) -> Option<[f64; 3]> {
        let is_open = |of: &&Comparison| !of.difference.is_decided() && !of.is_of_one_disk();
        let comparison = standing.over_first.as_ref().filter(is_open)?;
        let first = self.standings.first()?;
        let ratios = ratios(first, standing);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let is_enough = ratios.len() as u64 >= comparison.count().max(LEAST_ROUNDS as u64);
        let is_one_sided = least > 1.0 || (least > 0.0 && most < 1.0);
        (is_enough && is_one_sided).then_some([standing.figure() / first.figure(), least, most])
    }

    /// Whether all volumes are equal.
    pub fn is_level(&self) -> bool {
        self.standings.len() > 1 && self.differences().all(Difference::is_equal)
    }
}

/// How a volume that is not the best stands to it.
fn beside_best(ranking: &Ranking, standing: &VolumeStanding) -> Lead {
    let is_own = |place: &&Place| place.side.name == standing.side.name;
    match ranking.places.iter().find(is_own).and_then(|of| of.over_best.as_ref()) {
        Some(Difference::Shown(_)) => Lead::Behind,
        Some(Difference::Equal(_)) => Lead::Shared,
        _ => Lead::Open,
    }
}
