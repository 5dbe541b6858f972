//! Lines on a terminal that are redrawn in place, for any progress display.
//!
//! ratatui's inline viewport does not fit here: it queries the cursor position and reads the answer
//! from standard input in raw mode. That swallows ^C and typed input, and takes two seconds to fail
//! if the terminal does not answer. Moving up by the number of drawn lines needs no query, changes
//! no mode and hides no cursor, so that nothing must be restored after ^C, a kill or a panic.

use crate::system;
use crate::terminal::stream;
use std::env;
use std::io::IsTerminal;
use std::ops::Deref;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The size of a terminal's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Columns.
    pub width: usize,
    /// Lines.
    pub height: usize,
}

impl Window {
    /// That of standard output.
    pub fn of_stdout() -> Window {
        Window::sized(system::stdout_size())
    }

    /// That of standard error.
    pub fn of_stderr() -> Window {
        Window::sized(system::stderr_size())
    }

    /// A window of that size; if the terminal does not report one, the common default.
    fn sized(size: Option<(usize, usize)>) -> Window {
        let (width, height) = size.unwrap_or((80, 24));
        Window { width, height }
    }
}

/// Whether lines can be drawn over themselves there.
pub fn can_draw_over(stream: &impl IsTerminal) -> bool {
    // A dumb terminal cannot move its cursor back.
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    stream.is_terminal() && !dumb && system::takes_escapes()
}

/// Text that moves the cursor of a terminal. Only this file makes it, from lines without other
/// control characters, so it is printed unescaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame(String);

impl Frame {
    /// The cursor's line with `text` replacing the previous text.
    pub fn over_line(text: &str) -> Frame {
        Frame(format!("\r\x1b[2K{}", stream::styled_line(text)))
    }
}

impl Deref for Frame {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// What to do if the window became narrower: the old lines are now wrapped into an unknown number
/// of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrower {
    /// Clear the window, if the program owns all of it.
    Clear,
    /// Leave the old lines, and draw below.
    Beneath,
}

/// Redraws its last frame.
#[derive(Debug)]
pub struct Painter {
    narrower: Narrower,
    /// Lines of the last frame, to be overwritten by the next, and its window.
    drawn: Option<(usize, Window)>,
}

impl Painter {
    /// Nothing is drawn yet.
    pub fn new(narrower: Narrower) -> Painter {
        Painter { narrower, drawn: None }
    }

    /// Puts `lines` in the place of the last frame.
    pub fn draw(&mut self, lines: Vec<String>, window: Window) -> Frame {
        let lines = fitted(lines, window);
        let mut text = match (self.drawn, self.narrower) {
            (Some((_, before)), Narrower::Clear) if window.width < before.width => {
                "\x1b[2J\x1b[H".to_owned()
            }
            (Some((_, before)), Narrower::Beneath) if window.width < before.width => String::new(),
            (Some((count, _)), _) if count > 0 => format!("\x1b[{count}A"),
            _ => String::new(),
        };
        for line in &lines {
            text += &format!("\r{line}\x1b[K\n");
        }
        self.drawn = Some((lines.len(), window));
        Frame(text + "\x1b[J")
    }

    /// Removes the last frame; empty if there is none.
    pub fn wipe(&mut self) -> Frame {
        match self.drawn.take() {
            Some((count, _)) if count > 0 => Frame(format!("\x1b[{count}A\r\x1b[J")),
            _ => Frame::default(),
        }
    }
}

/// Lines cut to the window: no wider than it, and leaving a line for the cursor.
fn fitted(mut lines: Vec<String>, window: Window) -> Vec<String> {
    let most = window.height.saturating_sub(1).max(1);
    if lines.len() > most {
        let more = lines.len() + 1 - most;
        lines.truncate(most - 1);
        lines.push(localized!("({more} more lines in a higher window)"));
    }
    lines.iter().map(|line| cut(&stream::styled_line(line), window.width)).collect()
}

/// The end of a path that is wider than so many columns, with `mark` before it: it tells more than
/// the beginning.
pub fn path_end(path: &str, width: usize, mark: &str) -> String {
    if path.width() <= width {
        return path.to_owned();
    }
    let backwards: String = path.chars().rev().collect();
    let end = cut(&backwards, width.saturating_sub(mark.width()));
    mark.to_owned() + &end.chars().rev().collect::<String>()
}

/// The part of a line that fits `width` columns; escapes take none, Korean letters two.
pub fn cut(line: &str, width: usize) -> String {
    let mut kept = String::with_capacity(line.len());
    let (mut column, mut escape) = (0, false);
    for letter in line.chars() {
        if escape || letter == '\x1b' {
            escape = letter != 'm';
            kept.push(letter);
        } else {
            column += letter.width().unwrap_or(0);
            if column <= width {
                kept.push(letter);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Window = Window { width: 20, height: 5 };

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_frame_takes_the_place_of_the_last_and_is_taken_away_whole() {
        let mut painter = Painter::new(Narrower::Beneath);
        assert_eq!(&*painter.wipe(), "");
        assert_eq!(
            &*painter.draw(lines(&["one", "two"]), WINDOW),
            "\rone\x1b[K\n\rtwo\x1b[K\n\x1b[J"
        );
        let next = painter.draw(lines(&["three"]), WINDOW);
        assert_eq!(&*next, "\x1b[2A\rthree\x1b[K\n\x1b[J");
        assert_eq!(&*painter.wipe(), "\x1b[1A\r\x1b[J");
        assert_eq!(&*painter.wipe(), "");
    }

    #[test]
    fn what_a_narrower_window_wrapped_is_left_alone_or_cleared() {
        let narrow = Window { width: 10, height: 5 };
        let second = |narrower| {
            let mut painter = Painter::new(narrower);
            painter.draw(lines(&["one"]), WINDOW);
            painter.draw(lines(&["two"]), narrow)
        };
        assert_eq!(&*second(Narrower::Beneath), "\rtwo\x1b[K\n\x1b[J");
        assert_eq!(&*second(Narrower::Clear), "\x1b[2J\x1b[H\rtwo\x1b[K\n\x1b[J");
    }

    #[test]
    fn nothing_in_a_line_moves_the_cursor() {
        let hostile = "\x1b[1mname\x1b[0m \x1b[2J\x1b[9A\r\nfake\u{202e}";
        let wide = Window { width: 80, height: 5 };
        let frame = Painter::new(Narrower::Beneath).draw(lines(&[hostile]), wide);
        let shown = "\x1b[1mname\x1b[0m \\x1b[2J\\x1b[9A\\r\\nfake\\u{202e}";
        assert_eq!(&*frame, format!("\r{shown}\x1b[K\n\x1b[J"));
        assert_eq!(&*Frame::over_line(hostile), format!("\r\x1b[2K{shown}"));
    }

    #[test]
    fn a_line_is_cut_to_the_columns_of_the_window() {
        assert_eq!(cut("\x1b[1mabcde\x1b[0m", 3), "\x1b[1mabc\x1b[0m");
        assert_eq!(cut("판정a", 4), "판정");
        assert_eq!(cut("판정a", 3), "판");
    }

    #[test]
    fn a_low_window_says_how_much_it_hides() {
        let mut painter = Painter::new(Narrower::Beneath);
        let low = Window { width: 40, height: 3 };
        let text = painter.draw(lines(&["one", "two", "three"]), low);
        assert!(text.contains("one") && text.contains("(2 more lines"), "{text:?}");
        assert!(!text.contains("two"), "{text:?}");
    }
}
