//! A ratio of two figures as text: how many percent faster or slower, and from twice on how many
//! times.
//!
//! Decided here, for terminals, reports and sentences alike: up to twice, either way, a change is
//! stated in percent (`53 % faster`), from there on as a factor (`16x slower`), always with its
//! direction, so that a rate and its latency read alike. The ends of its interval take its unit, so
//! that the three can be read beside each other.

use super::better::Better;
use crate::quantity::{thousands, times};
use fathom_message::Message;

/// From this ratio on a change is stated as a factor: what would round to 100 % is twice as much.
const AS_FACTOR: f64 = 1.995;
/// Digits after the point that a ratio is shown with at most; a percentage has two fewer.
const MOST_DIGITS: usize = 5;
/// From here on a factor is shown without a digit after its point.
const WHOLE: f64 = 9.95;
/// From here on so is an end of its interval, however well the other end is known.
const MANY: f64 = 99.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeUnit {
    Percent,
    /// How many times as much, or as little.
    Factor,
}

/// In what a change is counted, and whether it is one to a higher figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChangeScale {
    unit: ChangeUnit,
    is_higher: bool,
}

impl ChangeScale {
    fn of(ratio: f64) -> ChangeScale {
        let is_factor = ratio >= AS_FACTOR || (ratio > 0.0 && ratio <= 1.0 / AS_FACTOR);
        let unit = if is_factor { ChangeUnit::Factor } else { ChangeUnit::Percent };
        ChangeScale { unit, is_higher: ratio > 1.0 }
    }

    /// A ratio as it is counted here: a factor, or a ratio whose distance from 1 counts.
    fn scaled(self, ratio: f64) -> f64 {
        match self {
            ChangeScale { unit: ChangeUnit::Factor, is_higher: false } => 1.0 / ratio,
            _ => ratio,
        }
    }

    /// A scaled ratio as a number without a sign.
    fn number(self, scaled: f64, digits: usize) -> String {
        match self.unit {
            ChangeUnit::Factor if scaled >= MANY => thousands(scaled),
            ChangeUnit::Factor => format!("{scaled:.digits$}"),
            ChangeUnit::Percent => {
                format!("{:.*}", digits.saturating_sub(2), ((scaled - 1.0) * 100.0).abs())
            }
        }
    }

    /// A number with its unit.
    fn with(self, number: &str) -> Message {
        match self.unit {
            ChangeUnit::Percent => Message::verbatim(format!("{number} %")),
            ChangeUnit::Factor => Message::new("change-factor").with("times", number),
        }
    }

    /// The same with its direction; nothing is neither faster nor slower.
    fn change(self, number: &str, better: Better) -> Message {
        let is_zero = self.unit == ChangeUnit::Percent
            && !number.contains(|letter: char| ('1'..='9').contains(&letter));
        if is_zero {
            return self.with(number);
        }
        let is_faster = self.is_higher == (better == Better::Higher);
        let id = if is_faster { "change-faster" } else { "change-slower" };
        Message::new(id).part("by", self.with(number))
    }
}

/// The ends of an interval.
#[derive(Clone, Debug, PartialEq)]
enum ChangeEnds {
    /// Both in the direction of the change, as numbers in its unit, the smaller first.
    Both([String; 2]),
    /// A factor of this or more.
    From(String),
    /// Beyond 1 both ways.
    Across([f64; 2]),
}

/// A ratio and the ends of its interval, with as many digits as the interval's width justifies.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeText {
    scale: ChangeScale,
    change: String,
    ends: ChangeEnds,
}

impl ChangeText {
    /// Of a ratio and the ends of its interval. An end beside 1 does not become 1, unless 1 lies in
    /// the interval.
    pub fn of(ratio: f64, low: f64, high: f64) -> ChangeText {
        let scale = ChangeScale::of(ratio);
        let [change, from, to] = [ratio, low, high].map(|value| scale.scaled(value));
        let (least, most) = (from.min(to), from.max(to));
        let digits = digits(change, least, most);
        let number = |value: f64| scale.number(value, digits);
        let is_across = if scale.is_higher { low < 1.0 } else { high > 1.0 };
        let ends = match scale {
            _ if is_across => ChangeEnds::Across([low, high]),
            _ if most.is_infinite() => ChangeEnds::From(number(least)),
            // A lower figure is further away the lower it is.
            ChangeScale { unit: ChangeUnit::Percent, is_higher: false } => {
                ChangeEnds::Both([number(most), number(least)])
            }
            _ => ChangeEnds::Both([number(least), number(most)]),
        };
        ChangeText { scale, change: number(change), ends }
    }

