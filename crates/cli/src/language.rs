//! The language of this process: chosen once, English before that. What is written on the terminal
//! is in it; documents are not.

use fathom_message::Lang;
use fathom_text::{Text, translation};
use std::sync::OnceLock;

static LANG: OnceLock<Lang> = OnceLock::new();

/// Sets the language. The first choice stays, because there is one command line.
pub fn choose(lang: Lang) -> Lang {
    *LANG.get_or_init(|| lang)
}

/// The language of all screens, and of every report that is written.
pub fn lang() -> Lang {
    match Lang::current() {
        Lang::En => LANG.get().copied().unwrap_or_default(),
        within => within,
    }
}

/// `english` in the language of this process. The name of a column, a label: no user's word is
/// static.
pub fn word(english: &'static str) -> &'static str {
    translation(lang(), english).unwrap_or(english)
}

/// The translation of a text of ours that is not static, such as one of the command line's
/// definition.
pub fn in_language(lang: Lang, english: &str) -> String {
    Text::from_english(english).text(lang).to_owned()
}

/// As `format!`, in the language of this process.
macro_rules! localized {
    ($($text:tt)*) => { fathom_text::text!($($text)*).text($crate::language::lang()).to_owned() };
}
