//! Values of an axis as users write them: `4k,8k`, `1..256`, `1..9/2`, `100:0..0:100/10`, `read`.
//!
//! A list is terms separated by commas; a term is a value or a range. A range of numbers without a
//! step doubles (or halves), because depth, jobs and block sizes are read on such a scale; a step
//! is added. A range of mixes (reads:writes in percent) has steps of ten unless given. Both ends of
//! a range always belong to its values, also if the step misses the last. A backslash makes a
//! comma, a dot or a backslash literal.
//!
//! Printing gives the canonical text, which parses to the same values.

mod error;
mod number;
mod text;

pub use error::ValuesError;
pub use number::{Number, Unit};

use std::fmt;
use text::{escaped, split, unescaped};

/// One value of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(Number),
    /// Reads in percent, the remainder being writes: `70:30`.
    Mix(u8),
    /// Any other text.
    Word(String),
}

impl Value {
    /// Parses a text as a single value: a number, a mix, or a word.
    pub fn of(text: &str) -> Value {
        let number = Number::read(text).map(Value::Number);
        let mix = || read_mix(text).map(Value::Mix);
        number.or_else(mix).unwrap_or_else(|| Value::Word(text.to_owned()))
    }

    /// Its place on a scale: a number's amount, a mix's share of reads; none for a word.
    pub fn position(&self) -> Option<u64> {
        match self {
            Value::Number(number) => Some(number.amount()),
            Value::Mix(reads) => Some(u64::from(*reads)),
            Value::Word(_) => None,
        }
    }

    /// Whether both have the same meaning: `4k` and `4096` do.
    fn same_as(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.amount() == b.amount(),
            (a, b) => a == b,
        }
    }
}

/// As one would write it to fio, without the escapes of a list.
impl fmt::Display for Value {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(to),
            Value::Mix(reads) => write!(to, "{reads}:{}", 100 - u16::from(*reads)),
            Value::Word(word) => to.write_str(word),
        }
    }
}

/// `R:W` whose sum is a hundred.
fn read_mix(text: &str) -> Option<u8> {
    let (reads, writes) = text.split_once(':')?;
    let (reads, writes) = (Number::read(reads)?, Number::read(writes)?);
    let plain = reads.unit == Unit::One && writes.unit == Unit::One;
    let whole = reads.count.checked_add(writes.count) == Some(100);
    (plain && whole).then_some(reads.count as u8)
}

/// The step of a range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeStep {
    /// Twice, or half, rounded down.
    Doubling,
    /// Adds or subtracts this amount.
    By(Number),
}

/// A part of a list between commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// One value.
    One(Value),
    /// Numbers from one to another, up or down.
    Numbers(Number, Number, RangeStep),
    /// Mixes from one share of reads to another, in steps of this many percent.
    Mixes(u8, u8, u8),
}

/// The default step of a range of mixes: eleven points from end to end.
const MIX_STEP: u8 = 10;
/// More values than a user would wait for; stops `1..18446744073709551615/1` from filling memory.
pub const MOST_VALUES: usize = 1000;

/// All values of an axis, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values(Vec<Term>);

impl Values {
    /// Reads a list.
    ///
    /// # Errors
    /// A [`ValuesError`]: the invalid part, and the correct form.
    pub fn read(text: &str) -> Result<Values, ValuesError> {
        let terms: Result<Vec<Term>, ValuesError> = split(text, ",").map(read_term).collect();
        let terms = terms?;
        let count: usize = terms.iter().map(Term::most).fold(0, usize::saturating_add);
        if count > MOST_VALUES {
            return Err(ValuesError::TooMany { most: MOST_VALUES });
        }
        Ok(Values(terms))
    }

    /// The values in order, each once.
    pub fn expand(&self) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for value in self.0.iter().flat_map(Term::expand) {
            if !values.iter().any(|seen| seen.same_as(&value)) {
                values.push(value);
            }
        }
        values
    }
}

/// The canonical text.
impl fmt::Display for Values {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, term) in self.0.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(to, "{comma}{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::One(Value::Word(word)) => to.write_str(&escaped(word)),
            Term::One(value) => value.fmt(to),
            Term::Numbers(first, last, RangeStep::Doubling) => write!(to, "{first}..{last}"),
            Term::Numbers(first, last, RangeStep::By(step)) => write!(to, "{first}..{last}/{step}"),
            Term::Mixes(first, last, step) => {
                write!(to, "{}..{}/{step}", Value::Mix(*first), Value::Mix(*last))
            }
        }
    }
}

