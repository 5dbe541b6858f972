//! The correlation of a run's intervals, and its effect on the error of a mean.
//!
//! The seconds of one run are not independent: a slow second is followed by a slow one. Treating
//! them as independent makes a mean look far more certain than it is.

/// Autocorrelation at lag 1: the sum of products of neighbours' deviations over the sum of squares.
///
/// `None` for fewer than three values, or where all are equal. Box & Jenkins, section 2.1.5.
pub(crate) fn lag1(values: &[f64]) -> Option<f64> {
    let n = values.len();
    if n < 3 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let products: f64 = values.windows(2).map(|two| (two[0] - mean) * (two[1] - mean)).sum();
    (squares > 0.0).then(|| products / squares).filter(|r| r.is_finite())
}

/// `r`, estimated from `n` values, freed of its bias towards zero, within 0 and just under 1.
///
/// Kendall 1954, Marriott & Pope 1954: the estimate of phi is (1 + 3 phi)/n too low. Negative
/// values are treated as 0: alternation may be chance, and would narrow the error.
pub(crate) fn unbiased(r: f64, n: usize) -> f64 {
    const MOST: f64 = 0.9999;
    let n = n.max(4) as f64;
    ((r + 1.0 / n) / (1.0 - 3.0 / n)).clamp(0.0, MOST)
}

/// By how much the variance of the mean of `n` values of a first-order autoregressive process
/// exceeds that of independent ones.
///
/// 1 + 2 sum over j < n of (1 - j/n) phi^j, in closed form; (1 + phi)/(1 - phi) for large n.
/// Law & Kelton, Simulation Modeling and Analysis, section 4.4.
pub(crate) fn variance_factor(phi: f64, n: usize) -> f64 {
    let n = n.max(1) as f64;
    let rest = 1.0 - phi;
    (1.0 + phi) / rest - 2.0 * phi * (1.0 - phi.powf(n)) / (n * rest * rest)
}

/// The mean, which is finite if all values are.
pub(crate) fn mean(values: &[f64]) -> f64 {
    let running = values.iter().zip(1u32..);
    running.fold(0.0, |mean, (value, count)| mean + (value - mean) / f64::from(count))
}

/// The variance of a sample: squared deviations over n - 1; 0 for fewer than two values.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len().max(2) - 1) as f64
}

#[cfg(test)]
mod tests;
