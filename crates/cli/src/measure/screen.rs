//! What the other end can show: width, colour, letters; found out once.

use crate::paint::can_draw_over;
use comfy_table::Table;
use std::env;
use std::io::{self, IsTerminal, Write};

/// The place where text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether figures may be emphasised.
    pub colour: bool,
    /// Whether letters beyond ASCII may be used.
    pub unicode: bool,
    /// Whether standard error is a terminal, where lines can be drawn over themselves.
    pub live: bool,
}

/// Columns where no terminal says otherwise: what fits into a mail or an issue.
const DEFAULT_WIDTH: usize = 80;

impl Screen {
    /// The screen of this process.
    pub fn detect() -> Screen {
        let terminal = io::stdout().is_terminal();
        let columns = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let measured = Table::new().width().map(usize::from);
        Screen {
            width: measured.or(columns).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH),
            colour: terminal && colour_is_wanted(),
            unicode: is_utf8(|name| env::var(name).ok()),
            live: can_draw_over(&io::stderr()),
        }
    }

    /// The same for what is drawn on standard error.
    pub fn of_stderr(self) -> Screen {
        Screen { colour: self.live && colour_is_wanted(), ..self }
    }
}

/// <https://no-color.org>: set and not empty.
fn colour_is_wanted() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Whether the locale writes UTF-8: the first of these that is set decides (locale(7)).
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(set).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

/// Writes to standard output; a reader who has gone away is no error of ours.
pub fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes to standard error.
pub fn warn(text: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Breaks `text` into lines of at most `width` columns at its spaces. The first line begins with
/// `first`, the others with `rest`; a word longer than a line stays whole, so that a path can
/// still be copied, and a number stays with its unit.
pub fn wrapped(text: &str, width: usize, first: &str, rest: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in unbroken(text) {
        let needed = line.chars().count() + usize::from(!empty) + word.chars().count();
        if needed > width && !empty {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = rest.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(&word);
        empty = false;
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}

/// The words of `text`, with a number and the word after it as one.
fn unbroken(text: &str) -> Vec<String> {
    let number = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits > 0 && word.chars().all(|c| c.is_ascii_digit() || "(.,+-".contains(c))
    };
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if number(last) && !last.ends_with(',') => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let locale = |pairs: &'static [(&str, &str)]| {
            is_utf8(move |name| {
                pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(locale(&[("LANG", "en_US.UTF-8")]));
        assert!(locale(&[("LC_ALL", ""), ("LANG", "C.utf8")]));
        assert!(!locale(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]));
        assert!(!locale(&[]));
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_stay_whole() {
        let text = wrapped("one two three /a/very/long/path end", 12, "- ", "  ");
        assert_eq!(text, "- one two\n  three\n  /a/very/long/path\n  end\n");
        assert_eq!(wrapped("it takes 1 GiB, so", 12, "", ""), "it takes\n1 GiB, so\n");
    }
}
