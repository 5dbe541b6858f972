//! Verdicts, their sentences, and that odd input never gives an odd finding.

use super::*;
use crate::Tone;
use proptest::prelude::*;

const A: [f64; 5] = [998.0, 1003.0, 1001.0, 997.0, 1001.0];
const B: [f64; 5] = [1149.0, 1153.0, 1151.0, 1147.0, 1150.0];
const NOISY: [f64; 5] = [900.0, 1100.0, 1040.0, 960.0, 1000.0];

fn repeats(name: &str, values: &[f64]) -> Side {
    Side::of_repeats(name, values)
}

fn apart(a: Side, b: Side) -> Comparison {
    Comparison::apart(a, b, Better::Higher, JudgeRule::among(1))
}

fn paired_among(rounds: &[(f64, f64)], together: u64) -> Comparison {
    let side = |value: fn(&(f64, f64)) -> f64| rounds.iter().map(value).map(Some).collect();
    let sides = [("A".to_owned(), side(|of| of.0)), ("B".to_owned(), side(|of| of.1))];
    let shared = SharedRounds::new(sides);
    shared.compare([0, 1], Better::Higher, JudgeRule::among(together))
}

#[test]
fn fifteen_percent_between_quiet_repeats_is_shown() {
    let found = apart(repeats("A", &A), repeats("B", &B));
    assert_eq!(
        found.to_string(),
        "B against A: 15 % faster (99 % sure it is between 14 % and 16 %, from 5 runs each)"
    );
    assert_eq!(found.tone(), Tone::Good);
}

#[test]
fn quiet_repeats_within_the_margin_are_equal_though_they_differ() {
    let found = apart(repeats("A", &A), repeats("B", &A.map(|value| value * 1.02)));
    let Difference::Equal(of) = &found.difference else { panic!("{found:?}") };
    assert!(of.low > 1.0 && of.is_within(1.05), "{of:?}");
    assert_eq!(found.to_string(), "A and B are equal within 5.0 % (95 % sure, from 5 runs each)");
    let narrow = JudgeRule { margin_percent: 1.0, ..JudgeRule::among(1) };
    let narrow = Comparison::apart(found.a, found.b, Better::Higher, narrow);
    assert!(narrow.difference.is_shown(), "{narrow:?}");
}

#[test]
fn what_is_open_says_how_many_more_would_tell() {
    let found = apart(repeats("A", &NOISY), repeats("B", &NOISY.map(|value| value * 1.05)));
    let Difference::Open(of) = &found.difference else { panic!("{found:?}") };
    assert!(of.low < 1.0 && 1.0 < of.high, "{of:?}");
    let count = found.deciding_count(60).unwrap();
    // Runs of both sides lie 8 % apart: (2.6 standard errors of both over 5 %), squared.
    assert!((30..50).contains(&count), "{count}");
    let text = found.to_string();
    let open = "A and B cannot be told apart yet (from 5 runs each); about ";
    assert_eq!(text, format!("{open}{} more would tell", count - 5));
    assert_eq!(found.tone(), Tone::Note);
    // However many rounds of one command, the next command lies as far away.
    let rounds = |values: &[f64]| Side::of_rounds("C", values);
    let of_rounds = apart(rounds(&NOISY), rounds(&NOISY.map(|value| value * 1.05)));
    assert_eq!(of_rounds.deciding_count(10_000), None);
    assert!(of_rounds.to_string().ends_with("; measure on a quiet host"), "{of_rounds}");
}

#[test]
fn rounds_see_through_what_disturbs_both() {
    // From round to round the device halves; within a round B is always 15 % faster.
    let rounds: Vec<(f64, f64)> = [1000.0, 800.0, 600.0, 500.0]
        .iter()
        .zip([1.15, 1.152, 1.148, 1.15])
        .map(|(a, factor)| (*a, a * factor))
        .collect();
    let paired = paired_among(&rounds, 1);
    assert!(paired.to_string().starts_with("B against A: 15"), "{paired}");
    assert!(paired.to_string().ends_with("from 4 rounds)"), "{paired}");
    assert_eq!(paired.tone(), Tone::Good);
    // The ratio is exactly that of the figures beside it.
    let mean = |side: &Side| side.estimate.as_ref().unwrap().mean;
    let ratio = paired.difference.bounds().unwrap().ratio;
    assert!((ratio - mean(&paired.b) / mean(&paired.a)).abs() < 1e-12);
    let open = apart(paired.a, paired.b);
    assert!(matches!(open.difference, Difference::Open(_)), "{open:?}");
}

