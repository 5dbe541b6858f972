//! Texts that stand in code, in each language. The English text is the key, as in gettext, and it
//! is taken before its quantities are filled in: what a user named is never translated.
//!
//! - [`text!`] is `format!` for a text that people read, and gives a [`Text`].
//! - [`translated`] above an error type does the same for its `#[error("…")]`.
//! - `catalogue/*.txt` has the translations: the literal as it stands in the code, and below it the
//!   Korean; line breaks around the literal are no part of it. A text without one is shown in
//!   English, and `cargo xtask tidy` names it.
//! - Sentences that are data before they are text (crate `message`) stand there too, by an id.
//!
//! Decided here:
//! - What is displayed is in English, unless [`Lang::show`] displays it: so nested errors speak one
//!   language without passing it on, and documents stay English.
//! - Where one value needs other words, a text has forms: `{count|1=1 run|{count} runs}`. The last
//!   is for all values without one, and values are those in English.
#![forbid(unsafe_code)]

// The macros name this crate from outside.
#[cfg(test)]
extern crate self as fathom_text;

mod catalogue;
mod lang;
pub mod particles;

pub use catalogue::{CatalogueEntry, entries, translation};
pub use fathom_text_macros::{text, translated};
pub use lang::{Lang, UnknownLang};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::Cell;
use std::fmt;
use std::ops::Deref;
use std::path::{self, Path};

thread_local! {
    /// The language of what this thread displays.
    static SHOWN_IN: Cell<Lang> = const { Cell::new(Lang::En) };
}

impl Lang {
    /// The language for which the caller's value is displayed.
    pub fn current() -> Lang {
        SHOWN_IN.get()
    }

    /// `value` displayed in this language, with all that it displays in turn.
    pub fn show(self, value: impl fmt::Display) -> String {
        self.within(|| value.to_string())
    }

    /// What `make` returns where all is displayed in this language.
    pub fn within<T>(self, make: impl FnOnce() -> T) -> T {
        let outer = SHOWN_IN.replace(self);
        let made = make();
        SHOWN_IN.set(outer);
        made
    }
}

/// What can be a quantity: all that is displayed, and paths.
pub trait Shown<'a> {
    /// What is displayed.
    type Out: fmt::Display;

    /// The value as it is displayed.
    fn shown(&'a self) -> Self::Out;
}

impl<'a, T: fmt::Display + 'a> Shown<'a> for &T {
    type Out = &'a T;

    fn shown(&'a self) -> &'a T {
        self
    }
}

impl<'a> Shown<'a> for Path {
    type Out = path::Display<'a>;

    fn shown(&'a self) -> path::Display<'a> {
        self.display()
    }
}

/// In an error a `&'static str` is a word of ours, which the catalogue may have.
pub trait ShownWord {
    /// The word as it is displayed.
    fn shown_in_error(&self) -> Text;
}

impl ShownWord for &'static str {
    fn shown_in_error(&self) -> Text {
        Text::from(*self)
    }
}

/// What else an error shows.
pub trait ShownInError<'a>: Shown<'a> {
    /// The value as it is displayed.
    fn shown_in_error(&'a self) -> Self::Out {
        self.shown()
    }
}

impl<'a, T: Shown<'a> + ?Sized> ShownInError<'a> for T {}

/// A quantity by its name, for the macros.
pub fn quantity<'q>(
    name: &'static str,
    value: &'q dyn fmt::Display,
) -> (&'static str, &'q dyn fmt::Display) {
    (name, value)
}

/// A text in English with its quantities, not yet filled in. The macros make it.
pub struct Phrase<'q> {
    key: &'static str,
    quantities: &'q [(&'static str, &'q dyn fmt::Display)],
}

impl<'q> Phrase<'q> {
    /// With the text as it stands in the code.
    pub fn new(
        key: &'static str,
        quantities: &'q [(&'static str, &'q dyn fmt::Display)],
    ) -> Phrase<'q> {
        Phrase { key, quantities }
    }

    /// A template with the quantities. `{}` has the next one by its number, and
    /// `{name|1=one run|{name} runs}` a form that depends on one.
    fn filled(&self, template: &str) -> String {
        let (mut text, mut rest, mut next) = (String::new(), template, 0..);
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            // `{{` and `}}` stand for themselves.
            if let Some(after) = rest.strip_prefix(brace) {
                text.push_str(brace);
                rest = after;
                continue;
            }
            let (placeholder, after) = closed(rest);
            rest = after;
            let (name, forms) = placeholder.split_once('|').unwrap_or((placeholder, ""));
            let name = match name.split(':').next().unwrap_or_default() {
                "" => next.next().unwrap_or(0usize).to_string(),
                name => name.to_owned(),
            };
            let value = self.quantities.iter().find(|(own, _)| *own == name);
            debug_assert!(value.is_some(), "{}: no quantity {name}", self.key);
            let filled = value.map(|(_, value)| match forms {
                "" => of_system(value.to_string()),
                forms => self.filled(form(forms, &Lang::En.show(value))),
            });
            text.push_str(&filled.unwrap_or_default());
        }
        text + rest
    }
}

