//! Against published tables and closed forms.

use super::*;
use proptest::prelude::*;

/// Critical values for 10 %, 5 % and 1 % (two-sided), from the table of percentage points of t
/// that every textbook has (Fisher & Yates 1963, table III; NIST/SEMATECH handbook 1.3.6.7.2).
const TABLE: [(f64, [f64; 3]); 10] = [
    (1.0, [6.314, 12.706, 63.657]),
    (2.0, [2.920, 4.303, 9.925]),
    (3.0, [2.353, 3.182, 5.841]),
    (4.0, [2.132, 2.776, 4.604]),
    (5.0, [2.015, 2.571, 4.032]),
    (9.0, [1.833, 2.262, 3.250]),
    (18.0, [1.734, 2.101, 2.878]),
    (29.0, [1.699, 2.045, 2.756]),
    (60.0, [1.671, 2.000, 2.660]),
    (120.0, [1.658, 1.980, 2.617]),
];

#[test]
fn critical_values_are_those_of_the_tables() {
    for (df, row) in TABLE {
        for (p, expected) in [0.10, 0.05, 0.01].into_iter().zip(row) {
            let t = critical_t(p, df);
            assert!((t - expected).abs() < 5.1e-4, "df {df}, p {p}: {t} is not {expected}");
        }
    }
}

#[test]
fn many_degrees_of_freedom_are_the_normal_distribution() {
    assert!((critical_t(0.05, 1e9) - 1.959_964).abs() < 1e-5);
    assert!((critical_t(0.05, f64::INFINITY) - 1.959_964).abs() < 1e-5);
}

#[test]
fn one_and_two_degrees_of_freedom_have_closed_forms() {
    for t in [1e-6_f64, 0.1, 0.5, 1.0, 2.0, 7.0, 100.0, 1e6] {
        // Cauchy: P = 1 - 2 atan(t) / pi = 2 atan(1/t) / pi.
        let cauchy = 2.0 * (1.0 / t).atan() / std::f64::consts::PI;
        assert!((two_sided_p(t, 1.0) / cauchy - 1.0).abs() < 1e-9, "{t}");
        let root = (2.0 + t * t).sqrt();
        let two = 2.0 / (root * (root + t));
        assert!((two_sided_p(t, 2.0) / two - 1.0).abs() < 1e-9, "{t}");
    }
}

#[test]
fn gamma_of_whole_and_half_numbers() {
    assert!(ln_gamma(1.0).abs() < 1e-14);
    assert!((ln_gamma(11.0) - 3_628_800.0_f64.ln()).abs() < 1e-12);
    assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-14);
    assert!((ln_gamma(0.25) - 3.625_609_908_221_908_f64.ln()).abs() < 1e-13);
}

#[test]
fn what_is_no_number_is_no_evidence() {
    assert_eq!(two_sided_p(f64::NAN, 5.0), 1.0);
    assert_eq!(two_sided_p(3.0, f64::NAN), 1.0);
    assert_eq!(two_sided_p(3.0, 0.0), 1.0);
    assert_eq!(two_sided_p(f64::INFINITY, 5.0), 0.0);
    assert_eq!(critical_t(0.05, 0.0), f64::INFINITY);
    assert_eq!(critical_t(0.0, 5.0), f64::INFINITY);
    assert!(critical_t(1.0, 5.0) < 1e-9);
}

proptest! {
    #[test]
    fn critical_value_and_probability_are_inverse(p in 1e-6..0.999_f64, df in 1.0..1e4_f64) {
        let back = two_sided_p(critical_t(p, df), df);
        prop_assert!((back / p - 1.0).abs() < 1e-8, "{p} became {back}");
    }

    #[test]
    fn probability_falls_with_t_and_with_df(
        t in 0.01..50.0_f64, more in 1.001..2.0_f64, df in 1.0..1e3_f64
    ) {
        prop_assert!(two_sided_p(t * more, df) < two_sided_p(t, df));
        prop_assert!(two_sided_p(t, df * more) < two_sided_p(t, df) * (1.0 + 1e-12));
        prop_assert_eq!(two_sided_p(-t, df), two_sided_p(t, df));
    }

    #[test]
    fn anything_gives_a_probability(t in any::<f64>(), df in any::<f64>()) {
        let p = two_sided_p(t, df);
        prop_assert!((0.0..=1.0).contains(&p), "{p}");
    }
}
