//! Against published intervals, and that odd input never gives an odd finding.

use super::*;
use crate::Tone;
use proptest::prelude::*;

/// Hours of sleep gained by ten patients (Student 1908; `sleep` in R, group 1).
const STUDENT: [f64; 10] = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];

/// Values that swing evenly by `swing` around 1000, without any order.
fn noise(n: usize, swing: f64) -> Vec<f64> {
    (0..n as u64).map(|at| 1000.0 + swing * ((at * 7919 % 101) as f64 / 50.0 - 1.0)).collect()
}

#[test]
fn repeats_of_student() {
    // R: t.test(extra, subset = group == 1): mean 0.75, 95 % from -0.5297804 to 2.0297804.
    let estimate = Estimate::of_repeats(&STUDENT).unwrap();
    assert!((estimate.mean - 0.75).abs() < 1e-12);
    assert!((estimate.half_width - 1.279_780_4).abs() < 1e-6);
    assert_eq!((estimate.n, estimate.effective_n, estimate.degrees_of_freedom), (10, 10.0, 9.0));
}

#[test]
fn one_repeat_is_not_enough() {
    let few = Estimate::of_repeats(&[5.0, f64::NAN]).unwrap_err();
    assert_eq!(few, NoEstimate::FewRepeats { n: 1, needed: 2 });
    assert_eq!(few.to_string(), "no error margin can be given: it takes 2 runs or more, not 1");
}

#[test]
fn independent_intervals_are_worth_themselves() {
    let estimate = Estimate::of_intervals(&noise(300, 20.0)).unwrap();
    let plain = 20.0 / 3.0_f64.sqrt() / 300.0_f64.sqrt();
    assert!((0.6..1.6).contains(&(estimate.std_err / plain)), "{estimate:?}");
    assert!(estimate.effective_n > 100.0, "{estimate:?}");
}

#[test]
fn slow_waves_are_worth_little() {
    // Each value stands for ten intervals: 30 values are shown, however fine the intervals are.
    let slow: Vec<f64> = noise(30, 20.0).iter().flat_map(|value| [*value; 10]).collect();
    let (slow, fast) = (
        Estimate::of_intervals(&slow).unwrap(),
        Estimate::of_intervals(&noise(300, 20.0)).unwrap(),
    );
    assert!(slow.effective_n < 60.0, "{slow:?}");
    assert!(slow.half_width > 2.0 * fast.half_width, "{slow:?} {fast:?}");
}

#[test]
fn a_drift_cannot_be_told() {
    let drift: Vec<f64> = (0..300).map(f64::from).collect();
    let why = Estimate::of_intervals(&drift).unwrap_err();
    assert!(matches!(why, NoEstimate::TooSlow { n: 300, .. }), "{why:?}");
    assert!(why.to_string().contains("drifted during the test"), "{why}");
}

#[test]
fn a_device_that_never_varies_is_known_exactly() {
    for value in [0.0, 3000.1] {
        let estimate = Estimate::of_intervals(&[value; 60]).unwrap();
        assert_eq!((estimate.mean, estimate.half_width, estimate.effective_n), (value, 0.0, 60.0));
        assert_eq!(estimate.half_width_percent(), Some(0.0));
        assert_eq!(estimate.tone(), Tone::Good);
    }
}

#[test]
fn sentences_bring_their_evidence() {
    let repeats = Estimate::of_repeats(&[98.0, 100.0, 102.0]).unwrap();
    assert_eq!(repeats.to_string(), "the mean rate is known to ± 5.0 % (95 % sure, from 3 runs)");
    assert_eq!(repeats.tone(), Tone::Good);
    let run = Estimate {
        n: 300,
        effective_n: 54.2,
        basis: Basis::Intervals { batches: 75, intervals_each: 4, lag1: 0.1 },
        ..repeats.clone()
    };
    assert_eq!(
        run.to_string(),
        "the mean rate is known to ± 5.0 % (95 % sure, from 300 intervals of one run, worth 54 \
         independent ones)"
    );
    let lost = Estimate { mean: 0.0, ..repeats };
    assert_eq!(lost.to_string(), "the mean cannot be told apart from 0 (95 % sure, from 3 runs)");
    assert_eq!(lost.tone(), Tone::Warning);
}

/// Any number that a double can be.
fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e6_f64]
}

fn is_sound(estimate: &Result<Estimate, NoEstimate>) -> bool {
    match estimate {
        Ok(of) => {
            let known = [of.mean, of.std_err, of.half_width, of.effective_n, of.degrees_of_freedom];
            known.iter().all(|value| value.is_finite())
                && of.std_err >= 0.0
                && of.half_width >= of.std_err
                && of.degrees_of_freedom > 0.0
                && (1.0..=of.n as f64).contains(&of.effective_n)
        }
        Err(NoEstimate::TooSlow { effective_n, .. }) => effective_n.is_finite(),
        Err(_) => true,
    }
}

proptest! {
    #[test]
    fn odd_values_give_sound_findings(values in prop::collection::vec(odd(), 0..80)) {
        for estimate in [Estimate::of_repeats(&values), Estimate::of_intervals(&values)] {
            prop_assert!(is_sound(&estimate), "{estimate:?}");
            let text = serde_json::to_string(&estimate).unwrap();
            let back: Result<Estimate, NoEstimate> = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(back.is_ok(), estimate.is_ok());
        }
    }

    #[test]
    fn units_do_not_matter(
        values in prop::collection::vec(900.0..1100.0_f64, 2..80), power in -20i32..20
    ) {
        // Powers of two scale exactly.
        let scale = 2.0_f64.powi(power);
        let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
        for of in [Estimate::of_repeats, Estimate::of_intervals] {
            match (of(&values), of(&scaled)) {
                (Ok(one), Ok(other)) => prop_assert_eq!(one.half_width * scale, other.half_width),
                (one, other) => prop_assert_eq!(one.is_err(), other.is_err()),
            }
        }
    }

    #[test]
    fn repeats_have_no_order(mut values in prop::collection::vec(900.0..1100.0_f64, 2..20)) {
        let one = Estimate::of_repeats(&values).unwrap();
        values.reverse();
        let other = Estimate::of_repeats(&values).unwrap();
        prop_assert!((one.half_width - other.half_width).abs() < 1e-9 * one.half_width.max(1.0));
    }
}

#[test]
fn the_figure_that_is_shown_lies_in_its_own_interval() {
    let flat = Estimate::of_intervals(&[3000.1; 80]).unwrap();
    assert!(flat.half_width < 1.0);
    let shown = flat.clone().holding(2984.0);
    assert!((shown.half_width - 16.1).abs() < 1e-9 && shown.mean == flat.mean, "{shown:?}");
    assert_eq!(flat.clone().holding(f64::NAN), flat);
}

#[test]
fn a_mean_that_says_nothing_is_not_stable() {
    let wide = Estimate::of_repeats(&[10.0, 90.0, 200.0]).unwrap();
    assert!(wide.half_width_percent().unwrap() > 50.0);
    assert!(wide.to_string().starts_with("unstable: "), "{wide}");
    let known = Estimate::of_repeats(&[100.0, 101.0, 102.0]).unwrap();
    assert!(known.to_string().starts_with("the mean rate is known to ±"), "{known}");
}
