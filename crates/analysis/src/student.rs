//! Student's t distribution, which gives confidence intervals and p-values.
//!
//! Implemented here rather than taken from a crate: it is two short series, tested against
//! published tables. The distribution uses the regularised incomplete beta function, so that
//! degrees of freedom need not be whole, as Welch's are not.

/// Probability that |T| with `df` degrees of freedom exceeds |`t`|.
///
/// 1 - I(t²/(df + t²); 1/2, df/2), Abramowitz & Stegun 26.7.1 with 26.5.2. NaN, or no degree of
/// freedom, is no evidence: 1.
pub(crate) fn two_sided_p(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return 1.0;
    }
    // Beyond these no p-value differs to speak of, and the series would be long or underflow.
    let df = df.clamp(1e-3, 1e6);
    if t.is_infinite() {
        return 0.0;
    }
    // Divided by t² if it is large, so that it does not overflow.
    let x = if t.abs() > df.sqrt() { (df / t) / t / (1.0 + df / t / t) } else { df / (df + t * t) };
    incomplete_beta(df / 2.0, 0.5, x).clamp(0.0, 1.0)
}

/// The t that |T| exceeds with probability `p`: the two-sided critical value.
///
/// Found by bisection of [`two_sided_p`] to a 1e-14th; infinite if there is no degree of
/// freedom or `p` is not above 0, and 0 if `p` is 1 or more.
pub(crate) fn critical_t(p: f64, df: f64) -> f64 {
    if p.is_nan() || p <= 0.0 || df.is_nan() || df <= 0.0 {
        return f64::INFINITY;
    }
    let mut high = 1.0;
    while two_sided_p(high, df) > p && high < 1e300 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..48 {
        let middle = 0.5 * (low + high);
        match two_sided_p(middle, df) > p {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

/// Regularised incomplete beta function I(x; a, b), for a, b > 0 and x in 0..=1.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let ln_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    // The fraction converges quickly below the mean; above it, the mirror image does.
    if x < (a + 1.0) / (a + b + 2.0) {
        ln_front.exp() * beta_fraction(a, b, x) / a
    } else {
        1.0 - ln_front.exp() * beta_fraction(b, a, 1.0 - x) / b
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
///
/// Abramowitz & Stegun 26.5.8; about sqrt(max(a, b)) terms are needed.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const TERMS: u32 = 10_000;
    let kept = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in (1..TERMS).map(f64::from) {
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / kept(1.0 + term * d);
            c = kept(1.0 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

/// Logarithm of the gamma function for positive arguments.
///
/// Lanczos 1964, with the coefficients for g = 7 and nine terms: good to about 1e-15.
fn ln_gamma(x: f64) -> f64 {
    const G: f64 = 7.0;
    const FIRST: f64 = 0.999_999_999_999_809_9;
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        // Reflection, Abramowitz & Stegun 6.1.17.
        let sine = (std::f64::consts::PI * x).sin();
        return (std::f64::consts::PI / sine).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let terms = COEFFICIENTS.iter().zip(1u32..);
    let sum = terms.fold(FIRST, |sum, (factor, at)| sum + factor / (x + f64::from(at)));
    let base = x + G + 0.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * base.ln() - base + sum.ln()
}

#[cfg(test)]
mod tests;
