//! The abilities of the terminal: width, colour, letters; found out once.

pub use crate::language::lang;
use crate::language::word;
use crate::terminal::paint::{Frame, can_draw_over};
use crate::terminal::stream;
use crate::terminal::style::Style;
use crate::{language, system};
use fathom_message::Lang;
use fathom_vocab::printable;
use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

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
    /// The language of texts.
    pub lang: Lang,
}

/// Columns without a terminal: the width of a mail or an issue.
const DEFAULT_WIDTH: usize = 80;

impl Screen {
    /// What stands for the part of a text that is left out.
    pub fn ellipsis(&self) -> &'static str {
        if self.unicode { "\u{2026}" } else { "..." }
    }

    /// The screen of this process.
    pub fn detect() -> Screen {
        let terminal = io::stdout().is_terminal();
        let columns = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let measured = terminal.then(system::stdout_size).flatten().map(|(width, _)| width);
        Screen {
            width: measured.or(columns).filter(|width| *width > 0).unwrap_or(DEFAULT_WIDTH),
            colour: terminal && colour_is_wanted() && system::takes_escapes(),
            unicode: is_utf8(variable),
            live: can_draw_over(&io::stderr()),
            lang: lang(),
        }
    }

    /// The same for standard error.
    pub fn of_stderr(self) -> Screen {
        Screen { colour: self.live && colour_is_wanted(), ..self }
    }
}

/// <https://no-color.org>: set and not empty.
fn colour_is_wanted() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// A variable of the environment; for the locale, the system's setting if the variable is unset.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().or_else(|| system::locale().filter(|_| name == "LANG"))
}

/// Sets the language of every screen: the requested one, otherwise the locale's.
pub fn speak(asked: Option<Lang>) -> Lang {
    language::choose(asked.unwrap_or_else(locale_lang))
}

/// The language of the locale.
pub fn locale_lang() -> Lang {
    lang_of(variable)
}

fn lang_of(variable: impl Fn(&str) -> Option<String>) -> Lang {
    let locale = locale("LC_MESSAGES", &variable);
    match is_utf8(&variable) {
        true => Lang::of_locale(&locale),
        // Letters beyond ASCII would be garbled.
        false => Lang::En,
    }
}

/// The locale of a category: the first of these that is set decides (locale(7)).
fn locale(category: &str, variable: impl Fn(&str) -> Option<String>) -> String {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    ["LC_ALL", category, "LANG"].iter().find_map(set).unwrap_or_default()
}

/// Whether the locale writes UTF-8.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = locale("LC_CTYPE", variable).to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

pub use crate::terminal::stdout::say;

/// Writes to standard error, with unprintable characters escaped. A failure is ignored, because
/// there is no place left to report it.
pub fn warn(text: &str) {
    let mut out = io::stderr().lock();
    let text = stream::safe(text, out.is_terminal());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Writes one line to standard output. No name in it can begin another line.
pub fn say_line(text: impl Display) {
    say(&format!("{}\n", line(text)));
}

/// Writes one line to standard error, as [`say_line`] does.
pub fn warn_line(text: impl Display) {
    warn(&format!("{}\n", line(text)));
}

/// A line in the language of this process.
fn line(text: impl Display) -> String {
    printable::line(&lang().show(text)).into_owned()
}

/// Prints why a command failed. Korean errors are told without a full stop, however many sentences
/// they have.
pub fn error_line(why: impl Display) {
    warn(&format!("{}\n", without_stop(&line(why), lang())));
}

fn without_stop(text: &str, lang: Lang) -> &str {
    let ends_a_word = |rest: &&str| {
        let last = rest.chars().next_back();
        last.is_some_and(|last| last.is_alphanumeric() || matches!(last, ')' | '\'' | '`'))
    };
    let stopped = text.strip_suffix('.').filter(|_| lang == Lang::Ko);
    stopped.filter(ends_a_word).unwrap_or(text)
}

/// Draws on standard error.
pub fn draw(frame: &Frame) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(frame.as_bytes()).and_then(|()| out.flush());
}

/// Columns that a text takes: a Korean letter takes two, a control none.
pub fn columns(text: &str) -> usize {
    text.chars().filter_map(UnicodeWidthChar::width).sum()
}

/// Columns of the widest line of a text.
#[cfg(test)]
pub fn widest(text: &str) -> usize {
    text.lines().map(columns).max().unwrap_or(0)
}

/// Pads `text` with spaces to `width` columns, like `{:<width$}` for letters of one column.
/// Unprintable characters are escaped.
pub fn from_left(text: &str, width: usize) -> String {
    let text = printable::line(text);
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(&text))))
}

/// The same with the blanks before it.
pub fn to_right(text: &str, width: usize) -> String {
    let text = printable::line(text);
    format!("{}{text}", " ".repeat(width.saturating_sub(columns(&text))))
}

/// `text` in the language of this process, broken into lines as [`wrapped_in`] does.
pub fn wrapped(text: impl Display, width: usize, first: &str, rest: &str) -> String {
    wrapped_in(&lang().show(text), width, first, rest)
}

