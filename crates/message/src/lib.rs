//! Fathom's sentences in each language.
//!
//! One catalogue (`catalogue/<language>/*.ftl`, in Fluent's format) contains every sentence of
//! verdicts, reports and pages; code names a sentence and its arguments, as a [`Message`], and the
//! display code chooses the [`Lang`]. If a language lacks a sentence, English is used.
//!
//! Decided here:
//! - Quantities are passed as formatted text: units and digits are the same in all languages. Only
//!   counts with grammatical agreement are passed as numbers.
//! - A message is data until it is displayed, so that a stored one can be shown in another language
//!   later.
//! - A message is one line. Its arguments can be untrusted names, so unprintable characters in them
//!   are escaped when the text is made.
#![forbid(unsafe_code)]

mod catalogue;
pub mod glossary;
pub mod list;

pub use fathom_text::{Lang, Text, UnknownLang, text};

use fathom_vocab::printable;
use std::borrow::Cow;
use std::fmt;

/// A sentence, or a part of one, with its quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Message(Content);

#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// A sentence of the catalogue.
    Known { id: &'static str, args: Vec<(&'static str, Arg)> },
    /// A text that stands in English in code or in data.
    Written(Text),
    /// Words from elsewhere, the same in every language: a name, an error of the system.
    Verbatim(String),
}

#[derive(Clone, Debug, PartialEq)]
enum Arg {
    Text(String),
    Count(u64),
    Part(Message),
}

impl Message {
    /// The sentence called `id` in the catalogue.
    pub fn new(id: &'static str) -> Message {
        Message(Content::Known { id, args: Vec::new() })
    }

    /// A text of the catalogue of promises; one that is unknown stays English.
    pub fn from_english(text: impl AsRef<str>) -> Message {
        Message::from(Text::from_english(text.as_ref()))
    }

    /// Words that are no part of the catalogue, the same in every language.
    pub fn verbatim(text: impl Into<String>) -> Message {
        Message(Content::Verbatim(text.into()))
    }

    /// With a quantity or a name, as it is to be shown.
    #[must_use]
    pub fn with(self, name: &'static str, text: impl fmt::Display) -> Message {
        self.and(name, Arg::Text(text.to_string()))
    }

    /// With a number that the sentence agrees with: "1 round", "2 rounds".
    #[must_use]
    pub fn count(self, name: &'static str, count: u64) -> Message {
        self.and(name, Arg::Count(count))
    }

    /// With a part that is itself a message.
    #[must_use]
    pub fn part(self, name: &'static str, part: Message) -> Message {
        self.and(name, Arg::Part(part))
    }

    fn and(mut self, name: &'static str, arg: Arg) -> Message {
        if let Content::Known { args, .. } = &mut self.0 {
            args.push((name, arg));
        }
        self
    }

    /// Its text in `lang`.
    pub fn text(&self, lang: Lang) -> String {
        match &self.0 {
            Content::Known { id, args } => catalogue::text(lang, id, args),
            Content::Written(text) => printable::line(text.text(lang)).into_owned(),
            Content::Verbatim(text) => printable::line(text).into_owned(),
        }
    }
}

/// In the language for which it is displayed.
impl fmt::Display for Message {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.text(Lang::current()))
    }
}

/// A value that renders to a message: findings, remarks, verdicts.
pub trait Tell {
    /// Its message.
    fn tell(&self) -> Message;
}

/// `Display` of types that render to messages.
#[macro_export]
macro_rules! shown_as_told {
    ($($told:ty),* $(,)?) => {
        $(impl ::std::fmt::Display for $told {
            fn fmt(&self, to: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&$crate::Tell::tell(self), to)
            }
        })*
    };
}

/// The text of the message `id` that needs no quantities: a title, a name of a column.
pub fn words(lang: Lang, id: &'static str) -> String {
    catalogue::text(lang, id, &[])
}

impl From<Text> for Message {
    fn from(text: Text) -> Message {
        Message(Content::Written(text))
    }
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message::verbatim(text)
    }
}

impl From<Cow<'_, str>> for Message {
    fn from(text: Cow<'_, str>) -> Message {
        Message::verbatim(text.into_owned())
    }
}

#[cfg(test)]
mod tests;
