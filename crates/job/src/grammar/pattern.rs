//! `buffer_pattern`: bytes as hexadecimal, decimal or quoted text, one after another.

use crate::error::ValueProblem;

/// Longest pattern in bytes; fio's limit.
const LONGEST: usize = 512;

/// The bytes of a pattern. Hexadecimal goes left to right, a decimal number least significant byte
/// first without its zero bytes, as in fio.
pub(crate) fn buffer_pattern(text: &str) -> Result<Vec<u8>, ValueProblem> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        rest = piece(rest, &mut bytes)?;
        if bytes.len() > LONGEST {
            return Err(ValueProblem::new(format!("a pattern has at most {LONGEST} bytes")));
        }
    }
    if bytes.is_empty() { Err(ValueProblem::new("the pattern is empty")) } else { Ok(bytes) }
}

/// Parses one piece, appends its bytes, and returns the remainder.
fn piece<'a>(text: &'a str, bytes: &mut Vec<u8>) -> Result<&'a str, ValueProblem> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if let Some(hex) = hex {
        return hexadecimal(hex, bytes);
    }
    if let Some(quoted) = text.strip_prefix('"') {
        let (inner, rest) = quoted
            .split_once('"')
            .ok_or_else(|| ValueProblem::new("the closing '\"' is missing"))?;
        bytes.extend(inner.as_bytes());
        return Ok(rest);
    }
    if text.starts_with('\'') {
        return Err(ValueProblem::new("patterns from files are not there yet")
            .hinted("Give the bytes themselves, as 0xdeadbeef or \"text\"."));
    }
    if text.starts_with('%') {
        return Err(ValueProblem::new("%o is only for verify_pattern")
            .hinted("Give bytes, as 0xdeadbeef or \"text\"."));
    }
    decimal(text, bytes)
}

fn hexadecimal<'a>(text: &'a str, bytes: &mut Vec<u8>) -> Result<&'a str, ValueProblem> {
    let end = text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let digits = &text[..end];
    if digits.is_empty() {
        return Err(ValueProblem::new("hexadecimal digits are expected after 0x"));
    }
    let nibbles: Vec<u8> =
        digits.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    // An odd number of digits: the first one is a separate byte.
    let (first, pairs) = nibbles.split_at(nibbles.len() % 2);
    bytes.extend(first);
    bytes.extend(pairs.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
    Ok(&text[end..])
}

fn decimal<'a>(text: &'a str, bytes: &mut Vec<u8>) -> Result<&'a str, ValueProblem> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let number: i64 = digits[..end].parse().map_err(|_| {
        ValueProblem::new("no pattern")
            .hinted("Write 0xdeadbeef, a decimal number, or text in double quotes: \"text\".")
    })?;
    let number = i32::try_from(if negative { -number } else { number }).map_err(|_| {
        ValueProblem::new("decimal numbers in a pattern have 32 bits").hinted("Use 0x….")
    })?;
    let all = number.to_le_bytes();
    let used = all.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
    bytes.extend(&all[..used]);
    Ok(&digits[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes that fio 3.33 wrote to a file for the same words.
    #[test]
    fn bytes_as_fio_writes_them() {
        for (text, bytes) in [
            ("305419896", &[0x78, 0x56, 0x34, 0x12][..]),
            ("0x12345\"ab\"", &[0x01, 0x23, 0x45, 0x61, 0x62]),
            ("-1", &[0xff; 4]),
            ("256\"a\"", &[0, 1, 0x61]),
            ("0xdeadbeef", &[0xde, 0xad, 0xbe, 0xef]),
            ("\"abc\"0xff12", &[0x61, 0x62, 0x63, 0xff, 0x12]),
            ("0", &[0]),
        ] {
            assert_eq!(buffer_pattern(text).unwrap(), bytes, "{text}");
        }
        for text in ["", "abc", "%o", "'file'", "\"open", "0x", "99999999999", "\"\""] {
            assert!(buffer_pattern(text).is_err(), "{text}");
        }
        assert!(buffer_pattern(&format!("0x{}", "ab".repeat(513))).is_err());
    }
}