    /// `53 % faster`, `24.6x slower`.
    pub fn change(&self, better: Better) -> Message {
        self.scale.change(&self.change, better)
    }

    /// The interval, beside the change: `50 % to 56 %`, `23.9x to 25.2x`, `9.0x or more`,
    /// `4 % slower to 19 % faster`.
    pub fn range(&self, better: Better) -> Message {
        self.range_as("change-range", better)
    }

    /// The same after "it is": `between 50 % and 56 %`, `9.0x or more`.
    pub fn between(&self, better: Better) -> Message {
        self.range_as("change-between", better)
    }

    /// By how much the better side is ahead, after "by": `53 %`, `24.6x`.
    pub fn lead(&self) -> Message {
        self.scale.with(&self.change)
    }

    /// The range with its direction: `10x to 51x faster`, `8 % to 24 % slower`.
    pub fn whole_range(&self, better: Better) -> Message {
        match &self.ends {
            ChangeEnds::Both([low, high]) => Message::new("change-range")
                .part("low", self.scale.with(low))
                .part("high", self.scale.change(high, better)),
            _ => self.range(better),
        }
    }

    fn range_as(&self, both: &'static str, better: Better) -> Message {
        let range = |low, high| Message::new(both).part("low", low).part("high", high);
        match &self.ends {
            ChangeEnds::Both([low, high]) => range(self.scale.with(low), self.scale.with(high)),
            ChangeEnds::From(low) => {
                Message::new("change-or-more").part("low", self.scale.with(low))
            }
            ChangeEnds::Across([low, high]) => range(change(*low, better), change(*high, better)),
        }
    }

