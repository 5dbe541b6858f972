//! Numbers in fio's notation: digits, and optionally the letter of a binary multiple.

use std::fmt;

/// A number as it was written: with a unit, or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// How many of the unit.
    pub count: u64,
    /// Its unit.
    pub unit: Unit,
}

/// A binary multiple, as fio's options have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// No unit.
    One,
    /// `k`.
    Kibi,
    /// `m`.
    Mebi,
    /// `g`.
    Gibi,
    /// `t`.
    Tebi,
}

impl Unit {
    pub(super) const ALL: [Unit; 5] = [Unit::Tebi, Unit::Gibi, Unit::Mebi, Unit::Kibi, Unit::One];

    fn shift(self) -> u32 {
        match self {
            Unit::One => 0,
            Unit::Kibi => 10,
            Unit::Mebi => 20,
            Unit::Gibi => 30,
            Unit::Tebi => 40,
        }
    }

    fn letter(self) -> &'static str {
        match self {
            Unit::One => "",
            Unit::Kibi => "k",
            Unit::Mebi => "m",
            Unit::Gibi => "g",
            Unit::Tebi => "t",
        }
    }
}

impl Number {
    /// A number without unit.
    pub fn plain(count: u64) -> Number {
        Number { count, unit: Unit::One }
    }

    /// The number in the largest unit that loses nothing.
    pub fn in_units(amount: u64) -> Number {
        let whole = |unit: &Unit| amount > 0 && amount.trailing_zeros() >= unit.shift();
        let unit = Unit::ALL.into_iter().find(whole).unwrap_or(Unit::One);
        Number { count: amount >> unit.shift(), unit }
    }

    /// Its value.
    pub fn amount(self) -> u64 {
        self.count << self.unit.shift()
    }

    /// Parses digits and an optional letter; nothing for any other text, also for one that would
    /// not print as written (`007`), which counts as a word.
    pub(super) fn read(text: &str) -> Option<Number> {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (digits, letter) = text.split_at(end);
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with('0')) {
            return None;
        }
        let letter = letter.to_ascii_lowercase();
        let unit = Unit::ALL.into_iter().find(|unit| unit.letter() == letter)?;
        let count: u64 = digits.parse().ok()?;
        let fits = count.leading_zeros() > unit.shift() || count == 0;
        fits.then_some(Number { count, unit })
    }
}

impl fmt::Display for Number {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}{}", self.count, self.unit.letter())
    }
}
