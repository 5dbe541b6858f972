//! Shares, times and counts as the sentences of findings say them.

/// A share in percent, to two figures and at least one thousandth: `12 %`, `1.2 %`, `0.03 %`.
pub(crate) fn percent(percent: f64) -> String {
    let digits = match percent.abs() {
        size if size > 0.0 && size < 0.0005 => return "under 0.001 %".to_owned(),
        size if size >= 9.95 || size == 0.0 => 0,
        size if size >= 0.995 => 1,
        size if size >= 0.0995 => 2,
        _ => 3,
    };
    format!("{percent:.digits$} %")
}

/// A time: `0.5 s`, `60 s`, `5 min`, `1.5 h`.
pub(crate) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 119.5 => (s, "s"),
        s if s < 7170.0 => (s / 60.0, "min"),
        s => (s / 3600.0, "h"),
    };
    let text = match value {
        value if value >= 9.95 => format!("{value:.0}"),
        value => format!("{value:.1}"),
    };
    format!("{} {unit}", text.strip_suffix(".0").unwrap_or(&text))
}

/// A count and its noun, which takes an s in the plural: `1 run`, `5 runs`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_two_figures() {
        let shown = [0.0, 0.0004, 0.034, 0.5, 1.24, 9.96, 128.4, -3.21].map(percent);
        assert_eq!(
            shown,
            ["0 %", "under 0.001 %", "0.034 %", "0.50 %", "1.2 %", "10 %", "128 %", "-3.2 %"]
        );
    }

    #[test]
    fn times_have_the_fitting_unit() {
        let shown = [0.5, 2.0, 60.0, 119.0, 300.0, 3600.0, 9000.0].map(duration);
        assert_eq!(shown, ["0.5 s", "2 s", "60 s", "119 s", "5 min", "60 min", "2.5 h"]);
    }

    #[test]
    fn one_is_singular() {
        assert_eq!([counted(1, "run"), counted(0, "run")], ["1 run", "0 runs"]);
    }
}
