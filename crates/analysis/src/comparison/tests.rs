//! Verdicts, their sentences, and that odd input never gives an odd finding.

use super::*;
use crate::Tone;
use proptest::prelude::*;

const A: [f64; 5] = [998.0, 1003.0, 1001.0, 997.0, 1001.0];
const B: [f64; 5] = [1049.0, 1053.0, 1051.0, 1047.0, 1050.0];

fn repeats(name: &str, values: &[f64]) -> Side {
    Side::of_repeats(name, values)
}

#[test]
fn five_percent_between_quiet_repeats_is_shown() {
    let found = Comparison::apart(repeats("A", &A), repeats("B", &B), Better::Higher);
    assert_eq!(
        found.to_string(),
        "B against A: +5.0 % (95 % sure it is between +4.6 % and +5.4 %, from 5 runs each)"
    );
    assert_eq!(found.tone(), Tone::Good);
}

#[test]
fn what_is_not_shown_says_what_would_be() {
    let noisy = [900.0, 1100.0, 1040.0, 960.0, 1000.0];
    let found = Comparison::apart(repeats("A", &noisy), repeats("B", &B[..3]), Better::Higher);
    let Difference::NotShown { ratio, low, high, smallest_detectable_percent, p_value } =
        &found.difference
    else {
        panic!("{found:?}")
    };
    assert!(*low < 1.0 && 1.0 < *high && low < ratio && ratio < high && *p_value > 0.05);
    // Welch has 4 degrees of freedom here: (2.78 + 0.94) standard errors of 3.4 %.
    assert!((smallest_detectable_percent - 12.7).abs() < 0.3, "{smallest_detectable_percent}");
    assert_eq!(
        found.to_string(),
        "no difference between A and B (5 runs against 3 runs would show one above 13 %)"
    );
    assert_eq!(found.tone(), Tone::Note);
}

#[test]
fn single_runs_say_that_they_are() {
    let run = |mean: f64| (0..100u32).map(|at| mean + f64::from(at * 37 % 11)).collect::<Vec<_>>();
    let (a, b) = (Side::of_intervals("old", &run(500.0)), Side::of_intervals("new", &run(400.0)));
    let found = Comparison::apart(a, b, Better::Lower);
    let text = found.to_string();
    assert!(text.starts_with("new against old: -19.8 % (95 % sure"), "{text}");
    assert!(text.ends_with("from 100 intervals of one run each)"), "{text}");
    assert_eq!(found.tone(), Tone::Note, "a run does not show how runs differ");
}

#[test]
fn rounds_see_through_what_disturbs_both() {
    // From round to round the device halves; within a round B is always 5 % faster.
    let rounds: Vec<(f64, f64)> = [1000.0, 800.0, 600.0, 500.0]
        .iter()
        .zip([1.05, 1.052, 1.048, 1.05])
        .map(|(a, factor)| (*a, a * factor))
        .collect();
    let paired = Comparison::paired("A", "B", &rounds, Better::Higher);
    assert!(paired.to_string().starts_with("B against A: +5"), "{paired}");
    assert!(paired.to_string().ends_with("from 4 rounds)"), "{paired}");
    assert_eq!(paired.tone(), Tone::Good);
    let apart = Comparison::apart(paired.a, paired.b, Better::Higher);
    assert!(matches!(apart.difference, Difference::NotShown { .. }), "{apart:?}");
}

#[test]
fn too_little_is_said_to_be() {
    let cases = [
        (
            Comparison::apart(repeats("A", &A), repeats("B", &[1.0]), Better::Higher),
            "A and B cannot be compared: of B, no error margin can be given: it \
             takes 2 runs or more, not 1",
        ),
        (
            Comparison::apart(repeats("A", &[0.0, 0.0]), repeats("B", &B), Better::Higher),
            "A and B cannot be compared: the figures of A vary too much to be judged, or are 0; \
             measure it longer",
        ),
        (
            Comparison::apart(repeats("A", &[1.0, 9.0, 90.0]), repeats("B", &B), Better::Higher),
            "A and B cannot be compared: the 3 runs of A vary too much to be judged; measure \
             more of them",
        ),
        (
            Comparison::paired("A", "B", &[(1.0, 1.0), (1.0, f64::NAN)], Better::Higher),
            "A and B cannot be compared: it takes 3 rounds or more, not 1",
        ),
    ];
    for (found, text) in cases {
        assert_eq!(found.to_string(), text);
        assert_eq!(found.tone(), Tone::Warning);
    }
}

