//! Translates texts that code writes in English (errors, `--help`, plans, findings of the doctor):
//! the English text is the key, as in gettext.
//!
//! Decided here:
//! - A key may contain quantities in braces. Their text is copied, and translated if it is a
//!   sentence itself.
//! - Of several matching keys, one that begins with its own letters precedes one that begins with a
//!   quantity; among these the one with the most own letters wins.
//! - A key that begins with a quantity and has few letters, `{free} of {all}`, takes quantities of
//!   one or two words only: a longer text that contains these letters is a different sentence.
//! - Quantities called `depth`, `jobs`, `option` or `volumes` are one word: `QD {depth}` is no form
//!   of `QD 512, 2 jobs`.
//! - A quantity between quotes is the user's text: it is copied.
//! - A text without a matching key is tried sentence by sentence, then clause by clause. The
//!   remainder stays English, which is better than no text.

pub mod help;
#[cfg(test)]
mod tests;

use crate::language::lang;
use fathom_message::phrases::entries;
use fathom_message::{Lang, particles};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;
use unicode_width::UnicodeWidthStr;

/// Files of the phrasebook: a line of English, and below it `= ` with the other language.
const PHRASES: [(&str, &str); 6] = [
    ("terminal", include_str!("ko/terminal.txt")),
    ("cluster", include_str!("ko/cluster.txt")),
    ("doctor", include_str!("ko/doctor.txt")),
    ("errors", include_str!("ko/errors.txt")),
    ("jobs", include_str!("ko/jobs.txt")),
    ("help", include_str!("ko/help.txt")),
];

/// The prefix of errors and warnings.
const PROGRAM: &str = "fathom: ";

/// Quantities that are one word, in any phrase.
const SINGLE_WORDS: [&str; 4] = ["depth", "jobs", "option", "volumes"];

/// Words that our texts have before a colon.
const OWN_LABELS: [&str; 3] = ["warning", "note", "gate"];

/// Sentences may contain sentences; deeper nesting does not occur in our texts.
const DEEPEST: usize = 8;

/// An English text with quantities, and its translation.
#[derive(Debug)]
struct Phrase {
    /// The text before, between and after the quantities.
    letters: Vec<&'static str>,
    /// The quantities, in their order.
    names: Vec<&'static str>,
    translation: &'static str,
}

#[derive(Debug, Default)]
struct Phrasebook {
    whole: HashMap<&'static str, &'static str>,
    /// Phrases with quantities, in the order in which they are tried.
    phrases: Vec<Phrase>,
}

/// `english` in the language of this process, as far as the phrasebook knows it.
pub fn said(english: &str) -> Cow<'_, str> {
    translated(lang(), english)
}

/// A label or the title of a row in the language of this process; only if the phrasebook has the
/// whole text, so that no name is taken for a sentence.
pub fn label(english: &str) -> Cow<'_, str> {
    label_in(lang(), english)
}

/// The same in `lang`.
pub fn label_in(lang: Lang, english: &str) -> Cow<'_, str> {
    let word = english.trim_start();
    match lang {
        Lang::Ko if is_translated(Lang::Ko, word) => {
            let indent = &english[..english.len() - word.len()];
            Cow::Owned(format!("{indent}{}", translated(Lang::Ko, word)))
        }
        _ => Cow::Borrowed(english),
    }
}

/// The margin of a line, `Time   `, in the language of this process and no narrower.
pub fn margin(first: &str) -> Cow<'_, str> {
    let word = first.trim();
    if word.is_empty() || lang() == Lang::En {
        return Cow::Borrowed(first);
    }
    let indent = first.len() - first.trim_start().len();
    let mut text = format!("{}{}", &first[..indent], label(word));
    let blanks = first.width().saturating_sub(text.width());
    text.push_str(&" ".repeat(blanks.max(usize::from(first.ends_with(' ')))));
    Cow::Owned(text)
}

/// `english` in `lang`, as far as the phrasebook knows it.
pub fn translated(lang: Lang, english: &str) -> Cow<'_, str> {
    match lang {
        Lang::En => Cow::Borrowed(english),
        Lang::Ko => match book().text(english, DEEPEST) {
            Some(text) => Cow::Owned(particles::resolved(&text)),
            None => Cow::Borrowed(english),
        },
    }
}

