//! Sizes and times in users' notation, parsed and printed.
//!
//! The suffix rules were observed of fio 3.33, and differ from its manual: `k`, `kb` and `ki` all
//! follow `kb_base`, and only the full `kib` means the other base. Where fio parses a prefix and
//! drops the remainder (`4x`, `4.5k`, `10q`), Fathom refuses: a size that silently became 4 bytes
//! is a benchmark of something else.

use crate::error::ValueProblem;
use fathom_text::text;

/// How unit letters are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// `kb_base`: 1024 (the default) or 1000.
    pub kb_base: u32,
}

impl Default for Units {
    fn default() -> Units {
        Units { kb_base: 1024 }
    }
}

/// The unit of a time without suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Microseconds (`thinktime`, `max_latency`, `latency_target`).
    Us,
    /// Milliseconds (`log_avg_msec`).
    Ms,
    /// Seconds (`runtime`).
    S,
}

impl TimeUnit {
    /// Nanoseconds of one.
    pub fn ns(self) -> u64 {
        match self {
            TimeUnit::Us => 1_000,
            TimeUnit::Ms => 1_000_000,
            TimeUnit::S => 1_000_000_000,
        }
    }

    /// Its name in help.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Us => "microseconds",
            TimeUnit::Ms => "milliseconds",
            TimeUnit::S => "seconds",
        }
    }
}

/// Largest integer that arithmetic in parentheses gives exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Maximum nesting of parentheses; protects the stack from hostile input.
const DEEPEST: u32 = 16;

/// Bytes (or a count with `k`, `m`, …) from text such as `4k`, `1MiB`, `0x1000`, `(4*1024)`.
pub(crate) fn parse_size(text: &str, units: Units) -> Result<u64, ValueProblem> {
    amount(text.trim(), &|suffix| size_factor(suffix, units), 1)
}

/// Microseconds from text such as `10`, `1.5` (refused), `2m`, `500ms`, `(60*1000000)`.
///
/// Inside parentheses a number without unit is in microseconds for any `unit`, as in fio. Fractions
/// of a microsecond round up, so that a short time never becomes zero.
pub(crate) fn parse_time_us(text: &str, unit: TimeUnit) -> Result<u64, ValueProblem> {
    let plain = if text.trim_start().starts_with('(') { 1_000 } else { unit.ns() };
    let ns = amount(text.trim(), &|s| time_factor(s, plain), 1_000)?;
    Ok(ns.div_ceil(1_000))
}

/// A number with its suffix. `bare` is the unit of a parenthesised expression.
fn amount(
    text: &str,
    factor: &dyn Fn(&str) -> Result<u64, ValueProblem>,
    bare: u64,
) -> Result<u64, ValueProblem> {
    if text.is_empty() {
        return Err(ValueProblem::new("the value is empty"));
    }
    if text.starts_with('(') {
        return expression(text, factor, bare);
    }
    let (number, suffix) = integer(text)?;
    number
        .checked_mul(factor(suffix)?)
        .ok_or_else(|| ValueProblem::new("the number does not fit in 64 bits"))
}

/// The decimal or `0x` integer at the beginning of `text`, and the remainder.
fn integer(text: &str) -> Result<(u64, &str), ValueProblem> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((text, 10), |rest| (rest, 16));
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if end == 0 {
        return Err(ValueProblem::new("a number is expected"));
    }
    let number = u64::from_str_radix(&digits[..end], radix)
        .map_err(|_| ValueProblem::new("the number does not fit in 64 bits"))?;
    let suffix = &digits[end..];
    if suffix.starts_with('.') {
        return Err(ValueProblem::new("whole numbers only")
            .hinted("Use a smaller unit, as 1536 for 1.5k or 1500ms for 1.5."));
    }
    Ok((number, suffix))
}

/// The factor of a size suffix.
fn size_factor(suffix: &str, units: Units) -> Result<u64, ValueProblem> {
    let lower = suffix.trim().to_ascii_lowercase();
    if lower.is_empty() || lower == "b" {
        return Ok(1);
    }
    if lower.ends_with('z') {
        return Err(ValueProblem::whole(
            "'z' suffix isn't applicable: sizes in zones need zonemode=zbd",
        )
        .hinted("Zoned devices are not supported yet; give the size in bytes."));
    }
    if lower == "%" {
        return Err(ValueProblem::new("'%' cannot be used here"));
    }
    let mut rest = lower.chars();
    let Some(power) = rest.next().and_then(|unit| "kmgtp".find(unit)) else {
        return Err(unknown_suffix(suffix));
    };
    let binary = units.kb_base == 1024;
    let base: u64 = match rest.as_str() {
        "" | "b" | "i" => u64::from(units.kb_base),
        "ib" if binary => 1000,
        "ib" => 1024,
        _ => return Err(unknown_suffix(suffix)),
    };
    // kmgtp has five letters, so the power is at most 1024^5 = 2^50.
    Ok(base.pow(power as u32 + 1))
}

