//! The last escaping of text before any command prints it.
//!
//! Most names are escaped where they enter a table, a sentence or a line; this module escapes the
//! others. Only our own styles pass unescaped, and only to a terminal. Cursor movement is in a
//! [`Frame`](crate::terminal::paint::Frame) and does not pass this module.

use fathom_vocab::printable;
use std::borrow::Cow;
use std::io::{self, Write};

/// The styles that our tables, sentences and frames have.
const STYLES: [&str; 9] = [
    "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[34m", "\x1b[35m",
    "\x1b[36m",
];

/// Text as it may be printed; styles pass to a terminal alone.
pub fn safe(text: &str, terminal: bool) -> Cow<'_, str> {
    match terminal {
        true => printable::passing(text, |rest| {
            if rest.starts_with(['\n', '\t']) { 1 } else { style_bytes(rest) }
        }),
        false => printable::lines(text),
    }
}

/// A line with styles, as it may be drawn.
pub fn styled_line(text: &str) -> Cow<'_, str> {
    printable::passing(text, style_bytes)
}

fn style_bytes(rest: &str) -> usize {
    STYLES.iter().find(|style| rest.starts_with(**style)).map_or(0, |style| style.len())
}

/// Takes JSON documents, one a line, and writes each with unprintable characters escaped. No part
/// of a document is written before its line is complete.
pub struct JsonLines<W: Write> {
    to: W,
    line: Vec<u8>,
}

impl<W: Write> JsonLines<W> {
    /// Writes to `to`.
    pub fn new(to: W) -> JsonLines<W> {
        JsonLines { to, line: Vec::new() }
    }
}

impl<W: Write> Write for JsonLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Only the new bytes can end a line: one that is long arrives in many pieces.
        let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            self.line.extend_from_slice(bytes);
            return Ok(bytes.len());
        };
        let (end, rest) = bytes.split_at(last + 1);
        self.line.extend_from_slice(end);
        let whole = std::mem::replace(&mut self.line, rest.to_vec());
        self.to.write_all(printable::json(&String::from_utf8_lossy(&whole)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_styles_pass_to_a_terminal_and_nothing_else_does() {
        let text = "\x1b[1mname\x1b[0m\n\x1b[2J\x1b[8m\r\x1b]0;x\x07\u{9b}1m";
        let rest = "\\x1b[2J\\x1b[8m\\r\\x1b]0;x\\x07\\u{9b}1m";
        assert_eq!(safe(text, true), format!("\x1b[1mname\x1b[0m\n{rest}"));
        assert_eq!(safe(text, false), format!("\\x1b[1mname\\x1b[0m\n{rest}"));
        assert_eq!(styled_line("a\n\x1b[32mb"), "a\\n\x1b[32mb");
    }

    #[test]
    fn documents_are_written_by_whole_lines_and_mean_the_same() {
        let mut lines = JsonLines::new(Vec::new());
        let text = "{\"a\":\"\u{202e}디\u{7f}\"}\n{\"b\":\"\u{9b}\"}\n";
        // In pieces that part letters.
        text.as_bytes().chunks(3).for_each(|piece| lines.write_all(piece).unwrap());
        let written = String::from_utf8(lines.to).unwrap();
        assert_eq!(written, "{\"a\":\"\\u202e디\\u007f\"}\n{\"b\":\"\\u009b\"}\n");
    }

    #[test]
    fn a_long_line_in_small_pieces_is_searched_once() {
        // To search the whole line at each piece would take 2^39 steps: this test would not end.
        let text = "7".repeat(1 << 20) + "\n";
        let mut lines = JsonLines::new(Vec::new());
        text.as_bytes().chunks(1).for_each(|piece| lines.write_all(piece).unwrap());
        assert_eq!(lines.to, text.as_bytes());
    }
}
