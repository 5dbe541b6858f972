//! A ratio of two figures as text: the change in percent, and from twice on how many times.
//!
//! Decided here, for terminals, reports and sentences alike: below twice a change is stated in
//! percent (`+53 %`, `-92 %`), from twice on as a factor (`2.4x`, `16x`). The ends of its interval
//! take its unit, so that the three can be read beside each other.

use crate::quantity::times;
use fathom_message::Message;

/// From this ratio on a change is stated as a factor: what would round to 100 % is twice as much.
const AS_FACTOR: f64 = 1.995;
/// Digits after the point that a ratio is shown with at most; a percentage has two fewer.
const MOST_DIGITS: usize = 5;
/// From here on a factor is shown without a digit after its point.
const WHOLE: f64 = 9.95;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeUnit {
    Percent,
    Factor,
}

impl ChangeUnit {
    fn of(ratio: f64) -> ChangeUnit {
        if ratio >= AS_FACTOR { ChangeUnit::Factor } else { ChangeUnit::Percent }
    }

    /// A ratio as a number in this unit, with its sign if it has one.
    fn number(self, ratio: f64, digits: usize) -> String {
        match self {
            ChangeUnit::Factor => format!("{ratio:.digits$}"),
            ChangeUnit::Percent => {
                let digits = digits.saturating_sub(2);
                let text = format!("{:.digits$}", (ratio - 1.0) * 100.0);
                let is_zero = text.chars().all(|letter| !('1'..='9').contains(&letter));
                match (text.strip_prefix('-'), is_zero) {
                    (Some(zero), true) => zero.to_owned(),
                    (None, false) => format!("+{text}"),
                    _ => text,
                }
            }
        }
    }

    /// A number with its unit.
    fn with(self, number: &str) -> String {
        match self {
            ChangeUnit::Percent => format!("{number} %"),
            ChangeUnit::Factor => format!("{number}x"),
        }
    }
}

/// A ratio and the ends of its interval, with as many digits as the interval's width justifies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeText {
    unit: ChangeUnit,
    change: String,
    ends: [String; 2],
}

impl ChangeText {
    /// Of a ratio and the ends of its interval. An end beside 1 does not become 1.
    pub fn of(ratio: f64, low: f64, high: f64) -> ChangeText {
        let unit = ChangeUnit::of(ratio);
        let digits = digits(ratio, low, high);
        let [change, low, high] = [ratio, low, high].map(|value| unit.number(value, digits));
        ChangeText { unit, change, ends: [low, high] }
    }

    /// `+53 %`, `24.6x`.
    pub fn change(&self) -> String {
        self.unit.with(&self.change)
    }

    /// The ends of the interval: `+50 %` and `+56 %`, `23.9x` and `25.2x`.
    pub fn ends(&self) -> [String; 2] {
        [0, 1].map(|at| self.unit.with(&self.ends[at]))
    }

    /// The change with its interval, for a column: `+53 % (+50 to +56)`, `24.6x (23.9 to 25.2)`.
    pub fn with_interval(&self) -> String {
        let [low, high] = &self.ends;
        format!("{} ({low} to {high})", self.change())
    }
}

/// Digits after the point of a ratio that is as well known as this interval.
fn digits(ratio: f64, low: f64, high: f64) -> usize {
    let worth = -(high - low).max(1e-9).log10().floor();
    let least = match ratio {
        ratio if ratio >= WHOLE => 0,
        ratio if ratio >= AS_FACTOR => 1,
        // A whole percentage.
        _ => 2,
    };
    // Equal ends need no digits to tell them apart.
    let most = if low == high { least } else { MOST_DIGITS };
    let mut digits = (worth.max(0.0) as usize).clamp(least, most);
    let one = |digits: usize| format!("{:.digits$}", 1.0);
    let is_one = |end: f64, digits: usize| end != 1.0 && format!("{end:.digits$}") == one(digits);
    while digits < most && [low, high].iter().any(|end| is_one(*end, digits)) {
        digits += 1;
    }
    digits
}

/// A change whose interval is not known, to two figures: `+5.0 %`, `-12 %`, `2.4x`, `16x`.
pub fn change(ratio: f64) -> String {
    match ChangeUnit::of(ratio) {
        ChangeUnit::Factor => format!("{}x", times(ratio)),
        ChangeUnit::Percent => {
            let percent = (ratio - 1.0) * 100.0;
            let digits = match percent.abs() {
                size if size >= 9.95 => 0,
                size if size >= 0.995 => 1,
                _ => 2,
            };
            ChangeUnit::Percent.with(&ChangeUnit::Percent.number(ratio, digits + 2))
        }
    }
}

/// By how much the better of two figures is ahead, after "by": `53 %`, `16x`. The ratio is from 1
/// on.
pub fn lead(ratio: f64) -> Message {
    match ChangeUnit::of(ratio) {
        ChangeUnit::Percent => change(ratio).trim_start_matches('+').to_owned().into(),
        ChangeUnit::Factor => Message::new("change-factor").with("times", times(ratio)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn a_change_is_in_percent_below_twice_and_a_factor_from_there() {
        let ratios =
            [0.04, 0.5, 0.88, 0.9988, 1.0, 1.0504, 1.53, 1.99, 1.999, 2.44, 9.7, 16.2, 1234.0];
        let shown = [
            "-96 %", "-50 %", "-12 %", "-0.12 %", "0.00 %", "+5.0 %", "+53 %", "+99 %", "2.0x",
            "2.4x", "9.7x", "16x", "1,234x",
        ];
        assert_eq!(ratios.map(change), shown);
        assert_eq!([1.53, 16.2].map(|ratio| lead(ratio).text(Lang::En)), ["53 %", "16x"]);
        assert_eq!([1.53, 16.2].map(|ratio| lead(ratio).text(Lang::Ko)), ["53 %", "16배"]);
    }

    #[test]
    fn a_change_has_the_digits_that_its_interval_is_worth() {
        let shown = |ratio, low, high| ChangeText::of(ratio, low, high).with_interval();
        assert_eq!(shown(1.05, 1.04, 1.06), "+5 % (+4 to +6)");
        assert_eq!(shown(1.5, 1.2, 1.9), "+50 % (+20 to +90)");
        assert_eq!(shown(0.995, 0.991, 0.999), "-0.5 % (-0.9 to -0.1)");
        assert_eq!(shown(1.0008, 1.0006, 1.001), "+0.08 % (+0.06 to +0.10)");
        assert_eq!(shown(3.75, 3.73, 3.77), "3.75x (3.73 to 3.77)");
        assert_eq!(shown(20.31, 18.0, 22.9), "20x (18 to 23)");
        // The ends take the unit of the change.
        assert_eq!(shown(2.1, 1.8, 2.4), "2.1x (1.8 to 2.4)");
        assert_eq!(shown(1.9, 1.5, 2.3), "+90 % (+50 to +130)");
        // An end beside 1 does not become 1.
        assert_eq!(shown(1.1, 1.003, 1.2), "+10.0 % (+0.3 to +20.0)");
        assert_eq!(shown(1.0, 1.0, 1.0), "0 % (0 to 0)");
        assert_eq!(ChangeText::of(2.1, 1.8, 2.4).ends(), ["1.8x", "2.4x"]);
    }
}
