//! Sizes of volumes, and bandwidths, as users and providers write them.
//!
//! `500GB` and `500GiB` are different sizes and stay so. A number without a unit, or with a single
//! letter (`500`, `500G`), is in the provider's unit: AWS's 500 are GiB, Naver's are GB. So a size
//! only becomes a number together with its row.

mod unit;

pub use unit::{ByteRateUnit, SizeUnit};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a size's unit was written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Written {
    /// In full.
    Unit(SizeUnit),
    /// As a letter, whose base the provider decides.
    Letter(char),
    /// Missing: the provider's unit.
    Nothing,
}

/// A volume's size as it was written. Its JSON is that text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Size {
    number: f64,
    written: Written,
}

impl Size {
    /// `number` of `unit`.
    pub fn new(number: f64, unit: SizeUnit) -> Size {
        Size { number, written: Written::Unit(unit) }
    }

    /// The unit beside a row that sells in `sold`.
    pub fn unit(&self, sold: SizeUnit) -> SizeUnit {
        match self.written {
            Written::Unit(unit) => unit,
            Written::Letter(letter) => sold.sibling(letter),
            Written::Nothing => sold,
        }
    }

    /// How many of `sold` it is, for a row that sells in that unit.
    pub fn in_unit(&self, sold: SizeUnit) -> f64 {
        converted(self.number, self.unit(sold), sold)
    }

    /// The same in bytes.
    pub fn bytes(&self, sold: SizeUnit) -> f64 {
        self.number * self.unit(sold).bytes()
    }
}

/// `number` of `from` in `to`; untouched where both are the same, so that 33.33 stays 33.33.
fn converted(number: f64, from: SizeUnit, to: SizeUnit) -> f64 {
    match from == to {
        true => number,
        false => number * from.bytes() / to.bytes(),
    }
}

/// Why a text is no size or rate; whole sentences.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct QuantityError(String);

impl FromStr for Size {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Size, QuantityError> {
        let refuse = |why| {
            let how = "Write it as 500GB, 500GiB or 2TiB; 500 alone is in the provider's own unit.";
            QuantityError(format!("'{text}' is no size of a volume: {why}. {how}"))
        };
        let (number, unit) = number_and_rest(text).map_err(refuse)?;
        let mut letters = unit.chars();
        let written = match (letters.next(), letters.next()) {
            (None, _) => Written::Nothing,
            (Some(letter), None) if "kmgtp".contains(letter.to_ascii_lowercase()) => {
                Written::Letter(letter.to_ascii_uppercase())
            }
            _ => Written::Unit(SizeUnit::named(unit).ok_or_else(|| refuse("unknown unit"))?),
        };
        Ok(Size { number, written })
    }
}

/// The positive number at the beginning of `text`, and the remainder without surrounding spaces.
fn number_and_rest(text: &str) -> Result<(f64, &str), &'static str> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| "it begins with no number")?;
    match number.is_finite() && number > 0.0 {
        true => Ok((number, text[end..].trim())),
        false => Err("it is not more than nothing"),
    }
}

impl TryFrom<String> for Size {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Size, QuantityError> {
        text.parse()
    }
}

impl From<Size> for String {
    fn from(size: Size) -> String {
        size.to_string()
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.written {
            Written::Unit(unit) => write!(f, "{} {unit}", self.number),
            Written::Letter(letter) => write!(f, "{} {letter}", self.number),
            Written::Nothing => write!(f, "{}", self.number),
        }
    }
}

/// A rate of bytes as it was written: `250`, in the provider's own unit, or `250MB/s`. Its JSON
/// is that text.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate {
    number: f64,
    unit: Option<ByteRateUnit>,
}

impl Rate {
    /// `number` of `unit`.
    pub fn new(number: f64, unit: ByteRateUnit) -> Rate {
        Rate { number, unit: Some(unit) }
    }

    /// How many of `stated` it is, for a row that states rates in that unit.
    pub fn in_unit(&self, stated: ByteRateUnit) -> f64 {
        converted(self.number, self.unit.unwrap_or(stated).0, stated.0)
    }
}

impl FromStr for Rate {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Rate, QuantityError> {
        let refuse = |why| {
            let how = "Write it as 250MB/s or 250MiB/s; 250 alone is in the provider's own unit.";
            QuantityError(format!("'{text}' is no rate of bytes: {why}. {how}"))
        };
        let (number, unit) = number_and_rest(text).map_err(refuse)?;
        let unit = match unit {
            "" => None,
            unit => Some(ByteRateUnit::named(unit).ok_or_else(|| refuse("unknown unit"))?),
        };
        Ok(Rate { number, unit })
    }
}

impl TryFrom<String> for Rate {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Rate, QuantityError> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> String {
        rate.to_string()
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.unit {
            Some(unit) => write!(f, "{} {unit}", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}

#[cfg(test)]
mod tests;