fn unknown_suffix(suffix: &str) -> ValueProblem {
    ValueProblem::new(text!("'{suffix}' is no unit of size"))
        .hinted("Sizes take k, m, g, t, p (times 1024; times kb_base), or kib, mib, ….")
}

/// Nanoseconds of one of a time suffix; `plain` is for no suffix.
fn time_factor(suffix: &str, plain: u64) -> Result<u64, ValueProblem> {
    Ok(match suffix.trim().to_ascii_lowercase().as_str() {
        "" => plain,
        "ns" | "nsec" => 1,
        "us" | "usec" => 1_000,
        "ms" | "msec" => 1_000_000,
        "s" | "sec" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "d" => 86_400_000_000_000,
        _ => {
            return Err(ValueProblem::new(text!("'{suffix}' is no unit of time"))
                .hinted("Times take d, h, m, s, ms, us or ns."));
        }
    })
}

/// A parenthesised expression, and a suffix after it.
fn expression(
    text: &str,
    factor: &dyn Fn(&str) -> Result<u64, ValueProblem>,
    bare: u64,
) -> Result<u64, ValueProblem> {
    let in_parens = |suffix: &str| match suffix {
        "" => Ok(1.0),
        suffix => Ok(factor(suffix)? as f64 / bare as f64),
    };
    let mut parser = Arithmetic { rest: text, factor: &in_parens, depth: 0 };
    let value = parser.atom()?;
    let scale = in_parens(parser.rest.trim())?;
    let value = (value * scale * bare as f64).round();
    if !value.is_finite() || !(0.0..=EXACT).contains(&value) {
        return Err(ValueProblem::new("the expression is negative, or too large to be exact")
            .hinted("Write the number out."));
    }
    Ok(value as u64)
}

/// The result of a calculation with plain numbers, rounded down; none if `text` is something else.
pub(crate) fn arithmetic(text: &str) -> Option<u64> {
    let plain = |suffix: &str| match suffix {
        "" => Ok(1.0),
        _ => Err(ValueProblem::new("a plain number is expected")),
    };
    let mut parser = Arithmetic { rest: text, factor: &plain, depth: 0 };
    let value = parser.sum().ok()?;
    let is_whole = parser.rest.trim().is_empty() && (0.0..=EXACT).contains(&value);
    is_whole.then_some(value as u64)
}

/// Recursive descent over `+ - * / % ^` and parentheses.
struct Arithmetic<'a> {
    rest: &'a str,
    factor: &'a dyn Fn(&str) -> Result<f64, ValueProblem>,
    depth: u32,
}