/// Whether the phrasebook has the whole of `english` for `lang`, and not only a part of it.
pub fn is_translated(lang: Lang, english: &str) -> bool {
    lang == Lang::En || book().of_whole(english, DEEPEST).is_some()
}

fn book() -> &'static Phrasebook {
    static BOOK: OnceLock<Phrasebook> = OnceLock::new();
    BOOK.get_or_init(Phrasebook::read)
}

impl Phrasebook {
    fn read() -> Phrasebook {
        Phrasebook::of(PHRASES.iter().flat_map(|(_, text)| entries(text)))
    }

    fn of(entries: impl Iterator<Item = (&'static str, &'static str)>) -> Phrasebook {
        let mut book = Phrasebook::default();
        for (english, translation) in entries {
            match english.contains('{') {
                true => book.phrases.push(Phrase::new(english, translation)),
                false => {
                    book.whole.insert(english, translation);
                }
            }
        }
        book.phrases.sort_by_key(Phrase::rank);
        book
    }

    fn text(&self, english: &str, depth: usize) -> Option<String> {
        // A phrase that begins with a quantity would take the program's name for a part of it.
        if let Some(rest) = english.strip_prefix(PROGRAM).filter(|_| depth > 0) {
            return self.text(rest, depth - 1).map(|text| format!("{PROGRAM}{text}"));
        }
        self.of_whole(english, depth)
            .or_else(|| self.after_prefix(english, depth))
            .or_else(|| self.without_stop(english, depth))
            .or_else(|| self.of_parts(english, ". ", depth))
            .or_else(|| self.of_parts(english, "; ", depth))
            .or_else(|| self.of_parts(english, ": ", depth))
            .or_else(|| self.of_parts(english, ", ", depth))
    }

    fn of_whole(&self, english: &str, depth: usize) -> Option<String> {
        if let Some(translation) = self.whole.get(english) {
            return Some((*translation).to_owned());
        }
        if depth == 0 {
            return None;
        }
        self.phrases.iter().find_map(|phrase| {
            let found = phrase.quantities(english)?;
            Some(phrase.filled(&found, |text| self.quantity(text, depth - 1)))
        })
    }

    /// A quantity; a single word is a name.
    fn quantity(&self, text: &str, depth: usize) -> String {
        let known = text.contains(' ').then(|| self.text(text, depth)).flatten();
        known.unwrap_or_else(|| text.to_owned())
    }

    /// The text after a prefix of names, `fathom: ` or `fathom: /data: `, if the remainder is known
    /// as a whole.
    fn after_prefix(&self, english: &str, depth: usize) -> Option<String> {
        let (name, rest) = english.split_once(": ").filter(|_| depth > 0)?;
        // A sentence is no name.
        if name.contains(". ") {
            return None;
        }
        let rest = self.of_whole(rest, depth - 1).or_else(|| self.after_prefix(rest, depth - 1))?;
        let is_title = name.contains(' ');
        let title = is_title.then(|| self.of_whole(name, depth - 1)).flatten();
        let label = || self.label(name).unwrap_or(name).to_owned();
        Some(format!("{}: {rest}", title.unwrap_or_else(label)))
    }

