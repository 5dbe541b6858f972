//! Order statistics of small samples, which a single outlier cannot change.

/// How near to a value a rate has to be to be at it.
const AT_VALUE: f64 = 0.005;

/// The numbers that are numbers: finite and not negative.
pub(crate) fn usable(values: &[f64]) -> Vec<f64> {
    values.iter().copied().filter(|value| value.is_finite() && *value >= 0.0).collect()
}

/// The values in rising order.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The quantile at `share` (0 to 1) of ascending values, interpolated (Hyndman & Fan, type 7); 0
/// without values.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    sorted[below] + (sorted[above] - sorted[below]) * (place - below as f64)
}

/// The median; 0 without values.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// The standard deviation of a normal distribution with the sample's median absolute deviation
/// (Rousseeuw & Croux 1993): the noise without outliers.
pub(crate) fn robust_deviation(values: &[f64]) -> f64 {
    const NORMAL: f64 = 1.4826;
    let middle = median(values);
    let deviations: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    NORMAL * median(&deviations)
}

/// The share of rates that are at a value, give or take 0.5 % or one I/O.
pub(crate) fn share_at(rates: &[f64], value: f64, one_io: f64) -> f64 {
    let near = (AT_VALUE * value).max(1.01 * one_io);
    let count = rates.iter().filter(|rate| (*rate - value).abs() <= near).count();
    count as f64 / rates.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let values = sorted(&[40.0, 10.0, 30.0, 20.0]);
        assert_eq!(quantile(&values, 0.5), 25.0);
        assert_eq!(quantile(&values, 1.0), 40.0);
        assert_eq!(quantile(&values, 0.9), 37.0);
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[7.0]), 7.0);
    }

    #[test]
    fn one_outlier_does_not_move_the_deviation() {
        let values = [9.0, 10.0, 11.0, 10.0, 9.0, 11.0, 10.0, 1e9];
        assert!(robust_deviation(&values) < 1.5);
        assert_eq!(robust_deviation(&[5.0, 5.0, 5.0]), 0.0);
    }

    #[test]
    fn what_is_no_rate_is_left_out() {
        assert_eq!(usable(&[1.0, f64::NAN, -2.0, f64::INFINITY, 0.0]), [1.0, 0.0]);
    }
}