#[test]
fn noise_does_not_hide_a_factor_that_every_round_has() {
    // A volume on a busy host, and one that a cap holds thirty times below it.
    let rounds = [(97e3, 3.1e3), (150e3, 3.0e3), (48e3, 3.2e3), (120e3, 3.1e3), (70e3, 3.1e3)];
    let names = || ["a".to_owned(), "b".to_owned()];
    let of = Comparison::paired_among(names(), &rounds, Better::Higher, Some(6)).difference;
    let Difference::Shown { ratio, low, high, .. } = of else { panic!("{of:?}") };
    assert!((ratio - 15.5 / 485.0).abs() < 1e-9 && low < ratio && ratio < high, "{ratio}");
    // The same noise on both sides, and a figure of 0.
    let equal = [(97e3, 60e3), (150e3, 110e3), (48e3, 140e3), (120e3, 50e3), (20e3, 90e3)];
    for rounds in [equal, [(97e3, 0.0), (150e3, 3.0e3), (48e3, 3.2e3), (9e3, 3e3), (1e3, 3e3)]] {
        let of = Comparison::paired_among(names(), &rounds, Better::Higher, Some(6)).difference;
        assert!(!matches!(of, Difference::Shown { .. }), "{of:?}");
    }
}

#[test]
fn noise_does_not_hide_a_factor_of_ten_between_sides_that_were_measured_apart() {
    let (fast, slow) = ([31_077.0, 28_800.0, 33_400.0], [2970.0, 3010.0, 2950.0]);
    let sides = || [Side::of_rounds("A", &fast), Side::of_rounds("B", &slow)];
    let [a, b] = sides();
    let Difference::Shown { ratio, low, high, .. } =
        Comparison::apart_among(a, b, Better::Higher, Some(2)).difference
    else {
        panic!("{:?}", sides())
    };
    assert!(low < ratio && ratio < high && high < 0.5, "{low} {ratio} {high}");
    assert!((ratio - 2976.7 / 31_092.3).abs() < 1e-4, "{ratio}");
}

#[test]
fn figures_of_zero_have_no_logarithms() {
    let own = repeats("A", &A);
    assert!(log_ratio(&own, &repeats("B", &B)).is_some());
    assert!(log_ratio(&own, &repeats("B", &[1.0, 0.0, 1.0])).is_none());
    assert!(log_ratio(&own, &Side::of_one_among("B", 1000.0, None, &A)).is_some());
    assert!(log_ratio(&own, &Side::of_one_among("B", 0.0, None, &A)).is_none());
    assert!(log_ratio(&own, &Side::of_one_among("B", 1000.0, None, &[1.0, 0.0, 1.0])).is_none());
}

#[test]
fn a_run_that_lies_within_the_factors_of_its_baseline_is_not_called_different() {
    // The means alone tell 600 from these; their factors reach it.
    let runs = [100.0, 150.0, 90.0, 220.0, 130.0];
    let beside = |value: f64| {
        let run = Side::of_one_among("B", value, None, &runs);
        Comparison::apart(repeats("A", &runs), run, Better::Higher).difference
    };
    let Difference::NotShown { low, high, .. } = beside(330.0) else {
        panic!("{:?}", beside(330.0))
    };
    assert!(low < 1.0 && high > 2.0, "{low} {high}");
    assert!(matches!(beside(900.0), Difference::Shown { .. }), "{:?}", beside(900.0));
}

