//! Order, distinctions, and their sentence.

use super::*;
use proptest::prelude::*;

/// A side whose five repeats lie within half a percent of `mean`.
fn quiet(name: &str, mean: f64) -> Side {
    Side::of_repeats(name, &[0.995, 1.002, 1.005, 0.998, 1.0].map(|factor| factor * mean))
}

fn names<'a>(sides: impl Iterator<Item = &'a Side>) -> Vec<&'a str> {
    sides.map(|side| side.name.as_str()).collect()
}

#[test]
fn the_best_and_those_beside_it() {
    let sides = vec![quiet("C", 500.0), quiet("A", 1000.0), quiet("B", 998.0), quiet("D", 900.0)];
    let ranking = Ranking::of(sides.clone(), Better::Higher);
    assert_eq!(ranking.best().unwrap().name, "A");
    assert_eq!(names(ranking.not_told_apart()), ["B"]);
    assert_eq!(
        ranking.to_string(),
        "A is highest, but within the noise of B; D (-10 %) and C (2.00x slower) (95 % sure of the \
         whole list)"
    );
    assert_eq!(ranking.tone(), Tone::Note);
    let ranking = Ranking::of(sides, Better::Lower);
    assert_eq!(names(ranking.places.iter().map(|place| &place.side)), ["C", "D", "B", "A"]);
    assert_eq!(ranking.tone(), Tone::Good);
    assert!(ranking.to_string().starts_with("C is lowest; D (+80 %"), "{ranking}");
}

#[test]
fn a_side_without_a_known_mean_comes_last_and_is_not_told_apart() {
    let ranking =
        Ranking::of(vec![Side::of_repeats("once", &[9e9]), quiet("A", 1000.0)], Better::Higher);
    assert_eq!(ranking.best().unwrap().name, "A");
    assert_eq!(names(ranking.not_told_apart()), ["once"]);
    assert_eq!(
        ranking.to_string(),
        "A is highest by its mean, but cannot be compared with once (95 % sure of the whole list)"
    );
}

#[test]
fn a_best_that_varies_too_much_is_not_called_within_the_noise_of_the_rest() {
    let wild = Side::of_repeats("C", &[23_412.0, 3_659.0, 19_506.0, 34_890.0, 13_924.0]);
    let sides = vec![quiet("B", 880.0), wild, quiet("A", 12_000.0)];
    let ranking = Ranking::among(sides, Better::Higher, Some(2));
    assert_eq!(
        ranking.to_string(),
        "C is highest by its mean, but cannot be compared with A and B (99 % sure of both lists)"
    );
}

#[test]
fn nothing_has_no_best() {
    for sides in [vec![], vec![Side::of_repeats("once", &[1.0])]] {
        let ranking = Ranking::of(sides, Better::Higher);
        assert_eq!(ranking.best(), None);
        assert_eq!(ranking.tone(), Tone::Warning);
        assert_eq!(ranking.to_string(), "no best can be named: the mean of no side is known");
    }
    let alone = Ranking::of(vec![quiet("A", 1.0)], Better::Higher);
    assert_eq!(alone.to_string(), "A is highest (95 % sure of the whole list)");
}

proptest! {
    #[test]
    fn more_sides_never_tell_more_apart(means in prop::collection::vec(900.0..1000.0_f64, 2..8)) {
        let sides = |count: usize| -> Vec<Side> {
            means[..count].iter().map(|mean| quiet("x", *mean)).collect()
        };
        // The first two, by themselves and among all.
        let pair = Ranking::of(sides(2), Better::Higher);
        let all = Ranking::of(sides(means.len()), Better::Higher);
        prop_assert_eq!(all.places.len(), means.len());
        let (first, last) = (&pair.places[0].side, &pair.places[1].side);
        let among = all.places.iter().find(|place| place.side == *last);
        if all.places[0].side == *first && pair.not_told_apart().next().is_some() {
            let over_best = among.and_then(|place| place.over_best.as_ref());
            let apart = matches!(over_best, Some(Difference::Shown { .. }));
            prop_assert!(!apart);
        }
    }
}