impl<'a> Arithmetic<'a> {
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Takes the next character if it is one of `any`.
    fn take(&mut self, any: &str) -> Option<char> {
        let c = self.peek().filter(|c| any.contains(*c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn sum(&mut self) -> Result<f64, ValueProblem> {
        let mut value = self.product()?;
        while let Some(op) = self.take("+-") {
            let other = self.product()?;
            value = if op == '+' { value + other } else { value - other };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<f64, ValueProblem> {
        let mut value = self.power()?;
        while let Some(op) = self.take("*/%") {
            let other = self.power()?;
            if op != '*' && other == 0.0 {
                return Err(ValueProblem::new("the expression divides by zero"));
            }
            value = match op {
                '*' => value * other,
                '/' => value / other,
                _ => value % other,
            };
        }
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, ValueProblem> {
        let base = self.atom()?;
        let mut powers = vec![base];
        while self.take("^").is_some() {
            powers.push(self.atom()?);
        }
        // Right associative: 2^3^2 is 2^9.
        let last = powers.pop().unwrap_or(base);
        Ok(powers.into_iter().rev().fold(last, |exponent, base| base.powf(exponent)))
    }

    fn atom(&mut self) -> Result<f64, ValueProblem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ValueProblem::new("the expression is nested too deeply"));
        }
        let mut sign = 1.0;
        while let Some(c) = self.take("+-") {
            sign = if c == '-' { -sign } else { sign };
        }
        let value = if self.take("(").is_some() {
            let value = self.sum()?;
            self.take(")").ok_or_else(|| ValueProblem::new("a ')' is missing"))?;
            value
        } else {
            self.number()?
        };
        self.depth -= 1;
        Ok(sign * value)
    }

    fn number(&mut self) -> Result<f64, ValueProblem> {
        let text = self.rest.trim_start();
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '.');
        let (word, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
        self.rest = rest;
        if word.starts_with("0x") || word.starts_with("0X") {
            let (number, suffix) = integer(word)?;
            return Ok(number as f64 * (self.factor)(suffix)?);
        }
        let end = word.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(word.len());
        let number: f64 = word[..end]
            .parse()
            .map_err(|_| ValueProblem::new("a number is expected in the expression"))?;
        Ok(number * (self.factor)(&word[end..])?)
    }
}

/// Bytes in job file notation: the largest exact unit (`4096` is `4k`).
pub fn format_size(bytes: u64) -> String {
    let units = [(1 << 50, "p"), (1 << 40, "t"), (1 << 30, "g"), (1 << 20, "m"), (1 << 10, "k")];
    let unit = units.iter().find(|(size, _)| bytes >= *size && bytes.is_multiple_of(*size));
    unit.map_or_else(|| bytes.to_string(), |(size, name)| format!("{}{name}", bytes / size))
}

/// Microseconds in job file notation: the largest exact unit.
pub fn format_time_us(us: u64) -> String {
    let units = [(86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "m"), (1_000_000, "s")];
    let finer = [(1_000, "ms"), (1, "us")];
    let unit = units.iter().chain(&finer).find(|(size, _)| us >= *size && us.is_multiple_of(*size));
    unit.map_or_else(|| "0us".to_string(), |(size, name)| format!("{}{name}", us / size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn size(text: &str) -> Option<u64> {
        parse_size(text, Units::default()).ok()
    }

    /// Block sizes that fio 3.33 prints for the same words.
    #[test]
    fn sizes_as_fio_reads_them() {
        for (text, bytes) in [
            ("1k", 1024),
            ("1kb", 1024),
            ("1ki", 1024),
            ("1kib", 1000),
            ("1K", 1024),
            ("1KB", 1024),
            ("1KiB", 1000),
            ("0x10", 16),
            ("1b", 1),
            ("010", 10),
            ("2M", 2 << 20),
            ("3g", 3 << 30),
            ("1t", 1 << 40),
            ("1p", 1 << 50),
            (" 4k ", 4096),
            ("0X10k", 16384),
            ("500GB", 500 << 30),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        let si = Units { kb_base: 1000 };
        for (text, bytes) in [("1k", 1000), ("1ki", 1000), ("1kb", 1000), ("1kib", 1024)] {
            assert_eq!(parse_size(text, si).ok(), Some(bytes), "{text} with kb_base=1000");
        }
    }

    #[test]
    fn sizes_that_would_be_misread_are_refused() {
        for text in
            ["", "4x", "4.5k", "1e3", "4kk", "-4k", "4kz", "12%", "k", "99999999p", "0x", "é", "4é"]
        {
            assert_eq!(size(text), None, "{text}");
        }
        let zone = parse_size("4z", Units::default()).unwrap_err();
        assert!(zone.message.starts_with("'z' suffix isn't applicable"), "{zone:?}");
    }

    #[test]
    fn arithmetic_in_parentheses() {
        for (text, bytes) in [
            ("(4*1024)", 4096),
            ("(4k*2)", 8192),
            ("(1+2*3)", 7),
            ("((1+2)*3)k", 9216),
            ("(7%4)", 3),
            ("(7/2)k", 3584),
            ("(2^3^2)", 512),
            ("(10-3-2)", 5),
            ("( 8 / 2 )", 4),
            ("(0x10+1)", 17),
            ("(1.5*2)", 3),
            ("(-2+3)", 1),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in ["(1", "(1/0)", "(1-2)", "()", "(2^100)", "(1+)", "(1)x", &"(".repeat(100_000)]
        {
            assert_eq!(size(text), None, "{text:.20}");
        }
    }

    #[test]
    fn times_and_their_default_unit() {
        let s = |text: &str| parse_time_us(text, TimeUnit::S).ok();
        for (text, us) in [
            ("10", 10_000_000),
            ("5m", 300_000_000),
            ("5M", 300_000_000),
            ("2h", 7_200_000_000),
            ("1d", 86_400_000_000),
            ("500ms", 500_000),
            ("5msec", 5_000),
            ("7us", 7),
            ("7usec", 7),
            ("1500ns", 2),
            ("3sec", 3_000_000),
            ("(60*1000000)", 60_000_000),
            ("(1s+500ms)", 1_500_000),
        ] {
            assert_eq!(s(text), Some(us), "{text}");
        }
        assert_eq!(parse_time_us("10", TimeUnit::Us).ok(), Some(10));
        assert_eq!(parse_time_us("10ms", TimeUnit::Us).ok(), Some(10_000));
        for text in ["1.5", "10q", "-1", "", "1y"] {
            assert_eq!(s(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_size_reads_back(bytes: u64) {
            prop_assert_eq!(size(&format_size(bytes)), Some(bytes));
        }

        #[test]
        fn round_sizes_read_back_too(n in 0u64..1 << 12, shift in 0u32..50) {
            prop_assert_eq!(size(&format_size(n << shift)), Some(n << shift));
        }

        #[test]
        fn a_printed_time_reads_back(us in 0u64..u64::MAX / 1_000, n in 0u64..10_000) {
            for us in [us, n * 1_000_000, n * 60_000_000] {
                prop_assert_eq!(parse_time_us(&format_time_us(us), TimeUnit::S).ok(), Some(us));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in ".{0,40}", sums in "[(]*[-0-9kmx+*/%^() .]{0,40}") {
            for text in [&text, &sums] {
                let _ = size(text);
                let _ = parse_time_us(text, TimeUnit::S);
            }
        }
    }
}