    /// The change with its interval, for a column: `53 % faster (50 to 56)`, `24.6x slower (23.9 to
    /// 25.2)`.
    pub fn with_interval(&self, better: Better) -> Message {
        let range = match &self.ends {
            ChangeEnds::Both([low, high]) => {
                Message::new("change-range").with("low", low).with("high", high)
            }
            ChangeEnds::From(low) => Message::new("change-or-more").with("low", low),
            ChangeEnds::Across(_) => self.range(better),
        };
        let whole = Message::new("change-with-interval").part("change", self.change(better));
        whole.part("range", range)
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
    let excludes_one = low > 1.0 || high < 1.0;
    while excludes_one && digits < most && [low, high].iter().any(|end| is_one(*end, digits)) {
        digits += 1;
    }
    digits
}

/// A change whose interval is not known, to two figures: `5.0 % faster`, `12 % slower`, `16x
/// slower`.
pub fn change(ratio: f64, better: Better) -> Message {
    let scale = ChangeScale::of(ratio);
    scale.change(&two_figures(scale, ratio), better)
}

/// By how much a figure is ahead or behind, after "by": `53 %`, `16x`.
pub fn lead(ratio: f64) -> Message {
    let scale = ChangeScale::of(ratio);
    scale.with(&two_figures(scale, ratio))
}

fn two_figures(scale: ChangeScale, ratio: f64) -> String {
    let digits = match ((ratio - 1.0) * 100.0).abs() {
        _ if scale.unit == ChangeUnit::Factor => return times(scale.scaled(ratio)),
        size if size >= 9.95 => 0,
        size if size >= 0.995 => 1,
        _ => 2,
    };
    scale.number(ratio, digits + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

    #[test]
    fn a_change_is_in_percent_below_twice_and_a_factor_from_there() {
        let ratios = [
            0.04, 0.5, 0.51, 0.88, 0.9988, 1.0, 1.0504, 1.53, 1.99, 1.999, 2.44, 9.7, 16.2, 1234.0,
        ];
        let shown = [
            "25x slower",
            "2.0x slower",
            "49 % slower",
            "12 % slower",
            "0.12 % slower",
            "0.00 %",
            "5.0 % faster",
            "53 % faster",
            "99 % faster",
            "2.0x faster",
            "2.4x faster",
            "9.7x faster",
            "16x faster",
            "1,234x faster",
        ];
        assert_eq!(ratios.map(|ratio| change(ratio, Better::Higher).to_string()), shown);
        // A latency that is longer is slower.
        let latency = [0.04, 1.53, 16.2].map(|ratio| change(ratio, Better::Lower));
        assert_eq!(
            latency.each_ref().map(|of| of.text(Lang::En)),
            ["25x faster", "53 % slower", "16x slower"]
        );
        assert_eq!(latency.map(|of| of.text(Lang::Ko)), ["25배 빠름", "53 % 느림", "16배 느림"]);
        assert_eq!([1.53, 16.2].map(|ratio| lead(ratio).text(Lang::En)), ["53 %", "16x"]);
        assert_eq!([1.53, 16.2].map(|ratio| lead(ratio).text(Lang::Ko)), ["53 %", "16배"]);
    }

    #[test]
    fn a_change_has_the_digits_that_its_interval_is_worth() {
        let text = |ratio, low, high| ChangeText::of(ratio, low, high);
        let shown =
            |ratio, low, high| text(ratio, low, high).with_interval(Better::Higher).to_string();
        assert_eq!(shown(1.05, 1.04, 1.06), "5 % faster (4 to 6)");
        assert_eq!(shown(1.5, 1.2, 1.9), "50 % faster (20 to 90)");
        assert_eq!(shown(0.995, 0.991, 0.999), "0.5 % slower (0.1 to 0.9)");
        assert_eq!(shown(1.0008, 1.0006, 1.001), "0.08 % faster (0.06 to 0.10)");
        assert_eq!(shown(3.75, 3.73, 3.77), "3.75x faster (3.73 to 3.77)");
        assert_eq!(shown(20.31, 18.0, 22.9), "20x faster (18 to 23)");
        assert_eq!(shown(0.1, 0.08, 0.125), "10x slower (8 to 12)");
        assert_eq!(shown(9.5, 1.1, 115.7), "9.5x faster (1.1 to 116)");
        // The ends take the unit of the change.
        assert_eq!(shown(2.1, 1.8, 2.4), "2.1x faster (1.8 to 2.4)");
        assert_eq!(shown(1.9, 1.5, 2.3), "90 % faster (50 to 130)");
        // An end beside 1 does not become 1.
        assert_eq!(shown(1.1, 1.003, 1.2), "10.0 % faster (0.3 to 20.0)");
        assert_eq!(shown(1.0, 1.0, 1.0), "0 % (0 to 0)");
        // Where no difference is shown, one beside 1 is none.
        assert_eq!(shown(0.87, 0.757, 1.00001), "13 % slower (24 % slower to 0.00 %)");
        // A ratio of 0 is no factor.
        assert_eq!(shown(0.02, 0.0, 0.11), "50x slower (9 or more)");
        assert_eq!(shown(5.0, 0.4, 20.0), "5.0x faster (2.5x slower to 20x faster)");
        let range = |of: ChangeText| of.range(Better::Lower).to_string();
        assert_eq!(range(text(2.1, 1.8, 2.4)), "1.8x to 2.4x");
        assert_eq!(range(text(1.05, 1.04, 1.06)), "4 % to 6 %");
        assert_eq!(range(text(0.02, 0.0, 0.11)), "9x or more");
        let whole = |of: ChangeText| of.whole_range(Better::Higher).to_string();
        assert_eq!(whole(text(0.05, 0.02, 0.1)), "10x to 50x slower");
        assert_eq!(whole(text(1.2, 1.08, 1.24)), "8 % to 24 % faster");
        let korean = text(0.1, 0.08, 0.125).with_interval(Better::Lower).text(Lang::Ko);
        assert_eq!(korean, "10배 빠름(8~12)");
    }
}
