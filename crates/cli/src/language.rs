//! The language of this process: chosen once, English before that.

use fathom_message::Lang;
use std::sync::OnceLock;

static LANG: OnceLock<Lang> = OnceLock::new();

/// Sets the language. The first choice stays, because there is one command line.
pub fn choose(lang: Lang) -> Lang {
    *LANG.get_or_init(|| lang)
}

/// The language of all screens, and of every report that is written.
pub fn lang() -> Lang {
    LANG.get().copied().unwrap_or_default()
}
