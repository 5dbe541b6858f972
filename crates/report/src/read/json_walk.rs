//! A JSON text token by token, with the way to each: for what looks at a text without making
//! anything of it.
//!
//! What was decided here:
//! - Whether it is JSON is not asked: whoever makes a type of the text says that. Of JSON the walk
//!   sees what every reader sees, of anything else something, and it ends.
//! - It ends where the first value ends, and where lists and objects are deeper in each other than
//!   serde_json reads, so that what it keeps stays small.

use super::json_path::JsonPath;
use std::borrow::Cow;

/// Deepest nesting, which is serde_json's.
const DEEPEST: usize = 128;

/// A part of a text that stands for something; commas, colons and blanks do not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum JsonToken<'t> {
    /// The beginning of a list or an object.
    Open {
        /// Where, in bytes.
        at: usize,
    },
    /// The end of one.
    Close {
        /// Where it began.
        from: usize,
    },
    /// The name of a member, with its quotes.
    Name(&'t str),
    /// A string with its quotes, a number, or a word.
    Plain(&'t str),
}

/// A walk over a text.
#[derive(Debug)]
pub(super) struct JsonWalk<'t> {
    text: &'t str,
    at: usize,
    /// The lists and objects around this place: where each began, and how far it has come.
    around: Vec<(usize, Progress<'t>)>,
    is_over: bool,
}

/// How far a list or an object has come.
#[derive(Clone, Copy, Debug)]
enum Progress<'t> {
    Element(usize),
    /// The name is next.
    Unnamed,
    /// The name as it stands, with its quotes.
    Member(&'t str),
}

impl<'t> JsonWalk<'t> {
    /// From the beginning of `text`.
    pub fn of(text: &'t str) -> JsonWalk<'t> {
        JsonWalk { text, at: 0, around: Vec::new(), is_over: false }
    }

    /// Where the last token ends, in bytes.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether the first value was seen to its end.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next token; none after the first value, and where it cannot go on.
    pub fn next(&mut self) -> Option<JsonToken<'t>> {
        while !self.is_over {
            let start = self.at;
            let sign = *self.text.as_bytes().get(start)?;
            self.at += 1;
            let token = match sign {
                b' ' | b'\t' | b'\r' | b'\n' | b':' => continue,
                b',' => {
                    self.go_on();
                    continue;
                }
                b'[' => return self.enter(start, Progress::Element(0)),
                b'{' => return self.enter(start, Progress::Unnamed),
                b']' | b'}' => JsonToken::Close { from: self.leave()? },
                _ => {
                    self.at = token_end(self.text.as_bytes(), start);
                    self.name_or_value(&self.text[start..self.at])
                }
            };
            self.is_over = self.around.is_empty();
            return Some(token);
        }
        None
    }

    /// The way to what the last token is of.
    pub fn path(&self) -> JsonPath {
        self.around.iter().fold(JsonPath::default(), |path, (_, progress)| match progress {
            Progress::Element(at) => path.element(*at),
            Progress::Unnamed => path,
            Progress::Member(name) => path.member(&plain(name)),
        })
    }

    /// The name of the member that the last token is the value of; none of what is in a list.
    pub fn name(&self) -> Option<Cow<'t, str>> {
        match self.around.last() {
            Some((_, Progress::Member(name))) => Some(plain(name)),
            _ => None,
        }
    }

    /// Goes out of the innermost list or object, and says where that began.
    pub fn leave(&mut self) -> Option<usize> {
        self.around.pop().map(|(start, _)| start)
    }

    fn enter(&mut self, at: usize, progress: Progress<'t>) -> Option<JsonToken<'t>> {
        if self.around.len() == DEEPEST {
            return None;
        }
        self.around.push((at, progress));
        Some(JsonToken::Open { at })
    }

    fn go_on(&mut self) {
        match self.around.last_mut() {
            Some((_, Progress::Element(at))) => *at += 1,
            Some((_, progress)) => *progress = Progress::Unnamed,
            None => {}
        }
    }

    fn name_or_value(&mut self, token: &'t str) -> JsonToken<'t> {
        match self.around.last_mut() {
            Some((_, progress @ Progress::Unnamed)) => {
                *progress = Progress::Member(token);
                JsonToken::Name(token)
            }
            _ => JsonToken::Plain(token),
        }
    }
}

/// What a string with its quotes says.
pub(super) fn plain(token: &str) -> Cow<'_, str> {
    let inner = token.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        _ => serde_json::from_str::<String>(token).map_or(Cow::Borrowed(token), Cow::Owned),
    }
}

/// Where a string, a word or a number ends.
#[inline]
fn token_end(text: &[u8], start: usize) -> usize {
    let rest = &text[start + 1..];
    let length = match text[start] {
        b'"' => string_length(rest),
        _ => rest.iter().position(|sign| is_mark(*sign)),
    };
    length.map_or(text.len(), |length| start + 1 + length)
}

/// How far it is to behind the quotes that end a string; none where there are no such.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text.get(at..)?.iter().position(|sign| matches!(sign, b'"' | b'\\'))?;
        match text[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

/// Whether a word or a number ends before it. A table, as it is asked of every sign of a number.
#[inline(always)]
fn is_mark(sign: u8) -> bool {
    MARKS[usize::from(sign)]
}

const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let mut at = 0;
    let signs = b" \t\r\n:,[]{}\"";
    while at < signs.len() {
        marks[signs[at] as usize] = true;
        at += 1;
    }
    marks
};
