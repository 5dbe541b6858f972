//! Against published figures, and against the sums behind the closed forms.

use super::*;
use proptest::prelude::*;

/// Luteinizing hormone in 48 blood samples at 10 min intervals (Diggle 1990, table A.1; `lh` in
/// R, whose `acf(lh)` gives 0.576 at lag 1).
const DIGGLE: [f64; 48] = [
    2.4, 2.4, 2.4, 2.2, 2.1, 1.5, 2.3, 2.3, 2.5, 2.0, 1.9, 1.7, 2.2, 1.8, 3.2, 3.2, 2.7, 2.2, 2.2,
    1.9, 1.9, 1.8, 2.7, 3.0, 2.3, 2.0, 2.0, 2.9, 2.9, 2.7, 2.7, 2.3, 2.6, 2.4, 1.8, 1.7, 1.5, 1.4,
    2.1, 3.3, 3.5, 3.5, 3.1, 2.6, 2.1, 3.4, 3.0, 2.9,
];

#[test]
fn autocorrelation_of_a_published_series() {
    assert!((lag1(&DIGGLE).unwrap() - 0.576).abs() < 5e-4);
    assert_eq!(lag1(&[1.0, 2.0, 3.0, 4.0, 5.0]), Some(0.4));
    assert!(lag1(&[1.0, -1.0, 1.0, -1.0, 1.0, -1.0]).unwrap() < -0.8);
}

#[test]
fn what_does_not_vary_has_none() {
    assert_eq!(lag1(&[]), None);
    assert_eq!(lag1(&[1.0, 2.0]), None);
    assert_eq!(lag1(&[3000.1; 50]), None);
}

#[test]
fn the_correction_undoes_the_bias() {
    // Marriott & Pope 1954: the expected estimate for phi = 0.5, n = 50 is 0.5 - 2.5/50.
    assert!((unbiased(0.45, 50) - 0.5).abs() < 1e-12);
    assert_eq!(unbiased(-0.9, 50), 0.0);
    assert!(unbiased(1.0, 10) < 1.0);
}

#[test]
fn variance_factors_of_published_size() {
    assert_eq!(variance_factor(0.0, 100), 1.0);
    // Long runs: (1 + phi)/(1 - phi).
    assert!((variance_factor(0.5, 1_000_000) - 3.0).abs() < 1e-4);
    assert!((variance_factor(0.9, 1_000_000) - 19.0).abs() < 1e-3);
    assert!((variance_factor(0.9, 1) - 1.0).abs() < 1e-12);
}

#[test]
fn means_of_equal_values_are_that_value() {
    assert_eq!(mean(&[0.1; 1000]), 0.1);
    assert_eq!(variance(&[0.1; 1000]), 0.0);
    assert_eq!(variance(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]), 32.0 / 7.0);
}

proptest! {
    #[test]
    fn the_closed_form_is_the_sum(phi in 0.0..0.99_f64, n in 1usize..300) {
        let sum: f64 = (1..n).map(|j| (1.0 - j as f64 / n as f64) * phi.powi(j as i32)).sum();
        let factor = variance_factor(phi, n);
        prop_assert!((factor - (1.0 + 2.0 * sum)).abs() < 1e-8 * factor, "{factor}");
    }

    #[test]
    fn autocorrelation_is_bounded_and_knows_no_unit(
        values in prop::collection::vec(-1e6..1e6_f64, 3..60), scale in 0.01..100.0_f64
    ) {
        let scaled: Vec<f64> = values.iter().map(|value| value * scale).collect();
        if let (Some(r), Some(same)) = (lag1(&values), lag1(&scaled)) {
            prop_assert!(r.abs() <= 1.0);
            prop_assert!((r - same).abs() < 1e-6);
        }
    }
}
