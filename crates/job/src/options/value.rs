//! Parsed values of options, before they are stored in a field of the job.

use crate::spec::JobSize;
use fathom_vocab::{Direction, PerDirection};

/// A parsed value. Accessors return a neutral value for another kind; the table's tests check the
/// kinds of rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OptionValue<'a> {
    /// Flag and Bool.
    Flag(bool),
    /// Int.
    Int(i64),
    /// Triple and TimeTriple: `None` leaves a direction as it was.
    Triple(PerDirection<Option<u64>>),
    /// Bytes and Time.
    Amount(u64),
    /// SizeOrPercent.
    Size(JobSize),
    /// SizeRange and TimeRange.
    Range(u64, u64),
    /// SizeRanges.
    Ranges(PerDirection<Option<(u64, u64)>>),
    /// Choice and ChoiceAnd: the word, and the text after its colon.
    Choice(&'static str, &'a str),
    /// Float and FloatList.
    Floats(Vec<f64>),
    /// NumberList.
    Numbers(Vec<u32>),
    /// Text, Grammar, Path.
    Text(&'a str),
    /// PathList.
    Paths(Vec<std::path::PathBuf>),
}

impl OptionValue<'_> {
    pub fn flag(&self) -> bool {
        matches!(self, OptionValue::Flag(true))
    }

    pub fn int(&self) -> i64 {
        if let OptionValue::Int(n) = self { *n } else { 0 }
    }

    /// An `Int` whose row allows no negative numbers and nothing above `u32`.
    pub fn int_u32(&self) -> u32 {
        u32::try_from(self.int()).unwrap_or(u32::MAX)
    }

    /// An `Int` whose row allows 0 to 65535.
    pub fn int_u16(&self) -> u16 {
        u16::try_from(self.int()).unwrap_or(u16::MAX)
    }

    /// An `Int` whose row allows 0 to 255.
    pub fn int_u8(&self) -> u8 {
        u8::try_from(self.int()).unwrap_or(u8::MAX)
    }

    /// An `Int` whose row allows no negative numbers, or an amount of bytes or microseconds.
    pub fn amount(&self) -> u64 {
        match self {
            OptionValue::Amount(n) => *n,
            OptionValue::Int(n) => u64::try_from(*n).unwrap_or(0),
            _ => 0,
        }
    }

    pub fn size(&self) -> JobSize {
        if let OptionValue::Size(size) = self { *size } else { JobSize::Bytes(self.amount()) }
    }

    pub fn range(&self) -> (u64, u64) {
        if let OptionValue::Range(low, high) = self { (*low, *high) } else { (0, 0) }
    }

    pub fn choice(&self) -> &'static str {
        if let OptionValue::Choice(word, _) = self { word } else { "" }
    }

    /// The text after the colon of a `ChoiceAnd`.
    pub fn rest(&self) -> &str {
        if let OptionValue::Choice(_, rest) = self { rest } else { "" }
    }

    pub fn floats(&self) -> &[f64] {
        if let OptionValue::Floats(list) = self { list } else { &[] }
    }

    pub fn float(&self) -> f64 {
        self.floats().first().copied().unwrap_or(0.0)
    }

    pub fn numbers(&self) -> Vec<u32> {
        if let OptionValue::Numbers(list) = self { list.clone() } else { Vec::new() }
    }

    pub fn text(&self) -> &str {
        if let OptionValue::Text(text) = self { text } else { "" }
    }

    pub fn owned(&self) -> Option<String> {
        Some(self.text().to_string())
    }

    pub fn paths(&self) -> Vec<std::path::PathBuf> {
        if let OptionValue::Paths(list) = self { list.clone() } else { Vec::new() }
    }

    /// Sets the given directions; `convert` fits the number to the field.
    pub fn set_each<T>(&self, field: &mut PerDirection<T>, convert: impl Fn(u64) -> T) {
        if let OptionValue::Triple(given) = self {
            for dir in Direction::ALL {
                if let Some(n) = given[dir] {
                    field[dir] = convert(n);
                }
            }
        }
    }
}
