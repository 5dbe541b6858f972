//! What a phase shows over all its volumes: which is the best, which others are not told apart from
//! it, and whether there is any difference.
//!
//! The ranking compares each volume with the best by the means of both. The comparison with the
//! first volume is one of pairs of rounds and shows more, so a volume that it shows to be slower
//! than the first is behind, whatever the ranking says.

use super::{PhaseFinding, VolumeStanding};
use crate::{Comparison, Difference, LEAST_ROUNDS, Place, Ranking};

/// How a volume stands to the best in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lead {
    /// It is the best, and shown to be better than each other.
    Alone,
    /// No difference from the best is shown; of the best itself, from another one.
    Shared,
    /// Whether it is as good as the best was not judged; of the best itself, whether it is alone.
    Open,
    /// It is shown to be slower than the best, or than the first.
    Behind,
}

/// Whether a test shows a difference, or that there is none of any size.
pub fn is_told(difference: &Difference) -> bool {
    !matches!(difference, Difference::NotEnough { .. }) && !difference.is_unstable()
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
            return Some(self.beside_best(ranking, standing));
        }
        let others = self.standings.iter().filter(|other| other.side.name != best.name);
        let others: Vec<Lead> = others.map(|other| self.beside_best(ranking, other)).collect();
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
            Difference::Shown { ratio, .. } => {
                let is_best = comparison.better.is_second(*ratio) == is_second;
                if is_best { Lead::Alone } else { Lead::Behind }
            }
            difference if is_told(difference) => Lead::Shared,
            _ => Lead::Open,
        })
    }

    /// The same of a volume that is not the best.
    fn beside_best(&self, ranking: &Ranking, standing: &VolumeStanding) -> Lead {
        let is_own = |place: &&Place| place.side.name == standing.side.name;
        let over_best = ranking.places.iter().find(is_own).and_then(|of| of.over_best.as_ref());
        match over_best {
            _ if self.shows_slower(standing.volume) => Lead::Behind,
            Some(difference) if is_told(difference) => Lead::Shared,
            _ => Lead::Open,
        }
    }

    /// Whether it shows that a volume is slower than the first or the best, or the first than it.
    pub fn shows_slower(&self, volume: usize) -> bool {
        let is_slower = |of: &VolumeStanding| {
            let comparison = of.over_first.as_ref()?;
            let Difference::Shown { ratio, .. } = comparison.difference else { return None };
            Some(!comparison.better.is_second(ratio))
        };
        let behind_best = |standing: &VolumeStanding| {
            let places = self.ranking.iter().flat_map(|ranking| &ranking.places);
            let mut own = places.filter(|place| place.side.name == standing.side.name);
            own.any(|place| matches!(place.over_best, Some(Difference::Shown { .. })))
        };
        let mut own = self.standings.iter().filter(|of| of.volume == volume);
        // Others are compared with the first volume that ran.
        let is_first = |of: &VolumeStanding| of.volume == volume;
        match self.standings.first().is_some_and(is_first) {
            true if self.standings.iter().any(|of| is_slower(of) == Some(false)) => true,
            _ => own.any(|of| is_slower(of) == Some(true) || behind_best(of)),
        }
    }

    /// All differences that it judged: from the first volume, and with a ranking from the best.
    pub fn differences(&self) -> impl Iterator<Item = &Difference> {
        let over_first = self.standings.iter().filter_map(|of| of.over_first.as_ref());
        let places = self.ranking.iter().flat_map(|ranking| &ranking.places);
        let over_best = places.filter_map(|place| place.over_best.as_ref());
        over_first.map(|comparison| &comparison.difference).chain(over_best)
    }

    /// The ratio to the first volume over all rounds, and the least and greatest of a round, where
    /// that is all that can be said: no difference is shown, or none of any size ruled out, though
    /// each round lies on one side.
    pub fn one_sided(&self, standing: &VolumeStanding) -> Option<[f64; 3]> {
        let is_open = |of: &&Comparison| !is_told(&of.difference) && !of.is_of_one_disk();
        let comparison = standing.over_first.as_ref().filter(is_open)?;
        let first = self.standings.first()?;
        let ratios = ratios(first, standing);
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let is_enough = ratios.len() as u64 >= comparison.count().max(LEAST_ROUNDS as u64);
        let is_one_sided = least > 1.0 || (least > 0.0 && most < 1.0);
        (is_enough && is_one_sided).then_some([standing.mean() / first.mean(), least, most])
    }

    /// Whether each volume was judged beside the first and none shows a difference.
    pub fn is_level(&self) -> bool {
        let is_judged = |of: &VolumeStanding| {
            of.over_first.as_ref().is_some_and(|comparison| is_told(&comparison.difference))
        };
        let is_shown = |difference: &Difference| matches!(difference, Difference::Shown { .. });
        self.standings.iter().skip(1).all(is_judged) && !self.differences().any(is_shown)
    }
}
