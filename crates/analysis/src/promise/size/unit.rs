//! Units of bytes and of bandwidth, decimal and binary.

use super::QuantityError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A unit of bytes; those with an `i` are binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "a unit's name is all there is to say of it")]
pub enum SizeUnit {
    B,
    KB,
    KiB,
    MB,
    MiB,
    GB,
    GiB,
    TB,
    TiB,
    PB,
    PiB,
}

/// Every unit with its name and its bytes.
pub(super) const UNITS: [(SizeUnit, &str, f64); 11] = [
    (SizeUnit::B, "B", 1.0),
    (SizeUnit::KB, "KB", 1e3),
    (SizeUnit::KiB, "KiB", 1024.0),
    (SizeUnit::MB, "MB", 1e6),
    (SizeUnit::MiB, "MiB", 1_048_576.0),
    (SizeUnit::GB, "GB", 1e9),
    (SizeUnit::GiB, "GiB", 1_073_741_824.0),
    (SizeUnit::TB, "TB", 1e12),
    (SizeUnit::TiB, "TiB", 1_099_511_627_776.0),
    (SizeUnit::PB, "PB", 1e15),
    (SizeUnit::PiB, "PiB", 1_125_899_906_842_624.0),
];

impl SizeUnit {
    fn row(self) -> &'static (SizeUnit, &'static str, f64) {
        let row = UNITS.iter().find(|(unit, ..)| *unit == self);
        row.expect("the table has a row for each unit")
    }

    /// Its name, as `GiB`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Bytes of one.
    pub fn bytes(self) -> f64 {
        self.row().2
    }

    /// Whether it counts in powers of 1024.
    pub fn is_binary(self) -> bool {
        self.name().len() == 3
    }

    /// The unit of that name, in any case of letters.
    pub(super) fn named(name: &str) -> Option<SizeUnit> {
        let found = UNITS.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(unit, ..)| *unit)
    }

    /// `G` as the family of `self` has it: GiB beside TiB, GB beside TB.
    pub(super) fn sibling(self, letter: char) -> SizeUnit {
        let ending = if self.is_binary() { "iB" } else { "B" };
        SizeUnit::named(&format!("{letter}{ending}")).unwrap_or(self)
    }
}

impl fmt::Display for SizeUnit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A unit of bytes a second, written `MiB/s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ByteRateUnit(pub SizeUnit);

impl ByteRateUnit {
    /// `MB/s`, and without the `/s`.
    pub(super) fn named(name: &str) -> Option<ByteRateUnit> {
        let unit = name.strip_suffix("/s").unwrap_or(name);
        SizeUnit::named(unit).map(ByteRateUnit)
    }

    /// Bytes a second of one.
    pub fn bytes_per_s(self) -> f64 {
        self.0.bytes()
    }
}

impl TryFrom<String> for ByteRateUnit {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<ByteRateUnit, QuantityError> {
        let wrong = || QuantityError(format!("'{text}' is no unit of a rate, such as MB/s"));
        ByteRateUnit::named(&text).ok_or_else(wrong)
    }
}

impl From<ByteRateUnit> for String {
    fn from(unit: ByteRateUnit) -> String {
        unit.to_string()
    }
}

impl fmt::Display for ByteRateUnit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/s", self.0)
    }
}
