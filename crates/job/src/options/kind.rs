//! The kinds of option values, and how a word is parsed as one of them.

use super::value::OptionValue;
use crate::error::ValueProblem;
use crate::grammar::triple;
use crate::quantity::{TimeUnit, Units, parse_size, parse_time_us};
use crate::spec::JobSize;
use fathom_text::{Text, text};

/// One word that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value.
    pub name: &'static str,
    /// Its meaning.
    pub help: &'static str,
    /// Whether Fathom has it; help lists only what is there, as scripts probe for features so.
    pub is_there: bool,
}

/// The kind of an option's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Nothing, or 0 or 1.
    Flag,
    /// 0 or 1.
    Bool,
    /// A whole number in a range (both ends allowed); size suffixes count.
    Int(i64, i64),
    /// Up to three whole numbers in a range, for reads, writes and trims.
    Triple(u64, u64),
    /// Bytes.
    Bytes,
    /// Bytes, or a percentage of the existing size, up to this one; more than 100 is all of it.
    SizeOrPercent(u32),
    /// One size, or smallest and largest.
    SizeRange,
    /// Up to three ranges of sizes, for reads, writes and trims.
    SizeRanges,
    /// A time, in this unit by default.
    Time(TimeUnit),
    /// Up to three times, for reads, writes and trims.
    TimeTriple(TimeUnit),
    /// One time, or shortest and longest.
    TimeRange(TimeUnit),
    /// One of some words.
    Choice(&'static [Choice]),
    /// One of some words, with more behind it; how is in the text.
    ChoiceAnd(&'static [Choice], &'static str),
    /// One of some words, or others that the row judges itself.
    Open(&'static [Choice]),
    /// A decimal number in a range.
    Float(f64, f64),
    /// Decimal numbers in a range, separated by colons, and how many of them count.
    FloatList(f64, f64, usize),
    /// Numbers and ranges, separated by commas.
    NumberList,
    /// Free text.
    Text,
    /// Free text; in a job file also nothing.
    TextOrNothing,
    /// Bytes, some of which may be those of a file.
    Pattern,
    /// Text with its own grammar, described here.
    Grammar(&'static str),
    /// A path.
    Path,
    /// Paths, separated by colons; `\:` is a colon.
    PathList,
}

impl Kind {
    /// Whether the option may be given without a value on a command line.
    pub fn value_is_optional(self) -> bool {
        self == Kind::Flag
    }

    /// Whether it is one number, or a number for each direction, which arithmetic can yield.
    pub(crate) fn is_number(self) -> bool {
        matches!(
            self,
            Kind::Int(..)
                | Kind::Triple(..)
                | Kind::Bytes
                | Kind::Float(..)
                | Kind::SizeOrPercent(_)
                | Kind::SizeRange
                | Kind::Time(_)
                | Kind::TimeTriple(_)
                | Kind::TimeRange(_)
        )
    }

    /// The kind as text, for help.
    pub fn describe(self) -> fathom_text::Text {
        match self {
            Kind::Flag => "nothing, or 0 or 1".into(),
            Kind::Bool => "0 or 1".into(),
            Kind::Int(low, high) => text!("whole number{}", bounds(low, high)),
            Kind::Triple(low, high) => {
                text!("read[,write[,trim]]{}", bounds(low as i64, clamp(high)))
            }
            Kind::Bytes => "size, as 4k or 1g".into(),
            Kind::SizeOrPercent(_) => "size, as 4k or 1g, or a percentage".into(),
            Kind::SizeRange => "size, or smallest-largest".into(),
            Kind::SizeRanges => "smallest-largest[,for writes[,for trims]]".into(),
            Kind::Time(unit) => text!("time, in {} if no unit is given", unit.name()),
            Kind::TimeTriple(unit) => text!("read[,write[,trim]] times, in {}", unit.name()),
            Kind::TimeRange(unit) => text!("time, or shortest-longest, in {}", unit.name()),
            Kind::Choice(_) | Kind::Open(_) => "one of the values below".into(),
            Kind::ChoiceAnd(_, how) => {
                text!("one of the values below; {}", Text::from(how))
            }
            Kind::Float(low, high) => text!("decimal number, {low} to {high}"),
            Kind::FloatList(low, high, most) => {
                text!("up to {most} decimal numbers, {low} to {high}, separated by ':'")
            }
            Kind::NumberList => "numbers and ranges, as 0-3,7".into(),
            Kind::Text => "text".into(),
            Kind::TextOrNothing => "text; nothing, in a job file, is the name of the job".into(),
            Kind::Pattern => {
                "bytes, as 0xdeadbeef, a decimal number, \"text\" or 'file', one after another"
                    .into()
            }
            Kind::Grammar(how) => how.into(),
            Kind::Path => "path".into(),
            Kind::PathList => "paths separated by ':' ('\\:' for a colon)".into(),
        }
    }

    /// The words it takes, if it takes words.
    pub fn choices(self) -> &'static [Choice] {
        match self {
            Kind::Choice(choices) | Kind::ChoiceAnd(choices, _) | Kind::Open(choices) => choices,
            _ => &[],
        }
    }

    /// The value of an option of this kind without a value.
    fn without_value<'a>(self, name: &str) -> Result<OptionValue<'a>, ValueProblem> {
        match self {
            Kind::Flag => Ok(OptionValue::Flag(true)),
            Kind::TextOrNothing => Ok(OptionValue::Text("")),
            _ => Err(ValueProblem::whole(text!("Option {name} requires an argument"))
                .hinted(text!("It takes {}.", self.describe()))),
        }
    }

    /// Reads `text` as this kind. `name` appears in messages about ranges, as fio writes them.
    pub(crate) fn read<'a>(
        self,
        name: &str,
        text: Option<&'a str>,
        units: Units,
    ) -> Result<OptionValue<'a>, ValueProblem> {
        let Some(text) = text.map(str::trim) else { return self.without_value(name) };
        Ok(match self {
            Kind::Flag | Kind::Bool => {
                OptionValue::Flag(read_bool(name, without_comma(text), self == Kind::Flag)?)
            }
            Kind::SizeRanges => {
                OptionValue::Ranges(triple(text, |part| two_sizes(part, |p| parse_size(p, units)))?)
            }
            Kind::Choice(choices) => OptionValue::Choice(choose(choices, text)?, ""),
            Kind::ChoiceAnd(choices, _) => {
                let (word, rest) = text.split_once(':').unwrap_or((text, ""));
                OptionValue::Choice(choose(choices, word)?, rest)
            }
            Kind::FloatList(low, high, _) => {
                let list = text.split([':', ',']).map(|part| float(part, low, high));
                OptionValue::Floats(list.collect::<Result<_, _>>()?)
            }
            Kind::NumberList => OptionValue::Numbers(numbers(text)?),
            Kind::Path if text.is_empty() => return Err(ValueProblem::new("the path is empty")),
            Kind::PathList => OptionValue::Paths(paths(text)?),
            _ if self.is_number() => self.read_number(name, text, units)?,
            _ => OptionValue::Text(text),
        })
    }

    /// Reads a kind that is a number, or a number for each direction.
    fn read_number<'a>(
        self,
        name: &str,
        text: &str,
        units: Units,
    ) -> Result<OptionValue<'a>, ValueProblem> {
        let only = without_comma(text);
        Ok(match self {
            Kind::Int(low, high) => OptionValue::Int(read_int(name, only, units, low, high)?),
            Kind::Triple(low, high) => OptionValue::Triple(triple(&with_commas(text), |part| {
                in_range(name, parse_size(part, units)?, low, high)
            })?),
            Kind::SizeOrPercent(most) => OptionValue::Size(size_or_percent(only, units, most)?),
            Kind::SizeRange => range_of(only, |part| parse_size(part, units))?,
            Kind::Time(unit) => OptionValue::Amount(parse_time_us(only, unit)?),
            Kind::TimeTriple(unit) => {
                OptionValue::Triple(triple(text, |p| parse_time_us(p, unit))?)
            }
            Kind::TimeRange(unit) => range_of(only, |part| parse_time_us(part, unit))?,
            Kind::Float(low, high) => OptionValue::Floats(vec![float(only, low, high)?]),
            _ => OptionValue::Amount(parse_size(only, units)?),
        })
    }
}