    /// A word before a colon, if it is ours: users call their jobs `writes` and `latency`, too.
    fn label(&self, name: &str) -> Option<&'static str> {
        let is_ours = name.contains(' ') || OWN_LABELS.contains(&name);
        self.whole.get(name).copied().filter(|_| is_ours)
    }

    /// A sentence whose full stop its key does not have.
    fn without_stop(&self, english: &str, depth: usize) -> Option<String> {
        let bare = english.strip_suffix('.').filter(|_| depth > 0)?;
        let found = self.of_whole(bare, depth - 1).or_else(|| self.after_prefix(bare, depth - 1));
        found.map(|text| text + ".")
    }

    /// Each part alone, if one of them is known.
    fn of_parts(&self, english: &str, between: &str, depth: usize) -> Option<String> {
        if depth == 0 || !english.contains(between) {
            return None;
        }
        let stop = between.trim_end();
        let parts: Vec<&str> = english.split(between).collect();
        let last = parts.len() - 1;
        let mut known = false;
        let texts = parts.iter().enumerate().map(|(at, part)| {
            let ended = format!("{part}{stop}");
            // A word between commas or colons is a name.
            let is_name = match between {
                ", " => !part.contains(' '),
                ": " => !part.contains(' ') && at < last && self.label(part).is_none(),
                _ => false,
            };
            if is_name {
                return if at < last { ended } else { (*part).to_owned() };
            }
            let with_end = (at < last).then(|| self.of_whole(&ended, depth - 1)).flatten();
            let found = with_end.or_else(|| {
                let bare = self.text(part, depth - 1)?;
                Some(if at < last { bare + stop } else { bare })
            });
            known |= found.is_some();
            found.unwrap_or_else(|| if at < last { ended } else { (*part).to_owned() })
        });
        let texts: Vec<String> = texts.collect();
        known.then(|| texts.join(" "))
    }
}

impl Phrase {
    fn new(english: &'static str, translation: &'static str) -> Phrase {
        let (mut letters, mut names) = (Vec::new(), Vec::new());
        let mut rest = english;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            letters.push(before);
            names.push(name);
            rest = after;
        }
        letters.push(rest);
        Phrase { letters, names, translation }
    }

    fn own_letters(&self) -> usize {
        self.letters.iter().map(|part| part.trim().len()).sum()
    }

    /// Whether a sentence could have these letters by chance.
    fn is_weak(&self) -> bool {
        self.is_open() && self.own_letters() < 8
    }

    fn is_open(&self) -> bool {
        self.letters.first().is_none_or(|first| first.is_empty())
    }

    /// Sorts phrases that begin with their own letters first, and among these those with the most.
    fn rank(&self) -> (bool, std::cmp::Reverse<usize>) {
        (self.is_open(), std::cmp::Reverse(self.own_letters()))
    }

    /// Whether a quantity holds the end of a clause or a second one of this phrase: then the text
    /// is of several clauses.
    fn is_list_in(&self, quantity: &str) -> bool {
        let first = self.letters.first().filter(|first| !first.is_empty());
        let again = |first: &&str| quantity.contains(&format!("; {first}"));
        quantity.ends_with(';') || first.is_some_and(again)
    }

    /// The values of the quantities in a text, if it has this form.
    fn quantities<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, others) = self.letters.split_first()?;
        let mut rest = text.strip_prefix(first)?;
        let mut found = Vec::with_capacity(self.names.len());
        for (at, part) in others.iter().enumerate() {
            let end = match at + 1 == others.len() {
                true => rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part))?,
                false => rest.find(part)?,
            };
            if self.is_weak() && rest[..end].matches(' ').count() > 1 {
                return None;
            }
            let is_split = SINGLE_WORDS.contains(&self.names[at]) && rest[..end].contains(' ');
            if is_split || self.is_list_in(&rest[..end]) {
                return None;
            }
            found.push(&rest[..end]);
            rest = &rest[end + part.len()..];
        }
        Some(found)
    }

    /// Whether a quantity stands between quotes: these are the user's own words.
    fn is_quoted(&self, at: usize) -> bool {
        let (before, after) = (self.letters[at], self.letters[at + 1]);
        ['\'', '"', '`'].iter().any(|quote| before.ends_with(*quote) && after.starts_with(*quote))
    }

    fn filled(&self, found: &[&str], quantity: impl Fn(&str) -> String) -> String {
        let mut text = self.translation.to_owned();
        let pairs = self.names.iter().zip(found);
        // Marks that no text contains come first, so that braces in a quantity stay unchanged.
        let marks: Vec<(String, String)> = pairs
            .enumerate()
            .map(|(at, (name, found))| {
                let mark = format!("\u{1}{at}\u{2}");
                text = text.replace(&format!("{{{name}}}"), &mark);
                let shown = if self.is_quoted(at) { (*found).to_owned() } else { quantity(found) };
                (mark, shown)
            })
            .collect();
        marks.iter().fold(text, |text, (mark, quantity)| text.replace(mark, quantity))
    }
}
