//! Order, distinctions, and their sentence.

use super::*;
use crate::{JudgeRule, SharedRounds};
use proptest::prelude::*;

/// Rounds within half a percent of `mean`, disturbed by round alike.
fn quiet(name: &str, mean: f64) -> (String, Vec<Option<f64>>) {
    let rounds = [0.995, 1.002, 1.005, 0.998, 1.0].map(|factor| Some(factor * mean));
    (name.to_owned(), rounds.to_vec())
}

fn ranking(sides: Vec<(String, Vec<Option<f64>>)>, better: Better, together: u64) -> Ranking {
    Ranking::of_rounds(&SharedRounds::new(sides), better, JudgeRule::among(together))
}

fn names<'a>(sides: impl Iterator<Item = &'a Side>) -> Vec<&'a str> {
    sides.map(|side| side.name.as_str()).collect()
}

#[test]
fn the_best_and_those_beside_it() {
    let sides = vec![quiet("C", 500.0), quiet("A", 1000.0), quiet("B", 998.0), quiet("D", 900.0)];
    let found = ranking(sides.clone(), Better::Higher, 6);
    assert_eq!(found.best().unwrap().name, "A");
    assert_eq!(names(found.not_told_apart()), ["B"]);
    assert_eq!(
        found.to_string(),
        "A is highest, equal to B; D (10.0 % slower) and C (2.00x slower) (99 % sure of all 6 lists)"
    );
    assert_eq!(found.tone(), Tone::Note);
    let found = ranking(sides, Better::Lower, 6);
    assert_eq!(names(found.places.iter().map(|place| &place.side)), ["C", "D", "B", "A"]);
    assert_eq!(found.tone(), Tone::Good);
    assert!(found.to_string().starts_with("C is lowest; D (80 % slower"), "{found}");
}

#[test]
fn a_side_without_a_known_figure_comes_last_and_is_not_told_apart() {
    let once = ("once".to_owned(), vec![Some(9e9)]);
    let found = ranking(vec![once, quiet("A", 1000.0)], Better::Higher, 1);
    assert_eq!(found.best().unwrap().name, "A");
    assert_eq!(names(found.not_told_apart()), ["once"]);
    assert!(found.to_string().starts_with("A is highest, and cannot be told apart yet from once"));
}

#[test]
fn nothing_has_no_best() {
    for sides in [vec![], vec![("once".to_owned(), vec![Some(1.0)])]] {
        let found = ranking(sides, Better::Higher, 1);
        assert_eq!(found.best(), None);
        assert_eq!(found.tone(), Tone::Warning);
        assert_eq!(found.to_string(), "no best can be named: the mean of no side is known");
    }
}

proptest! {
    #[test]
    fn the_ranking_and_a_comparison_of_two_never_contradict_each_other(
        means in prop::collection::vec(900.0..1000.0_f64, 2..6)
    ) {
        let sides: Vec<_> = means.iter().map(|mean| quiet(&mean.to_string(), *mean)).collect();
        let (shared, rule) = (SharedRounds::new(sides), JudgeRule::among(15));
        let found = Ranking::of_rounds(&shared, Better::Higher, rule);
        let at = |name: &str| means.iter().position(|mean| mean.to_string() == name).unwrap();
        let best = at(&found.best().unwrap().name);
        for place in found.places.iter().filter(|place| place.over_best.is_some()) {
            let pair = shared.compare([at(&place.side.name), best], Better::Higher, rule).difference;
            let over_best = place.over_best.as_ref().unwrap();
            prop_assert_eq!(pair.is_shown(), over_best.is_shown());
            prop_assert_eq!(pair.is_equal(), over_best.is_equal());
        }
    }
}