/// fio ignores a comma with nothing behind it.
fn without_comma(text: &str) -> &str {
    text.strip_suffix(',').unwrap_or(text)
}

fn clamp(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// ` from LOW to HIGH`, without meaningless limits.
fn bounds(low: i64, high: i64) -> fathom_text::Text {
    let open = high >= i64::from(u32::MAX);
    if open { text!(", {low} or more") } else { text!(", {low} to {high}") }
}

fn read_bool(name: &str, text: &str, any_number: bool) -> Result<bool, ValueProblem> {
    match text.parse::<u64>() {
        Ok(n) if n <= 1 || any_number => Ok(n != 0),
        Ok(n) => Err(ValueProblem::whole(text!("{name}: max value out of range: {n} (1 max)"))),
        Err(_) => Err(ValueProblem::new("the value must be 0 or 1")),
    }
}

fn read_int(
    name: &str,
    text: &str,
    units: Units,
    low: i64,
    high: i64,
) -> Result<i64, ValueProblem> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let number = i128::from(parse_size(digits, units)?);
    let number = if negative { -number } else { number };
    if number < i128::from(low) {
        return Err(ValueProblem::whole(text!(
            "{name}: min value out of range: {number} ({low} min)"
        )));
    }
    i64::try_from(number).ok().filter(|n| *n <= high).ok_or_else(|| {
        ValueProblem::whole(text!("{name}: max value out of range: {number} ({high} max)"))
    })
}

fn in_range(name: &str, number: u64, low: u64, high: u64) -> Result<u64, ValueProblem> {
    if number < low {
        return Err(ValueProblem::whole(text!(
            "{name}: min value out of range: {number} ({low} min)"
        )));
    }
    if number > high {
        return Err(ValueProblem::whole(text!(
            "{name}: max value out of range: {number} ({high} max)"
        )));
    }
    Ok(number)
}

