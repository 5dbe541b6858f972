//! Data inside a page or a script: JSON that cannot end its element.
//!
//! Decided here:
//! - `<`, `>`, `&` and the two line ends that JSON does not count as such are written as escapes,
//!   so that HTML's parser never sees text of a report.
//! - Control characters become U+FFFD: SVG forbids them, and a chart does not need them.
//! - Fractions have seven figures, which is precise enough for charts: a third of the size.

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};
use std::io;

/// `value` as JSON that is safe inside `<script type="application/json">` and as a script's text.
///
/// # Errors
/// If the value has no JSON form: a map whose keys are not texts.
pub fn json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut out = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Inert))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

struct Inert;

impl Formatter for Inert {
    fn write_f64<W: ?Sized + io::Write>(&mut self, to: &mut W, value: f64) -> io::Result<()> {
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return write!(to, "{value:.0}");
        }
        let rounded: f64 = format!("{value:.6e}").parse().unwrap_or(value);
        CompactFormatter.write_f64(to, rounded)
    }

    fn write_string_fragment<W>(&mut self, to: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut plain = 0;
        for (at, found) in fragment.char_indices() {
            let Some(escape) = escape(found) else { continue };
            to.write_all(&fragment.as_bytes()[plain..at])?;
            to.write_all(escape.as_bytes())?;
            plain = at + found.len_utf8();
        }
        to.write_all(&fragment.as_bytes()[plain..])
    }

    fn write_char_escape<W>(&mut self, to: &mut W, escape: CharEscape) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        use CharEscape::{AsciiControl, Backspace, FormFeed};
        match escape {
            AsciiControl(_) | Backspace | FormFeed => to.write_all(b"\\ufffd"),
            escape => CompactFormatter.write_char_escape(to, escape),
        }
    }
}

fn escape(found: char) -> Option<&'static str> {
    Some(match found {
        '<' => "\\u003c",
        '>' => "\\u003e",
        '&' => "\\u0026",
        '\u{2028}' => "\\u2028",
        '\u{2029}' => "\\u2029",
        '\u{fffe}' | '\u{ffff}' | '\u{7f}'..='\u{9f}' => "\\ufffd",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_an_element_and_stay_what_they_are() {
        let text = "</script><!--&\u{2028}\u{2029}\"\\ 한국 {{7*7}}";
        let out = json(&text).unwrap();
        assert!(!out.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{out}");
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
    }

    #[test]
    fn controls_are_replaced() {
        let out = json(&"a\u{0}b\u{1b}c\u{8}d\u{85}\u{ffff}\te\n").unwrap();
        let back = serde_json::from_str::<String>(&out).unwrap();
        assert_eq!(back, "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}\u{fffd}\te\n");
    }

    #[test]
    fn numbers_keep_seven_figures_and_whole_ones_all() {
        let shown = json(&[1_787_000_000_123.0, 1.0 / 3.0, -0.5, 1e300, f64::NAN]).unwrap();
        assert_eq!(shown, "[1787000000123,0.3333333,-0.5,1e+300,null]");
    }
}
