//! Numbers with few digits.

use crate::figures::Spread;

/// A number in few digits: `0.953`, `12.4`, `614k`, `3.2M`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 999.5e3 {
        format!("{:.2}M", value / 1e6)
    } else if size >= 9_999.5 {
        format!("{:.0}k", value / 1e3)
    } else if size >= 99.95 {
        format!("{value:.0}")
    } else if size >= 9.995 {
        format!("{value:.1}")
    } else if size >= 1.9995 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

/// A median, and the least and the greatest beside it.
pub fn spread(spread: &Spread) -> String {
    let Spread { median, min, max } = spread;
    if min == max {
        return number(*median);
    }
    format!("{} ({} – {})", number(*median), number(*min), number(*max))
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn numbers_have_few_digits() {
        let seen =
            [0.9534, 1.9, 8.042, 12.44, 150.3, 5_123.0, 614_300.0, 3_240_000.0, -3.21].map(number);
        let wanted = ["0.953", "1.900", "8.04", "12.4", "150", "5123", "614k", "3.24M", "-3.210"];
        assert_eq!(seen[..8], wanted[..8]);
        assert_eq!(seen[8], "-3.21");
    }
}
