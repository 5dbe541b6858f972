//! The emphasis of a text on a terminal with colours. What may be printed is listed in
//! `stream.rs`.

/// The emphasis of a cell, a row or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The subject of a row.
    Bold,
    /// The best value, and PASS.
    Green,
    /// A warning, and UNDECIDED.
    Yellow,
    /// FAIL.
    Red,
}

impl Style {
    fn code(self) -> u8 {
        match self {
            Style::Bold => 1,
            Style::Green => 32,
            Style::Yellow => 33,
            Style::Red => 31,
        }
    }

    /// `text` with this emphasis, if there are colours.
    pub fn painted(self, text: &str, has_colours: bool) -> String {
        match has_colours {
            true => format!("\x1b[{}m{text}\x1b[0m", self.code()),
            false => text.to_owned(),
        }
    }
}
