//! The common parts of all charts: background, text and the colours of programs.
//!
//! A chart follows the reader's colour scheme, and has its own background, so that it is readable
//! everywhere. Programs keep their colour in all charts.

use std::fmt::Write;

/// The program of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Ours.
    Fathom,
    /// fio.
    Fio,
    /// A bare loop.
    Bare,
}

impl Who {
    /// The class that gives it its colour.
    pub fn class(self) -> &'static str {
        match self {
            Who::Fathom => "ours",
            Who::Fio => "fio",
            Who::Bare => "bare",
        }
    }

    /// Its name for a reader.
    pub fn name(self) -> &'static str {
        match self {
            Who::Fathom => "Fathom",
            Who::Fio => "fio",
            Who::Bare => "bare loop",
        }
    }

    /// By the name of a contestant.
    pub fn of(contestant: &str) -> Option<Who> {
        match contestant {
            crate::plan::OURS => Some(Who::Fathom),
            crate::plan::FIO => Some(Who::Fio),
            crate::plan::BARE => Some(Who::Bare),
            _ => None,
        }
    }
}

const STYLE: &str = "\
<style>
.paper{fill:#ffffff}.ink{fill:#1a1a1a}.faint{fill:#555555}.grid{stroke:#dddddd}
.ours{color:#0072b2}.fio{color:#8a8a8a}.bare{color:#1a1a1a}
@media(prefers-color-scheme:dark){
.paper{fill:#0d1117}.ink{fill:#e6e6e6}.faint{fill:#a8a8a8}.grid{stroke:#30363d}
.ours{color:#56b4e9}.fio{color:#a0a0a0}.bare{color:#e6e6e6}}
</style>
";

/// A drawing that grows.
#[derive(Clone, Debug)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// An empty sheet with a title in its upper left corner.
    pub fn new(width: u32, height: u32, title: &str) -> Svg {
        let title = escaped(title);
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"14\" role=\"img\" \
             aria-label=\"{title}\">\n{STYLE}\
             <rect width=\"{width}\" height=\"{height}\" class=\"paper\"/>\n\
             <text x=\"20\" y=\"28\" font-size=\"17\" font-weight=\"600\" class=\"ink\">{title}\
             </text>\n"
        );
        Svg { text }
    }

    /// Adds an element unchanged, on a separate line.
    pub fn add(&mut self, element: &str) {
        self.text.push_str(element);
        self.text.push('\n');
    }

    /// Adds words at a place; `how` are further attributes.
    pub fn words(&mut self, x: f64, y: f64, how: &str, words: &str) {
        let words = escaped(words);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "<text x=\"{x:.1}\" y=\"{y:.1}\" {how}>{words}</text>");
    }

    /// The whole file.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A number as people read it: `12`, `340`, `12,500`.
pub fn plain(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn words_cannot_break_the_drawing() {
        let mut svg = Svg::new(100, 50, "a < b & \"c\"");
        svg.words(1.0, 2.0, "class=\"ink\"", "<script>");
        let text = svg.finish();
        assert!(text.contains("a &lt; b &amp; &quot;c&quot;") && !text.contains("<script>"));
        assert_eq!(text.matches("<text").count(), text.matches("</text>").count());
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0.4, 12.0, 999.6, 12_500.0].map(plain), ["0", "12", "1,000", "12,500"]);
    }
}
