//! Fathom's sentences in each language.
//!
//! The catalogue of crate `text` contains every sentence of verdicts, reports and pages; code names
//! a sentence and its arguments, as a [`Message`], and the display code chooses the [`Lang`].
//!
//! Decided here:
//! - Quantities are passed as formatted text: units and digits are the same in all languages.
//! - A message is data until it is displayed, so that a stored one can be shown in another language
//!   later.
//! - A message is one line. Its arguments can be untrusted names, so unprintable characters in them
//!   are escaped when the text is made.
#![forbid(unsafe_code)]

pub mod glossary;
pub mod list;

pub use fathom_text::{Lang, Text, UnknownLang, text};

use fathom_text::Phrase;
use fathom_vocab::printable;
use std::borrow::Cow;
use std::fmt;

/// A sentence, or a part of one, with its quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct Message(Content);

#[derive(Clone, Debug, PartialEq)]
enum Content {
    /// A sentence of the catalogue.
    Known { id: &'static str, args: Vec<(&'static str, Message)> },
    /// A text that stands in English in code or in data.
    Written(Text),
    /// Words from elsewhere, the same in every language: a name, an error of the system.
    Verbatim(String),
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
        self.part(name, Message::verbatim(text.to_string()))
    }

    /// With a part that is itself a message.
    #[must_use]
    pub fn part(mut self, name: &'static str, part: Message) -> Message {
        if let Content::Known { args, .. } = &mut self.0 {
            args.push((name, part));
        }
        self
    }

    /// Whether both are the same sentence, whatever numbers they hold.
    pub fn is_like(&self, other: &Message) -> bool {
        Message::spanning(&[self, other]).is_some()
    }

    /// One message in place of `all`, which differ in nothing but numbers: with both ends of each
    /// number. None if they differ in more.
    pub fn spanning(all: &[&Message]) -> Option<Message> {
        let (first, others) = all.split_first()?;
        if others.iter().all(|other| other == first) {
            return Some((*first).clone());
        }
        let texts = all.iter().map(|of| match &of.0 {
            Content::Verbatim(text) => Some(text.as_str()),
            _ => None,
        });
        if let Some(texts) = texts.collect::<Option<Vec<&str>>>() {
            return quantity_range(&texts);
        }
        let Content::Known { id, args: names } = &first.0 else { return None };
        let args = all.iter().map(|of| match &of.0 {
            Content::Known { id: own, args } if own == id && args.len() == names.len() => {
                Some(args)
            }
            _ => None,
        });
        let args: Vec<_> = args.collect::<Option<_>>()?;
        let joined = names.iter().enumerate().map(|(at, (name, _))| {
            let values = args.iter().map(|args| args.get(at).filter(|(own, _)| own == name));
            let values: Vec<&Message> = values.map(|arg| Some(&arg?.1)).collect::<Option<_>>()?;
            Some((*name, Message::spanning(&values)?))
        });
        let args = joined.collect::<Option<_>>()?;
        Some(Message(Content::Known { id, args }))
    }

    /// Its text in `lang`.
    pub fn text(&self, lang: Lang) -> String {
        lang.show(self)
    }
}

/// Both ends of numbers with one unit: `62 to 100 %`.
fn quantity_range(texts: &[&str]) -> Option<Message> {
    let numbers: Vec<_> = texts.iter().map(|text| quantity(text)).collect::<Option<_>>()?;
    let unit = numbers.first()?.2;
    let by = |a: &&(f64, &str, &str), b: &&(f64, &str, &str)| a.0.total_cmp(&b.0);
    let (least, most) = (numbers.iter().min_by(by)?, numbers.iter().max_by(by)?);
    let range = Message::new("report-range").with("from", least.1);
    let range = range.with("to", format!("{}{unit}", most.1));
    numbers.iter().all(|number| number.2 == unit).then_some(range)
}

/// A number, its digits, and its unit: `1,024 us`, `83 %`, `4`.
fn quantity(text: &str) -> Option<(f64, &str, &str)> {
    let is_digit = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let (digits, unit) = text.split_at(text.find(|letter| !is_digit(letter)).unwrap_or(text.len()));
    let is_unit = !unit.trim_start().contains(|letter: char| letter == ' ' || letter.is_numeric());
    Some((digits.replace(',', "").parse().ok()?, digits, unit)).filter(|_| is_unit)
}

/// In the language for which it is displayed.
impl fmt::Display for Message {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Content::Known { id, args } => {
                let quantities: Vec<_> =
                    args.iter().map(|(name, arg)| fathom_text::quantity(name, arg)).collect();
                Phrase::new(id, &quantities).fmt(to)
            }
            Content::Written(text) => to.write_str(&printable::line(text.text(Lang::current()))),
            Content::Verbatim(text) => to.write_str(&printable::line(text)),
        }
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
    Message::new(id).text(lang)
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