/// `text` under a label with a colon's blanks behind it, `Time   `.
pub fn labelled(label: &'static str, text: impl Display, screen: &Screen) -> String {
    let first = from_left(&format!("{} ", word(label.trim_end())), label.width());
    wrapped(text, screen.width, &first, &" ".repeat(label.width()))
}

/// A warning in the language of this process, on its own lines with a coloured mark.
pub fn warning(text: impl Display, screen: &Screen) -> String {
    let lines = wrapped(text, screen.width, WARNING, "    ");
    match lines.strip_prefix(WARNING).filter(|_| screen.colour) {
        Some(rest) => format!("  {} {rest}", Style::Yellow.painted("!", screen.colour)),
        None => lines,
    }
}

/// The mark of a warning.
const WARNING: &str = "  ! ";

/// Breaks `text` at its spaces into lines of at most `width` columns. The first line begins with
/// `first`, the others with `rest`. A word longer than a line stays whole, so that a path can be
/// copied; a number stays with its unit, and a command in backquotes whole if it fits on a line.
/// Unprintable characters are escaped.
pub fn wrapped_in(text: &str, width: usize, first: &str, rest: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in
        unbroken(&printable::line(text), width.saturating_sub(first.width().max(rest.width())))
    {
        let needed = line.width() + usize::from(!empty) + word.width();
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

/// The words of `text`. A number and the word after it are one, and so is a command in backquotes
/// of at most `room` columns.
fn unbroken(text: &str, room: usize) -> Vec<String> {
    let commands = joined(numbers_with_units(text), |last| last.matches('`').count() % 2 == 1);
    let fitting = commands.into_iter().flat_map(|command| match command.width() <= room {
        true => vec![command],
        false => numbers_with_units(&command),
    });
    fitting.collect()
}

/// The words of `text`, with a number and the word after it as one.
fn numbers_with_units(text: &str) -> Vec<String> {
    let number = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        digits > 0 && word.chars().all(|c| c.is_ascii_digit() || "(.,+-".contains(c))
    };
    let words = text.split(' ').map(str::to_owned);
    joined(words, |last| number(last) && !last.ends_with(','))
}

/// `words`, each joined with the one before it where `goes_on` holds of that.
fn joined(words: impl IntoIterator<Item = String>, goes_on: impl Fn(&str) -> bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in words {
        match all.last_mut().filter(|last| goes_on(last)) {
            Some(last) => *last += &format!(" {word}"),
            None => all.push(word),
        }
    }
    all
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
    fn korean_errors_end_in_one_form() {
        let ko = |text| without_stop(text, Lang::Ko);
        assert_eq!(ko("옵션은 '--'로 시작합니다."), "옵션은 '--'로 시작합니다");
        assert_eq!([ko("점(.)을 쓰십시오: ."), ko("a/..")], ["점(.)을 쓰십시오: .", "a/.."]);
        assert_eq!(without_stop("Check the path.", Lang::En), "Check the path.");
    }

    #[test]
    fn the_locale_of_messages_chooses_the_language() {
        let lang = |pairs: &'static [(&str, &str)]| {
            lang_of(move |name| {
                pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(lang(&[("LANG", "ko_KR.UTF-8")]), Lang::Ko);
        assert_eq!(lang(&[("LC_MESSAGES", "ko_KR.utf8"), ("LANG", "en_US.UTF-8")]), Lang::Ko);
        assert_eq!(lang(&[("LC_ALL", "C.UTF-8"), ("LANG", "ko_KR.UTF-8")]), Lang::En);
        assert_eq!(lang(&[("LANG", "ko_KR.eucKR")]), Lang::En);
        assert_eq!(lang(&[]), Lang::En);
    }

    #[test]
    fn korean_letters_take_two_columns() {
        assert_eq!(wrapped("정상 상태 도달", 10, "- ", "  "), "- 정상\n  상태\n  도달\n");
        assert_eq!(wrapped("정상 상태 도달", 11, "- ", "  "), "- 정상 상태\n  도달\n");
        assert_eq!((columns("과부하 10 %"), widest("판정\nabc\n")), (11, 4));
        assert_eq!((from_left("판정", 6), to_right("판정", 6)), ("판정  ".into(), "  판정".into()));
        assert_eq!(from_left("판정", 3), "판정");
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_stay_whole() {
        let text = wrapped("one two three /a/very/long/path end", 12, "- ", "  ");
        assert_eq!(text, "- one two\n  three\n  /a/very/long/path\n  end\n");
        assert_eq!(wrapped("it takes 1 GiB, so", 12, "", ""), "it takes\n1 GiB, so\n");
        assert_eq!(wrapped("at /a\nb\x1b[2J", 40, "- ", ""), "- at /a\\nb\\x1b[2J\n");
    }

    #[test]
    fn commands_in_backquotes_stay_whole_where_they_fit_on_a_line() {
        let text = "it shows (`fathom history show 7`) and `a` or b";
        let whole = "it shows\n  (`fathom history show 7`)\n  and `a` or b\n";
        assert_eq!(wrapped(text, 27, "", "  "), whole);
        let cut = "it shows (`fathom history\n  show 7`) and `a` or b\n";
        assert_eq!(wrapped(text, 26, "", "  "), cut);
        assert_eq!(wrapped("one ` alone", 6, "", ""), "one `\nalone\n");
    }
}