impl fmt::Display for Phrase<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lang, key) = (Lang::current(), self.key.trim_matches('\n'));
        let template = translation(lang, key).unwrap_or(key);
        let text = self.filled(&self.key.replacen(key, template, 1));
        match lang {
            Lang::En => to.write_str(&text),
            Lang::Ko => to.write_str(&particles::resolved(&text)),
        }
    }
}

/// The text before the brace that closes a placeholder, and the text after it.
fn closed(text: &str) -> (&str, &str) {
    let mut depth = 1;
    let end = text.find(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        depth == 0
    });
    end.map_or((text, ""), |end| (&text[..end], &text[end + 1..]))
}

/// The form for a value, which stands behind `VALUE=`; without one the last.
fn form<'t>(forms: &'t str, value: &str) -> &'t str {
    let own = |form: &'t str| form.strip_prefix(value)?.strip_prefix('=');
    let last = forms.rsplit('|').next().unwrap_or_default();
    forms.split('|').find_map(own).unwrap_or(last)
}

/// What a resolver of names says before the system's answer.
const RESOLVER: &str = "failed to lookup address information: ";

/// The system's own errors are shown as they are, but for some that the catalogue has.
fn of_system(value: String) -> String {
    if Lang::current() == Lang::Ko
        && let Some(answer) = value.strip_prefix(RESOLVER)
    {
        return translation(Lang::Ko, answer).unwrap_or(answer).to_owned();
    }
    let known = value.ends_with(')') && value.contains(" (os error ");
    let known = known.then(|| translation(Lang::current(), &value)).flatten();
    known.map_or(value, str::to_owned)
}

/// A text in each language, in a box, since errors hold it. Documents contain it in English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Box<[String; Lang::ALL.len()]>);

impl Text {
    /// What `value` displays in each language: an error, a part of a text.
    pub fn of(value: impl fmt::Display) -> Text {
        Text(Lang::ALL.map(|lang| lang.show(&value)).into())
    }

    /// What `make` returns for each language.
    pub fn each(make: impl Fn(Lang) -> String) -> Text {
        Text(Lang::ALL.map(make).into())
    }

    /// What each of `values` displays, with `between` between them.
    pub fn joined<T: fmt::Display>(
        values: impl IntoIterator<Item = T>,
        between: &'static str,
    ) -> Text {
        let next = |all: Text, next| Text::of(format_args!("{all}{between}{next}"));
        values.into_iter().map(Text::of).reduce(next).unwrap_or_default()
    }

    /// A text of ours as a document has it, in English: translated if it has no quantities.
    pub fn from_english(english: &str) -> Text {
        let korean = translation(Lang::Ko, english).map(particles::resolved);
        Text([english.to_owned(), korean.unwrap_or_else(|| english.to_owned())].into())
    }

    /// In `lang`.
    pub fn text(&self, lang: Lang) -> &str {
        &self.0[lang as usize]
    }
}

/// A text of ours without quantities: no user's word is static.
impl From<&'static str> for Text {
    fn from(english: &'static str) -> Text {
        Text::of(Phrase::new(english, &[]))
    }
}

/// Words from elsewhere, the same in each language.
impl From<String> for Text {
    fn from(words: String) -> Text {
        Text([words.clone(), words].into())
    }
}

impl From<Phrase<'_>> for Text {
    fn from(phrase: Phrase<'_>) -> Text {
        Text::of(phrase)
    }
}

/// In the language for which it is displayed.
impl fmt::Display for Text {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.pad(self.text(Lang::current()))
    }
}

/// The English text, as documents have it.
impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.text(Lang::En)
    }
}

/// Compares the English text.
impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

/// A text can be why something failed.
impl std::error::Error for Text {}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.text(Lang::En))
    }
}

impl<'d> Deserialize<'d> for Text {
    fn deserialize<D: Deserializer<'d>>(from: D) -> Result<Text, D::Error> {
        Ok(Text::from_english(&String::deserialize(from)?))
    }
}

#[cfg(test)]
mod tests;
