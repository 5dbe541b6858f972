//! `buffer_pattern` and `verify_pattern`: bytes as hexadecimal, decimal, quoted text or a file, one
//! after another; the latter also the offset of the block (`%o`).
//!
//! Decided here: a file is read where the option is read, and its bytes take its place. So a job
//! is the same wherever it runs, and its results say what was written.

use crate::error::ValueProblem;
use crate::spec::VerifyPattern;
use crate::world::World;
use fathom_text::text;
use std::path::Path;

/// Longest pattern in bytes; fio's limit.
const LONGEST: usize = 512;

/// Bytes of an offset in a pattern.
const OFFSET_BYTES: usize = 8;

/// The bytes of a pattern without files. Hexadecimal goes left to right, a decimal number least
/// significant byte first without its zero bytes, as in fio.
pub(crate) fn buffer_pattern(text: &str) -> Result<Vec<u8>, ValueProblem> {
    let pattern = verify_pattern(text)?;
    match pattern.offsets_at.is_empty() {
        true => Ok(pattern.bytes),
        false => Err(ValueProblem::new("%o is only for verify_pattern")
            .hinted("Give bytes, as 0xdeadbeef or \"text\".")),
    }
}

/// The same, with places for the offset of the block.
pub(crate) fn verify_pattern(text: &str) -> Result<VerifyPattern, ValueProblem> {
    pattern_of(text, &|name, _| {
        Err(ValueProblem::new(text!("'{name}' is a file, which cannot be read here"))
            .hinted("Give the bytes themselves, as 0xdeadbeef or \"text\"."))
    })
}

/// A pattern with the bytes of its files in place of their names.
pub(crate) fn with_files(text: &str, world: &dyn World) -> Result<String, ValueProblem> {
    if !text.contains('\'') {
        return Ok(text.to_owned());
    }
    let pattern = pattern_of(text, &|name, limit| {
        world.read(Path::new(name), limit as u64).map_err(|error| {
            ValueProblem::new(text!("the file '{name}': {error}"))
                .hinted("Check the path; it is below the current folder.")
        })
    })?;
    let mut words = String::new();
    let mut done = 0;
    for end in pattern.offsets_at.iter().copied().chain([pattern.bytes.len()]) {
        let digits = pattern.bytes[done..end].iter().map(|byte| format!("{byte:02x}"));
        words.extend((done < end).then_some("0x".to_owned()).into_iter().chain(digits));
        if end < pattern.bytes.len() {
            words.push_str("%o");
        }
        done = end + OFFSET_BYTES;
    }
    Ok(words)
}

/// At most so many bytes of a file.
type FileReader<'a> = &'a dyn Fn(&str, usize) -> Result<Vec<u8>, ValueProblem>;

fn pattern_of(text: &str, file: FileReader<'_>) -> Result<VerifyPattern, ValueProblem> {
    let mut pattern = VerifyPattern::default();
    let mut rest = text;
    while !rest.is_empty() {
        rest = match rest.strip_prefix("%o") {
            Some(after) => {
                pattern.offsets_at.push(pattern.bytes.len());
                pattern.bytes.extend([0; OFFSET_BYTES]);
                after
            }
            None => piece(rest, &mut pattern.bytes, file)?,
        };
        if pattern.bytes.len() > LONGEST {
            return Err(ValueProblem::new(text!("a pattern has at most {LONGEST} bytes")));
        }
    }
    match pattern.bytes.is_empty() {
        true => Err(ValueProblem::new("the pattern is empty")),
        false => Ok(pattern),
    }
}

/// Parses one piece, appends its bytes, and returns the remainder.
fn piece<'a>(
    text: &'a str,
    bytes: &mut Vec<u8>,
    file: FileReader<'_>,
) -> Result<&'a str, ValueProblem> {
    let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    if let Some(hex) = hex {
        return hexadecimal(hex, bytes);
    }
    if let Some(quoted) = text.strip_prefix('"') {
        let (inner, rest) = until(quoted, '"')?;
        bytes.extend(inner.as_bytes());
        return Ok(rest);
    }
    if let Some(quoted) = text.strip_prefix('\'') {
        let (name, rest) = until(quoted, '\'')?;
        let room = LONGEST.saturating_sub(bytes.len());
        bytes.extend(file(name, room)?);
        return Ok(rest);
    }
    decimal(text, bytes)
}

/// The text before a closing quote, and after it.
fn until(text: &str, quote: char) -> Result<(&str, &str), ValueProblem> {
    let closed = text.split_once(quote);
    closed.ok_or_else(|| ValueProblem::new(text!("the closing {quote} is missing")))
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
    // In 120xff the number is 12, and 0xff follows.
    let is_next_hex = digits[end..].starts_with(['x', 'X']) && digits[..end].ends_with('0');
    let end = if is_next_hex { end - 1 } else { end };
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
    use crate::world::FixedWorld;

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
            (
                "\"abcd\"-120xdeadface",
                &[0x61, 0x62, 0x63, 0x64, 0xf4, 255, 255, 255, 0xde, 0xad, 0xfa, 0xce],
            ),
            ("1-1", &[1, 0xff, 0xff, 0xff, 0xff]),
        ] {
            assert_eq!(buffer_pattern(text).unwrap(), bytes, "{text}");
        }
        for text in ["", "abc", "%o", "'file'", "\"open", "0x", "99999999999", "\"\""] {
            assert!(buffer_pattern(text).is_err(), "{text}");
        }
        assert!(buffer_pattern(&format!("0x{}", "ab".repeat(513))).is_err());
    }

    /// The bytes that fio 3.33 wrote for `"abcd"-120%o0xdeadface`, with an offset of 0.
    #[test]
    fn the_offset_of_the_block_has_eight_bytes() {
        let pattern = verify_pattern("\"abcd\"-120%o0xdeadface").unwrap();
        let head = [0x61, 0x62, 0x63, 0x64, 0x88, 0xff, 0xff, 0xff];
        assert_eq!(pattern.bytes, [&head[..], &[0; 8], &[0xde, 0xad, 0xfa, 0xce]].concat());
        assert_eq!(pattern.offsets_at, [8]);
        assert_eq!(verify_pattern("%o%o").unwrap().offsets_at, [0, 8]);
        assert!(verify_pattern("%p").is_err());
    }

    #[test]
    fn bytes_of_files_take_the_place_of_their_names() {
        let files = vec![("p".into(), b"ab".to_vec()), ("long".into(), vec![7; 1000])];
        let world = FixedWorld { files, ..FixedWorld::default() };
        let of = |text: &str| with_files(text, &world);
        assert_eq!(of("0xff'p'\"x\"'p'").unwrap(), "0xff6162786162");
        assert_eq!(of("12").unwrap(), "12", "nothing to replace");
        assert_eq!(of("'p'%o%o1").unwrap(), "0x6162%o%o0x01");
        assert_eq!(of("%o'p'%o").unwrap(), "%o0x6162%o");
        let long = of("'long'").unwrap();
        assert_eq!(buffer_pattern(&long).unwrap(), vec![7; LONGEST], "as fio, which cuts it");
        for text in ["'none'", "''", "'p", "'p'zz"] {
            assert!(of(text).is_err(), "{text}");
        }
    }
}