impl Term {
    /// How many values it has at most, without making them.
    fn most(&self) -> usize {
        match self {
            Term::One(_) => 1,
            Term::Numbers(_, _, RangeStep::Doubling) => 66,
            Term::Numbers(first, last, RangeStep::By(step)) => {
                let span = first.amount().abs_diff(last.amount());
                let steps = span.div_ceil(step.amount().max(1));
                usize::try_from(steps).unwrap_or(usize::MAX).saturating_add(1)
            }
            Term::Mixes(..) => 101,
        }
    }

    fn expand(&self) -> Vec<Value> {
        match self {
            Term::One(value) => vec![value.clone()],
            Term::Numbers(first, last, step) => {
                let next: &dyn Fn(u64, bool) -> u64 = match step {
                    RangeStep::Doubling => &|at, up| if up { at.saturating_mul(2) } else { at / 2 },
                    RangeStep::By(by) => &|at, up| match up {
                        true => at.saturating_add(by.amount()),
                        false => at.saturating_sub(by.amount()),
                    },
                };
                let with_units = first.unit != Unit::One || last.unit != Unit::One;
                let spelt = |n| if with_units { Number::in_units(n) } else { Number::plain(n) };
                let amounts = walk(first.amount(), last.amount(), next);
                amounts.into_iter().map(|n| Value::Number(spelt(n))).collect()
            }
            Term::Mixes(first, last, step) => {
                let by = u64::from(*step);
                let next = |at: u64, up: bool| if up { at + by } else { at.saturating_sub(by) };
                let reads = walk(u64::from(*first), u64::from(*last), &next);
                reads.into_iter().map(|reads| Value::Mix(reads as u8)).collect()
            }
        }
    }
}

/// From `first` towards `last` as long as it is not reached, then `last`.
fn walk(first: u64, last: u64, next: &dyn Fn(u64, bool) -> u64) -> Vec<u64> {
    let up = first < last;
    let mut at = first;
    let mut amounts = Vec::new();
    while (up && at < last) || (!up && at > last) {
        amounts.push(at);
        at = next(at, up);
    }
    amounts.push(last);
    amounts
}

fn read_term(text: &str) -> Result<Term, ValuesError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ValuesError::Missing);
    }
    let ends: Vec<&str> = split(text, "..").collect();
    match ends[..] {
        [one] => Ok(Term::One(Value::of(&unescaped(one)))),
        [first, rest] => read_range(text, first, rest),
        _ => Err(ValuesError::Ends { text: text.to_owned() }),
    }
}

fn read_range(text: &str, first: &str, rest: &str) -> Result<Term, ValuesError> {
    let (last, step) = match rest.split_once('/') {
        Some((last, step)) => (last, Some(step)),
        None => (rest, None),
    };
    match (Value::of(first.trim()), Value::of(last.trim())) {
        (Value::Number(first), Value::Number(last)) => {
            Ok(Term::Numbers(first, last, number_step(text, first, last, step)?))
        }
        (Value::Mix(first), Value::Mix(last)) => {
            Ok(Term::Mixes(first, last, mix_step(text, step)?))
        }
        _ => Err(ValuesError::Range { text: text.to_owned() }),
    }
}

fn number_step(
    text: &str,
    first: Number,
    last: Number,
    step: Option<&str>,
) -> Result<RangeStep, ValuesError> {
    let Some(step) = step else {
        return match first.amount().min(last.amount()) {
            0 => Err(ValuesError::FromZero { text: text.to_owned() }),
            _ => Ok(RangeStep::Doubling),
        };
    };
    match Number::read(step.trim()).filter(|step| step.amount() > 0) {
        Some(step) => Ok(RangeStep::By(step)),
        None => Err(ValuesError::Step { text: text.to_owned() }),
    }
}

fn mix_step(text: &str, step: Option<&str>) -> Result<u8, ValuesError> {
    let Some(step) = step else { return Ok(MIX_STEP) };
    let step = Number::read(step.trim()).map(Number::amount);
    match step.and_then(|step| u8::try_from(step).ok()).filter(|step| (1..=100).contains(step)) {
        Some(step) => Ok(step),
        None => Err(ValuesError::MixStep { text: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests;