#[test]
fn more_rounds_are_expected_to_scatter_as_those_that_were_seen() {
    let noisy = [900.0, 1100.0, 1040.0, 960.0, 1000.0];
    let of = |b: Side| Comparison::apart(repeats("A", &noisy), b, Better::Higher);
    let runs = of(repeats("B", &noisy.map(|value| value * 1.05)));
    let is_shown = |difference| matches!(difference, Some(Difference::Shown { .. }));
    assert!(!is_shown(Some(runs.difference.clone())), "{runs:?}");
    let enough = (6..200).find(|n| is_shown(runs.projected(*n)));
    // Runs of both sides lie 7.6 % and 8 % apart: (2 standard errors of both over 5 %), squared.
    assert!(enough.is_some_and(|n| (17..23).contains(&n)), "{enough:?}");
    // However many rounds of one command, the next command lies as far away.
    let rounds = Comparison::apart(
        Side::of_rounds("A", &noisy),
        Side::of_rounds("B", &noisy.map(|value| value * 1.05)),
        Better::Higher,
    );
    assert!(!is_shown(rounds.projected(10_000)));
    let one = of(Side::of_intervals("B", &[1000.0; 30]));
    assert_eq!(one.projected(10), None, "intervals of one run are no runs");
}

#[test]
fn a_rounding_is_no_difference() {
    let with = |b: f64| {
        let (a, b) = (repeats("A", &[3000.0; 5]), repeats("B", &[b; 5]));
        Comparison::apart(a, b, Better::Higher).difference
    };
    assert!(matches!(with(3001.0), Difference::NotShown { .. }));
    assert!(matches!(with(3150.0), Difference::Shown { .. }));
}

#[test]
fn a_side_that_does_nothing_is_no_part_of_the_other() {
    let found = Comparison::apart(repeats("A", &A), repeats("B", &[0.0; 5]), Better::Higher);
    assert!(matches!(found.difference, Difference::Shown { ratio: 0.0, .. }), "{found:?}");
}

/// Any number that a double can be.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e6_f64]
}

/// Whether all numbers of the difference are numbers that JSON can hold.
fn is_sound(difference: &Difference) -> bool {
    match difference {
        Difference::Shown { ratio, low, high, p_value } => {
            (*low > 1.0 || *high < 1.0)
                && [ratio, low, high, p_value].iter().all(|value| value.is_finite())
        }
        Difference::NotShown { ratio, low, high, p_value, smallest_detectable_percent: least } => {
            *low <= 1.0
                && 1.0 <= *high
                && [ratio, low, high, p_value, least].iter().all(|value| value.is_finite())
        }
        Difference::NotEnough { .. } => true,
    }
}

proptest! {
    #[test]
    fn odd_values_give_sound_findings(
        a in prop::collection::vec(odd(), 0..40), b in prop::collection::vec(odd(), 0..40)
    ) {
        let rounds: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
        let findings = [
            Comparison::apart(repeats("A", &a), repeats("B", &b), Better::Higher),
            Comparison::apart(
                Side::of_intervals("A", &a), Side::of_intervals("B", &b), Better::Lower
            ),
            Comparison::paired("A", "B", &rounds, Better::Higher),
        ];
        for found in findings {
            prop_assert!(is_sound(&found.difference), "{found:?}");
            prop_assert!(!found.to_string().contains("NaN"), "{found}");
            let text = serde_json::to_string(&found).unwrap();
            prop_assert!(serde_json::from_str::<Comparison>(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_side_never_differs_from_itself(
        values in prop::collection::vec(1.0..1e6_f64, 2..60)
    ) {
        for of in [Side::of_repeats, Side::of_intervals] {
            let (a, b) = (of("A".to_owned(), &values), of("B".to_owned(), &values));
            let same = Comparison::apart(a, b, Better::Higher).difference;
            let shown = matches!(same, Difference::Shown { .. });
            prop_assert!(!shown, "{same:?}");
        }
    }
}

#[test]
fn an_interval_beyond_a_factor_of_two_is_unstable_and_not_shown() {
    let known = Comparison::apart(repeats("A", &A), repeats("B", &A), Better::Higher);
    assert!(!known.difference.is_unstable(), "{known:?}");
    let not_shown = |low, high| Difference::NotShown {
        ratio: 1.0,
        low,
        high,
        p_value: 0.9,
        smallest_detectable_percent: 2123.0,
    };
    for (low, high, expected) in [(0.0, 9.2, true), (0.4, 1.1, true), (0.8, 1.3, false)] {
        let difference = not_shown(low, high);
        assert_eq!(difference.is_unstable(), expected);
        let told = Comparison { difference, ..known.clone() }.to_string();
        assert_eq!(told.contains("too unstable to compare"), expected, "{told}");
    }
}
