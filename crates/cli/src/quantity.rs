//! Quantities on the command line, as in fio: `4k` is 4096 and `10s` ten seconds.

use crate::invalid_value::InvalidValue;
use fathom_vocab::IoEngine;
use std::time::Duration;

/// An example of a size, for those who typed none.
const SIZE: InvalidValue = InvalidValue::NoQuantity { quantity: "a size", example: "512m" };
/// The same of how long something lasts.
const TIME: InvalidValue = InvalidValue::NoQuantity { quantity: "a time", example: "30s" };
/// The same of a latency.
const LATENCY: InvalidValue = InvalidValue::NoQuantity { quantity: "a time", example: "1ms" };

/// A number and the unit after it; otherwise `expected`.
fn split_unit(text: &str, expected: InvalidValue) -> Result<(u64, String), InvalidValue> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    match text[..end].parse() {
        Ok(number) if !text[end..].starts_with(['.', ',']) => {
            Ok((number, text[end..].trim().to_ascii_lowercase()))
        }
        _ => Err(expected),
    }
}

/// Bytes as fio writes them: `4k` is 4096.
pub fn parse_size(text: &str) -> Result<u64, InvalidValue> {
    let (number, unit) = split_unit(text.trim(), SIZE)?;
    let shift = match unit.as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        "p" | "pb" | "pib" => 50,
        _ => {
            let known = "k, m, g, t (powers of 1024)";
            return Err(InvalidValue::Unit { unit, quantity: "size", known });
        }
    };
    match number.checked_mul(1 << shift) {
        Some(0) => Err(InvalidValue::Zero),
        Some(bytes) if bytes <= i64::MAX as u64 => Ok(bytes),
        _ => Err(InvalidValue::TooLarge("any file can hold")),
    }
}

/// A time, in seconds without a unit; above zero, and at most a year.
pub fn parse_time(text: &str) -> Result<Duration, InvalidValue> {
    more_than_none(parse_time_or_none(text)?)
}

fn more_than_none(time: Duration) -> Result<Duration, InvalidValue> {
    if time.is_zero() { Err(InvalidValue::Zero) } else { Ok(time) }
}

/// The same with a required unit: a bare `1` would be a second, when a millisecond is meant.
pub fn parse_target_time(text: &str) -> Result<Duration, InvalidValue> {
    let time = time_of(text, LATENCY)?;
    match text.trim().ends_with(|c: char| c.is_ascii_digit()) {
        true => Err(InvalidValue::Form("give a unit as well, as 1ms or 500us")),
        false => more_than_none(time),
    }
}

/// I/Os in flight: one number.
pub fn parse_depth(text: &str) -> Result<u32, InvalidValue> {
    let is_range = text.contains("..") || text.contains(',');
    if is_range || text.find('-').is_some_and(|at| at > 0) {
        return Err(InvalidValue::Form("give one number; `fathom sweep` takes several, as 1..32"));
    }
    let depth = text.parse().map_err(|_| InvalidValue::Form("write one whole number, as 32"))?;
    match depth {
        1..=65_536 => Ok(depth),
        _ => Err(InvalidValue::OutOfRange { least: "1", most: "65,536" }),
    }
}

/// A time, where 0 means none.
pub fn parse_time_or_none(text: &str) -> Result<Duration, InvalidValue> {
    time_of(text, TIME)
}

fn time_of(text: &str, expected: InvalidValue) -> Result<Duration, InvalidValue> {
    let (number, unit) = split_unit(text.trim(), expected)?;
    let us = match unit.as_str() {
        "us" => 1,
        "ms" => 1_000,
        "" | "s" => 1_000_000,
        "m" => 60_000_000,
        "h" => 3_600_000_000,
        "d" => 86_400_000_000,
        _ => {
            let known = "us, ms, s, m, h, d";
            return Err(InvalidValue::Unit { unit, quantity: "time", known });
        }
    };
    match number.checked_mul(us) {
        Some(us) if us <= 365 * 86_400_000_000 => Ok(Duration::from_micros(us)),
        _ => Err(InvalidValue::TooLarge("a year")),
    }
}

/// An engine by its name, of those that measure a volume.
pub fn parse_engine(text: &str) -> Result<IoEngine, InvalidValue> {
    let found = engines().find(|engine| engine.name() == text);
    found.ok_or_else(|| InvalidValue::unknown_name(text, &engine_names()))
}

/// The names that `parse_engine` takes.
pub fn engine_names() -> Vec<&'static str> {
    engines().map(IoEngine::name).collect()
}

fn engines() -> impl Iterator<Item = IoEngine> {
    let usable =
        |engine: &IoEngine| !matches!(engine, IoEngine::Null | IoEngine::Mmap | IoEngine::Nfs);
    IoEngine::here().filter(usable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_fio_reads_them() {
        for (text, bytes) in
            [("4k", 4096), ("4KiB", 4096), ("1g", 1 << 30), ("512", 512), ("2 m", 2 << 20)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "-1", "1x", "0", "99999999999t", "18446744073709551616"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_time("2m"), Ok(Duration::from_secs(120)));
        for text in ["0", "1w", "s", "9999999d"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
        assert_eq!(parse_target_time("1ms"), Ok(Duration::from_millis(1)));
        assert!(parse_target_time("1").unwrap_err().to_string().contains("as 1ms"));
        let said = |of: Result<Duration, InvalidValue>| of.unwrap_err().to_string();
        for text in ["abc", "", "1.5ms", "p99"] {
            let words = "write a time as 1ms: a whole number and its unit";
            assert_eq!(said(parse_target_time(text)), words, "{text}");
        }
        assert!(said(parse_time("soon")).starts_with("write a time as 30s: "));
        assert!(parse_size("large").unwrap_err().to_string().starts_with("write a size as 512m"));
        assert_eq!(parse_depth("x").unwrap_err().to_string(), "write one whole number, as 32");
        assert_eq!(parse_depth("32"), Ok(32));
        assert!(parse_depth("1..32").unwrap_err().to_string().contains("fathom sweep"));
        assert!(parse_depth("1-32").unwrap_err().to_string().contains("as 1..32"));
        for text in ["0", "65537", "-1", "x"] {
            assert!(parse_depth(text).is_err(), "{text}");
        }
    }
}