#[test]
fn a_spoiled_round_weighs_less_in_both_sides_and_in_their_ratio() {
    let mut rounds = vec![(1000.0, 1001.0); 12];
    for (at, round) in rounds.iter_mut().enumerate() {
        round.0 += at as f64 % 3.0;
    }
    rounds[7] = (1000.0, 200.0);
    let found = paired_among(&rounds, 6);
    assert!(found.difference.is_equal(), "{found:?}");
    let mean = |side: &Side| side.estimate.as_ref().unwrap().mean;
    let ratio = found.difference.bounds().unwrap().ratio;
    assert!((ratio - mean(&found.b) / mean(&found.a)).abs() < 1e-12 && ratio > 0.99, "{ratio}");
}

#[test]
fn too_little_is_said_to_be() {
    let cases = [
        (
            apart(repeats("A", &A), repeats("B", &[1.0])),
            "A and B cannot be compared: of B, no error margin can be given: it takes 2 runs or \
             more, not 1",
        ),
        (
            apart(repeats("A", &[0.0, 0.0]), repeats("B", &B)),
            "A and B cannot be compared: of A, no error margin can be given: it takes 2 runs or \
             more, not 0",
        ),
        (
            paired_among(&[(1.0, 1.0), (1.0, f64::NAN)], 1),
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
    let of = paired_among(&rounds, 6).difference;
    assert!(of.is_shown() && of.bounds().unwrap().high < 0.2, "{of:?}");
    // The same noise on both sides, and a figure of 0.
    let equal = [(97e3, 60e3), (150e3, 110e3), (48e3, 140e3), (120e3, 50e3), (20e3, 90e3)];
    for rounds in [equal, [(97e3, 0.0), (150e3, 3.0e3), (48e3, 0.0), (9e3, 3e3), (1e3, 3e3)]] {
        let of = paired_among(&rounds, 6).difference;
        assert!(!of.is_decided(), "{of:?}");
    }
}

#[test]
fn a_run_that_lies_within_the_factors_of_its_baseline_is_not_called_different() {
    let runs = [100.0, 150.0, 90.0, 220.0, 130.0];
    let beside = |value: f64| {
        let run = Side::of_one_among("B", value, None, &runs);
        apart(repeats("A", &runs), run).difference
    };
    let of = beside(330.0);
    assert!(of.is_unstable() && of.bounds().unwrap().low < 1.0, "{of:?}");
    assert!(beside(2000.0).is_shown(), "{:?}", beside(2000.0));
    // Its own rounds may scatter more than the runs do.
    let own = Estimate::typical(&[90.0, 150.0, 40.0], Basis::Rounds).unwrap();
    let run = Side::of_one_among("B", 100.0, Some(&own), &A);
    let own = own.std_err / own.mean;
    let of = run.estimate.unwrap();
    assert!((of.std_err / of.mean - own).abs() < 1e-9, "{of:?}");
}

#[test]
fn looks_on_the_way_are_paid_for() {
    let rounds: Vec<(f64, f64)> =
        [1.1, 1.12, 1.08, 1.09, 1.11, 1.1].iter().map(|of| (1000.0, 1000.0 * of)).collect();
    let width = |looks: u64| {
        let side = |value: fn(&(f64, f64)) -> f64| rounds.iter().map(value).map(Some).collect();
        let sides = [("A".to_owned(), side(|of| of.0)), ("B".to_owned(), side(|of| of.1))];
        let rule = JudgeRule { looks, ..JudgeRule::among(1) };
        let of = SharedRounds::new(sides).compare([0, 1], Better::Higher, rule).difference;
        let of = of.bounds().copied().unwrap();
        let [low, high] = of.likely.unwrap();
        [of.high / of.low, high / low]
    };
    assert!(width(3)[0] > width(1)[0] && width(3)[1] > width(1)[1]);
}

#[test]
fn a_rounding_is_no_difference() {
    let with = |b: f64| apart(repeats("A", &[3000.0; 5]), repeats("B", &[b; 5])).difference;
    assert!(with(3001.0).is_equal());
    assert!(with(3300.0).is_shown());
}

#[test]
fn documents_from_before_equality_was_judged_are_read_as_open() {
    let old = r#"{"verdict":"not_shown","ratio":1.0,"low":0.9,"high":1.1,"p_value":0.5,
                  "smallest_detectable_percent":12.0}"#;
    let Difference::Open(of) = serde_json::from_str(old).unwrap() else { panic!("{old}") };
    assert_eq!((of.low, of.likely), (0.9, None));
    let paired: Design = serde_json::from_str(r#"{"paired":{"rounds":5}}"#).unwrap();
    assert_eq!(paired, Design::Paired { rounds: 5, log_std_err: 0.0 });
}

/// Any number that a double can be.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e6_f64]
}

/// Whether all numbers of the difference are numbers that JSON can hold, and agree.
fn is_sound(difference: &Difference) -> bool {
    let Some(of) = difference.bounds() else { return true };
    let [low, high] = of.likely.unwrap();
    let are_finite = [of.ratio, of.low, of.high, low, high].iter().all(|value| value.is_finite());
    are_finite && of.low <= of.ratio && of.ratio <= of.high && !difference.is_shown()
        || of.excludes_one() && are_finite
}

proptest! {
    #[test]
    fn odd_values_give_sound_findings(
        a in prop::collection::vec(odd(), 0..40), b in prop::collection::vec(odd(), 0..40)
    ) {
        let rounds: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
        let findings = [
            apart(repeats("A", &a), repeats("B", &b)),
            apart(Side::of_rounds("A", &a), Side::of_rounds("B", &b)),
            paired_among(&rounds, 6),
        ];
        for found in findings {
            prop_assert!(is_sound(&found.difference), "{found:?}");
            prop_assert!(!found.to_string().contains("NaN"), "{found}");
            let text = serde_json::to_string(&found).unwrap();
            prop_assert!(serde_json::from_str::<Comparison>(&text).is_ok(), "{text}");
        }
    }

    #[test]
    fn sides_exchanged_give_the_inverse(
        a in prop::collection::vec(1.0..1e6_f64, 3..40), b in prop::collection::vec(1.0..1e6_f64, 3..40)
    ) {
        let rounds: Vec<(f64, f64)> = a.iter().copied().zip(b.iter().copied()).collect();
        let back: Vec<(f64, f64)> = rounds.iter().map(|(a, b)| (*b, *a)).collect();
        let of = |rounds: &[(f64, f64)]| paired_among(rounds, 6).difference.bounds().copied();
        let (of, back) = (of(&rounds).unwrap(), of(&back).unwrap());
        prop_assert!((of.ratio * back.ratio - 1.0).abs() < 1e-9);
        prop_assert!((of.low * back.high - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_side_never_differs_from_itself(
        values in prop::collection::vec(1.0..1e6_f64, 2..60)
    ) {
        for of in [Side::of_repeats, Side::of_rounds] {
            let same = apart(of("A".to_owned(), &values), of("B".to_owned(), &values)).difference;
            prop_assert!(!same.is_shown(), "{same:?}");
        }
    }
}

#[test]
fn an_interval_beyond_a_factor_of_two_is_unstable_and_open() {
    for (low, high, expected) in [(0.1, 9.2, true), (0.4, 1.1, true), (0.8, 1.3, false)] {
        let bounds = RatioBounds { ratio: 1.0, low, high, likely: None };
        assert_eq!(Difference::Open(bounds).is_unstable(), expected);
        assert!(!Difference::Shown(bounds).is_unstable());
    }
}