/// fio takes `a-b` and `a:b` of whole numbers as `a,b`.
fn with_commas(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let separates = matches!(c, '-' | ':') && out.ends_with(char::is_alphanumeric);
        out.push(if separates && !text.contains('(') { ',' } else { c });
    }
    out
}

/// A percentage is at most `most`; above 100, all of it is meant.
fn size_or_percent(text: &str, units: Units, most: u32) -> Result<JobSize, ValueProblem> {
    let Some(number) = text.strip_suffix('%') else {
        return Ok(JobSize::Bytes(parse_size(text, units)?));
    };
    match number.trim().parse::<u32>() {
        Ok(percent) if percent <= most => Ok(JobSize::Percent(percent.min(100) as u8)),
        _ => Err(ValueProblem::new("a percentage must be a whole number from 0 to 100")),
    }
}

/// `a-b` or `a:b` in either order.
fn two_sizes(
    text: &str,
    read: impl Fn(&str) -> Result<u64, ValueProblem>,
) -> Result<(u64, u64), ValueProblem> {
    let (low, high) = text.split_once(['-', ':']).ok_or_else(|| {
        ValueProblem::new("a range is expected").hinted("Write smallest-largest, as 4k-64k.")
    })?;
    let (low, high) = (read(low)?, read(high)?);
    if low.max(high) == 0 || low.min(high) == 0 {
        return Err(ValueProblem::new("a block size of 0"));
    }
    Ok((low.min(high), low.max(high)))
}

/// `a`, `a-b` or `a:b`; the two in either order.
fn range_of(
    text: &str,
    read: impl Fn(&str) -> Result<u64, ValueProblem>,
) -> Result<OptionValue<'static>, ValueProblem> {
    let (low, high) = match text.split_once(['-', ':']) {
        Some((low, high)) => (read(low)?, read(high)?),
        None => {
            let only = read(text)?;
            (only, only)
        }
    };
    Ok(OptionValue::Range(low.min(high), low.max(high)))
}

/// The choice called `word`.
fn choose(choices: &'static [Choice], word: &str) -> Result<&'static str, ValueProblem> {
    if let Some(exact) = choices.iter().find(|c| c.name == word) {
        return Ok(exact.name);
    }
    let near = super::nearest(word, choices.iter().map(|c| c.name));
    let names: Vec<&str> = choices.iter().map(|c| c.name).collect();
    let valid = text!("Valid values: {}.", names.join(", "));
    Err(ValueProblem::new("no such value").hinted(match near {
        Some(near) => text!("Did you mean {near}? {valid}"),
        None => valid,
    }))
}

fn float(text: &str, low: f64, high: f64) -> Result<f64, ValueProblem> {
    let number = text.trim().parse::<f64>();
    let number = number.map_err(|_| ValueProblem::new("a number is expected"))?;
    if (low..=high).contains(&number) {
        return Ok(number);
    }
    let message = text!("value out of range: {number:.6} (range {low} to {high})");
    Err(ValueProblem::whole(message))
}

/// `0-3,7` (also with colons): sorted, each number once.
pub(crate) fn numbers(text: &str) -> Result<Vec<u32>, ValueProblem> {
    const LARGEST: u32 = 65_535;
    let number = |part: &str| {
        part.trim().parse::<u32>().ok().filter(|n| *n <= LARGEST).ok_or_else(|| {
            ValueProblem::new(text!("'{part}' is no number from 0 to {LARGEST}"))
                .hinted("Write numbers and ranges, as 0-3,7.")
        })
    };
    let mut list = std::collections::BTreeSet::new();
    for part in text.split([',', ':']).filter(|part| !part.trim().is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(ValueProblem::new(text!("the range {part} runs backwards")));
        }
        list.extend(first..=last);
    }
    if list.is_empty() {
        Err(ValueProblem::new("the list is empty"))
    } else {
        Ok(list.into_iter().collect())
    }
}

/// Paths separated by `:`; a backslash escapes the colon, and is literal everywhere else
/// (`\\.\PhysicalDrive0`).
fn paths(text: &str) -> Result<Vec<std::path::PathBuf>, ValueProblem> {
    let mut list = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&':') => {
                chars.next();
                list.last_mut().expect("begins with one entry").push(':');
            }
            ':' => list.push(String::new()),
            c => list.last_mut().expect("begins with one entry").push(c),
        }
    }
    list.retain(|path| !path.is_empty());
    if list.is_empty() {
        return Err(ValueProblem::new("the path is empty"));
    }
    Ok(list.into_iter().map(Into::into).collect())
}

/// A choice, for tables.
pub(crate) const fn word(name: &'static str, help: &'static str) -> Choice {
    Choice { name, help, is_there: true }
}

/// A choice of fio that Fathom does not have yet; its row refuses it.
pub(crate) const fn missing(name: &'static str, help: &'static str) -> Choice {
    Choice { name, help, is_there: false }
}
