//! Makes untrusted text safe to print.
//!
//! A job, a folder, a device or a document can have any name. A name with an escape can clear a
//! terminal, one with a line break can imitate our output, and one with a direction mark can
//! reorder letters. Every writer of text passes foreign text through this module.
//!
//! Decided here:
//! - An unprintable character is written as a readable escape (`\x1b`, `\u{202e}`), never dropped:
//!   two names that differ stay different.
//! - A backslash is unchanged. So escaping twice is the same as escaping once, and each layer may
//!   do it independently.
//! - JSON has its own escapes. With them a document is safe to print, and its values are unchanged.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character acts on a terminal or is invisible: controls (C0, DEL, C1), direction marks,
/// separators of lines and paragraphs, and zero-width characters. The two joiners (U+200C and
/// U+200D) are allowed: Persian, Hindi and emoji need them.
pub fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A name or another piece of text on one line: all that is unprintable is escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    passing(text, |_| 0)
}

/// Text of several lines: line breaks and tabs stay, other unprintable characters are escaped.
pub fn lines(text: &str) -> Cow<'_, str> {
    passing(text, |rest| usize::from(rest.starts_with(['\n', '\t'])))
}

/// Text with further exceptions: for the text from each unprintable character on, `pass` returns
/// the number of bytes to keep, 0 for an escape.
pub fn passing(text: &str, pass: impl Fn(&str) -> usize) -> Cow<'_, str> {
    escaped(text, pass, |letter, out| {
        match letter {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            letter if letter.is_ascii() => {
                write!(out, "\\x{:02x}", u32::from(letter)).expect("a String takes every letter");
            }
            letter => out.extend(letter.escape_unicode()),
        };
    })
}

/// A JSON document with escapes instead of unprintable characters, which are in its strings, with
/// the same meaning. Line breaks, returns and tabs are white space there and stay.
pub fn json(document: &str) -> Cow<'_, str> {
    escaped(
        document,
        |rest| usize::from(rest.starts_with(['\n', '\r', '\t'])),
        |letter, out| {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("a String takes every letter");
            }
        },
    )
}

fn escaped(
    text: &str,
    pass: impl Fn(&str) -> usize,
    escape: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut written, mut at) = (0, 0);
    while let Some((offset, letter)) =
        text[at..].char_indices().find(|(_, letter)| is_unprintable(*letter))
    {
        at += offset;
        match pass(&text[at..]) {
            0 => {
                out.push_str(&text[written..at]);
                escape(letter, &mut out);
                at += letter.len_utf8();
                written = at;
            }
            passed => at += passed,
        }
    }
    match written {
        0 => Cow::Borrowed(text),
        _ => {
            out.push_str(&text[written..]);
            Cow::Owned(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_is_escaped_and_what_is_written_stays() {
        for (text, shown) in [
            ("a\x1b[2Jb", "a\\x1b[2Jb"),
            ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
            ("one\ntwo\r\tthree\0", "one\\ntwo\\r\\tthree\\x00"),
            ("\u{7f}\u{9b}2J", "\\x7f\\u{9b}2J"),
            ("\u{202e}gpj\u{2066}.\u{200f}\u{61c}", "\\u{202e}gpj\\u{2066}.\\u{200f}\\u{61c}"),
            ("a\u{2028}b\u{2029}\u{200b}\u{feff}", "a\\u{2028}b\\u{2029}\\u{200b}\\u{feff}"),
            (
                "디스크 µ é 👩\u{200d}💻 می\u{200c}خواهم \\x1b",
                "디스크 µ é 👩\u{200d}💻 می\u{200c}خواهم \\x1b",
            ),
        ] {
            assert_eq!(line(text), shown);
            assert_eq!(line(&line(text)), shown, "twice is once");
            assert!(!line(text).contains(is_unprintable));
        }
    }

    #[test]
    fn lines_keep_their_ends_and_what_passes_passes() {
        assert_eq!(lines("a\n\tb\r\x1b[1mc"), "a\n\tb\\r\\x1b[1mc");
        let bold = |rest: &str| if rest.starts_with("\x1b[1m") { 4 } else { 0 };
        assert_eq!(passing("\x1b[1mc\x1b[2J\n", bold), "\x1b[1mc\\x1b[2J\\n");
    }

    #[test]
    fn every_letter_is_the_same_to_a_reader_of_json() {
        let text: String = (0..=0x10_ffff).filter_map(char::from_u32).collect();
        let document = serde_json::to_string(&[&text]).unwrap();
        let shown = json(&document);
        assert!(!shown.contains(is_unprintable));
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).unwrap(), [text]);
        assert_eq!(json("{\n\t\"a\": 1\r\n}\n"), "{\n\t\"a\": 1\r\n}\n");
    }
}
