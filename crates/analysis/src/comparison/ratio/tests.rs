//! Against published tests, and the law that defines Fieller's interval.

use super::*;
use proptest::prelude::*;

/// Hours of sleep gained with two drugs by the same ten patients (Student 1908; `sleep` in R).
const STUDENT: [(f64, f64); 10] = [
    (0.7, 1.9),
    (-1.6, 0.8),
    (-0.2, 1.1),
    (-1.2, 0.1),
    (-0.1, -0.1),
    (3.4, 4.4),
    (3.7, 5.5),
    (0.8, 1.6),
    (0.0, 4.6),
    (2.0, 3.4),
];

fn p_value(means: &Means) -> f64 {
    two_sided_p(means.statistic(), means.degrees_of_freedom)
}

#[test]
fn welch_on_students_data() {
    // R: t.test(extra ~ group): t = -1.8608, df = 17.776, p-value = 0.07939.
    let (a, b): (Vec<f64>, Vec<f64>) = STUDENT.iter().copied().unzip();
    let of = |values: &[f64]| Estimate::of_repeats(values).unwrap();
    let means = Means::independent(&of(&a), &of(&b));
    assert!((means.statistic() - 1.8608).abs() < 5e-5);
    assert!((means.degrees_of_freedom - 17.776).abs() < 5e-4);
    assert!((p_value(&means) - 0.07939).abs() < 5e-6);
}

#[test]
fn pairs_on_students_data() {
    // R: t.test(..., paired = TRUE): t = -4.0621, df = 9, p-value = 0.002833.
    let means = Means::paired(&STUDENT);
    assert!((means.statistic() - 4.0621).abs() < 1e-4);
    assert_eq!(means.degrees_of_freedom, 9.0);
    assert!((p_value(&means) - 0.002_833).abs() < 1e-6);
}

#[test]
fn a_mean_near_zero_has_no_ratio() {
    // 0.75 ± 1.28: any ratio may be.
    assert_eq!(Means::paired(&STUDENT).ratio(0.05), None);
    assert_eq!(Means::paired(&[(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]).ratio(0.05), None);
    assert_eq!(Means::paired(&[(1.0, -2.0), (1.0, -2.1), (1.0, -2.2)]).ratio(0.05), None);
}

#[test]
fn sides_without_noise_are_known_to_the_resolution() {
    let of = |b: f64| Means::paired(&[(3000.0, b); 5]).ratio(0.05).unwrap();
    assert!(of(3150.0).differs());
    assert!((of(3150.0).low..of(3150.0).high).contains(&1.05));
    assert!(of(3150.0).high - of(3150.0).low < 0.01);
    assert!(!of(3001.0).differs(), "a rounding is no difference");
    assert!(of(0.0).differs());
    assert_eq!((of(0.0).ratio, of(0.0).low), (0.0, 0.0));
}

prop_compose! {
    /// Means with any spread that both could have.
    fn means()(
        a in 1.0..1e6_f64, ratio in 0.01..100.0_f64, spread_a in 1e-4..0.2_f64,
        spread_b in 1e-4..0.5_f64, correlation in -0.99..0.99_f64,
        degrees_of_freedom in 2.0..100.0_f64
    ) -> Means {
        let b = a * ratio;
        let (deviation_a, deviation_b) = (spread_a * a, spread_b * b);
        Means {
            a, b, variance_a: deviation_a.powi(2), variance_b: deviation_b.powi(2),
            covariance: correlation * deviation_a * deviation_b, degrees_of_freedom,
        }
    }
}

proptest! {
    #[test]
    fn at_both_ends_the_test_just_passes(means in means()) {
        let Some(ratio) = means.ratio(0.05) else { return Ok(()) };
        for r in [ratio.low, ratio.high].into_iter().filter(|r| *r > 0.0) {
            let squared =
                means.variance_b - 2.0 * r * means.covariance + r * r * means.variance_a;
            let t = (means.b - r * means.a).abs() / squared.sqrt();
            let critical = critical_t(0.05, means.degrees_of_freedom);
            prop_assert!((t / critical - 1.0).abs() < 1e-5, "{t} is not {critical} at {r}");
        }
        prop_assert!((ratio.low..=ratio.high).contains(&ratio.ratio));
    }

    #[test]
    fn interval_and_p_value_agree(means in means()) {
        let Some(ratio) = means.ratio(0.05) else { return Ok(()) };
        prop_assume!((ratio.p_value - 0.05).abs() > 1e-9);
        prop_assert_eq!(ratio.differs(), ratio.p_value < 0.05, "{:?}", ratio);
    }

    #[test]
    fn swapping_the_sides_turns_the_ratio_over(means in means()) {
        let swapped = Means {
            a: means.b, b: means.a, variance_a: means.variance_b, variance_b: means.variance_a,
            ..means
        };
        let (Some(one), Some(other)) = (means.ratio(0.05), swapped.ratio(0.05)) else {
            return Ok(());
        };
        prop_assert!((one.low * other.high - 1.0).abs() < 1e-6, "{one:?} {other:?}");
        prop_assert!((one.p_value - other.p_value).abs() < 1e-9);
    }
}
